/** What the verifier says: where a proof breaks a law, and which argument is wrong. */

import { describe, expect, test } from 'vitest';
import {
  createVerifier,
  type ProofClaim,
  VerificationError,
  verifyExistence,
  verifyNonExistence,
  verifyProof,
  verifyProofs,
} from '../../../src/index.js';
import { checkGap } from '../../../src/verify/gap.js';
import type { Wire } from '../../support/runs.js';
import { honest } from '../../support/runs.js';
import { applyPatch } from '../../vectors/patch.js';
import { loadFile } from '../../vectors/run.js';

const file = loadFile('vectors/forged', 'mutations-poseidon2-forged.json');
const base: Wire = file.sibling('getproof-poseidon2-honest.json').json;
const { claim } = honest('poseidon2');
const cases = file.json.cases as Wire[];

const own = "expected the key's own leaf opening";
const value = 'expected the leaf opening of this value';
const root =
  "expected the preimage of the root; for an account, check that the root is the rollup contract's for the block asked, not a block header's stateRoot";
const path = 'expected a path from the leaf to the sub-tree root of node 0';
const withheld =
  'expected a proof: the storage of this account is not pristine; ask again, or another server';
const account = 'accountProof.proof.proofRelatedNodes';
const left = 'leftProof.proofRelatedNodes';
const right = 'rightProof.proofRelatedNodes';
const [one, gap, three] = claim.storageKeys as string[];

test.each<[name: string, path: string, reason: string]>([
  ['head proven as a key', `${account}[41]`, own],
  ["another account's proof under this address", `${account}[41]`, own],
  [
    "another account's proof, labelled so",
    'accountProof.key',
    `expected 0x${'11'.repeat(15)}616c696365, got 0x${'11'.repeat(17)}626f62`,
  ],
  ['another nonce', `${account}[41]`, value],
  ['another slot value', 'storageProofs[0].proof.proofRelatedNodes[41]', value],
  [
    'left.next leads elsewhere',
    `storageProofs[1].${left}[41]`,
    'expected a left neighbour whose next is 5, got 4',
  ],
  [
    'right.prev leads elsewhere',
    `storageProofs[1].${right}[41]`,
    'expected a right neighbour whose prev is 4, got 5',
  ],
  [
    'interval closed on the left',
    `storageProofs[0].${left}[41]`,
    'expected a left neighbour with a smaller hKey',
  ],
  [
    'interval closed on the right',
    `storageProofs[0].${right}[41]`,
    'expected a right neighbour with a larger hKey',
  ],
  ['mixed roots: leftProof of a later state', `storageProofs[0].${left}[0]`, root],
  ['mixed roots: rightProof of a later state', `storageProofs[0].${right}[0]`, root],
  ["another account's storage", 'storageProofs[0].proof.proofRelatedNodes[0]', root],
  ['a state of its own under the trusted top node', account, path],
  [
    'leaf beyond the next free node',
    account,
    'expected a leaf index below the next free node 2, got 3',
  ],
  [
    'left neighbour at the next free node',
    `storageProofs[0].${left}`,
    'expected a leaf index below the next free node 5, got 5',
  ],
  ['slots withheld', 'storageProofs[0]', withheld],
  ['slot answered with null', 'storageProofs[1]', withheld],
  ['slots reordered', 'storageProofs[0].key', `expected ${one}, got ${three}`],
  ['slot doubled in the place of another', 'storageProofs[1].key', `expected ${gap}, got ${one}`],
  ['one slot fewer', 'storageProofs', 'expected 3 entries as asked, got 2'],
  ['slot answered for an absent account', 'storageProofs[0]', 'expected null: no such account'],
])('%s', (name, at, reason) => {
  const {
    patch = [],
    request = base.request,
    stateRoot,
    code,
  } = cases.find((each) => each.name === name);
  const asked: ProofClaim = {
    stateRoot: stateRoot ?? claim.stateRoot,
    address: request.address ?? claim.address,
    storageKeys: request.slots ?? claim.storageKeys,
    hash: 'poseidon2',
  };
  const verify = () => verifyProof(applyPatch(base.result, patch), asked);
  expect(verify).toThrow(
    expect.objectContaining({ code, path: at, message: `"${at}" ${reason} (${code})` }),
  );
  expect(verify).toThrow(VerificationError);
});

