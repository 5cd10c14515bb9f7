/**
 * Finds where keys stood in the order of a tree's leaves after an older block. The keys that came
 * and went since lie in between, and anyone who can write to a contract's storage decides how many
 * they are. So they are read in long pages and each once, however many keys are asked for.
 */
import { compareBytes } from '../bytes.js';
import { historyOf, historyPrefix, isStampedAt, lastNumberOf, orderKey } from './layout.js';
import { headIndex, tailIndex } from './leaves.js';
import { isThere, type Moment, nextChange, resolvePast } from './pastValue.js';
import { indexIn, orderBounds, type Place } from './places.js';
import { known, type Reading, readAll } from './reading.js';
import { Cursor, endOf, firstSize, isWithin } from './scan.js';
import type { Entry, Range } from './store.js';

/**
 * The first entries on one side of a key, as they are and as they were overwritten; undefined if
 * they were left out.
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

/**
 * What the first step reads of keys besides their entries: the next change of each, and what lies
 * on both sides. Most keys have an entry, and nothing of this is needed.
 */
function firstRanges(tree: number, keys: readonly Uint8Array[], block: number): Range[] {
  const { from, to } = orderBounds(tree);
  const past = historyBounds({ from, to });
  const [below, above] = [
    { limit: firstSize, reverse: true },
    { limit: firstSize, reverse: false },
  ];
  return keys.flatMap((key, unless) => {
    const next = nextChange(key, block);
    const behind = endOf(key);
    return [
      { ...next, unless },
      { from, to: key, ...below, unless },
      { from: past.from, to: historyPrefix(key), ...below, unless },
      { from: behind, to, ...above, unless },
      { from: next.to as Uint8Array, to: past.to, ...above, unless },
    ];
  });
}

/** Reads which keys have a leaf, and the beginnings of the searches for those that have none. */
function* readAsked(moment: Moment, tree: number, hKeys: readonly Uint8Array[]): Reading<Asked[]> {
  const block = moment.block as number;
  const keys = hKeys.map((hKey) => orderKey(tree, hKey));
  const { values, ranges } = yield { keys, ranges: firstRanges(tree, keys, block) };
  const found = keys.map((_, i) => ranges.slice(5 * i, 5 * i + 5));
  const nexts = found.map(([next]) => next);
  const thens = yield* resolvePast(moment, block, { keys, nows: values, nexts });
  return keys.map((key, i) => {
    const [, nowsBelow, pastsBelow, nowsAbove, pastsAbove] = found[i] ?? [];
    const then = thens[i];
    return {
      key,
      own: then && indexIn(then),
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

/**
 * Index of the leaf at one end of a gap, as it was after the moment's block; undefined if none lay
 * in the gap.
 */
function* leafAtEnd(
  moment: Moment,
  gap: Gap,
  { pages, reverse }: { pages: Pages; reverse: boolean },
): Reading<number | undefined> {
  const nows = new Cursor(() => gap, { reverse, page: pages.nows });
  const pasts = new Cursor(() => historyBounds(gap), { reverse, page: pages.pasts });
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

/** Finds the leaves beside keys that have none. @param absent by ascending key @returns by key */
function* findBeside(
  moment: Moment,
  tree: number,
  absent: readonly Asked[],
): Reading<Map<Asked, Place>> {
  const { from, to } = orderBounds(tree);
  const bounds = [undefined, ...absent, undefined];
  const ends = yield* readAll(
    bounds.slice(1).map((above, i) => {
      const below = bounds[i];
      const gap = { from: below ? endOf(below.key) : from, to: above ? above.key : to };
      return readAll([
        above ? leafAtEnd(moment, gap, { pages: above.below, reverse: true }) : known(undefined),
        below ? leafAtEnd(moment, gap, { pages: below.above, reverse: false }) : known(undefined),
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
 * Places in the state after the moment's block; in one step, unless many keys came and went since.
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
