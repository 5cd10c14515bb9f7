/**
 * How a state lies in a store. Trees are numbered: 0 is the account tree, and a storage tree has the leaf index of its
 * account (2 and up), which is never used again; so an account that is destroyed and created again has a new tree.
 *
 * Entries of the state as it is now, each with the block of its last change in front of its value:
 *
 * - `leaf` tree, index -> prev, next, hKey, hValue, value
 * - `order` tree, hKey -> leaf index
 * - `pack` tree, level, index -> preimages of nodes (see packs.ts)
 * - `top` tree -> its top node: next free node, sub-tree root
 *
 * Entries of its history (see history/diffs.ts), and those of the store as a whole:
 *
 * - `diff` block, part -> which keys the block changed, and the locations of their old values
 * - `past` block, chunk -> old values of the block's diff, back to back
 * - `rewrites` -> how often diffs were merged or taken back
 * - `block` block -> its state root, then its hash and its header's Merkle-Patricia root, if the caller gave them
 * - `final` block -> how many blocks were final once this one was named so, itself included (see finalize.ts)
 * - `format` -> version and hash family
 * - `loading` -> hash family; there instead of `format` while a first state is written in bulk
 * - `distrust` -> why the state is known to be wrong
 * - `hash` hash of a block -> its number; a store that an older version wrote lacks some of them
 *
 * A diff also names, as `dropped` keys, the trees of accounts that the block destroyed.
 *
 * Numbers are big-endian in six bytes: leaf indices are below 2^40, and blocks are safe integers below 2^48.
 */
import { type Arena, concatBytes } from '../../bytes.js';
import { accountWidth } from '../../codec/spec.js';
import { indexLimit } from '../../codec/word.js';
import { blockWidth } from '../../hash/family.js';
import type { Leaf } from '../nodes/leaves.js';
import type { StoredTopNode } from '../nodes/nodes.js';
import type { PackPosition } from '../nodes/packs.js';
import { TreeError } from '../store/errors.js';
import { numberWidth, readNumber, writeNumber } from '../store/numbers.js';

/** First byte of a key. */
const kinds = {
  block: 0x42,
  diff: 0x53,
  dropped: 0x44,
  final: 0x46,
  format: 0x4d,
  hash: 0x4b,
  leaf: 0x4c,
  loading: 0x41,
  order: 0x4f,
  pack: 0x50,
  past: 0x43,
  rewrites: 0x52,

  top: 0x54,
  distrust: 0x58,
} as const;

/** Number of the account tree. */
export const accountTree = 0;

