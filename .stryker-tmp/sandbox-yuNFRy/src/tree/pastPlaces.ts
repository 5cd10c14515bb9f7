/**
 * Finds where keys stood in the order of a tree's leaves after an older block. The keys that came
 * and went since lie in between, and anyone who can write to a contract's storage decides how many
 * they are. So they are read in long pages and each once, however many keys are asked for.
 */
// @ts-nocheck

import { compareBytes } from '../bytes.js';
import { historyOf, historyPrefix, isStampedAt, lastNumberOf, orderKey } from './layout.js';
import { headIndex, tailIndex } from './leaves.js';
import { isThere, type Moment, nextChange, readAt, resolvePast } from './pastValue.js';
import { indexIn, orderBounds, type Place } from './places.js';
import { known, type Reading, readAll } from './reading.js';
import { Cursor, endOf, firstSize, isWithin, longestSize } from './scan.js';
import type { Entry, Range } from './store.js';

/**
 * The first entries on one side of a key, as they are and as they were overwritten; undefined if
 * they were not read ahead.
 */
interface Pages {
  readonly nows: readonly Entry[] | undefined;
  readonly pasts: readonly Entry[] | undefined;
}

/** A key that is asked for. */
interface Asked {
  /** Its `order` key. */
  readonly key: Uint8Array;
  /** Index of the leaf that it had after the block. */
  readonly own: number | undefined;
  readonly below: Pages;
  readonly above: Pages;
}

/**
 * Where the history of the keys between bounds lies. The bounds are keys of one width, or their
 * ends.
 */
const historyBounds = ({ from, to }: Gap): Gap => ({
  from: historyPrefix(from),
  to: historyPrefix(to),
});

/** What is read ahead of each key: its next change, and what lies on both sides of it. */
function rangesAhead(tree: number, keys: readonly Uint8Array[], block: number): Range[] {
  const { from, to } = orderBounds(tree);
  const past = historyBounds({ from, to });
  const below = { limit: firstSize, reverse: true };
  const above = { limit: firstSize, reverse: false };
  return keys.flatMap((key) => {
    const next = nextChange(key, block);
    return [
      next,
      { from, to: key, ...below },
      { from: past.from, to: historyPrefix(key), ...below },
      { from: endOf(key), to, ...above },
      { from: next.to, to: past.to, ...above },
    ];
  });
}

const noPages: Pages = { nows: undefined, pasts: undefined };

/** Reads which keys have a leaf and, ahead, where the searches of all others begin. */
function* readAsked(moment: Moment, tree: number, hKeys: readonly Uint8Array[]): Reading<Asked[]> {
  const block = moment.block as number;
  const keys = hKeys.map((hKey) => orderKey(tree, hKey));
  const ownOf = (then: Uint8Array | undefined) => then && indexIn(then);
  if (!moment.readsAhead) {
    const thens = yield* readAt(moment, keys);
    return keys.map((key, i) => ({ key, own: ownOf(thens[i]), below: noPages, above: noPages }));
  }
  const { values, ranges } = yield { keys, ranges: rangesAhead(tree, keys, block) };
  const found = keys.map((_, i) => ranges.slice(5 * i, 5 * i + 5));
  const nexts = found.map(([next = []]) => next);
  const thens = yield* resolvePast(moment, block, { keys, nows: values, nexts });
  return keys.map((key, i) => {
    const [, nowsBelow, pastsBelow, nowsAbove, pastsAbove] = found[i] ?? [];
    return {
      key,
      own: ownOf(thens[i]),
      below: { nows: nowsBelow, pasts: pastsBelow },
      above: { nows: nowsAbove, pasts: pastsAbove },
    };
  });
}

/**
 * What lies between two keys that have no leaf. Keys that are found to have none either are taken
 * off at both ends. Bounds are keys of one width, or their ends, so that they bound the history of
 * keys, too.
 */
interface Gap {
  from: Uint8Array;
  to: Uint8Array;
}

/** What stood in an entry after a block, and the entry of the history behind it. */
interface Passed {
  readonly then: Uint8Array | undefined;
  readonly past: Entry | undefined;
}

