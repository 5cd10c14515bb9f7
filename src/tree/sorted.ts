/** A sorted map from bytes to anything, in memory. */
import sortedBTree from 'sorted-btree';
import type { RangeOptions } from './store.js';

type Tree<V> = sortedBTree.default<string, V>;

// The package is CommonJS. Its default import is all of it, with the class as a member; to some bundlers, the class.
const Tree = sortedBTree.default ?? (sortedBTree as unknown as typeof sortedBTree.default);

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

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Keys sorted byte by byte, a prefix before what it begins. */
export class SortedMap<V> {
  readonly #entries: Tree<V>;

  constructor(entries: Tree<V> = new Tree<string, V>(undefined, compare)) {
    this.#entries = entries;
  }

  get(key: Uint8Array): V | undefined {
    return this.#entries.get(textOf(key));
  }

  set(key: Uint8Array, value: V): void {
    this.#entries.set(textOf(key), value);
  }

  delete(key: Uint8Array): void {
    this.#entries.delete(textOf(key));
  }

  /** The entry with the greatest key smaller than `key`. */
  below(key: Uint8Array): { key: Uint8Array; value: V } | undefined {
    const pair = this.#entries.nextLowerPair(textOf(key));
    return pair && { key: bytesOf(pair[0]), value: pair[1] };
  }

  /** As `StoreReader.range`. */
  range(
    from: Uint8Array,
    to: Uint8Array | undefined,
    { limit, reverse = false }: RangeOptions,
  ): { key: Uint8Array; value: V }[] {
    if (this.#entries.isEmpty) return [];
    const [low, high] = [textOf(from), to && textOf(to)];
    const pairs = reverse
      ? this.#entries.entriesReversed(high, undefined, true)
      : this.#entries.entries(low);
    const found: { key: Uint8Array; value: V }[] = [];
    for (const [key, value] of pairs) {
      const isInside = reverse ? key >= low : high === undefined || key < high;
      if (!isInside || found.push({ key: bytesOf(key), value }) === limit) break;
    }
    return found;
  }

  /** The map as it is now. All nodes are shared, and either side copies those that it changes. */
  clone(): SortedMap<V> {
    return new SortedMap(this.#entries.clone());
  }
}
