/** Reads entries next to each other, a page at a time. */
import { compareKeys } from './keys.js';
import { type Reading, readRange } from './reading.js';
import type { Entry, Range } from './store.js';

/** Entries of a cursor's first page: most searches end there. */
export const firstSize = 2;

/** How many times as long as the page before it a page is: a long search takes few pages. */
const growth = 4;

/** Entries of the longest page: others need not wait long for their turn while it is read. */
export const longestSize = 512;

/** The key right after another: nothing lies between them. */
export function keyAfter(key: Uint8Array): Uint8Array {
  const after = new Uint8Array(key.length + 1);
  after.set(key);
  return after;
}

/** The first key behind all that begin with a prefix. @param prefix with a byte below 255 */
export function endOf(prefix: Uint8Array): Uint8Array {
  let length = prefix.length;
  while (prefix[length - 1] === 0xff) length--;
  const end = prefix.slice(0, length);
  end[length - 1] = (end[length - 1] as number) + 1;
  return end;
}

/** The keys between which a range lies. */
export type Bounds = Pick<Range, 'from' | 'to'>;

/** Whether a key lies between bounds. */
export const isWithin = ({ from, to }: Bounds, key: Uint8Array): boolean =>
  compareKeys(key, from) >= 0 && (to === undefined || compareKeys(key, to) < 0);

/** Goes through a range entry by entry, from either end. */
export class RangeCursor {
  readonly #bounds: () => Bounds;
  readonly #longest: () => number;
  readonly #reverse: boolean;
  #page: readonly Entry[] = [];
  #index = 0;
  #limit = firstSize;
  #isLast = false;

  /**
   * @param options.bounds of the range; the bound ahead may come nearer meanwhile
   * @param options.longest entries of the longest page
   * @param options.page the first page, if it was read beforehand
   */
  constructor({
    bounds,
    longest,
    reverse,
    page,
  }: {
    bounds: () => Bounds;
    longest: () => number;
    reverse: boolean;
    page: readonly Entry[] | undefined;
  }) {
    this.#bounds = bounds;
    this.#longest = longest;
    this.#reverse = reverse;
    if (page) this.#accept(page);
  }

  /** The next entry; undefined after the last one. */
  *next(): Reading<Entry | undefined> {
    if (this.#index === this.#page.length && !this.#isLast) {
      const { from, to } = this.#rest();
      const range = { from, to, limit: this.#limit, reverse: this.#reverse };
      this.#accept(yield* readRange(range));
    }
    // `at`: what is missing at the end must not be looked up in the prototype.
    return this.#page.at(this.#index++);
  }

  #accept(page: readonly Entry[]): void {
    this.#page = page;
    this.#index = 0;
    this.#isLast = page.length < this.#limit;
    this.#limit = Math.min(growth * this.#limit, this.#longest());
  }

  /** The bounds behind the page. */
  #rest(): Bounds {
    const bounds = this.#bounds();
    const last = this.#page.at(-1)?.key;
    if (last === undefined) return bounds;
    return this.#reverse ? { ...bounds, to: last } : { ...bounds, from: keyAfter(last) };
  }
}

/** All entries from one key to below another, in order. */
export function* readWhole({ from, to }: Bounds): Reading<Entry[]> {
  const all: Entry[] = [];
  for (let start = from; ; ) {
    const page = yield* readRange({ from: start, to, limit: longestSize, reverse: false });
    for (const entry of page) all.push(entry);
    const last = page.at(-1);
    if (last === undefined || page.length < longestSize) return all;
    start = keyAfter(last.key);
  }
}
