/** What the reader of a compact proof says: which field breaks a law of docs/compact.md, and how. */

import { describe, expect, test } from 'vitest';
import { compactProof, verifyAnswer, verifyCompactProof } from '../../../src/compact/index.js';
import { verifyCompact } from '../../../src/compact/verify.js';
import type { Hasher } from '../../../src/hash/family.js';
import { type ProofClaim, ProofError } from '../../../src/index.js';
import { checkClaim } from '../../../src/verify/claim.js';
import { claimOf, refusal } from '../../compact/support.js';
import { CompactWorld } from '../../compact/world.js';
import { own, proof, withLeaves } from '../../compact/write.js';
import { fromHex, toHex } from '../../support/hex.js';
import { bytesOf, digits } from '../../support/reference.js';
import type { Wire } from '../../support/runs.js';
import { honest } from '../../support/runs.js';
import { claimOfCase } from '../../vectors/compact.js';
import { loadFile } from '../../vectors/run.js';

const file = loadFile('vectors', 'compact-poseidon2.json');
const cases = file.json.cases as Wire[];

function caseOf(name: string): { bytes: Uint8Array; claim: ProofClaim } {
  const entry = cases.find((each) => each.name === name);
  return { bytes: fromHex(entry.proof), claim: claimOfCase(file, entry) };
}

/** Where and why bytes are refused. */
function refusalOf(bytes: unknown, claim: ProofClaim): [path: string, reason: string] {
  try {
    verifyCompactProof(bytes as Uint8Array, claim);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    const at = `"${error.path}" `;
    if (error.path !== '') expect(error.message.startsWith(at), error.message).toBe(true);
    return [error.path, error.message.slice(error.path === '' ? 0 : at.length)];
  }
  throw new Error('accepted');
}

const leaf = 'accountTree.leaves[0]';
const slots = 'storageTree.leaves';
const shortest = 'expected the shortest form of the number';
const sixBytes = 'expected a number of at most 6 bytes';
const below = (limit: number, got = limit) => `expected a number below ${limit}, got ${got}`;
const version = (got: number) =>
  `expected 1, got ${got}: this is no compact proof, or one of another version`;
const canonical =
  "expected canonical elements of Poseidon2 over KoalaBear, each below the modulus; check that the proof is of this family (hash: 'poseidon2')";
const noKeys =
  'expected none: no storage key was asked, or the storage is pristine and proves every slot zero (LEAF_NOT_NEEDED)';
const between =
  'expected the leaf of each key asked, or the two leaves that it lies between; check address and storage keys (KEY_NOT_BETWEEN)';
const notNeeded = 'expected a neighbour of an absent key that was asked (LEAF_NOT_NEEDED)';
const lead = 'expected leaves and siblings that lead to the root';

test.each<[name: string, path: string, reason: string]>([
  // Two leaves for each of 16384 keys and the account; a leaf of 36, 192 and forty times 32 bytes.
  ['no bytes', '', 'expected 1 to 49417160 bytes, got 0'],
  ['the version alone', 'accountTree.nextFreeNode', 'expected 1 more bytes, got 0'],
  ['version byte 00', 'version', version(0)],
  ['version byte 81', 'version', version(129)],
  ['JSON', 'version', version(123)],
  ['next free node in a longer form', 'accountTree.nextFreeNode', shortest],
  ['count in a longer form', 'accountTree.leaves', shortest],
  ['place in a longer form', `${leaf}.place`, shortest],
  ['difference of seven bytes', `${leaf}.leafIndex`, sixBytes],
  ['difference of 2^40', `${leaf}.leafIndex`, below(2 ** 40)],
  ['prev of 2^40', `${leaf}.prev`, below(2 ** 40)],
  ['next of 2^40', `${leaf}.next`, below(2 ** 40)],
  ['next free node of 2^40 + 1', 'accountTree.nextFreeNode', below(2 ** 40 + 1)],
  ['no leaf', slots, 'expected at least one leaf'],
  ['place 2 in the account tree', `${leaf}.place`, below(2)],
  ['place beyond any claim', `${slots}[0].place`, below(16385)],
  ['three leaves in the account tree', 'accountTree.leaves', below(3)],
  [
    'one index twice, with the siblings of both',
    `${slots}[1].leafIndex`,
    'expected a larger index than the leaf before has',
  ],
  ['one byte more', '', 'expected the end, got 1 more bytes'],
  ['one byte less', 'storageTree.siblings', 'expected 96 more bytes, got 95'],
  ['one sibling less', 'storageTree.siblings', 'expected 96 more bytes, got 64'],
  ['hKey of a neighbour + p', `${slots}[2].content`, canonical],
  ['hValue of a neighbour + p', `${slots}[2].content`, canonical],
  ['sibling + p', 'storageTree.siblings', canonical],
  [
    'storageRoot + p',
    `${leaf}.value.storageRoot`,
    'expected canonical elements of Poseidon2 over KoalaBear',
  ],
  [
    'nonce of 2^64, in a tree that holds it',
    `${leaf}.value.nonce`,
    `expected below 2^64, got ${2n ** 64n}`,
  ],
  [
    'leaf at the next free node',
    `${leaf}.leafIndex`,
    'expected a leaf index below the next free node 3, got 3 (INDEX_OUT_OF_RANGE)',
  ],
  ['neighbour that no key needs', `${slots}[0].place`, notNeeded],
  [
    'leaf of a key that was not asked',
    `${slots}[1].place`,
    'expected a place from 1 to 1, the number of distinct keys asked, got 2 (LEAF_NOT_NEEDED)',
  ],
  ['two leaves of one key', `${slots}[1].place`, 'expected one leaf for a key (LEAF_NOT_NEEDED)'],
  ['storage tree although no slot was asked', 'storageTree', noKeys],
  ['tree of pristine storage', 'storageTree', noKeys],
  [
    'storage tree of an absent account',
    'storageTree',
    'expected none: no such account (SLOT_OF_ABSENT_ACCOUNT)',
  ],
  [
    'no storage tree',
    'storageTree',
    'expected a storage tree: the storage of this account is not pristine; ask again, or another server (SLOT_WITHHELD)',
  ],
  ['left neighbour alone', slots, between],
  ['right neighbour alone', slots, between],
  ['key that exists, its leaf as the left neighbour', slots, between],
  [
    'key that exists, its leaf as the right neighbour',
    `${slots}[1].hKey`,
    'expected a right neighbour with a larger hKey (KEY_NOT_BETWEEN)',
  ],
  [
    'left.next leads elsewhere, in a tree that holds it',
    `${slots}[0].next`,
    'expected a left neighbour whose next is 5, got 4 (NOT_NEIGHBOURS)',
  ],
  [
    'right.prev leads elsewhere, in a tree that holds it',
    `${slots}[1].prev`,
    'expected a right neighbour whose prev is 4, got 5 (NOT_NEIGHBOURS)',
  ],
  [
    'another value',
    'storageTree',
    `${lead}; check the storage keys and their order (ROOT_MISMATCH)`,
  ],
  [
    'another nonce',
    'accountTree',
    `${lead}; check address and hash family, and that the root is the rollup contract's for the block asked, not a block header's stateRoot (ROOT_MISMATCH)`,
  ],
])('%s', (name, path, reason) => {
  const { bytes, claim } = caseOf(name);
  expect(refusalOf(bytes, claim)).toEqual([path, reason]);
});

