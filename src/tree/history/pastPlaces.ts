/**
 * Finds where keys stood in the order of a tree's leaves after an older block. The keys that came
 * and went since lie in between, and an attacker who can write to a contract's storage decides how
 * many there are. So they are read in long pages and each once, however many keys are asked for.
 */
import { compareBytes } from '../../bytes.js';
import { orderKey } from '../layout/layout.js';
import { headIndex, tailIndex } from '../nodes/leaves.js';
import { readsPerTurn } from '../store/readBudget.js';
import { known, type Reading, readAll, turnAfter } from '../store/reading.js';
import { Cursor, endOf, firstSize, isWithin, longestSize } from '../store/scan.js';
import type { Entry, Range } from '../store/store.js';
import { PastKeys } from './pastKeys.js';
import { isThere, type Moment, readAt, resolvePast } from './pastValue.js';
import { indexIn, orderBounds, type Place } from './places.js';
import type { Step } from './stepRuns.js';
import { heldSteps, stepsAfter } from './steps.js';

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

/** Reads which keys have a leaf and, ahead, where the searches of all others begin. */
function* readAsked(moment: Moment, tree: number, hKeys: readonly Uint8Array[]): Reading<Asked[]> {
  const block = moment.block as number;
  const keys = hKeys.map((hKey) => orderKey(tree, hKey));
  const ownOf = (then: Uint8Array | undefined) => then && indexIn(then);
  if (!moment.readsAhead) {
    const thens = yield* readAt(moment, keys);
    return keys.map((key, i) => {
      return { key, own: ownOf(thens[i]), below: undefined, above: undefined };
    });
  }
  const { values, ranges } = yield { keys, ranges: rangesAhead(tree, keys) };
  const thens = yield* resolvePast(moment, block, { keys, nows: values });
  return keys.map((key, i) => {
    return { key, own: ownOf(thens[i]), below: ranges[2 * i], above: ranges[2 * i + 1] };
  });
}

/**
 * The keys between two keys that have no leaf. It shrinks at both ends, as keys there are found to
 * have no leaf either.
 */
interface Gap {
  from: Uint8Array;
  to: Uint8Array;
}

/** The end of a gap from which a search goes, and what it begins with. */
interface Search {
  readonly reverse: boolean;
  readonly page: Page;
  /** Entries of the longest page. */
  readonly longest: () => number;
  /** Those after the block; none if it is the newest. */
  readonly steps: readonly Step[];
}

/**
 * Index of the leaf at one end of a gap, as it was after the moment's block; undefined if none lay
 * in the gap.
 */
function* leafAtEnd(
  { block }: Moment,
  gap: Gap,
  { reverse, page, longest, steps }: Search,
): Reading<number | undefined> {
  const nows = new Cursor({ bounds: () => gap, longest, reverse, page });
  const pasts = new PastKeys(steps, gap, { reverse });
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
    if (then && (block === undefined || isThere(then, block))) return indexIn(then);
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

/** Finds the leaves beside keys that have none. @param absent by ascending key @returns by key */
function* findBeside(
  moment: Moment,
  tree: number,
  absent: readonly Asked[],
): Reading<Map<Asked, Place>> {
  const { from, to } = orderBounds(tree);
  const { block, facts } = moment;
  const steps = block === undefined ? [] : stepsAfter(yield* heldSteps(facts, block), block);
  const bounds = [undefined, ...absent, undefined];
  let searches = 2 * absent.length;
  const longest = () => {
    const share = Math.floor(entriesPerStep / (2 * searches));
    return Math.min(longestSize, Math.max(leastPage, share));
  };
  function* search(gap: Gap, page: Page, reverse: boolean): Reading<number | undefined> {
    const leaf = yield* leafAtEnd(moment, gap, { reverse, page, longest, steps });
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
 * Places in the state after the moment's block. The entries read ahead are enough unless many keys
 * came and went since.
 */
export function* placesAt(
  moment: Moment,
  tree: number,
  hKeys: readonly Uint8Array[],
): Reading<Place[]> {
  const asked = yield* readAsked(moment, tree, hKeys);
  const absent = asked.filter(({ own }) => own === undefined);
  absent.sort((a, b) => compareBytes(a.key, b.key));
  const places = absent.length > 0 ? yield* findBeside(moment, tree, absent) : undefined;
  return asked.map((one) => {
    const { own } = one;
    return places?.get(one) ?? { own, left: undefined, right: undefined };
  });
}
