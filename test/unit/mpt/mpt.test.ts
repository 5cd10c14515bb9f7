/** The verifier of L1's tries: against a real server, and against tries that hash as they should but are malformed. */

import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ShapeError } from '../../../src/errors.js';
import { verifyAccount, verifySlot } from '../../../src/mpt/account.js';
import { encodeRlp, type Item } from '../../../src/mpt/encode.js';
import { TrieError } from '../../../src/mpt/errors.js';
import { verifyPath } from '../../../src/mpt/path.js';
import type { StorageProof } from '../../support/answers.js';
import { type Anvil, accounts, startAnvil, word } from '../../support/anvil.js';
import {
  branch,
  bytesOf,
  empty,
  hashOf,
  key,
  leaf,
  restOf,
  trieOf,
  value,
} from '../../support/handTrie.js';
import { fromHex, toHex } from '../../support/hex.js';
import { leaveOutShort } from '../../support/trie.js';

const contract = '0x00000000000000000000000000000000c0ffee01';
const slotOf = (slot: number) => fromHex(`0x${word(slot)}`);

/** Slots that share eight nibbles of their hash: the leaves with small words stand in their branch. */
const twins = [40364, 105566] as const;
const stored = new Map([
  [twins[0], '2a'],
  [twins[1], '01'],
  [1, 'ff'.repeat(32)],
  [2, '80'],
  [3, '1000'],
]);

let node: Anvil;
let stateRoot: Uint8Array;

beforeAll(async () => {
  node = await startAnvil();
  for (const [slot, value] of stored) {
    const text = `0x${value.padStart(64, '0')}`;
    await node.call('anvil_setStorageAt', contract, `0x${word(slot)}`, text);
  }
  await node.mine();
  stateRoot = fromHex((await node.call('eth_getBlockByNumber', 'latest', false)).stateRoot);
});
afterAll(() => node.close());

async function proofOf(address: string, ...slots: number[]) {
  const keys = slots.map((slot) => `0x${word(slot)}`);
  const result = await node.call('eth_getProof', address, keys, 'latest');
  const account = verifyAccount(stateRoot, fromHex(address), result.accountProof, 'accountProof');
  return { result, account, proofs: result.storageProof.map(({ proof }: StorageProof) => proof) };
}

test('an account of a real server, present and absent', async () => {
  const { account } = await proofOf(accounts[0]);
  const balance = await node.call('eth_getBalance', accounts[0], 'latest');
  expect(BigInt(toHex(account?.balance as Uint8Array))).toBe(BigInt(balance));
  expect(account?.nonce).toEqual(new Uint8Array(0));
  expect((await proofOf('0x00000000000000000000000000000000000a11ce')).account).toBeUndefined();
});

test('slots of a real server, present and absent', async () => {
  const slots = [...stored.keys(), 4, 281];
  const { account, proofs } = await proofOf(contract, ...slots);
  for (const [i, slot] of slots.entries()) {
    const value = verifySlot(account?.storageRoot as Uint8Array, slotOf(slot), proofs[i], 'proof');
    expect(toHex(value)).toBe(`0x${(stored.get(slot) ?? '').padStart(64, '0')}`);
  }
});

test('nodes inside their parents may be listed or not, and once', async () => {
  const { account, proofs } = await proofOf(contract, ...twins);
  for (const [i, slot] of twins.entries()) {
    const listed: string[] = proofs[i];
    const left = leaveOutShort(listed);
    // The server lists the short leaf.
    expect(left.length).toBe(listed.length - 1);
    const verify = (nodes: readonly string[], asked: number = slot) =>
      verifySlot(account?.storageRoot as Uint8Array, slotOf(asked), nodes, 'proof');
    for (const nodes of [listed, left]) {
      expect(toHex(verify(nodes))).toBe(`0x${(stored.get(slot) as string).padStart(64, '0')}`);
    }
    const leaf = listed.at(-1) as string;
    expect(() => verify([...listed, leaf])).toThrow(TrieError);
    expect(() => verify([...left.slice(0, -1), leaf, left.at(-1) as string])).toThrow(TrieError);
    // The other twin's leaf is not on this path.
    expect(() => verify([...left, proofs[1 - i].at(-1)])).toThrow(TrieError);
    expect(() => verify(listed, twins[1 - i] as number)).toThrow(TrieError);
  }
});

test('an account without storage: no nodes, or the one of the empty trie', async () => {
  const { account, proofs } = await proofOf(accounts[1], 7);
  const root = account?.storageRoot as Uint8Array;
  for (const nodes of [[], ['0x80'], proofs[0]]) {
    expect(verifySlot(root, slotOf(7), nodes, 'proof')).toEqual(new Uint8Array(32));
  }
  for (const nodes of [['0x'], ['0x00'], ['0xc0'], ['0x8080'], ['0x80', '0x80']]) {
    expect(() => verifySlot(root, slotOf(7), nodes, 'proof')).toThrow(TrieError);
  }
  for (const nodes of [undefined, null, {}, '0x80', [null], ['80'], ['0x8'], ['0X80'], [128]]) {
    expect(() => verifySlot(root, slotOf(7), nodes, 'proof')).toThrow(ShapeError);
  }
  // Of a trie with keys, no nodes prove nothing.
  for (const nodes of [[], ['0x80']]) {
    expect(() => verifyPath(stateRoot, slotOf(7), nodes, 'proof')).toThrow(TrieError);
  }
});

