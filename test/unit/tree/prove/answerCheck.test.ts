/** Answers that are checked in step: a wrong byte in one is found, and is that one's fault alone. */
import { describe, expect, test } from 'vitest';
import { ownSpecOf } from '../../../../src/codec/spec.js';
import {
  type HashFamily,
  type Hex,
  VerificationError,
  verifyProof,
} from '../../../../src/index.js';
import { StateReader } from '../../../../src/tree/history/stateReader.js';
import { memoryStore, openStateTree, type Store } from '../../../../src/tree/index.js';
import { leafKey } from '../../../../src/tree/layout/layout.js';
import { createEmptyTree } from '../../../../src/tree/nodes/emptyTree.js';
import { type AnswerPart, createAnswerCheck } from '../../../../src/tree/prove/answerCheck.js';
import type { KeyProofData } from '../../../../src/tree/prove/keyProofData.js';
import type { LeafPath } from '../../../../src/tree/prove/leafPath.js';
import { readProofData } from '../../../../src/tree/prove/prove.js';
import { EncodedNode, UpperNodeCache } from '../../../../src/tree/prove/upperNodeCache.js';
import type { WireExistence } from '../../../../src/tree/prove/wireProof.js';
import { perform } from '../../../../src/tree/store/reading.js';
import { checkClaimQuestion } from '../../../../src/verify/claim.js';
import { fromHex } from '../../../support/hex.js';
import { families } from '../../../support/runs.js';
import { entriesOf } from '../../../support/stores.js';

