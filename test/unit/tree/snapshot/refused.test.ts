/** Snapshots whose checksums are right, and of which one thing is wrong: each is refused for it. */
import { expect, test } from 'vitest';
import { ownSpecOf } from '../../../../src/codec/spec.js';
import type { Hex } from '../../../../src/index.js';
import {
  exportSnapshot,
  memoryStore,
  openStateTree,
  type SnapshotChecks,
  verifySnapshot,
} from '../../../../src/tree/index.js';
import { AccountForm } from '../../../../src/tree/snapshot/accountForm.js';
import { BodyReader } from '../../../../src/tree/snapshot/bodyReader.js';
import { digits } from '../../../support/reference.js';
import { plainAccount } from '../../../support/referenceSnapshot.js';
import {
  contentOf,
  fileOf,
  type WrittenAccount,
  type WrittenSlot,
  type WrittenState,
  type WrittenTree,
} from '../../../support/snapshotWriter.js';

const noRoot: Hex = `0x${digits(0n)}`;

/** How a file is refused whose header names no root, and whose reader trusts none: if all else is right, for that. */
const refusalOf = (content: Uint8Array, checks: Partial<SnapshotChecks> = {}): Promise<string> =>
  verifySnapshot([fileOf(content)], { stateRoot: noRoot, ...checks }).then(
    () => 'verified',
    (error: Error) => error.message,
  );

const leaf = { index: 2, prev: 0, next: 1, hKey: digits(17n) };
const slot: WrittenSlot = { ...leaf, value: 5n };
const account: WrittenAccount = {
  ...leaf,
  ...plainAccount,
};
const treeOf = <L>(leaves: L[]): WrittenTree<L> => ({ nextFreeNode: 3, first: 2, last: 2, leaves });

/** A state of one account. */
const stateOf = (
  changes: Partial<WrittenAccount> = {},
  tree: Partial<WrittenTree<WrittenAccount>> = {},
): WrittenState => ({
  family: 2,
  chainId: 7,
  block: 1,
  blockHash: digits(9n),
  stateRoot: digits(0n),
  accounts: { ...treeOf([{ ...account, ...changes }]), ...tree },
});
const withSlot = (changes: Partial<WrittenSlot>): WrittenState =>
  stateOf({ storage: treeOf([{ ...slot, ...changes }]) });

const rootRefusal = /leaves with the state root 0x[0-9a-f]{64}, not 0x0{64} \(ROOT_MISMATCH\)/;

test('one in which nothing else is wrong has another root', async () => {
  for (const state of [stateOf(), withSlot({})]) {
    expect(await refusalOf(contentOf(state))).toMatch(rootRefusal);
  }
});

test.each<[string, Partial<SnapshotChecks>, RegExp]>([
  ['hash family', { hash: 'mimc' }, /of the hash family poseidon2, not mimc/],
  ['chain', { chainId: 8 }, /of chain 7, not 8/],
  ['block', { block: 2 }, /of block 1, not 2/],
  [
    'hash of its block',
    { blockHash: `0x${digits(8n)}` },
    /of the block with hash 0x0+9, not 0x0+8/,
  ],
])('of another %s than expected', async (_, checks, message) => {
  expect(await refusalOf(contentOf(stateOf()), checks)).toMatch(message);
});

/** What the poseidon2 family takes for no element: a limb of four bytes that is 2^32 - 1. */
const noElement = `00000001${'ff'.repeat(4)}${'00'.repeat(24)}`;

