/** A sorted map from bytes to anything, in memory. */
import sortedBTree from 'sorted-btree';

type Tree<V> = sortedBTree.default<string, V>;

// The package is CommonJS. Its default import is all of it, with the class as a member; to some bundlers, the class.
const Tree = sortedBTree.default ?? (sortedBTree as unknown as typeof sortedBTree.default);

/** A key as a string of one character a byte: such compare natively and in the same order, and can be looked up. */
export const textOf = (key: Uint8Array): string => String.fromCharCode.apply(null, key as never);
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Keys of at most some hundred bytes, sorted byte by byte, a prefix before what it begins. */
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

  /** The entry with the smallest key greater than `key`. */
  above(key: Uint8Array): { key: Uint8Array; value: V } | undefined {
    const pair = this.#entries.nextHigherPair(textOf(key));
    return pair && { key: bytesOf(pair[0]), value: pair[1] };
  }

  /** The map as it is now. All nodes are shared, and either side copies those that it changes. */
  clone(): SortedMap<V> {
    return new SortedMap(this.#entries.clone());
  }
}
