/**
 * How a state lies in a store. Trees are numbered: 0 is the account tree, and a storage tree has
 * the leaf index of its account (2 and up), which is never used again; so an account that is
 * destroyed and created again has a new tree.
 *
 * Entries of the state as it is now, each with the block of its last change in front of its value:
 *
 * - `leaf` tree, index -> prev, next, hKey, hValue, value
 * - `order` tree, hKey -> leaf index
 * - `pack` tree, level, index -> preimages of nodes (see packs.ts)
 * - `top` tree -> its top node: next free node, sub-tree root
 *
 * Entries of its history (see history.ts), and those of the store as a whole:
 *
 * - `history` key of an entry, block -> that entry before the block; no bytes if the block created
 *   it
 * - `undo` block -> the `history` keys that the block wrote
 * - `block` block -> its state root, then its hash and its header's Merkle-Patricia root, if the
 *   caller gave them
 * - `final` block -> how many blocks were final once this one was named so, itself included (see
 *   finalize.ts)
 * - `format` -> version and hash family
 * - `loading` -> hash family; there instead of `format` while a first state is written in bulk
 * - `distrust` -> why the state is known to be wrong
 * - `hash` hash of a block -> its number; a store that an older version wrote lacks some of them
 *
 * An `undo` list also names, as `dropped` keys, the trees of accounts that the block destroyed.
 *
 * Numbers are big-endian in six bytes: leaf indices are below 2^40, and blocks are safe integers
 * below 2^48.
 */
import { concatBytes } from '../bytes.js';
import { accountWidth } from '../codec/spec.js';
import { indexLimit } from '../codec/word.js';
import { blockWidth } from '../hash/family.js';
import { TreeError } from './errors.js';
import type { Leaf } from './leaves.js';
import type { TopNode } from './nodes.js';
import type { PackPosition } from './packs.js';

/** First byte of a key. */
const kinds = {
  block: 0x42,
  dropped: 0x44,
  final: 0x46,
  history: 0x48,
  format: 0x4d,
  hash: 0x4b,
  leaf: 0x4c,
  loading: 0x41,
  order: 0x4f,
  pack: 0x50,
  top: 0x54,
  undo: 0x55,
  distrust: 0x58,
} as const;

/** Bytes of a number. */
export const numberWidth = 6;

/** Number of the account tree. */
export const accountTree = 0;

/** Greatest number of a block: the next one still fits. */
export const maxBlock: number = 2 ** 48 - 2;

