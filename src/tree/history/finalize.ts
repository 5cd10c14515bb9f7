/** Drops blocks when one is named final: those between it and the final one before, and the oldest final ones. */

import type { FinishedBlock } from '../layout/blockBatch.js';
import {
  blockNumberIn,
  newestFinalEntry,
  readNewestBlock,
  readStateRoot,
} from '../layout/blocks.js';
import { diffEntries } from '../layout/diffTable.js';
import {
  allFinals,
  blockKey,
  decodeNumber,
  encodeNumber,
  finalKey,
  lastNumberOf,
  treePrefixes,
} from '../layout/layout.js';
import { BatchBuilder } from '../store/batchBuilder.js';
import { TreeError } from '../store/errors.js';
import { known, type Reading, readAll, readRange, readValues } from '../store/reading.js';
import { endOf, readWhole } from '../store/scan.js';
import type { Batch, Entry } from '../store/store.js';
import type { BlockDiff } from './diffRuns.js';
import {
  type DiffRecord,
  diffKeys,
  droppedTrees,
  readDiffs,
  readRewrites,
  rewritesEntry,
  toDiffRecord,
} from './diffs.js';
import { mergeDiffs } from './mergeDiffs.js';
import { dropBlock, lostError } from './revert.js';

/** All entries of trees that are dropped. */
function* readDropped(trees: readonly number[]): Reading<Uint8Array[]> {
  const prefixes = trees.flatMap(treePrefixes);
  const entries = yield* readAll(
    prefixes.map((prefix) => readWhole({ from: prefix, to: endOf(prefix) })),
  );
  return entries.flatMap((some) => some.map(({ key }) => key));
}

/**
 * How many blocks are final. The entry of each says how many there were when it was named final. If
 * an earlier release wrote the newest entry, it says nothing, and the entries are counted.
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
  /** The final block after it. */
  readonly next: number;
}

/** The final blocks before a new one: how many stay, and those that are dropped. */
interface Finals {
  readonly kept: number;
  readonly dropped: readonly DroppedFinal[];
  /** The diffs between the dropped blocks and the ones after them, without the diff to the new one. */
  readonly diffs: readonly BlockDiff[];
}

/**
 * Reads which final blocks go once another one is named so.
 *
 * @param oldest the two oldest final blocks, which are read beforehand: most blocks that become
 *   final push out one of them
 */
function* readFinals(
  block: number,
  { newest, oldest, keep }: { newest: Entry | undefined; oldest: number[]; keep: number },
): Reading<Finals> {
  const count = yield* countFinals(newest);
  const surplus = Math.max(0, count + 1 - keep);
  if (surplus === 0) return { kept: count, dropped: [], diffs: [] };
  const finals = surplus < 2 || oldest.length < 2 ? oldest : yield* oldestFinals(surplus + 1);
  if (finals.length < surplus) {
    throw new TreeError('DAMAGED', 'the store holds fewer final blocks than it says');
  }
  const gone = finals.slice(0, surplus);
  const nexts = gone.map((_, i) => finals.at(i + 1) ?? block);
  const last = nexts.at(-1) as number;
  const [summaries, diffs] = yield* readAll([
    readValues(gone.map(blockKey)),
    readDiffs({ after: gone[0] as number, upTo: last === block ? gone.at(-1) : last }),
  ]);
  const dropped = gone.map((one, i) => {
    return { block: one, summary: summaries[i], next: nexts[i] as number };
  });
  return { kept: count - surplus, dropped, diffs };
}

/** The newest final block before one that is to be final. @throws TreeError `BLOCK_ORDER` */
function* finalBefore(block: number): Reading<Entry | undefined> {
  const newest = yield* newestFinalEntry();
  const last = blockNumberIn(newest);
  if (block < (last ?? -1)) {
    throw new TreeError('BLOCK_ORDER', `block ${last} is final already, and newer than ${block}`);
  }
  return newest;
}

/** The blocks between one that is to be final and the final one before it. */
interface Between {
  /** The summaries of these blocks, which are dropped. */
  readonly summaries: readonly Entry[];
  /** The diffs to these blocks, and to the one that is to be final. */
  readonly diffs: readonly BlockDiff[];
}

/**
 * Reads the diffs between. A single diff that stays as it is needs no read.
 *
 * @param options.own the diff to the block, if the store does not hold it yet
 */
function* readBetween(
  block: number,
  {
    last,
    isWhole,
    own,
  }: { last: number | undefined; isWhole: boolean; own: DiffRecord | undefined },
): Reading<Between> {
  if (isWhole) return { summaries: [], diffs: [] };
  const after = last ?? -1;
  const [summaries, diffs] = yield* readAll([
    readWhole({ from: blockKey(after + 1), to: blockKey(block) }),
    readDiffs({ after, upTo: block }),
  ]);
  return { summaries, diffs: own ? [...diffs, own] : diffs };
}

/**
 * The batch that names a block final: earlier blocks that are not final are dropped, and so are final ones beyond the
 * newest `keep`. What it reads depends on what it drops, not on how many blocks are kept: two reads, and more only if
 * blocks that are not final or the trees of destroyed accounts are dropped, which are read in pages.
 *
 * @param options.upcoming the block that is written together with it, which may be the same
 * @returns no batch if the block is the newest final one already
 */
export function* finalizeBatch(
  block: number,
  { keep, upcoming }: { keep: number; upcoming?: FinishedBlock | undefined },
): Reading<{ batch: Batch | null }> {
  const isUpcoming = upcoming?.number === block;
  const own = isUpcoming && upcoming.diff ? toDiffRecord(block, upcoming.diff) : undefined;
  const [, newest, oldest, previous, rewrites] = yield* readAll([
    isUpcoming ? known(undefined) : readStateRoot(block),
    finalBefore(block),
    oldestFinals(2),
    readNewestBlock(block - 1),
    readRewrites(),
  ]);
  const last = blockNumberIn(newest);
  if (last === block) return { batch: null };
  // A single diff leads to it, which stays as it is unless no earlier block is held afterwards.
  const isWhole = last !== undefined && last === previous && keep > 1;
  const [between, finals] = yield* readAll([
    readBetween(block, { last, isWhole, own }),
    readFinals(block, { newest, oldest, keep }),
  ]);
  const { summaries } = between;
  // Without an earlier final block, the values before this one are never read.
  const isFirst = last === undefined || finals.dropped.some(({ next }) => next === block);
  const diffs = isFirst ? [...finals.diffs, ...between.diffs] : finals.diffs;
  const entries = yield* readDropped(diffs.flatMap(droppedTrees));

  const builder = new BatchBuilder();
  for (const { key, value } of summaries) dropBlock(builder, key, value);
  for (const one of between.diffs) for (const key of diffKeys(one)) builder.delete(key);
  if (!isFirst && !isWhole) {
    if (between.diffs.length !== summaries.length + 1) throw lostError();
    const joined = diffEntries(block, yield* mergeDiffs(between.diffs, own));
    for (const { key, value } of [...joined, rewritesEntry(rewrites)]) builder.put(key, value);
  }
  for (const one of diffs) for (const key of diffKeys(one)) builder.delete(key);
  for (const key of entries) builder.delete(key);
  for (const one of finals.dropped) {
    dropBlock(builder, blockKey(one.block), one.summary);
    builder.delete(finalKey(one.block));
  }
  builder.put(finalKey(block), encodeNumber(finals.kept + 1));
  return { batch: builder.toBatch() };
}
