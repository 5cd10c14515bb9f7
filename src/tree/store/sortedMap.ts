/**
 * A sorted map from bytes to anything, in memory: a list of short runs, each a sorted piece of the
 * entries. An accumulator needs one at once and everywhere, so that it cannot come from a package
 * that is loaded when it is called for.
 */
import { type Arena, bytesToText } from '../../bytes.js';
import { firstWhere } from './search.js';
import type { Range } from './store.js';

/** Entries of a run, from which it is cut in two: a change moves a part of them. */
const maxRunLength = 256;

/** Neighbours in the order of keys, at least one. */
interface Run<V> {
  readonly keys: string[];
  readonly values: V[];
  /** The map that may change it; all others share it. */
  readonly owner: object;
}

/**
 * The bytes of a string that `bytesToText` made. Such strings compare natively and in the same order as their bytes, and
 * take little memory.
 *
 * @param arena gives the memory
 */
export function textToBytes(text: string, arena?: Arena): Uint8Array {
  const bytes = arena?.take(text.length) ?? new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Index of the first key in a sorted list that is `key` or greater. */
export const firstIndex = (keys: readonly string[], key: string): number =>
  firstWhere(keys.length, (i) => (keys[i] as string) >= key);

/** Index of the last run that begins at `key` or below it; else of the first one. */
function runIndexOf(runs: readonly Run<unknown>[], key: string): number {
  const isBehind = (i: number) => ((runs[i] as Run<unknown>).keys[0] as string) > key;
  return Math.max(0, firstWhere(runs.length, isBehind) - 1);
}

const pairOf = <V>({ keys, values }: Run<V>, index: number) => ({
  key: textToBytes(keys[index] as string),
  value: values[index] as V,
});

/** Keys sorted byte by byte, a prefix before what it begins. */
export class SortedMap<V> {
  #runs: Run<V>[] = [];
  /** Whether another map has the same list of runs. */
  #isShared = false;
  /** Names this map to the runs that it may change; a new one after each clone. */
  #owner = {};

  get(key: Uint8Array): V | undefined {
    const { run, index, found } = this.#find(bytesToText(key));
    return found ? (run as Run<V>).values[index] : undefined;
  }

  set(key: Uint8Array, value: V): void {
    const text = bytesToText(key);
    const { runIndex, index, found } = this.#find(text);
    if (this.#runs.length === 0) {
      this.#change().push({ keys: [text], values: [value], owner: this.#owner });
      return;
    }
    const run = this.#own(runIndex);
    if (found) {
      run.values[index] = value;
      return;
    }
    run.keys.splice(index, 0, text);
    run.values.splice(index, 0, value);
    if (run.keys.length < maxRunLength) return;
    const half = maxRunLength / 2;
    const rest = { keys: run.keys.splice(half), values: run.values.splice(half) };
    this.#runs.splice(runIndex + 1, 0, { ...rest, owner: this.#owner });
  }

  /** Runs are never joined: there are never more than the greatest number of entries needed. */
  delete(key: Uint8Array): void {
    const { runIndex, index, found } = this.#find(bytesToText(key));
    if (!found) return;
    const run = this.#own(runIndex);
    run.keys.splice(index, 1);
    run.values.splice(index, 1);
    if (run.keys.length === 0) this.#runs.splice(runIndex, 1);
  }

  /** The entry with the greatest key smaller than `key`. */
  below(key: Uint8Array): { key: Uint8Array; value: V } | undefined {
    const { runIndex, run, index } = this.#find(bytesToText(key));
    if (run && index > 0) return pairOf(run, index - 1);
    const before = this.#runAt(runIndex - 1);
    return before && pairOf(before, before.keys.length - 1);
  }

  /** The entries of a range, as `StoreReader.read` has it. */
  range({ from, to, limit, reverse }: Range): { key: Uint8Array; value: V }[] {
    const [low, high] = [bytesToText(from), to && bytesToText(to)];
    return reverse ? this.#down(low, high, limit) : this.#up(low, high, limit);
  }

  #up(low: string, high: string | undefined, limit: number): { key: Uint8Array; value: V }[] {
    const found: { key: Uint8Array; value: V }[] = [];
    let { runIndex, run, index } = this.#find(low);
    while (run && found.length < limit) {
      if (index === run.keys.length) {
        runIndex++;
        run = this.#runAt(runIndex);
        index = 0;
        continue;
      }
      if (high !== undefined && (run.keys[index] as string) >= high) break;
      found.push(pairOf(run, index));
      index++;
    }
    return found;
  }

  #down(low: string, high: string | undefined, limit: number): { key: Uint8Array; value: V }[] {
    const found: { key: Uint8Array; value: V }[] = [];
    let runIndex = this.#runs.length - 1;
    let run = this.#runAt(runIndex);
    let index = run?.keys.length ?? 0;
    if (high !== undefined) ({ runIndex, run, index } = this.#find(high));
    while (run && found.length < limit) {
      if (index === 0) {
        runIndex--;
        run = this.#runAt(runIndex);
        index = run?.keys.length ?? 0;
        continue;
      }
      index--;
      if ((run.keys[index] as string) < low) break;
      found.push(pairOf(run, index));
    }
    return found;
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

  /** Where a key is, or would be: in the run at `runIndex`, if there is any. */
  #find(key: string) {
    const runIndex = runIndexOf(this.#runs, key);
    const run = this.#runAt(runIndex);
    const index = run === undefined ? 0 : firstIndex(run.keys, key);
    const found = run !== undefined && index < run.keys.length && run.keys[index] === key;
    return { runIndex, run, index, found };
  }

  /** Undefined beyond the ends: the prototype would answer an index that is not there. */
  #runAt(index: number): Run<V> | undefined {
    return index >= 0 && index < this.#runs.length ? this.#runs[index] : undefined;
  }

  /** The list of runs, to be changed. */
  #change(): Run<V>[] {
    if (this.#isShared) this.#runs = this.#runs.slice();
    this.#isShared = false;
    return this.#runs;
  }

  /** One run, to be changed. */
  #own(index: number): Run<V> {
    const run = this.#runs[index] as Run<V>;
    if (run.owner === this.#owner) return run;
    const copy = { keys: run.keys.slice(), values: run.values.slice(), owner: this.#owner };
    this.#change()[index] = copy;
    return copy;
  }
}