/** Goes through the history of a key. @param past its first entry from this end */
function* passHistory(
  key: Uint8Array,
  { now, past, block }: { now: Uint8Array | undefined; past: Entry | undefined; block: number },
  { pasts, reverse }: { pasts: Cursor; reverse: boolean },
): Reading<Passed> {
  let then = now;
  let next = past;
  let isFound = false;
  while (next && compareBytes(historyOf(next.key), key) === 0) {
    // What the next block to change it found there is what the block left.
    if (lastNumberOf(next.key) > block && (reverse || !isFound)) {
      then = next.value;
      isFound = true;
    }
    next = yield* pasts.next();
  }
  return { then, past: next };
}

/** From which end of a gap a search goes, and what it begins with. */
interface Search {
  readonly reverse: boolean;
  readonly pages: Pages;
  /** Entries of the longest page. */
  readonly longest: () => number;
}

/**
 * Index of the leaf at one end of a gap, as it was after the moment's block; undefined if none lay
 * in the gap.
 */
function* leafAtEnd(
  moment: Moment,
  gap: Gap,
  { reverse, pages, longest }: Search,
): Reading<number | undefined> {
  const nows = new Cursor({ bounds: () => gap, longest, reverse, page: pages.nows });
  const pasts = new Cursor({
    bounds: () => historyBounds(gap),
    longest,
    reverse,
    page: pages.pasts,
  });
  let [now, past] = yield* readAll([nows.next(), pasts.next()]);
  for (;;) {
    const { block } = moment;
    const keys = [now?.key, block === undefined ? undefined : past && historyOf(past.key)];
    const [key] = keys
      .filter((one) => one !== undefined)
      .sort((a, b) => (reverse ? compareBytes(b, a) : compareBytes(a, b)));
    if (key === undefined) return undefined;
    const isNow = now !== undefined && compareBytes(now.key, key) === 0;
    let then = isNow ? now?.value : undefined;
    if (block !== undefined && !isStampedAt(then, block)) {
      ({ then, past } = yield* passHistory(key, { now: then, past, block }, { pasts, reverse }));
    }
    // Beyond the bounds the other end has found no leaf. What was read of such a key may lack a
    // part of its history.
    if (!isWithin(gap, key)) return undefined;
    if (then && (block === undefined || isThere(then, block))) return indexIn(then);
    if (isNow) now = yield* nows.next();
    if (reverse) gap.to = key;
    else gap.from = endOf(key);
  }
}

/** Entries that all searches of a call read in one step, about, and the least page of each. */
const entriesPerStep = 8192;
const leastPage = 8;

/** Finds the leaves beside keys that have none. @param absent by ascending key @returns by key */
function* findBeside(
  moment: Moment,
  tree: number,
  absent: readonly Asked[],
): Reading<Map<Asked, Place>> {
  const { from, to } = orderBounds(tree);
  const bounds = [undefined, ...absent, undefined];
  let searches = 2 * absent.length;
  const longest = () => {
    const share = Math.floor(entriesPerStep / (2 * searches));
    return Math.min(longestSize, Math.max(leastPage, share));
  };
  function* search(gap: Gap, pages: Pages, reverse: boolean): Reading<number | undefined> {
    const leaf = yield* leafAtEnd(moment, gap, { reverse, pages, longest });
    searches--;
    return leaf;
  }
  const ends = yield* readAll(
    bounds.slice(1).map((above, i) => {
      const below = bounds[i];
      const gap = { from: below ? endOf(below.key) : from, to: above ? above.key : to };
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
 * Places in the state after the moment's block. What was read ahead is enough unless many keys came
 * and went since.
 */
export function* placesAt(
  moment: Moment,
  tree: number,
  hKeys: readonly Uint8Array[],
): Reading<Place[]> {
  const asked = yield* readAsked(moment, tree, hKeys);
  const absent = asked.filter(({ own }) => own === undefined);
  absent.sort((a, b) => compareBytes(a.key, b.key));
  const places = yield* findBeside(moment, tree, absent);
  return asked.map((one) => {
    const { own } = one;
    return places.get(one) ?? { own, left: undefined, right: undefined };
  });
}