describe('a wrong argument', () => {
  const { result } = honest('poseidon2');
  const key = `0x${'00'.repeat(32)}`;
  test.each<[object, string]>([
    [{ storageKeys: 5 }, '"storageKeys" expected an array of hex strings, got number 5'],
    [
      { storageKeys: new Array(16385).fill(key) },
      '"storageKeys" expected at most 16384 keys, got 16385',
    ],
    [{ storageKeys: [key, '0x'] }, '"storageKeys[1]" expected 0x and 64 hex digits (32 bytes)'],
    [{ storageKeys: [key, 5] }, '"storageKeys[1]" expected a hex string, got number 5'],
    [{ address: '0x' }, '"address" expected 0x and 40 hex digits (20 bytes)'],
    [{ stateRoot: 5 }, '"stateRoot" expected a hex string, got number 5'],
  ])('of a claim: %#', (change, message) => {
    expect(() => verifyProof(result, { ...claim, ...change } as never)).toThrow(
      expect.objectContaining({ message }),
    );
  });

  test('as many keys as may be asked are counted against the answer', () => {
    const storageKeys = new Array(16384).fill(key);
    expect(() => verifyProof(result, { ...claim, storageKeys })).toThrow(
      /expected 16384 entries as asked, got 3/,
    );
  });

  const { stateRoot } = claim;
  const ofAbsence = { hash: 'poseidon2' as const, root: stateRoot, hKey: stateRoot };
  const given = { ...ofAbsence, hValue: stateRoot };
  test.each(['root', 'hKey', 'hValue'])('of a tree is named: %s', (name) => {
    const wrong = { ...given, proof: result.accountProof, [name]: 5 } as never;
    const message = `"${name}" expected a hex string, got number 5`;
    expect(() => verifyExistence(wrong)).toThrow(expect.objectContaining({ message }));
    if (name === 'hValue') return;
    const wrongAbsence = { ...ofAbsence, proof: result.accountProof, [name]: 5 } as never;
    expect(() => verifyNonExistence(wrongAbsence)).toThrow(expect.objectContaining({ message }));
  });

  test('is told by what it is: options, items, the memory', () => {
    const no = null as never;
    const says = (action: () => unknown) => {
      try {
        return action();
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(says(() => verifyExistence(no))).toMatch(
      /^"options" expected an object \{ hash, root, hKey, hValue, proof, engine \}, got null$/,
    );
    expect(says(() => verifyNonExistence(no))).toMatch(
      /^"options" expected an object \{ hash, root, hKey, proof, engine \}, got null$/,
    );
    expect(says(() => createVerifier(no))).toMatch(
      /^"options" expected an object \{ stateRoot, hash, maxNodes, engine \}, got null$/,
    );
    expect(says(() => verifyProofs(no))).toBe('"items" expected an array, got null');
    for (const maxNodes of [-1, 1.5, Number.NaN]) {
      expect(says(() => createVerifier({ stateRoot, maxNodes }))).toBe(
        `"maxNodes" expected a whole number from 0, got number ${maxNodes}`,
      );
    }
    expect(says(() => createVerifier({ stateRoot: 5 as never }))).toBe(
      '"stateRoot" expected a hex string, got number 5',
    );
  });

  test('a proof of the other kind is told, and has no place', () => {
    const existence = result.storageProofs[0];
    const absence = result.storageProofs[1];
    expect(() => verifyExistence({ ...given, proof: absence })).toThrow(
      expect.objectContaining({
        code: 'WRONG_KIND',
        path: '',
        message: 'expected an existence proof, got a non-existence proof (WRONG_KIND)',
      }),
    );
    expect(() => verifyNonExistence({ ...ofAbsence, proof: existence })).toThrow(
      expect.objectContaining({
        code: 'WRONG_KIND',
        path: '',
        message: 'expected a non-existence proof, got an existence proof (WRONG_KIND)',
      }),
    );
  });

  test('the head of the list is no key', () => {
    const head = `0x${'00'.repeat(32)}` as const;
    const forged = cases.find(({ name }) => name === 'head proven as a key');
    const proof = (applyPatch(base.result, forged.patch) as Wire).accountProof;
    expect(() =>
      verifyExistence({
        ...given,
        root: forged.stateRoot ?? stateRoot,
        hKey: head,
        hValue: head,
        proof,
      }),
    ).toThrow(
      expect.objectContaining({
        code: 'HEAD_OR_TAIL',
        message: `"proof.proofRelatedNodes[41]" expected a key, got the head or tail of the list (HEAD_OR_TAIL)`,
      }),
    );
  });

  test('an item that throws when it is read', () => {
    const cause = new RangeError('its own');
    const get = () => {
      throw cause;
    };
    const [outcome] = verifyProofs([Object.defineProperty({}, 'result', { get }) as never]);
    const message = '"item" expected an object { result, claim }, but reading it threw';
    expect(outcome).toEqual({ ok: false, error: new TypeError(message, { cause }) });
  });
});

describe('a gap is refused with the place of the member', () => {
  const digest = (value: number) => new Uint8Array(32).fill(value);
  const [before, after] = [
    { prev: 0n, next: 3n, hKey: digest(4), hValue: digest(0) },
    { prev: 2n, next: 1n, hKey: digest(6), hValue: digest(0) },
  ];
  const check = (change: { left?: object; right?: object }) => () =>
    checkGap({
      hKey: digest(5),
      left: {
        leafIndex: 2n,
        leaf: { ...before, ...change.left },
        locate: (name) => `left.${name}`,
      },
      right: {
        leafIndex: 3n,
        leaf: { ...after, ...change.right },
        locate: (name) => `right.${name}`,
      },
    });

  test.each([
    ['left.hKey', { left: { hKey: digest(5) } }, 'KEY_NOT_BETWEEN'],
    ['right.hKey', { right: { hKey: digest(5) } }, 'KEY_NOT_BETWEEN'],
    ['left.next', { left: { next: 4n } }, 'NOT_NEIGHBOURS'],
    ['right.prev', { right: { prev: 1n } }, 'NOT_NEIGHBOURS'],
  ])('%s', (path, change, code) => {
    expect(check({})).not.toThrow();
    expect(check(change)).toThrow(expect.objectContaining({ path, code }));
  });
});
