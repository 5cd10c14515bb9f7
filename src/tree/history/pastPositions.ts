/**
 * Finds the positions of keys in the order of a tree's leaves after an older block. The keys that came
 * and went since lie in between, and an attacker who can write to a contract's storage decides how
 * many there are. So they are read in long pages and each once, however many keys are asked for.
 */
import { compareBytes } from '../../bytes.js';
import { orderKey } from '../layout/layout.js';
import { headIndex, tailIndex } from '../nodes/leaves.js';
import { readsPerTurn } from '../store/readBudget.js';
import { known, type Reading, readAll, readRanges, turnAfter } from '../store/reading.js';
import {
  type Bounds,
  endOf,
  firstSize,
  isWithin,
  longestSize,
  RangeCursor,
} from '../store/scan.js';
import type { Entry, Range } from '../store/store.js';
import type { BlockDiff } from './diffRuns.js';
import { diffsAfter, loadDiffs } from './diffs.js';
import {
  indexIn,
  type KeyPosition,
  leavesBeside,
  orderBounds,
  rangesBeside,
} from './keyPositions.js';
import { PastKeys } from './pastKeys.js';
import { type ReadPoint, readAt, resolvePast, wasThere } from './pastValue.js';

/** The first entries on one side of a key; undefined if they were not read ahead. */
type Page = readonly Entry[] | undefined;

/** A key that is asked for. */
interface Asked {
  /** Its `order` key. */
  readonly key: Uint8Array;
  /** Index of the leaf that it had after the block. */
  readonly own: number | undefined;
  readonly below: Page;
  readonly above: Page;
}

/** The ranges that are read ahead for each key, on both sides of it. */
function rangesAhead(tree: number, keys: readonly Uint8Array[]): Range[] {
  const { from, to } = orderBounds(tree);
  return keys.flatMap((key) => [
    { from, to: key, limit: firstSize, reverse: true },
    { from: endOf(key), to, limit: firstSize, reverse: false },
  ]);
}

/** Reads which keys have a leaf and, ahead, the first pages of the searches for all others. */
function* readAsked(
  point: ReadPoint,
  tree: number,
  hKeys: readonly Uint8Array[],
): Reading<Asked[]> {
  const block = point.block as number;
  const keys = hKeys.map((hKey) => orderKey(tree, hKey));
  const ownOf = (then: Uint8Array | undefined) => then && indexIn(then);
  if (!point.readsAhead) {
    const thens = yield* readAt(point, keys);
    return keys.map((key, i) => {
      return { key, own: ownOf(thens[i]), below: undefined, above: undefined };
    });
  }
  const { values, ranges } = yield { keys, ranges: rangesAhead(tree, keys) };
  const thens = yield* resolvePast(point, block, { keys, nows: values });
  return keys.map((key, i) => {
    return { key, own: ownOf(thens[i]), below: ranges[2 * i], above: ranges[2 * i + 1] };
  });
}

/**
 * The keys between two keys that have no leaf. It shrinks at both ends, as keys there are found to have no leaf either.
 */
interface Gap {
  from: Uint8Array;
  to: Uint8Array;
}

/** The end of a gap from which a search goes, and its first page. */
interface Search {
  readonly reverse: boolean;
  readonly page: Page;
  /** Entries of the longest page. */
  readonly longest: () => number;
  /** Those after the block; none if it is the newest. */
  readonly diffs: readonly BlockDiff[];
}