test('input is bounded, and read as plain data', () => {
  const key = new Uint8Array(32);
  const verify = (nodes: unknown) => () => verifyPath(stateRoot, key, nodes, 'proof');
  expect(verify(Array.from({ length: 66 }, () => '0x80'))).toThrow(/at most 65 nodes/);
  expect(verify(new Array(2 ** 32 - 1))).toThrow(/at most 65 nodes/);
  expect(verify([`0x${'00'.repeat(533)}`])).toThrow(/at most 532 bytes/);
  expect(verify([`0x${'0'.repeat(2 ** 28)}`])).toThrow(/at most 532 bytes/);
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  expect(verify(proxy)).toThrow(ShapeError);
  expect(verify(Object.defineProperty([], 0, { get: () => '0x80' }))).toThrow(ShapeError);
  // A hole is no node, whatever the prototype says.
  Object.defineProperty(Array.prototype, 0, { value: '0x80', configurable: true });
  try {
    expect(verify(new Array(1))).toThrow(ShapeError);
  } finally {
    delete (Array.prototype as unknown[])[0];
  }
});

/** Tries made by hand, with hashes that fit: what only their form speaks against. */
const below = leaf(`3${restOf(1)}`);
const belowExtension = branch(3, hashOf(leaf(`3${restOf(3)}`)));

test('the honest ones are accepted', () => {
  const one = leaf(`20${restOf(0)}`);
  const deep = leaf(`3${restOf(3)}`);
  const trunk = branch(3, hashOf(deep));
  for (const { root, nodes } of [
    trieOf(one),
    trieOf(branch(1, hashOf(below)), below),
    trieOf([bytesOf('0012'), hashOf(trunk)], trunk, deep),
  ]) {
    expect(verifyPath(root, key, nodes, 'proof')).toEqual(value);
  }
});

const shortLeaf = leaf('20', bytesOf('01'));
test.each<[string, string, Item[]]>([
  ['a byte string as node', 'got a byte string', [bytesOf('aa'.repeat(40))]],
  ['an empty list', '17 items, or of two', [[]]],
  ['three items', '17 items, or of two', [[bytesOf(`20${restOf(0)}`), value, empty]]],
  ['sixteen items', '17 items, or of two', [branch(1, hashOf(below)).slice(0, 16), below]],
  ['eighteen items', '17 items, or of two', [[...branch(1, hashOf(below)), empty], below]],
  ['a path that is a list', '17 items, or of two', [[[bytesOf('20')], value]]],
  ['a leaf without a path', 'malformed path', [[empty, value]]],
  ['a flag above 3', 'malformed path', [leaf(`40${restOf(0)}`)]],
  ['the high bits of the flag', 'malformed path', [leaf(`a0${restOf(0)}`)]],
  ['an even path with a nibble beside the flag', 'malformed path', [leaf(`2f${restOf(0)}`)]],
  ['a leaf that ends before the key', 'wrong length', [leaf(`20${restOf(0).slice(0, 62)}`)]],
  ['a leaf that ends after the key', 'wrong length', [leaf(`20${restOf(0)}00`)]],
  ['a leaf without a value', 'leaf with a value', [leaf(`20${restOf(0)}`, empty)]],
  ['a leaf with a list', 'leaf with a value', [leaf(`20${restOf(0)}`, [value])]],
  ['a branch with a value', 'without a value', [branch(1, hashOf(below), value), below]],
  ['a branch with a list as value', 'without a value', [branch(1, hashOf(below), []), below]],
  [
    'a branch with one child',
    'two children',
    [Array.from({ length: 17 }, (_, i) => (i === 1 ? hashOf(below) : empty)), below],
  ],
  ['a branch with none', 'two children', [Array.from({ length: 17 }, () => empty)]],
  ['an empty list as child', '17 items, or of two', [branch(1, [])]],
  ['a child of 31 bytes', 'a child or its hash', [branch(1, hashOf(below).subarray(1)), below]],
  [
    'a child of 33 bytes',
    'a child or its hash',
    [branch(1, Uint8Array.of(0, ...hashOf(below))), below],
  ],
  ['a child inside that is as long as a hash', 'a child or its hash', [branch(1, below)]],
  ['a short child by its hash', 'shorter than 32 bytes', [branch(1, hashOf(shortLeaf)), shortLeaf]],
  [
    'another invalid child',
    'a child or its hash',
    [branch(1, hashOf(below)).map((child, i) => (i === 2 ? bytesOf('01') : child)) as Item, below],
  ],
  [
    'an extension without a path',
    'wrong length',
    [[bytesOf('00'), hashOf(branch(1, hashOf(below)))], branch(1, hashOf(below)), below],
  ],
  [
    'an extension to a leaf',
    'a branch below an extension',
    [[bytesOf('11'), hashOf(below)], below],
  ],
  [
    'an extension to an extension',
    'a branch below an extension',
    [
      [bytesOf('11'), hashOf([bytesOf('12'), hashOf(belowExtension)])],
      [bytesOf('12'), hashOf(belowExtension)],
      belowExtension,
      leaf(`3${restOf(3)}`),
    ],
  ],
  [
    'an extension of the whole key',
    'wrong length',
    [[bytesOf(`00${restOf(0)}`), hashOf(below)], below],
  ],
  [
    'an extension to a list of the length of a hash',
    'a child or its hash',
    [[bytesOf('11'), below]],
  ],
])('refuses %s, though all hashes fit: %s', (_, reason, items) => {
  const { root, nodes } = trieOf(...items);
  const verify = () => verifyPath(root, key, nodes, 'proof');
  expect(verify).toThrow(ShapeError);
  expect(verify).toThrow(reason);
});

