/**
 * The blocks that a store holds. Each block leaves what it overwrote, so that any block held can be read and the newest
 * ones taken back. Once a block is named final, those between it and the final one before are dropped: what they
 * overwrote is joined to one step from the one to the other.
 */
import { concatBytes, equalBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { TreeError } from './errors.js';
import {
  allBlocks,
  allFinals,
  allUndos,
  blockKey,
  droppedKey,
  finalKey,
  hasPrefix,
  historyKey,
  historyOf,
  isDroppedKey,
  isHistoryKey,
  lastNumberOf,
  maxBlock,
  stamp,
  treePrefixes,
  undoKey,
  unstamp,
} from './layout.js';
import { textOf } from './sorted.js';
import type { Batch, Entry, StoreReader } from './store.js';

const nothing = new Uint8Array(0);

/** The entries whose keys come after `key` and begin with `prefix`, in order. */
async function* entriesAfter(
  reader: StoreReader,
  key: Uint8Array,
  prefix: Uint8Array,
): AsyncGenerator<Entry> {
  let entry = await reader.above(key);
  while (entry && hasPrefix(entry.key, prefix)) {
    yield entry;
    entry = await reader.above(entry.key);
  }
}

/** The greatest number below `limit` among keys of one kind. */
async function greatest(
  reader: StoreReader,
  limit: Uint8Array,
  prefix: Uint8Array,
): Promise<number | undefined> {
  const entry = await reader.below(limit);
  return entry && hasPrefix(entry.key, prefix) ? lastNumberOf(entry.key) : undefined;
}

/** The newest block held at or below a height. */
export const newestBlock = (reader: StoreReader, atMost: number = maxBlock) =>
  greatest(reader, blockKey(atMost + 1), allBlocks);

/** The newest block that was named final. */
export const newestFinal = (reader: StoreReader) =>
  greatest(reader, finalKey(maxBlock + 1), allFinals);

/** The oldest block held. */
export async function oldestBlock(reader: StoreReader): Promise<number | undefined> {
  const entry = await reader.above(allBlocks);
  return entry && hasPrefix(entry.key, allBlocks) ? lastNumberOf(entry.key) : undefined;
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

/** What to write so that all blocks after `block` were never applied. */
export async function revertBatch(reader: StoreReader, block: number): Promise<Batch> {
  await rootOf(reader, block);
  const final = await newestFinal(reader);
  if (final !== undefined && block < final) {
    throw new TreeError('BLOCK_ORDER', `block ${final} is final and cannot be taken back`);
  }
  const draft = new Draft();
  const undos: Entry[] = [];
  for await (const undo of entriesAfter(reader, undoKey(block), allUndos)) undos.push(undo);
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

/** Drops what an undo list keeps, and all entries of the trees named in it. */
async function dropStep(reader: StoreReader, draft: Draft, undo: Uint8Array): Promise<void> {
  for (const key of decodeKeys(undo)) {
    if (!isDroppedKey(key)) draft.delete(key);
    else {
      for (const prefix of treePrefixes(lastNumberOf(key))) {
        for await (const entry of entriesAfter(reader, prefix, prefix)) draft.delete(entry.key);
        // The one key of a tree's top is its own prefix.
        draft.delete(prefix);
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
  const after = last === undefined ? allUndos : undoKey(last);
  for await (const { key, value } of entriesAfter(reader, after, allUndos)) {
    if (lastNumberOf(key) > block) break;
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
 * What to write when a block is named final: earlier blocks that are not final are dropped, and so are final ones
 * beyond the newest `keep`.
 *
 * @returns null where the block is the newest final one already
 */
export async function finalizeBatch(
  reader: StoreReader,
  block: number,
  keep: number,
): Promise<Batch | null> {
  await rootOf(reader, block);
  const last = await newestFinal(reader);
  if (last === block) return null;
  if (last !== undefined && block < last) {
    throw new TreeError('BLOCK_ORDER', `block ${last} is final already, and newer than ${block}`);
  }
  const draft = new Draft();
  const undo = await joinSteps(reader, draft, last, block);
  const after = last === undefined ? allBlocks : blockKey(last);
  for await (const { key } of entriesAfter(reader, after, allBlocks)) {
    if (lastNumberOf(key) < block) draft.delete(key);
  }
  // With no final block before, nobody reads what was there before this one.
  if (last === undefined) await dropStep(reader, draft, undo);
  else draft.put(undoKey(block), undo);
  draft.put(finalKey(block), nothing);

  const finals: number[] = [];
  for await (const { key } of entriesAfter(reader, allFinals, allFinals)) {
    finals.push(lastNumberOf(key));
  }
  finals.push(block);
  for (const [i, oldest] of finals.slice(0, -keep).entries()) {
    const next = finals[i + 1] as number;
    const step = next === block ? undo : ((await reader.get(undoKey(next))) ?? nothing);
    await dropStep(reader, draft, step);
    for (const key of [blockKey(oldest), finalKey(oldest), undoKey(next)]) draft.delete(key);
  }
  return draft.toBatch();
}