export function entryKey(kind: number, ...numbers: readonly number[]): Uint8Array {
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

export const leafKey = (tree: number, index: number): Uint8Array =>
  entryKey(kinds.leaf, tree, index);
export const packKey = (tree: number, { level, index }: PackPosition): Uint8Array =>
  entryKey(kinds.pack, tree, level, index);
export const topNodeKey = (tree: number): Uint8Array => entryKey(kinds.top, tree);
export function orderKey(tree: number, hKey: Uint8Array): Uint8Array {
  const key = new Uint8Array(orderPrefix + hKey.length);
  key[0] = kinds.order;
  writeNumber(key, 1, tree);
  key.set(hKey, orderPrefix);
  return key;
}
export const blockKey = (block: number): Uint8Array => entryKey(kinds.block, block);
export const finalKey = (block: number): Uint8Array => entryKey(kinds.final, block);
/** A part of a diff; without one, the key at which its parts begin. */
export const diffKey = (block: number, part = 0): Uint8Array => entryKey(kinds.diff, block, part);
export const pastKey = (block: number, chunk = 0): Uint8Array => entryKey(kinds.past, block, chunk);
export const rewritesKey: Uint8Array = entryKey(kinds.rewrites);
/** The key that stands in a diff for a tree that the block dropped. */
export const droppedKey = (tree: number): Uint8Array => entryKey(kinds.dropped, tree);
export const isDroppedKey = (key: Uint8Array): boolean => key[0] === kinds.dropped;
export const blockHashKey = (hash: Uint8Array): Uint8Array =>
  concatBytes(entryKey(kinds.hash), hash);
export const formatKey: Uint8Array = entryKey(kinds.format);
/** Sorts before all other keys, so that what a load has written lies behind it. */
export const loadingKey: Uint8Array = entryKey(kinds.loading);
export const distrustKey: Uint8Array = entryKey(kinds.distrust);
/** The number at the end of a `block`, `final` or `dropped` key. */
export const lastNumberOf = (key: Uint8Array): number => readNumber(key, key.length - numberWidth);

/** The block in a `diff` or `past` key. */
export const diffBlockOf = (key: Uint8Array): number => readNumber(key, 1);

/** First byte of the keys of all blocks that are held, of all that are final, of all diffs and of their chunks. */
export const allBlocks: Uint8Array = entryKey(kinds.block);
export const allFinals: Uint8Array = entryKey(kinds.final);
export const allDiffs: Uint8Array = entryKey(kinds.diff);
export const allPasts: Uint8Array = entryKey(kinds.past);

/** The form of the rows of a diff about keys of one kind. */
export interface DiffRow {
  /** Bytes of a key behind its first, which names the kind. */
  readonly keyWidth: number;
  /** Bytes of a value behind its stamp, if it stands in the row; else it lies in a chunk. */
  readonly inlineWidth: number | undefined;
}

/** By the first byte of a key. Short values stand in the row: looking them up takes no read. */
export const diffRows: ReadonlyMap<number, DiffRow> = new Map<number, DiffRow>([
  [kinds.dropped, { keyWidth: numberWidth, inlineWidth: 0 }],
  [kinds.leaf, { keyWidth: 2 * numberWidth, inlineWidth: undefined }],
  [kinds.order, { keyWidth: numberWidth + blockWidth, inlineWidth: 2 * numberWidth }],
  [kinds.pack, { keyWidth: 3 * numberWidth, inlineWidth: undefined }],
  [kinds.top, { keyWidth: numberWidth, inlineWidth: 2 * numberWidth + blockWidth }],
]);

/** First bytes of two kinds of keys. */
export const orderKind: number = kinds.order;
export const droppedKind: number = kinds.dropped;

/** Beginnings of the keys of all entries that a tree has. */
export const treePrefixes = (tree: number): Uint8Array[] =>
  [kinds.leaf, kinds.order, kinds.pack, kinds.top].map((kind) => entryKey(kind, tree));

/** A value behind its stamp, the block that wrote it. @param arena gives the memory */
export function stamp(block: number, value: Uint8Array, arena?: Arena): Uint8Array {
  const width = numberWidth + value.length;
  const stamped = arena?.take(width) ?? new Uint8Array(width);
  writeNumber(stamped, 0, block);
  stamped.set(value, numberWidth);
  return stamped;
}

/** Whether an entry was written at or before a block. */
export const isStampedAt = (stamped: Uint8Array | undefined, block: number): boolean =>
  stamped !== undefined && readNumber(stamped, 0) <= block;

/** Whether a value stands behind a stamp. */
export function isStamped(stamped: Uint8Array, value: Uint8Array): boolean {
  if (stamped.length !== numberWidth + value.length) return false;
  for (let i = 0; i < value.length; i++) if (stamped[numberWidth + i] !== value[i]) return false;
  return true;
}

/** The value behind the stamp. */
export const unstamp = (stamped: Uint8Array): Uint8Array => stamped.subarray(numberWidth);

export function encodeNumber(value: number): Uint8Array {
  const bytes = new Uint8Array(numberWidth);
  writeNumber(bytes, 0, value);
  return bytes;
}

/** Refuses a width that no version of this library wrote. */
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

/** @param arena gives the memory */
export function encodeLeaf(leaf: Leaf, arena: Arena): Uint8Array {
  const bytes = arena.take(leafAhead + leaf.value.length);
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

export const encodeTopEntry = ({ nextFreeNode, subTreeRoot }: StoredTopNode): Uint8Array =>
  concatBytes(encodeNumber(nextFreeNode), subTreeRoot);

export function decodeTopEntry(bytes: Uint8Array): StoredTopNode {
  checkWidth(bytes, [numberWidth + blockWidth], 'a top node');
  const nextFreeNode = readNumber(bytes, 0);
  if (nextFreeNode > Number(indexLimit)) {
    throw new TreeError('DAMAGED', `the store holds a next free node of ${nextFreeNode}`);
  }
  // A copy: it is kept for long, and a view would keep all that was read beside it.
  return { nextFreeNode, subTreeRoot: new Uint8Array(bytes.subarray(numberWidth)) };
}
