/**
 * The blocks that a store holds. Each block leaves what it overwrote, so that any block held can be
 * read and the newest ones taken back. Once a block is named final, those between it and the final
 * one before are dropped: what they overwrote is joined to one step from the one to the other.
 */
// @ts-nocheck

import { newestFinal, stateRootOf } from './blocks.js';
import { Draft } from './draft.js';
import { TreeError } from './errors.js';
import { indexKeys } from './hashIndex.js';
import {
  allUndos,
  blockKey,
  historyOf,
  isDroppedKey,
  isHistoryKey,
  lastNumberOf,
  undoKey,
} from './layout.js';
import { type Reading, readAll, readValues } from './reading.js';
import { endOf, readWhole } from './scan.js';
import type { Batch, Entry } from './store.js';

/** The value of an entry that was not there. */
export const nothing: Uint8Array = new Uint8Array(0);

/** An undo list: keys, each behind its width. */
export const encodeKeys = (keys: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(keys.reduce((sum, key) => sum + 1 + key.length, 0));
  let offset = 0;
  for (const key of keys) {
    bytes[offset] = key.length;
    bytes.set(key, offset + 1);
    offset += 1 + key.length;
  }
  return bytes;
};

export function decodeKeys(bytes: Uint8Array): Uint8Array[] {
  const keys: Uint8Array[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const end = offset + 1 + (bytes[offset] as number);
    keys.push(bytes.subarray(offset + 1, end));
    offset = end;
  }
  // Cut short, or with a key too few: what it names would be something else's.
  const isWhole = keys.every((key) => isDroppedKey(key) || isHistoryKey(key));
  if (offset !== bytes.length || !isWhole) {
    throw new TreeError('DAMAGED', 'the store holds a malformed list of changes');
  }
  return keys;
}

/**
 * Drops what is kept of a block besides the state: its summary, and its entry in the index by hash.
 */
export function dropBlock(draft: Draft, key: Uint8Array, summary: Uint8Array | undefined): void {
  for (const indexed of indexKeys(summary)) draft.delete(indexed);
  draft.delete(key);
}

/**
 * The undo lists of all blocks after one, unless one of those is final.
 *
 * @throws TreeError `BLOCK_ORDER`
 */
function* undosAfter(block: number): Reading<Entry[]> {
  const [final, undos] = yield* readAll([
    newestFinal(),
    readWhole({ from: undoKey(block + 1), to: endOf(allUndos) }),
  ]);
  if (final !== undefined && block < final) {
    throw new TreeError('BLOCK_ORDER', `block ${final} is final and cannot be taken back`);
  }
  return undos;
}

/** What to write so that all blocks after `block` were never applied. */
export function* revertBatch(block: number): Reading<{ batch: Batch }> {
  const [, undos] = yield* readAll([stateRootOf(block), undosAfter(block)]);
  // Newest first: the last word on an entry is what was there before the earliest of the blocks.
  const steps = undos.reverse().map(({ key, value }) => ({
    undo: key,
    summary: blockKey(lastNumberOf(key)),
    pasts: decodeKeys(value).filter((one) => !isDroppedKey(one)),
  }));
  const held = (yield* readValues(
    steps.flatMap(({ summary, pasts }) => [summary, ...pasts]),
  )).values();
  const draft = new Draft();
  for (const { undo, summary, pasts } of steps) {
    dropBlock(draft, summary, held.next().value);
    for (const past of pasts) {
      const entry = held.next().value;
      if (entry === undefined) {
        throw new TreeError('DAMAGED', 'the store has lost what a block overwrote');
      }
      if (entry.length > 0) draft.put(historyOf(past), entry);
      else draft.delete(historyOf(past));
      draft.delete(past);
    }
    draft.delete(undo);
  }
  return { batch: draft.toBatch() };
}
