/**
 * The layout of a store of version 2 (and 1) in place of packs and diffs; all else is as it is now.
 *
 * - `node` tree, height, index -> preimage, behind the block of its last change
 * - `history` key of an entry, block -> that entry before the block; no bytes if the block created it
 * - `undo` block -> the `history` keys of what it and the blocks dropped before it changed, and the trees that they
 *   dropped
 */
import { entryKey, isDroppedKey } from '../layout/layout.js';
import type { Position } from '../nodes/nodes.js';
import { TreeError } from '../store/errors.js';
import { numberWidth, readNumber, writeNumber } from '../store/numbers.js';

const kinds = { history: 0x48, node: 0x4e, undo: 0x55 } as const;

export const allUndos: Uint8Array = entryKey(kinds.undo);
export const allNodes: Uint8Array = entryKey(kinds.node);
export const oldNodesOf = (tree: number): Uint8Array => entryKey(kinds.node, tree);
export const nodeKey = (tree: number, { height, index }: Position): Uint8Array =>
  entryKey(kinds.node, tree, height, index);

export const isNodeKey = (key: Uint8Array): boolean => key[0] === kinds.node;

/** The tree and position in a `node` key. */
export const oldNodeIn = (key: Uint8Array): Position & { tree: number } => ({
  tree: readNumber(key, 1),
  height: readNumber(key, 1 + numberWidth),
  index: readNumber(key, 1 + 2 * numberWidth),
});

export function historyKey(key: Uint8Array, block: number): Uint8Array {
  const past = new Uint8Array(1 + key.length + numberWidth);
  past[0] = kinds.history;
  past.set(key, 1);
  writeNumber(past, 1 + key.length, block);
  return past;
}

/** The key that a `history` key is about. */
export const historyPrefix = (key: Uint8Array): Uint8Array => key.subarray(1, -numberWidth);

/** The keys of an undo list, each of which stands behind its width. */
export function decodeKeys(bytes: Uint8Array): Uint8Array[] {
  const keys: Uint8Array[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const end = offset + 1 + (bytes[offset] as number);
    keys.push(bytes.subarray(offset + 1, end));
    offset = end;
  }
  const isWhole = keys.every((key) => isDroppedKey(key) || key[0] === kinds.history);
  if (offset !== bytes.length || !isWhole) {
    throw new TreeError('DAMAGED', 'the store holds a malformed list of changes');
  }
  return keys;
}