test.each<[string, WrittenState, RegExp]>([
  ['a tree that gives out the head', stateOf({}, { nextFreeNode: 1 }), /tree 0 has a next free/],
  [
    'a storage tree without a leaf ever',
    stateOf({ storage: { nextFreeNode: 2, first: 1, last: 0, leaves: [] } }),
    /tree 2 has a next free node of 2/,
  ],
  [
    'more leaf indices than there are',
    stateOf({}, { nextFreeNode: 2 ** 40 + 1 }),
    /tree 0 has a next free node of 1099511627777/,
  ],
  ['a leaf behind the end', stateOf({ index: 4 }), /a leaf stands behind the next free node/],
  ['an hKey that is no element', stateOf({ hKey: noElement }), /an hKey is not canonical/],
  ['a slot of such an hKey', withSlot({ hKey: noElement }), /an hKey is not canonical/],
  ['a slot of zero', withSlot({ value: 0n }), /a slot is zero/],
  ['an account of kind 3', stateOf({ kind: 3 }), /no account has kind 3/],
  ['an account of kind 7', stateOf({ kind: 7 }), /no account has kind 7/],
  ['an account of kind 8', stateOf({ kind: 8 }), /no account has kind 8/],
])('with %s', async (_, state, message) => {
  const content = contentOf(state);
  // As many places as are read at most: a header that names more is refused before its tree.
  content.writeUIntBE(Math.min(content.readUIntBE(100, 6), 2 ** 32), 100, 6);
  expect(await refusalOf(content)).toMatch(message);
});

test('with more or less than its header says', async () => {
  const content = contentOf(withSlot({}));
  /** The content with another number in its header. */
  const withNumber = (at: number, value: number) => {
    const changed = Buffer.from(content);
    changed.writeUIntBE(value, at, 6);
    return changed;
  };
  // Accounts, trees, places: docs/snapshot.md.
  for (const [at, value] of [
    [88, 1],
    [94, 1],
    [100, 6],
  ] as const) {
    expect(content.readUIntBE(at, 6)).toBe(value);
    expect(await refusalOf(withNumber(at, value + 1))).toMatch(/holds less than its header says/);
  }
  expect(await refusalOf(withNumber(100, 5))).toMatch(/holds more than its header says/);
  expect(await refusalOf(Buffer.concat([content, Buffer.of(0)]))).toMatch(
    /bytes follow the last account/,
  );
});

const bad = expect.objectContaining({ code: 'BAD_SNAPSHOT' });

async function readerOf(hex: string): Promise<BodyReader> {
  async function* chunks() {
    yield Buffer.from(hex, 'hex');
  }
  const reader = new BodyReader(chunks());
  await reader.fill();
  return reader;
}

test('numbers that are too long to be told from others, and records that end early', async () => {
  // Beyond 2^1024, a group of zeros would count as no number at all.
  const long = await readerOf(`${'80'.repeat(150)}01`);
  expect(() => long.number()).toThrow(bad);
  const empty = await readerOf('');
  expect(() => empty.byte()).toThrow(bad);
  expect(() => empty.take(1)).toThrow(bad);
});

test('a balance that MiMC would hash as another one', async () => {
  const form = new AccountForm(ownSpecOf('mimc'));
  const value = new Uint8Array(192);
  const order = '12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001';
  const less = '12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000000';
  form.read(await readerOf(`0020${less}`), 0, value);
  expect(Buffer.from(value.subarray(32, 64)).toString('hex')).toBe(less);
  const reader = await readerOf(`0020${order}`);
  expect(() => form.read(reader, 0, value)).toThrow(bad);
});

test('what is no file of bytes, and what there is no snapshot of', async () => {
  const text = ['l2snap'] as unknown as Uint8Array[];
  await expect(verifySnapshot(text, { stateRoot: noRoot })).rejects.toThrow(
    new TypeError('"file" expected chunks of bytes'),
  );
  const store = memoryStore();
  await openStateTree({ store });
  await expect(exportSnapshot({ store }).next()).rejects.toThrow(
    /^the store holds no block yet \(BLOCK_MISSING\)/,
  );
  await expect(exportSnapshot({ store, hash: 'mimc' }).next()).rejects.toMatchObject({
    code: 'WRONG_STORE',
  });
  for (const chainId of [-1, 0.5, Number.NaN, 2 ** 53]) {
    await expect(exportSnapshot({ store, chainId }).next()).rejects.toThrow(
      new RangeError('"chainId" expected a whole number from 0'),
    );
  }
});
