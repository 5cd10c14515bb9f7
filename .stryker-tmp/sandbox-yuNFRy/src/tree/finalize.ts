/**
 * Drops blocks when one is named final: those between it and the final one before, and the oldest
 * final ones.
 */
// @ts-nocheck

import { newestFinalEntry, numberOf, stateRootOf } from './blocks.js';
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
import { type Reading, readAll, readRange, readValues } from './reading.js';
import { endOf, readWhole } from './scan.js';
import { textOf } from './sortedMap.js';
import type { Batch, Entry } from './store.js';

/** Undo lists that are joined to one. */
interface Joined {
  /** What lies between two final blocks. */
  readonly step: Uint8Array;
  /** Keys of the lists, and those that they name and no block held needs. */
  readonly deleted: readonly Uint8Array[];
}

/** Joins undo lists. @param undos by ascending block */
function joinUndos(undos: readonly Entry[]): Joined {
  const joined: Uint8Array[] = [];
  const deleted: Uint8Array[] = [];
  const seen = new Set<string>();
  for (const { key, value } of undos) {
    for (const past of decodeKeys(value)) {
      // Of all that the blocks overwrote, the earliest says what the final block before held.
      const about = textOf(isDroppedKey(past) ? past : historyOf(past));
      (seen.has(about) ? deleted : joined).push(past);
      seen.add(about);
    }
    deleted.push(key);
  }
  return { step: encodeKeys(joined), deleted };
}

/**
 * Reads what is named in steps that are dropped and is not in the lists themselves: all entries of
 * dropped trees.
 */
function* readDropped(steps: readonly Uint8Array[]): Reading<Uint8Array[]> {
  const trees = steps.flatMap((step) => decodeKeys(step).filter(isDroppedKey)).map(lastNumberOf);
  const prefixes = trees.flatMap(treePrefixes);
  const entries = yield* readAll(
    prefixes.map((prefix) => readWhole({ from: prefix, to: endOf(prefix) })),
  );
  return entries.flatMap((some) => some.map(({ key }) => key));
}

/** Drops what a step keeps. */
function dropStep(draft: Draft, step: Uint8Array): void {
  for (const one of decodeKeys(step)) if (!isDroppedKey(one)) draft.delete(one);
}

/**
 * How many blocks are final. Each says how many there were once it was named so; blocks that an
 * earlier release has named say nothing, and are counted.
 */
function* countFinals(newest: Entry | undefined): Reading<number> {
  if (newest === undefined) return 0;
  if (newest.value.length > 0) return decodeNumber(newest.value);
  return (yield* readWhole({ from: allFinals, to: endOf(allFinals) })).length;
}

/** The oldest final blocks, from the oldest on. */
function* oldestFinals(limit: number): Reading<number[]> {
  const range = { from: allFinals, to: endOf(allFinals), limit, reverse: false };
  return (yield* readRange(range)).map(({ key }) => lastNumberOf(key));
}

/** A final block that is dropped. */
interface DroppedFinal {
  readonly block: number;
  readonly summary: Uint8Array | undefined;
  /** The final block after it, and what lies between the two. */
  readonly next: number;
  readonly step: Uint8Array | undefined;
}

/** The final blocks before a new one: how many stay, and those that are dropped. */
interface Finals {
  readonly kept: number;
  readonly dropped: readonly DroppedFinal[];
}

/**
 * Reads which final blocks go once another one is named so.
 *
 * @param oldest the two oldest final blocks, which are read beforehand: one of them goes with most
 *   blocks
 */
function* readFinals(
  block: number,
  { newest, oldest, keep }: { newest: Entry | undefined; oldest: number[]; keep: number },
): Reading<Finals> {
  const count = yield* countFinals(newest);
  const surplus = Math.max(0, count + 1 - keep);
  if (surplus === 0) return { kept: count, dropped: [] };
  const known = surplus < 2 || oldest.length < 2 ? oldest : yield* oldestFinals(surplus + 1);
  if (known.length < surplus) {
    throw new TreeError('DAMAGED', 'the store holds fewer final blocks than it says');
  }
  const gone = known.slice(0, surplus);
  const nexts = gone.map((_, i) => known.at(i + 1) ?? block);
  const keys = gone.flatMap((one, i) => [blockKey(one), undoKey(nexts[i] as number)]);
  const values = (yield* readValues(keys)).values();
  const dropped = gone.map((one, i) => {
    const [summary, step] = [values.next().value, values.next().value];
    return { block: one, summary, next: nexts[i] as number, step };
  });
  return { kept: count - surplus, dropped };
}

/** The newest final block before one that is to be final. @throws TreeError `BLOCK_ORDER` */
function* finalBefore(block: number): Reading<Entry | undefined> {
  const newest = yield* newestFinalEntry();
  const last = numberOf(newest);
  if (last !== undefined && block < last) {
    throw new TreeError('BLOCK_ORDER', `block ${last} is final already, and newer than ${block}`);
  }
  return newest;
}

/**
 * What to write when a block is named final: earlier blocks that are not final are dropped, and so
 * are final ones beyond the newest `keep`. What it reads depends on what it drops, not on how many
 * blocks are kept: two steps, and more only if many blocks or the trees of destroyed accounts are
 * dropped, which are read in pages.
 *
 * @returns no batch if the block is the newest final one already
 */
export function* finalizeBatch(block: number, keep: number): Reading<{ batch: Batch | null }> {
  const [, newest, oldest] = yield* readAll([
    stateRootOf(block),
    finalBefore(block),
    oldestFinals(2),
  ]);
  const last = numberOf(newest);
  if (last === block) return { batch: null };
  const [undos, between, finals] = yield* readAll([
    readWhole({ from: last === undefined ? allUndos : undoKey(last + 1), to: undoKey(block + 1) }),
    readWhole({ from: last === undefined ? allBlocks : blockKey(last + 1), to: blockKey(block) }),
    readFinals(block, { newest, oldest, keep }),
  ]);
  const { step, deleted } = joinUndos(undos);
  const steps = finals.dropped.map((one) => (one.next === block ? step : (one.step ?? nothing)));
  // With no final block before, nobody reads what was there before this one.
  if (last === undefined) steps.push(step);
  const entries = yield* readDropped(steps);

  const draft = new Draft();
  for (const key of deleted) draft.delete(key);
  for (const { key, value } of between) dropBlock(draft, key, value);
  if (last !== undefined) draft.put(undoKey(block), step);
  for (const one of steps) dropStep(draft, one);
  for (const key of entries) draft.delete(key);
  for (const one of finals.dropped) {
    dropBlock(draft, blockKey(one.block), one.summary);
    for (const key of [finalKey(one.block), undoKey(one.next)]) draft.delete(key);
  }
  draft.put(finalKey(block), encodeNumber(finals.kept + 1));
  return { batch: draft.toBatch() };
}
