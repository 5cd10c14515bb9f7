/** Answers as text, and the reads at once behind them: the same as the objects and the reads that wait. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Hex, verifyProof } from '../../../../src/index.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import {
  memoryStore,
  openStateTree,
  type StateTree,
  type Store,
  type TextWork,
} from '../../../../src/tree/index.js';
import { accountTree, packKey } from '../../../../src/tree/layout/layout.js';
import { packsIn } from '../../../../src/tree/nodes/packs.js';
import { numberWidth } from '../../../../src/tree/store/numbers.js';
import { newFolder } from '../../../support/folder.js';
import { withAnswers } from '../../../support/stores.js';

const address = (n: number): Hex => `0x${(0xabc + n).toString(16).padStart(40, '0')}`;
const word = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`;

const stores: [string, () => Store][] = [
  ['in memory', memoryStore],
  ['in LMDB', () => lmdbStore({ path: join(newFolder(), 'state') })],
  // What replaces `read` is asked in its place: such a store answers nothing at once.
  ['behind another one', () => withAnswers(memoryStore(), (_, answer) => answer)],
];

const toBuffer = (piece: unknown) =>
  typeof piece === 'string' ? Buffer.from(piece) : (piece as Uint8Array);

/** Wallets, contracts with and without storage, and a block that changes and removes some of each. */
async function grown(store: Store, hash: 'poseidon2' | 'mimc') {
  const tree = await openStateTree({ store, hash });
  const changes = Array.from({ length: 60 }, (_, i) => ({
    address: address(i),
    account: { nonce: i, balance: BigInt(i) ** 9n },
    storage: Array.from({ length: i % 4 }, (_, k) => ({ key: word(k + i), value: word(i + 1) })),
  }));
  await tree.applyBlock({ number: 1, changes });
  await tree.finalize(1);
  await tree.applyBlock({
    number: 5,
    changes: [
      { address: address(3), account: null },
      { address: address(7), account: { nonce: 9, balance: 1n }, storage: [] },
      { address: address(100), account: { nonce: 0, balance: 2n } },
    ],
  });
  return tree;
}

describe.each(stores)('a state %s', (_, open) => {
  test.each(['poseidon2', 'mimc'] as const)(
    'of %s: text is what objects are as JSON',
    async (hash) => {
      const tree = await grown(open(), hash);
      const kinds = new Set<string>();
      const pieces = new Set<number>();
      for (const block of [1, 5, undefined]) {
        for (const who of [0, 1, 2, 3, 7, 58, 59, 100, 200]) {
          for (const storageKeys of [[], [word(who)], [word(who + 1), word(900), word(who)]]) {
            const work: TextWork = { asText: true };
            const text: unknown = await tree.getProof(address(who), storageKeys, block, work);
            const result = await tree.getProof(address(who), storageKeys, block);
            expect(text).toBe(JSON.stringify(result));
            const taken: Uint8Array[] = [];
            const memory = (bytes: number) => {
              // It held something else before.
              const piece = new Uint8Array(bytes).fill(1);
              taken.push(piece);
              return piece;
            };
            const inPieces: TextWork = { ...work, inPieces: true, memory };
            const written: unknown = await tree.getProof(
              address(who),
              storageKeys,
              block,
              inPieces,
            );
            if (Array.isArray(written)) {
              pieces.add(written.length);
              expect(written.every((piece, i) => piece === taken[i])).toBe(true);
            }
            expect(Buffer.concat([written].flat().map(toBuffer)).toString()).toBe(text);
            const stateRoot = await tree.stateRoot(block);
            const claim = { stateRoot, address: address(who), storageKeys, hash };
            const { account, storage } = verifyProof(JSON.parse(text as string), claim);
            kinds.add(`${account !== null} ${storage.map(({ exists }) => exists).join()}`);
          }
        }
      }
      // Existing and absent accounts, without slots and with existing, absent and both.
      expect([...kinds].sort()).toEqual(
        expect.arrayContaining([
          'false ',
          'true ',
          'true false',
          'true true',
          'true true,false,true',
        ]),
      );
      // One turn for each two slots; what is done in one is text.
      expect([...pieces]).toEqual([3]);
      await tree.close();
    },
    120_000,
  );
});

/** Accounts that, with head and tail, are more leaves than a tree has whose paths share one upper part. */
const many = 1100;

async function grownFar(store: Store) {
  const tree = await openStateTree({ store });
  const changes = Array.from({ length: many }, (_, i) => ({
    address: address(i),
    account: { nonce: i, balance: 1n },
  }));
  await tree.applyBlock({ number: 1, changes });
  return tree;
}

