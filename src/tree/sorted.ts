/**
 * A sorted map from bytes to anything, in memory: a list of short runs, each a sorted piece of the entries. An accumulator
 * needs one at once and everywhere, so that it cannot come from a package that is loaded when it is called for.
 */
import type { RangeOptions } from './store.js';

/** Entries of a run, from which it is cut in two: a change moves a part of them. */
const maxRunLength = 256;

/** Neighbours in the order of keys, at least one. */
interface Run<V> {
  readonly keys: string[];
  readonly values: V[];
  /** The map that may change it; all others share it. */
  readonly owner: object;
}

/** Characters that are made in one call: each is an argument, and calls take only so many. */
const pieceLength = 4096;

/** Bytes as a string of one character each: such compare natively and in the same order, and take little memory. */
export function textOf(bytes: Uint8Array): string {
  if (bytes.length <= pieceLength) return String.fromCharCode.apply(null, bytes as never);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) {
    pieces.push(textOf(bytes.subarray(at, at + pieceLength)));
  }
  return pieces.join('');
}

/** The bytes of such a string. */
export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The first place in a sorted list whose key is `key` or greater. */
function placeOf(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the last run that begins at `key` or below it; else of the first one. */
function runOf(runs: readonly Run<unknown>[], key: string): number {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (((runs[middle] as Run<unknown>).keys[0] as string) <= key) low = middle;
    else high = middle - 1;
  }
  return low;
}

const pairOf = <V>({ keys, values }: Run<V>, place: number) => ({
  key: bytesOf(keys[place] as string),
  value: values[place] as V,
});

/** Keys sorted byte by byte, a prefix before what it begins. */
export class SortedMap<V> {
  #runs: Run<V>[] = [];
  /** Whether another map has the same list of runs. */
  #isShared = false;
  /** Names this map to the runs that it may change; a new one after each clone. */
  #owner = {};

  get(key: Uint8Array): V | undefined {
    const { run, place, found } = this.#find(textOf(key));
    return found ? (run as Run<V>).values[place] : undefined;
  }

  set(key: Uint8Array, value: V): void {
    const text = textOf(key);
    const { at, place, found } = this.#find(text);
    if (this.#runs.length === 0) {
      this.#change().push({ keys: [text], values: [value], owner: this.#owner });
      return;
    }
    const run = this.#own(at);
    if (found) {
      run.values[place] = value;
      return;
    }
    run.keys.splice(place, 0, text);
    run.values.splice(place, 0, value);
    if (run.keys.length < maxRunLength) return;
    const half = maxRunLength / 2;
    const rest = { keys: run.keys.splice(half), values: run.values.splice(half) };
    this.#runs.splice(at + 1, 0, { ...rest, owner: this.#owner });
  }

  /** Runs are never joined: there are as many at most as the most entries that there ever were took. */
  delete(key: Uint8Array): void {
    const { at, place, found } = this.#find(textOf(key));
    if (!found) return;
    const run = this.#own(at);
    run.keys.splice(place, 1);
    run.values.splice(place, 1);
    if (run.keys.length === 0) this.#runs.splice(at, 1);
  }

  /** The entry with the greatest key smaller than `key`. */
  below(key: Uint8Array): { key: Uint8Array; value: V } | undefined {
    const { at, run, place } = this.#find(textOf(key));
    if (run && place > 0) return pairOf(run, place - 1);
    const before = this.#runAt(at - 1);
    return before && pairOf(before, before.keys.length - 1);
  }

  /** As `StoreReader.range`. */
  range(
    from: Uint8Array,
    to: Uint8Array | undefined,
    { limit, reverse = false }: RangeOptions,
  ): { key: Uint8Array; value: V }[] {
    const [low, high] = [textOf(from), to && textOf(to)];
    const found: { key: Uint8Array; value: V }[] = [];
    for (const { run, place } of reverse ? this.#downFrom(high) : this.#upFrom(low)) {
      const key = run.keys[place] as string;
      const isInside = reverse ? key >= low : high === undefined || key < high;
      if (!isInside || found.push(pairOf(run, place)) === limit) break;
    }
    return found;
  }

  /** The entries from a key on, in order. */
  *#upFrom(key: string): Generator<{ run: Run<V>; place: number }> {
    let { at, place } = this.#find(key);
    for (; at < this.#runs.length; at++, place = 0) {
      const run = this.#runs[at] as Run<V>;
      for (; place < run.keys.length; place++) yield { run, place };
    }
  }

  /** The entries below a key, or all, from the greatest on. */
  *#downFrom(key: string | undefined): Generator<{ run: Run<V>; place: number }> {
    let at = this.#runs.length - 1;
    let place = this.#runAt(at)?.keys.length ?? 0;
    if (key !== undefined) ({ at, place } = this.#find(key));
    for (; at >= 0; at--, place = this.#runAt(at)?.keys.length ?? 0) {
      const run = this.#runAt(at);
      for (let i = place - 1; run && i >= 0; i--) yield { run, place: i };
    }
  }

  /** The map as it is now. All runs are shared, and either side copies those that it changes. */
  clone(): SortedMap<V> {
    const copy = new SortedMap<V>();
    copy.#runs = this.#runs;
    copy.#isShared = true;
    this.#isShared = true;
    this.#owner = {};
    return copy;
  }

  /** Where a key is, or would be: in the run at `at`, if there is any. */
  #find(key: string) {
    const at = runOf(this.#runs, key);
    const run = this.#runAt(at);
    const place = run === undefined ? 0 : placeOf(run.keys, key);
    const found = run !== undefined && place < run.keys.length && run.keys[place] === key;
    return { at, run, place, found };
  }

  /** Undefined beyond the ends: the prototype would answer an index that is not there. */
  #runAt(at: number): Run<V> | undefined {
    return at >= 0 && at < this.#runs.length ? this.#runs[at] : undefined;
  }

  /** The list of runs, to be changed. */
  #change(): Run<V>[] {
    if (this.#isShared) this.#runs = this.#runs.slice();
    this.#isShared = false;
    return this.#runs;
  }

  /** One run, to be changed. */
  #own(at: number): Run<V> {
    const run = this.#runs[at] as Run<V>;
    if (run.owner === this.#owner) return run;
    const copy = { keys: run.keys.slice(), values: run.values.slice(), owner: this.#owner };
    this.#change()[at] = copy;
    return copy;
  }
}