test('bytes that end early: the field that is missing', () => {
  const { bytes, claim } = caseOf('slots: present, absent, present');
  const fields = ['place', 'leafIndex', 'prev', 'next'];
  // One byte each of these numbers; two leaves of keys, and a neighbour.
  const wanted = (tree: string, widths: number[]): [string, number][] => [
    [`${tree}.nextFreeNode`, 1],
    [`${tree}.leaves`, 1],
    ...widths.flatMap((width, i): [string, number][] => [
      ...fields.map((field): [string, number] => [`${tree}.leaves[${i}].${field}`, 1]),
      [`${tree}.leaves[${i}].content`, width],
    ]),
    [`${tree}.siblings`, 96],
  ];
  let at = 1;
  for (const [path, width] of [
    ...wanted('accountTree', [192]),
    ...wanted('storageTree', [32, 32, 64]),
  ]) {
    for (const got of [0, width - 1]) {
      // Nothing after the account tree is a proof without storage.
      if (path === 'storageTree.nextFreeNode') continue;
      const reason = `expected ${width} more bytes, got ${got}`;
      expect(refusalOf(bytes.slice(0, at + got), claim)).toEqual([path, reason]);
    }
    at += width;
  }
  expect(at).toBe(bytes.length);
});

describe('what is no compact proof', () => {
  const { result, claim } = honest('poseidon2');

  test('is told by what it is', () => {
    expect(refusalOf(null, claim)).toEqual(['', 'expected a Uint8Array, got null']);
    expect(refusalOf([1], claim)).toEqual(['', 'expected a Uint8Array, got array']);
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(refusalOf(proxy, claim)).toEqual(['', 'expected plain data, but reading it threw']);
  });

  test('the longest bytes are read, and no longer ones', () => {
    const most = 2 * 16385 * (36 + 192 + 40 * 32);
    expect(refusalOf(new Uint8Array(most), claim)).toEqual(['version', version(0)]);
    const reason = `expected 1 to ${most} bytes, got ${most + 1}`;
    expect(refusalOf(new Uint8Array(most + 1), claim)).toEqual(['', reason]);
  });

  test('an answer is read by its type', () => {
    const bytes = compactProof(result, claim);
    expect(verifyAnswer(bytes, claim)).toEqual(verifyAnswer(result, claim));
    expect(() => verifyAnswer(bytes.slice(0, 1), claim)).toThrow(/^"accountTree.nextFreeNode"/);
    expect(() => verifyAnswer({}, claim)).toThrow(/^"storageProofs"/);
  });
});

test('a key that hashed to the hKey of the head would prove nothing', () => {
  const world = new CompactWorld('poseidon2');
  const statement = world.statement('alice', ['one']);
  const [account] = world.parts('alice', []);
  const value = digits(77n);
  const storage = withLeaves(world.storage, [{ ...own(world.storage, 0n, 1n), content: value }]);
  const claim = checkClaim(claimOf(statement));
  const { hasher } = claim.spec;
  // A hash that is broken in two places: key and value both come to 0.
  const toZero = [statement.storageKeys[0] as string, value].map((word) =>
    toHex(claim.spec.wordBlocks(bytesOf(word))),
  );
  const broken: Hasher = {
    ...hasher,
    hashEach(bytes, width) {
      const isBroken = bytes.length === width && toZero.includes(toHex(bytes));
      return isBroken ? new Uint8Array(32) : hasher.hashEach(bytes, width);
    },
  };
  const verify = () =>
    verifyCompact(
      { ...claim, spec: { ...claim.spec, hasher: broken } },
      bytesOf(proof([account, storage])),
    );
  expect(refusal(verify)).toBe('HEAD_OR_TAIL');
  expect(verify).toThrow(/^"storageTree.leaves\[0\].hKey" /);
});