/** Index of the leaf at one end of a gap, as it was after the read point's block; undefined if none lay in the gap. */
function* leafAtEnd(
  { block }: ReadPoint,
  gap: Gap,
  { reverse, page, longest, diffs }: Search,
): Reading<number | undefined> {
  const nows = new RangeCursor({ bounds: () => gap, longest, reverse, page });
  const pasts = new PastKeys(diffs, gap, { reverse });
  let now = yield* nows.next();
  let past = pasts.next();
  let passed = 0;
  const orderOf = (key: Uint8Array, other: Uint8Array) =>
    reverse ? compareBytes(other, key) : compareBytes(key, other);
  for (;;) {
    const order = now && past ? orderOf(now.key, past.key) : 0;
    const isPast = past !== undefined && order >= 0;
    const isNow = now !== undefined && (past === undefined || order <= 0);
    const key = isPast ? past?.key : now?.key;
    // Beyond the bounds the other end has found no leaf.
    if (key === undefined || !isWithin(gap, key)) break;
    const then = isPast ? past?.old : now?.value;
    if (then && (block === undefined || wasThere(then, block))) return indexIn(then);
    if (isNow) now = yield* nows.next();
    if (reverse) gap.to = key;
    else gap.from = endOf(key);
    if (!isPast) continue;
    past = pasts.next();
    passed++;
    if (passed % readsPerTurn === 0) yield turnAfter(readsPerTurn);
  }
  return undefined;
}

/** Entries that all searches of a call read in one step, about, and the least page of each. */
const entriesPerStep = 8192;
const leastPage = 8;

/** Finds the leaves beside keys that have none, if no key of the tree came or went since: they are those of now. */
function* findBesideAsNow(
  bounds: Bounds,
  absent: readonly Asked[],
): Reading<Map<Asked, KeyPosition>> {
  const found = yield* readRanges(absent.flatMap(({ key }) => rangesBeside(bounds, key)));
  return new Map(absent.map((one, i) => [one, { own: undefined, ...leavesBeside(found, i) }]));
}

/** Finds the leaves beside keys that have none. @param absent by ascending key @returns by key */
function* findBeside(
  point: ReadPoint,
  tree: number,
  absent: readonly Asked[],
): Reading<Map<Asked, KeyPosition>> {
  const all = orderBounds(tree);
  const { block, cache, readsAhead } = point;
  const diffs = block === undefined ? [] : diffsAfter(yield* loadDiffs(cache, block), block);
  // What was read ahead is enough by itself.
  if (!readsAhead && new PastKeys(diffs, all, { reverse: false }).next() === undefined) {
    return yield* findBesideAsNow(all, absent);
  }
  const bounds = [undefined, ...absent, undefined];
  let searches = 2 * absent.length;
  const longest = () => {
    const share = Math.floor(entriesPerStep / (2 * searches));
    return Math.min(longestSize, Math.max(leastPage, share));
  };
  function* search(gap: Gap, page: Page, reverse: boolean): Reading<number | undefined> {
    const leaf = yield* leafAtEnd(point, gap, { reverse, page, longest, diffs });
    searches--;
    return leaf;
  }
  const ends = yield* readAll(
    bounds.slice(1).map((above, i) => {
      const below = bounds[i];
      const gap = { from: below ? endOf(below.key) : all.from, to: above ? above.key : all.to };
      return readAll([
        above ? search(gap, above.below, true) : known(undefined),
        below ? search(gap, below.above, false) : known(undefined),
      ]);
    }),
  );
  // If a gap has no leaf, the next one with a leaf counts.
  let right: number = tailIndex;
  const rights = ends
    .slice(1)
    .reverse()
    .map(([, leaf]) => {
      right = leaf ?? right;
      return right;
    })
    .reverse();
  let left: number = headIndex;
  return new Map(
    absent.map((one, i) => {
      left = ends[i]?.[0] ?? left;
      return [one, { own: undefined, left, right: rights[i] }];
    }),
  );
}

/**
 * Positions in the state after the read point's block. The entries read ahead are enough unless many keys
 * came and went since.
 */
export function* findPastPositions(
  point: ReadPoint,
  tree: number,
  hKeys: readonly Uint8Array[],
): Reading<KeyPosition[]> {
  const asked = yield* readAsked(point, tree, hKeys);
  const absent = asked.filter(({ own }) => own === undefined);
  absent.sort((a, b) => compareBytes(a.key, b.key));
  const positions = absent.length > 0 ? yield* findBeside(point, tree, absent) : undefined;
  return asked.map((one) => {
    const { own } = one;
    return positions?.get(one) ?? { own, left: undefined, right: undefined };
  });
}