const address = (n: number): Hex => `0x${(0xabc0 + n).toString(16).padStart(40, '0')}`;
const word = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`;

/** Accounts, of which those with an odd number have storage. */
const changes = Array.from({ length: 12 }, (_, i) => ({
  address: address(i),
  account: { nonce: i, balance: BigInt(i) },
  storage: i % 2 === 0 ? [] : [1, 2, 3].map((k) => ({ key: word(k), value: word(k + i) })),
}));

/** What is asked of one: accounts that exist and not, slots that exist and not. */
const questions = [
  { address: address(1), storageKeys: [word(2), word(9)] },
  { address: address(99), storageKeys: [] },
  { address: address(4), storageKeys: [word(1)] },
  { address: address(7), storageKeys: [word(3)] },
  { address: address(8), storageKeys: [] },
  { address: address(3), storageKeys: [word(8)] },
];

async function stateOf(hash: HashFamily): Promise<{ store: Store; stateRoot: Hex }> {
  const store = memoryStore();
  const tree = await openStateTree({ store, hash });
  const { stateRoot } = await tree.applyBlock({ number: 1, changes });
  return { store, stateRoot };
}

/** The same byte array but for a bit. */
const flipped = (bytes: Uint8Array) =>
  bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte));

/** Changes a bit of a path, in one place of several. */
const harms: Record<string, (path: { -readonly [K in keyof LeafPath]: LeafPath[K] }) => void> = {
  value: (path) => {
    path.leaf = { ...path.leaf, value: flipped(path.leaf.value) };
  },
  leaf: (path) => {
    path.opening = flipped(path.opening);
  },
  'sibling leaf': (path) => {
    path.siblingOpening = flipped(path.siblingOpening as Uint8Array);
  },
  node: (path) => {
    const [{ height, node } = { height: 1, node: undefined }, ...above] = path.lower;
    const preimage = flipped(node?.preimage ?? new Uint8Array(64));
    path.lower = [{ height, node: new EncodedNode(preimage) }, ...above];
  },
  'top node': (path) => {
    path.upperPath = { ...path.upperPath, top: flipped(path.upperPath.top) };
  },
};

describe.each(families)('%s', (family) => {
  const widths: number[] = [];
  const spec = ownSpecOf(family);
  const recoverRoots: typeof spec.hasher.recoverRoots = (paths) => {
    widths.push(paths.length);
    return spec.hasher.recoverRoots(paths);
  };
  const empty = createEmptyTree({ ...spec, hasher: { ...spec.hasher, recoverRoots } });

  /** The parts of the answers to all questions, which share nothing. */
  async function readParts({ store, stateRoot }: Awaited<ReturnType<typeof stateOf>>) {
    return Promise.all(
      questions.map(async (asked): Promise<AnswerPart> => {
        const question = checkClaimQuestion(asked);
        const state = new StateReader({ empty, readsAhead: false }, undefined);
        const proofData = await perform(
          store,
          readProofData(state, question, new UpperNodeCache()),
        );
        const chosen = [...question.storageKeys.keys()];
        return { stateRoot: fromHex(stateRoot), answer: { empty, question, proofData }, chosen };
      }),
    );
  }

  const pathsOf = ({ position, part }: KeyProofData): LeafPath[] =>
    [position.own, ...(position.own === undefined ? [position.left, position.right] : [])].flatMap(
      (index) => (index === undefined ? [] : [part.path(index)]),
    );

  test('answers that hold are found to hold, four accounts a time', async () => {
    const parts = await readParts(await stateOf(family));
    const check = createAnswerCheck(empty);
    widths.length = 0;
    await Promise.all(parts.map(check));
    // The second account is absent, and shows two paths; then come the slots of four answers, of which three are of a key that is absent.
    expect(widths).toEqual([5, 4, 2, 2]);
    widths.length = 0;
    for (const part of parts) await check(part);
    expect(widths.slice(0, 2)).toEqual([1, 3]);
  });

  test('a wrong bit in any path of any of them is found, and the others hold', async () => {
    const state = await stateOf(family);
    let count = 0;
    for (const i of questions.keys()) {
      const { account, slots = [] } = ((await readParts(state))[i] as AnswerPart).answer.proofData;
      for (const [j, key] of [account, ...slots].entries()) {
        for (const k of pathsOf(key).keys()) {
          for (const harm of Object.values(harms)) {
            const parts = await readParts(state);
            const { proofData } = (parts[i] as AnswerPart).answer;
            const path = pathsOf(
              [proofData.account, ...(proofData.slots ?? [])][j] as KeyProofData,
            )[k];
            // Nobody holds a neighbour's value against anything: it is not said what it is.
            if (harm === harms.value && pathsOf(key).length > 1) continue;
            if (harm === harms['sibling leaf'] && path?.siblingOpening === undefined) continue;
            harm(path as LeafPath);
            const check = createAnswerCheck(empty);
            const outcomes = await Promise.allSettled(parts.map(check));
            for (const [at, outcome] of outcomes.entries()) {
              expect(outcome.status).toBe(at === i ? 'rejected' : 'fulfilled');
            }
            expect((outcomes[i] as PromiseRejectedResult).reason).toMatchObject({
              code: 'DAMAGED',
              cause: expect.any(VerificationError),
            });
            count += 1;
          }
        }
      }
    }
    expect(count).toBeGreaterThan(40);
  });

  test('an answer without the proofs of slots holds only if the storage is empty', async () => {
    const parts = await readParts(await stateOf(family));
    const check = createAnswerCheck(empty);
    const withoutSlots = ({ answer, ...part }: AnswerPart): AnswerPart => ({
      ...part,
      answer: { ...answer, proofData: { account: answer.proofData.account, slots: undefined } },
    });
    // Accounts 1 and 4, which the questions at these places ask for: the second has no storage.
    await expect(check(withoutSlots(parts[0] as AnswerPart))).rejects.toMatchObject({
      code: 'DAMAGED',
      cause: { code: 'SLOT_WITHHELD' },
    });
    await check(withoutSlots(parts[2] as AnswerPart));
  });

  test('of answers asked for together, that of a damaged leaf alone is withheld', async () => {
    const { store, stateRoot } = await stateOf(family);
    const honest = await openStateTree({ store, hash: family });
    const { accountProof } = await honest.getProof(address(5));
    const key = leafKey(0, (accountProof as WireExistence).leafIndex);
    const puts = (await entriesOf(store)).map((entry) =>
      Buffer.compare(entry.key, key) === 0 ? { key, value: flipped(entry.value) } : entry,
    );
    const harmed = memoryStore();
    await harmed.write({ puts, deletes: [] });
    const tree = await openStateTree({ store: harmed, hash: family });
    const outcomes = await Promise.allSettled(
      changes.map((change) => tree.getProof(change.address)),
    );
    for (const [i, outcome] of outcomes.entries()) {
      if (i === 5) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'DAMAGED' } });
        continue;
      }
      const claim = { stateRoot, address: address(i), hash: family };
      const { value } = outcome as PromiseFulfilledResult<unknown>;
      expect(verifyProof(value, claim).account?.nonce).toBe(BigInt(i));
    }
    await tree.close();
  });
});
