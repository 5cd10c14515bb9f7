/** Batches that are not written yet: readings find them over the store's entries, and all are written as one. */
import { bytesToText } from '../../bytes.js';
import { compareKeys } from './keys.js';
import { mergeEntries } from './mergeEntries.js';
import { isTurn, type Reading, readRanges } from './reading.js';
import { keyAfter } from './scan.js';
import { SortedMap } from './sortedMap.js';
import type { Batch, Entry, Range, ReadAnswer, ReadRequest } from './store.js';

/** The last key of the page that ends first, of those that are full; undefined if none is. */
function firstEnd(
  pages: readonly (readonly { readonly key: Uint8Array }[])[],
  { limit, reverse }: Range,
): Uint8Array | undefined {
  const ends = pages
    .filter(({ length }) => length === limit)
    .map((page) => (page.at(-1) as Entry).key)
    .sort(compareKeys);
  return reverse ? ends.at(-1) : ends.at(0);
}

/** The value that a key will have; null: its entry is deleted. */
interface PendingEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

/** Batches in the order in which they came. Their bytes are not copied: nobody may change what is read here. */
export class PendingBatches {
  readonly #entries = new Map<string, PendingEntry>();
  /** By first byte of the keys, for those of which ranges were asked: most keys are never wanted in their order. */
  readonly #ordered = new Map<number, SortedMap<PendingEntry>>();

  add({ puts, deletes }: Batch): void {
    for (const entry of puts) this.#set(entry);
    for (const key of deletes) this.#set({ key, value: null });
  }

  #set(entry: PendingEntry): void {
    this.#entries.set(bytesToText(entry.key), entry);
    this.#ordered.get(entry.key[0] as number)?.set(entry.key, entry);
  }

  /** All of them as one batch. */
  toBatch(): Batch {
    const puts: Entry[] = [];
    const deletes: Uint8Array[] = [];
    for (const { key, value } of this.#entries.values()) {
      if (value) puts.push({ key, value });
      else deletes.push(key);
    }
    return { puts, deletes };
  }

  #range(range: Range): PendingEntry[] {
    const { from, to, limit, reverse } = range;
    const first = from[0] ?? 0;
    // A bound of one byte ends right before the keys that begin with it.
    const last = to === undefined ? 255 : (to[0] ?? 0) - (to.length > 1 ? 0 : 1);
    const kinds = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
    const found: PendingEntry[] = [];
    for (const kind of reverse ? kinds.reverse() : kinds) {
      const rest = { ...range, limit: limit - found.length };
      if (rest.limit > 0)
        for (const { value } of this.#inOrder(kind).range(rest)) found.push(value);
    }
    return found;
  }

  #inOrder(kind: number): SortedMap<PendingEntry> {
    let ordered = this.#ordered.get(kind);
    if (ordered === undefined) {
      ordered = new SortedMap();
      this.#ordered.set(kind, ordered);
      for (const entry of this.#entries.values()) {
        if (entry.key[0] === kind) ordered.set(entry.key, entry);
      }
    }
    return ordered;
  }

  /** A reading of the store as it will be. The store is asked only for what does not stand here. */
  *over<T>(reading: Reading<T>): Reading<T> {
    let step = reading.next();
    while (!step.done) {
      const request = step.value;
      step = reading.next(isTurn(request) ? yield request : yield* this.#answer(request));
    }
    return step.value;
  }

  *#answer({ keys, ranges }: ReadRequest): Reading<ReadAnswer> {
    const own = keys.map((key) => this.#entries.get(bytesToText(key))?.value);
    const left = keys.filter((_, i) => own[i] === undefined);
    const isKnown = left.length === 0 && ranges.length === 0;
    const stored = isKnown ? { values: [], ranges: [] } : yield { keys: left, ranges };
    const values = stored.values.values();
    const found: Entry[][] = [];
    for (const [i, range] of ranges.entries()) {
      found.push(yield* this.#rangeOver(range, stored.ranges[i] as readonly Entry[]));
    }
    return {
      values: own.map((value) =>
        value === undefined ? values.next().value : (value ?? undefined),
      ),
      ranges: found,
    };
  }

  /** @param first the entries of the range that the store has */
  *#rangeOver(range: Range, first: readonly Entry[]): Reading<Entry[]> {
    const found: Entry[] = [];
    let rest = range;
    let stored = first;
    for (;;) {
      const { reverse } = range;
      const own = this.#range(rest);
      // Behind the last entry of a full page, this page may lack some that come before those of the other one.
      const end = firstEnd([own, stored], rest);
      for (const { key, value } of mergeEntries(own, stored, { limit: Infinity, reverse })) {
        const order = end === undefined ? 0 : compareKeys(key, end);
        if (found.length === range.limit || (order !== 0 && order > 0 !== reverse)) break;
        if (value) found.push({ key, value });
      }
      if (found.length === range.limit || end === undefined) return found;
      const [from, to] = reverse ? [range.from, end] : [keyAfter(end), range.to];
      rest = { from, to, limit: range.limit - found.length, reverse };
      [stored = []] = yield* readRanges([rest]);
    }
  }
}
