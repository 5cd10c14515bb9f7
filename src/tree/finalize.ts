/** Drops blocks when one is named final: those between it and the final one before, and the oldest final ones. */
import { newestFinalEntry, numberOf, rootOf } from './blocks.js';
import { Draft } from './draft.js';
import { TreeError } from './errors.js';
import { decodeKeys, dropBlock, encodeKeys, nothing } from './history.js';
import {
  allBlocks,
  allFinals,
  allUndos,
  blockKey,
  decodeNumber,
  encodeNumber,
  finalKey,
  historyOf,
  isDroppedKey,
  lastNumberOf,
  treePrefixes,
  undoKey,
} from './layout.js';
import { endOf, scan } from './scan.js';
import { textOf } from './sorted.js';
import type { Batch, Entry, StoreReader } from './store.js';

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
  const oldest = await reader.range(allFinals, endOf(allFinals), {
    limit: count + 1,
    reverse: false,
  });
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
