/**
 * The blocks that a store holds. Each block leaves what it overwrote, so that any block held can be read and the newest
 * ones taken back. Once a block is named final, those between it and the final one before are dropped: what they
 * overwrote is joined to one step from the one to the other.
 */
import { concatBytes, equalBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { newestBlock, newestFinal, newestFinalEntry, numberOf, rootOf } from './blocks.js';
import { indexKeys } from './byHash.js';
import { TreeError } from './errors.js';
import {
  allBlocks,
  allFinals,
  allUndos,
  blockKey,
  decodeNumber,
  droppedKey,
  encodeNumber,
  finalKey,
  historyKey,
  historyOf,
  isDroppedKey,
  isHistoryKey,
  lastNumberOf,
  stamp,
  treePrefixes,
  undoKey,
  unstamp,
} from './layout.js';
import { endOf, scan } from './scan.js';
import { textOf } from './sorted.js';
import type { Batch, Entry, StoreReader } from './store.js';

const nothing = new Uint8Array(0);

/** An undo list: keys, each behind its width. */
const encodeKeys = (keys: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(keys.reduce((sum, key) => sum + 1 + key.length, 0));
  let offset = 0;
  for (const key of keys) {
    bytes[offset] = key.length;
    bytes.set(key, offset + 1);
    offset += 1 + key.length;
  }
  return bytes;
};

function decodeKeys(bytes: Uint8Array): Uint8Array[] {
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
  { hash, headerRoot }: { hash?: Uint8Array | undefined; headerRoot?: Uint8Array | undefined } = {},
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

/** A batch in which a later word on a key takes the place of an earlier one. */
class Draft {
  readonly #entries = new Map<string, { key: Uint8Array; value: Uint8Array | null }>();

  put(key: Uint8Array, value: Uint8Array): void {
    this.#entries.set(textOf(key), { key, value });
  }

  delete(key: Uint8Array): void {
    this.#entries.set(textOf(key), { key, value: null });
  }

  toBatch(): Batch {
    const puts: Entry[] = [];
    const deletes: Uint8Array[] = [];
    for (const { key, value } of this.#entries.values()) {
      if (value !== null) puts.push({ key, value });
      else deletes.push(key);
    }
    return { puts, deletes };
  }
}

/** Drops what is kept of a block besides the state: its summary, and its entry in the index by hash. */
function dropBlock(draft: Draft, key: Uint8Array, summary: Uint8Array | undefined): void {
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

/** Drops what an undo list keeps, and all entries of the trees named in it. */
async function dropStep(reader: StoreReader, draft: Draft, undo: Uint8Array): Promise<void> {
  for (const one of decodeKeys(undo)) {
    if (!isDroppedKey(one)) draft.delete(one);
    else {
      for (const prefix of treePrefixes(lastNumberOf(one))) {
        for await (const { key } of scan(reader, prefix, endOf(prefix))) draft.delete(key);
      }
    }
  }
}

/** Joins the undo lists after one final block, up to `block`, to one list. */
async function joinSteps(
  reader: StoreReader,
  draft: Draft,
  last: number | undefined,
  block: number,
): Promise<Uint8Array> {
  const joined: Uint8Array[] = [];
  const seen = new Set<string>();
  const from = last === undefined ? allUndos : undoKey(last + 1);
  for await (const { key, value } of scan(reader, from, undoKey(block + 1))) {
    for (const past of decodeKeys(value)) {
      // Of all that the blocks overwrote, the earliest says what the final block before held.
      const about = textOf(isDroppedKey(past) ? past : historyOf(past));
      if (seen.has(about)) draft.delete(past);
      else joined.push(past);
      seen.add(about);
    }
    draft.delete(key);
  }
  return encodeKeys(joined);
}

/**
 * How many blocks are final. Each says how many there were once it was named so; of one that an earlier release has
 * named, which says nothing, they are counted.
 */
async function countFinals(reader: StoreReader, newest: Entry | undefined): Promise<number> {
  if (newest === undefined) return 0;
  if (newest.value.length > 0) return decodeNumber(newest.value);
  let count = 0;
  for await (const _ of scan(reader, allFinals, endOf(allFinals))) count++;
  return count;
}

/** Drops final blocks from the oldest on. @param step what lies between the newest final block and the one before it */
async function dropOldest(
  reader: StoreReader,
  draft: Draft,
  count: number,
  newest: { block: number; step: Uint8Array },
): Promise<void> {
  const oldest = await reader.range(allFinals, endOf(allFinals), { limit: count + 1 });
  if (oldest.length < count) {
    throw new TreeError('DAMAGED', 'the store holds fewer final blocks than it says');
  }
  const blocks = oldest.map(({ key }) => lastNumberOf(key));
  for (const [i, block] of blocks.slice(0, count).entries()) {
    const next = blocks[i + 1] ?? newest.block;
    const isNewest = next === newest.block;
    const step = isNewest ? newest.step : ((await reader.get(undoKey(next))) ?? nothing);
    await dropStep(reader, draft, step);
    dropBlock(draft, blockKey(block), await reader.get(blockKey(block)));
    for (const key of [finalKey(block), undoKey(next)]) draft.delete(key);
  }
}

/**
 * What to write when a block is named final: earlier blocks that are not final are dropped, and so are final ones
 * beyond the newest `keep`. What it reads depends on what it drops, not on how many blocks are kept.
 *
 * @returns null when the block is the newest final one already
 */
export async function finalizeBatch(
  reader: StoreReader,
  block: number,
  keep: number,
): Promise<Batch | null> {
  await rootOf(reader, block);
  const newest = await newestFinalEntry(reader);
  const last = numberOf(newest);
  if (last === block) return null;
  if (last !== undefined && block < last) {
    throw new TreeError('BLOCK_ORDER', `block ${last} is final already, and newer than ${block}`);
  }
  const draft = new Draft();
  const step = await joinSteps(reader, draft, last, block);
  const from = last === undefined ? allBlocks : blockKey(last + 1);
  for await (const { key, value } of scan(reader, from, blockKey(block))) {
    dropBlock(draft, key, value);
  }
  // With no final block before, nobody reads what was there before this one.
  if (last === undefined) await dropStep(reader, draft, step);
  else draft.put(undoKey(block), step);

  const finals = (await countFinals(reader, newest)) + 1;
  const surplus = Math.max(0, finals - keep);
  if (surplus > 0) await dropOldest(reader, draft, surplus, { block, step });
  draft.put(finalKey(block), encodeNumber(finals - surplus));
  return draft.toBatch();
}
