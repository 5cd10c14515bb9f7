/**
 * The blocks that a store holds. Each block leaves what it overwrote, so that any block held can be read and the newest
 * ones taken back. Once a block is named final, those between it and the final one before are dropped: what they
 * overwrote is joined to one step from the one to the other.
 */
import { concatBytes, equalBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { newestBlock, newestFinal, rootOf } from './blocks.js';
import { indexKeys } from './byHash.js';
import { Draft } from './draft.js';
import { TreeError } from './errors.js';
import {
  allUndos,
  blockKey,
  droppedKey,
  encodeNumber,
  historyKey,
  historyOf,
  isDroppedKey,
  isHistoryKey,
  lastNumberOf,
  stamp,
  undoKey,
  unstamp,
} from './layout.js';
import { endOf, scan } from './scan.js';
import type { Batch, Entry, StoreReader } from './store.js';

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
  let at = 0;
  while (at < bytes.length) {
    const end = at + 1 + (bytes[at] as number);
    keys.push(bytes.subarray(at + 1, end));
    at = end;
  }
  // Cut short, or with a key too few: what it names would be something else's.
  const isWhole = keys.every((key) => isDroppedKey(key) || isHistoryKey(key));
  if (at !== bytes.length || !isWhole) {
    throw new TreeError('DAMAGED', 'the store holds a list of changes that is none');
  }
  return keys;
}

/** An entry's new value; null where it goes. */
export interface EntryChange {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

/** What a block makes of the state. */
export interface StateChange {
  readonly entries: readonly EntryChange[];
  /** Trees whose accounts the block destroyed. Their entries stay until no block held can see them. */
  readonly dropped: readonly number[];
  /** 32 bytes. */
  readonly stateRoot: Uint8Array;
}

/** What to write for a block that follows the newest one. Hash and header root have 32 bytes. */
export async function appendBatch(
  reader: StoreReader,
  block: number,
  { entries, dropped, stateRoot }: StateChange,
  { hash, headerRoot }: { hash: Uint8Array | undefined; headerRoot: Uint8Array | undefined },
): Promise<Batch> {
  const hashWord = hash ?? (headerRoot ? new Uint8Array(blockWidth) : nothing);
  const summary = concatBytes(stateRoot, hashWord, headerRoot ?? nothing);
  const puts: Entry[] = [{ key: blockKey(block), value: summary }];
  for (const key of indexKeys(summary)) puts.push({ key, value: encodeNumber(block) });
  const deletes: Uint8Array[] = [];
  const undo: Uint8Array[] = dropped.map(droppedKey);
  const hasEarlier = (await newestBlock(reader)) !== undefined;
  const before = hasEarlier ? await reader.getMany(entries.map(({ key }) => key)) : [];
  for (const [i, { key, value }] of entries.entries()) {
    // `at`: of nothing read before, the prototype would answer an index.
    const old = before.at(i);
    if (old && value && equalBytes(unstamp(old), value)) continue;
    if (value !== null) puts.push({ key, value: stamp(block, value) });
    else deletes.push(key);
    if (!hasEarlier) continue;
    const past = historyKey(key, block);
    puts.push({ key: past, value: old ?? nothing });
    undo.push(past);
  }
  if (hasEarlier) puts.push({ key: undoKey(block), value: encodeKeys(undo) });
  return { puts, deletes };
}

/** Drops what is kept of a block besides the state: its summary, and its entry in the index by hash. */
export function dropBlock(draft: Draft, key: Uint8Array, summary: Uint8Array | undefined): void {
  for (const indexed of indexKeys(summary)) draft.delete(indexed);
  draft.delete(key);
}

/** What to write so that all blocks after `block` were never applied. */
export async function revertBatch(reader: StoreReader, block: number): Promise<Batch> {
  await rootOf(reader, block);
  const final = await newestFinal(reader);
  if (final !== undefined && block < final) {
    throw new TreeError('BLOCK_ORDER', `block ${final} is final and cannot be taken back`);
  }
  const draft = new Draft();
  const undos: Entry[] = [];
  const later = undoKey(block + 1);
  for await (const undo of scan(reader, later, endOf(allUndos))) undos.push(undo);
  // Newest first: the last word on an entry is what was there before the earliest of the blocks.
  for (const { key, value } of undos.reverse()) {
    const past = decodeKeys(value).filter((one) => !isDroppedKey(one));
    const before = await reader.getMany(past);
    for (const [i, one] of past.entries()) {
      const entry = before[i];
      if (entry === undefined) {
        throw new TreeError('DAMAGED', 'the store has lost what a block overwrote');
      }
      if (entry.length > 0) draft.put(historyOf(one), entry);
      else draft.delete(historyOf(one));
      draft.delete(one);
    }
    draft.delete(key);
    const summary = blockKey(lastNumberOf(key));
    dropBlock(draft, summary, await reader.get(summary));
  }
  return draft.toBatch();
}