test('refuses an extension of the whole key by itself, whatever lies below', () => {
  const { root, nodes } = trieOf([bytesOf(`00${restOf(0)}`), hashOf(below)], below);
  expect(() => verifyPath(root, key, nodes, 'proof')).toThrow(
    '"proof[0]" has a path of a wrong length',
  );
});

test('refuses branches below the last nibble', () => {
  const bottom = branch(1, hashOf(below));
  const items = [bottom];
  for (let depth = 63; depth >= 0; depth--) {
    items.unshift(
      branch(Number.parseInt(restOf(depth)[0] as string, 16), hashOf(items[0] as Item)),
    );
  }
  const { root, nodes } = trieOf(...items);
  expect(nodes.length).toBe(65);
  expect(() => verifyPath(root, key, nodes, 'proof')).toThrow(/after the last nibble/);
});

const address = new Uint8Array(20).fill(9);
const accountLeaf = (content: Uint8Array): Item => [
  Uint8Array.of(0x20, ...keccak_256(address)),
  content,
];
const codeHash = keccak_256(empty);
test.each<[string, string, Item]>([
  ['a byte string', 'four items', value],
  ['a byte string of four bytes', 'four items', bytesOf('01020304')],
  ['three items', 'four items', [empty, empty, codeHash]],
  ['five items', 'four items', [empty, empty, codeHash, codeHash, empty]],
  ['a nonce with a leading zero', 'the nonce', [bytesOf('0001'), empty, codeHash, codeHash]],
  ['a zero nonce as a byte', 'the nonce', [bytesOf('00'), empty, codeHash, codeHash]],
  ['a nonce of nine bytes', 'the nonce', [bytesOf('11'.repeat(9)), empty, codeHash, codeHash]],
  ['a nonce that is a list', 'the nonce', [[], empty, codeHash, codeHash]],
  ['a balance of 33 bytes', 'the balance', [empty, bytesOf('11'.repeat(33)), codeHash, codeHash]],
  ['a balance with a leading zero', 'the balance', [empty, bytesOf('0011'), codeHash, codeHash]],
  [
    'a storage root of 31 bytes',
    'the storage root',
    [empty, empty, codeHash.subarray(1), codeHash],
  ],
  ['a code hash of no bytes', 'the code hash', [empty, empty, codeHash, empty]],
  [
    'a storage root that is a list',
    'the storage root',
    [empty, empty, Array(32).fill(empty), codeHash],
  ],
])('refuses an account of %s, by %s', (_, reason, account) => {
  const verify = (content: Uint8Array) => {
    const { root, nodes } = trieOf(accountLeaf(content));
    return verifyAccount(root, address, nodes, 'accountProof');
  };
  const honest: Item = [empty, bytesOf('11'), codeHash, codeHash];
  expect(verify(encodeRlp(honest))?.balance).toEqual(bytesOf('11'));
  expect(() => verify(encodeRlp(account))).toThrow(ShapeError);
  expect(() => verify(encodeRlp(account))).toThrow(reason);
});

test.each([
  ['zero', '80'],
  ['zero as a byte', '00'],
  ['a leading zero', '820001'],
  ['33 bytes', `a1${'11'.repeat(33)}`],
  ['a list', 'c101'],
  ['a second encoding', '8101'],
  ['two items', '0101'],
])('refuses a word of %s', (_, content) => {
  const verify = (bytes: string) => {
    const { root, nodes } = trieOf([Uint8Array.of(0x20, ...keccak_256(slotOf(5))), bytesOf(bytes)]);
    return verifySlot(root, slotOf(5), nodes, 'proof');
  };
  expect(toHex(verify('820100'))).toBe(`0x${word(256)}`);
  expect(toHex(verify(`a0${'ff'.repeat(32)}`))).toBe(`0x${'ff'.repeat(32)}`);
  expect(() => verify(content)).toThrow(ShapeError);
});