describe('in a tree with many leaves, whose paths share upper parts,', () => {
  const work: TextWork = { asText: true };
  let store: Store;
  let tree: StateTree;

  beforeAll(async () => {
    store = memoryStore();
    tree = await grownFar(store);
  }, 60_000);
  afterAll(() => tree.close());

  /** Asks for an account as text, and verifies the answer. @returns the answer */
  async function ask(who: number) {
    const text: unknown = await tree.getProof(address(who), [], 1, work);
    const stateRoot = await tree.stateRoot(1);
    const answer = JSON.parse(text as string);
    const { account } = verifyProof(answer, { stateRoot, address: address(who) });
    expect(account?.nonce).toBe(who < many ? BigInt(who) : undefined);
    return { text, answer };
  }

  test('text is what objects are as JSON', async () => {
    for (const who of [0, 1, 2, 500, 501, many - 1, many, 5000]) {
      const { text } = await ask(who);
      expect(text).toBe(JSON.stringify(await tree.getProof(address(who), [], 1)));
    }
  });

  test('what goes wrong in the store after a part was verified is refused, or not shown', async () => {
    await ask(700);
    const positions = [0, 1, 2].flatMap((level) =>
      Array.from({ length: packsIn(level, many + 2) }, (_, index) => ({ level, index })),
    );
    const keys = positions.map((position) => packKey(accountTree, position));
    const { values } = await store.read({ keys, ranges: [] });
    const right = keys.map((key, i) => ({ key, value: values[i] as Uint8Array }));
    // Both children of every node, behind the stamp.
    const damage = (value: Uint8Array) =>
      value.map((byte, i) => (i >= numberWidth && (i - numberWidth) % 32 === 31 ? byte ^ 1 : byte));
    const wrong = right.map(({ key, value }) => ({ key, value: damage(value) }));
    await store.write({ puts: wrong, deletes: [] });
    const refused: number[] = [];
    for (let who = 3; who < many; who += 20) {
      // What is answered verifies: it is made of nodes that were read before.
      await ask(who).catch((error) => {
        expect(error.code).toBe('DAMAGED');
        refused.push(who);
      });
    }
    expect(refused.length).toBeGreaterThan(20);
    await store.write({ puts: right, deletes: [] });
    await ask(700);
  });
});

test('two states with the same leaves, and another next free node, have top nodes of their own', async () => {
  const tree = await openStateTree();
  const account = { nonce: 1, balance: 5n };
  await tree.applyBlock({ number: 1, changes: [{ address: address(0), account }] });
  await tree.finalize(1);
  // A leaf comes and goes: the leaves are what they were, but its index is not given out again.
  await tree.applyBlock({ number: 2, changes: [{ address: address(1), account }] });
  await tree.applyBlock({ number: 3, changes: [{ address: address(1), account: null }] });
  const work: TextWork = { asText: true };
  const texts: string[] = [];
  for (const block of [1, 3, 1]) {
    const text: unknown = await tree.getProof(address(0), [], block, work);
    expect(text).toBe(JSON.stringify(await tree.getProof(address(0), [], block)));
    texts.push(text as string);
  }
  expect(texts[2]).toBe(texts[0]);
  expect(texts[1]).not.toBe(texts[0]);
  await tree.close();
});

test.each(stores.slice(0, 2))('%s, a read gives at once what it gives later', async (_, open) => {
  const store = open();
  const entry = (n: number) => ({ key: Uint8Array.of(n), value: new Uint8Array(n * 40).fill(n) });
  await store.write({ puts: [1, 2, 3, 20].map(entry), deletes: [] });
  const snapshot = await store.snapshot();
  const request = {
    keys: [Uint8Array.of(2), Uint8Array.of(9), Uint8Array.of(20)],
    ranges: [{ from: Uint8Array.of(2), to: undefined, limit: 2, reverse: false }],
  };
  const plain = (value: unknown) =>
    JSON.stringify(value, (_, each) => (each instanceof Uint8Array ? [...each] : each));
  for (const reader of [store, snapshot]) {
    const { values, ranges } = await reader.read(request);
    const now = reader.read.now?.(request);
    expect(now?.values.map((value) => value && [...value])).toEqual(
      values.map((value) => value && [...value]),
    );
    expect(plain(now?.ranges.map((each) => each.map(({ key }) => [...key])))).toBe(
      plain(ranges.map((each) => each.map(({ key }) => [...key]))),
    );
  }
  const again = await store.snapshot();
  expect(again.version).toBe(snapshot.version);
  await store.write({ puts: [entry(4)], deletes: [] });
  const later = await store.snapshot();
  expect(later.version).not.toBe(snapshot.version);
  for (const one of [snapshot, again, later]) await one.release();
  await store.close();
});