/** Byte by byte: a view for each number would cost more than all the rest. */
export function writeNumber(bytes: Uint8Array, offset: number, value: number): void {
  let rest = value;
  for (let i = numberWidth - 1; i >= 0; i--) {
    bytes[offset + i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

/** The number at an offset of a key or value. */
export function readNumber(bytes: Uint8Array, offset: number): number {
  let value = 0;
  for (let i = 0; i < numberWidth; i++) value = value * 256 + (bytes[offset + i] as number);
  return value;
}

function keyOf(kind: number, ...numbers: readonly number[]): Uint8Array {
  const key = new Uint8Array(1 + numberWidth * numbers.length);
  key[0] = kind;
  let offset = 1;
  for (const value of numbers) {
    writeNumber(key, offset, value);
    offset += numberWidth;
  }
  return key;
}

/** Bytes in front of the hKey in an `order` key. */
const orderPrefix = 1 + numberWidth;

export const leafKey = (tree: number, index: number): Uint8Array => keyOf(kinds.leaf, tree, index);
export const packKey = (tree: number, { level, index }: PackPosition): Uint8Array =>
  keyOf(kinds.pack, tree, level, index);
export const topNodeKey = (tree: number): Uint8Array => keyOf(kinds.top, tree);
export function orderKey(tree: number, hKey: Uint8Array): Uint8Array {
  const key = new Uint8Array(orderPrefix + hKey.length);
  key[0] = kinds.order;
  writeNumber(key, 1, tree);
  key.set(hKey, orderPrefix);
  return key;
}
export const undoKey = (block: number): Uint8Array => keyOf(kinds.undo, block);
export const blockKey = (block: number): Uint8Array => keyOf(kinds.block, block);
export const finalKey = (block: number): Uint8Array => keyOf(kinds.final, block);
/** What stands in an undo list for a tree that a block dropped. */
export const droppedKey = (tree: number): Uint8Array => keyOf(kinds.dropped, tree);
export const isDroppedKey = (key: Uint8Array): boolean =>
  key[0] === kinds.dropped && key.length === 1 + numberWidth;
export const hashKey = (hash: Uint8Array): Uint8Array => concatBytes(keyOf(kinds.hash), hash);
export const formatKey: Uint8Array = keyOf(kinds.format);
/** Sorts before all others, so that what a load has written can be told from it. */
export const loadingKey: Uint8Array = keyOf(kinds.loading);
export const distrustKey: Uint8Array = keyOf(kinds.distrust);
/** Beginning of the `history` keys about the keys that begin so. */
export function historyPrefix(prefix: Uint8Array): Uint8Array {
  const key = new Uint8Array(1 + prefix.length);
  key[0] = kinds.history;
  key.set(prefix, 1);
  return key;
}

export function historyKey(key: Uint8Array, block: number): Uint8Array {
  const past = new Uint8Array(1 + key.length + numberWidth);
  past[0] = kinds.history;
  past.set(key, 1);
  writeNumber(past, 1 + key.length, block);
  return past;
}

/** Whether a key is a `history` key; the shortest is about a top node. */
export const isHistoryKey = (key: Uint8Array): boolean =>
  key[0] === kinds.history && key.length >= 2 * (1 + numberWidth);

/** The key that a `history` key is about. */
export const historyOf = (key: Uint8Array): Uint8Array => key.subarray(1, -numberWidth);

/** The hKey in an `order` key. */
export const hKeyOf = (key: Uint8Array): Uint8Array => key.subarray(orderPrefix);

/** The number at the end of a `block`, `final`, `undo`, `history` or `dropped` key. */
export const lastNumberOf = (key: Uint8Array): number => readNumber(key, key.length - numberWidth);

/**
 * First byte of the keys of all blocks that are held, of all that are final, and of all undo lists.
 */
export const allBlocks: Uint8Array = keyOf(kinds.block);
export const allFinals: Uint8Array = keyOf(kinds.final);
export const allUndos: Uint8Array = keyOf(kinds.undo);

/** Beginnings of the keys of all entries that a tree has. */
export const treePrefixes = (tree: number): Uint8Array[] =>
  [kinds.leaf, kinds.order, kinds.pack, kinds.top].map((kind) => keyOf(kind, tree));

/** An entry's value behind the block that wrote it. */
export function stamp(block: number, value: Uint8Array): Uint8Array {
  const stamped = new Uint8Array(numberWidth + value.length);
  writeNumber(stamped, 0, block);
  stamped.set(value, numberWidth);
  return stamped;
}

/** Whether an entry was written at or before a block. */
export const isStampedAt = (stamped: Uint8Array | undefined, block: number): boolean =>
  stamped !== undefined && readNumber(stamped, 0) <= block;

/** The value behind the stamp. */
export const unstamp = (stamped: Uint8Array): Uint8Array => stamped.subarray(numberWidth);

export function encodeNumber(value: number): Uint8Array {
  const bytes = new Uint8Array(numberWidth);
  writeNumber(bytes, 0, value);
  return bytes;
}

/** Refuses what no version of this library wrote. */
function checkWidth(bytes: Uint8Array, widths: readonly number[], what: string): void {
  if (widths.includes(bytes.length)) return;
  throw new TreeError('DAMAGED', `the store holds ${what} of ${bytes.length} bytes`);
}

export function decodeNumber(bytes: Uint8Array): number {
  checkWidth(bytes, [numberWidth], 'a number');
  return readNumber(bytes, 0);
}

/** Bytes of a leaf in front of its value. */
const leafAhead = 2 * numberWidth + 2 * blockWidth;

function writeLeaf(bytes: Uint8Array, at: number, leaf: Leaf): void {
  const { prev, next, hKey, hValue, value } = leaf;
  writeNumber(bytes, at, prev);
  writeNumber(bytes, at + numberWidth, next);
  bytes.set(hKey, at + 2 * numberWidth);
  bytes.set(hValue, at + 2 * numberWidth + blockWidth);
  bytes.set(value, at + leafAhead);
}

export function encodeLeaf(leaf: Leaf): Uint8Array {
  const bytes = new Uint8Array(leafAhead + leaf.value.length);
  writeLeaf(bytes, 0, leaf);
  return bytes;
}

/** Widths of key and value of a leaf's entry. */
export const leafEntryWidths = ({ value }: Leaf): { key: number; value: number } => ({
  key: 1 + 2 * numberWidth,
  value: numberWidth + leafAhead + value.length,
});

/** Writes the key of a leaf and, right behind it, its stamped value. */
export function writeLeafEntry(
  bytes: Uint8Array,
  at: number,
  { tree, index, block, leaf }: { tree: number; index: number; block: number; leaf: Leaf },
): void {
  bytes[at] = kinds.leaf;
  writeNumber(bytes, at + 1, tree);
  writeNumber(bytes, at + 1 + numberWidth, index);
  const valueAt = at + leafEntryWidths(leaf).key;
  writeNumber(bytes, valueAt, block);
  writeLeaf(bytes, valueAt + numberWidth, leaf);
}

export function decodeLeaf(bytes: Uint8Array): Leaf {
  const hashes = 2 * numberWidth;
  checkWidth(bytes, [leafAhead + blockWidth, leafAhead + accountWidth], 'a leaf');
  return {
    prev: readNumber(bytes, 0),
    next: readNumber(bytes, numberWidth),
    hKey: bytes.subarray(hashes, hashes + blockWidth),
    hValue: bytes.subarray(hashes + blockWidth, hashes + 2 * blockWidth),
    value: bytes.subarray(leafAhead),
  };
}

export const encodeTopNode = ({ nextFreeNode, subTreeRoot }: TopNode): Uint8Array =>
  concatBytes(encodeNumber(nextFreeNode), subTreeRoot);

export function decodeTopNode(bytes: Uint8Array): TopNode {
  checkWidth(bytes, [numberWidth + blockWidth], 'a top node');
  const nextFreeNode = readNumber(bytes, 0);
  if (nextFreeNode > Number(indexLimit)) {
    throw new TreeError('DAMAGED', `the store holds a next free node of ${nextFreeNode}`);
  }
  return { nextFreeNode, subTreeRoot: bytes.subarray(numberWidth) };
}
