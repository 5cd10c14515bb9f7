/** A map of bounded size, which forgets the entries that were used longest ago. */

/** Memory of an entry besides its value, in bytes, roughly. */
export const entryBytes = 200;

interface Entry<V> {
  readonly value: V;
  readonly size: number;
}

export class LruCache<K, V> {
  /** The entry that was used last stands last. */
  readonly #entries = new Map<K, Entry<V>>();
  readonly #maxSize: number;
  readonly #sizeOf: (value: V, key: K) => number;
  #size = 0;

  /**
   * @param maxSize of all entries together
   * @param sizeOf the size of an entry as it is set, from 1; default 1, so that `maxSize` counts entries
   */
  constructor(maxSize: number, sizeOf: (value: V, key: K) => number = () => 1) {
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value in place of the one before, unless it alone is larger than all may be. */
  set(key: K, value: V): void {
    this.delete(key);
    const size = this.#sizeOf(value, key);
    if (size > this.#maxSize) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }

  /** The keys, the one that was used longest ago first. */
  keys(): IterableIterator<K> {
    return this.#entries.keys();
  }
}
