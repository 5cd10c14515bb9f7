/**
 * The blocks that a store holds. Each block leaves what it overwrote, so that any block held can be read and the newest
 * ones taken back. Once a block is named final, those between it and the final one before are dropped: what they
 * overwrote is joined to one step from the one to the other.
 */
import { concatBytes, equalBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { Draft } from './draft.js';
import { TreeError } from './errors.js';
import {
  allBlocks,
  allFinals,
  allUndos,
  blockKey,
  droppedKey,
  historyKey,
  historyOf,
  isDroppedKey,
  isHistoryKey,
  lastNumberOf,
  maxBlock,
  stamp,
  undoKey,
  unstamp,
} from './layout.js';
import { endOf, scan } from './scan.js';
import type { Batch, Entry, StoreReader } from './store.js';

/** The value of an entry that was not there. */
export const nothing: Uint8Array = new Uint8Array(0);

/** The entry with the greatest key from `from` on to below `to`. */
async function greatest(
  reader: StoreReader,
  from: Uint8Array,
  to: Uint8Array,
): Promise<Entry | undefined> {
  const [entry] = await reader.range(from, to, { limit: 1, reverse: true });
  return entry;
}

/** The block of an entry. */
export const numberOf = (entry: Entry | undefined): number | undefined =>
  entry && lastNumberOf(entry.key);

/** The newest block held at or below a height. */
export const newestBlock = async (reader: StoreReader, atMost: number = maxBlock) =>
  numberOf(await greatest(reader, allBlocks, blockKey(atMost + 1)));

/** Its entry. */
export const newestFinalEntry = (reader: StoreReader) =>
  greatest(reader, allFinals, endOf(allFinals));

/** The newest block that was named final. */
export const newestFinal = async (reader: StoreReader) => numberOf(await newestFinalEntry(reader));

/** The oldest block held. */
export async function oldestBlock(reader: StoreReader): Promise<number | undefined> {
  const [entry] = await reader.range(allBlocks, endOf(allBlocks), { limit: 1 });
  return numberOf(entry);
}

/** What is kept of a block besides the state: its state root, and its hash where the caller gave one. */
async function summaryOf(reader: StoreReader, block: number): Promise<Uint8Array> {
  const summary = await reader.get(blockKey(block));
  if (summary === undefined) throw new TreeError('BLOCK_MISSING', `block ${block} is not held`);
  return summary;
}

/** Root of a block held. @throws TreeError `BLOCK_MISSING` */
export const rootOf = async (reader: StoreReader, block: number): Promise<Uint8Array> =>
  (await summaryOf(reader, block)).subarray(0, blockWidth);

/** Hash of a block held; undefined where it was applied without one. @throws TreeError `BLOCK_MISSING` */
export async function hashOf(reader: StoreReader, block: number): Promise<Uint8Array | undefined> {
  const summary = await summaryOf(reader, block);
  return summary.length > blockWidth ? summary.subarray(blockWidth) : undefined;
}

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

/** @throws TreeError `DAMAGED` */
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

/** What to write for a block that follows the newest one. @param hash 32 bytes, or none */
export async function appendBatch(
  reader: StoreReader,
  block: number,
  { entries, dropped, stateRoot }: StateChange,
  hash: Uint8Array = nothing,
): Promise<Batch> {
  const puts: Entry[] = [{ key: blockKey(block), value: concatBytes(stateRoot, hash) }];
  const deletes: Uint8Array[] = [];
  const undo: Uint8Array[] = dropped.map(droppedKey);
  const hasEarlier = (await newestBlock(reader)) !== undefined;
  const before = hasEarlier ? await reader.getMany(entries.map(({ key }) => key)) : [];
  for (const [i, { key, value }] of entries.entries()) {
    const old = before[i];
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
    draft.delete(blockKey(lastNumberOf(key)));
  }
  return draft.toBatch();
}
