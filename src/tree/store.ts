/**
 * What a state tree asks of the place that keeps it: an ordered map from bytes to bytes with atomic batches and
 * snapshots, all of it asynchronous. Keys sort as big-endian unsigned numbers, byte by byte, a prefix before what it
 * begins. Any ordered key-value store, or one table of a SQL database with its key as primary key, can be one.
 */

/** A key and its value. */
export interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Reads. Nobody changes the bytes that are given or returned. */
export interface StoreReader {
  get(key: Uint8Array): Promise<Uint8Array | undefined>;
  /** One answer per key, in the order asked. */
  getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]>;
  /**
   * The entries next to each other from the key `from` on, to below the key `to`, in the order of their keys. With
   * `reverse` they come from the other end: the greatest key below `to` first.
   *
   * @param from inclusive; empty: from the first entry on. No key is empty
   * @param to exclusive; undefined: to the last entry. Nothing lies between bounds in the wrong order
   */
  range(from: Uint8Array, to: Uint8Array | undefined, options: RangeOptions): Promise<Entry[]>;
}

/** How much of a range is read. */
export interface RangeOptions {
  /** Most entries of the answer, from 1; fewer come only when the range holds no more. */
  readonly limit: number;
  /** Default false. Callers of this library always name it: a member left out would be the prototype's. */
  readonly reverse?: boolean;
}

/** The store as it was at one moment, whatever is written meanwhile. */
export interface StoreSnapshot extends StoreReader {
  /** Lets the store forget that moment. The snapshot must not be read afterwards. */
  release(): void;
}

/** Changes that take effect together: all of them or, whatever fails, none. A key stands in one list, once. */
export interface Batch {
  readonly puts: readonly Entry[];
  readonly deletes: readonly Uint8Array[];
}

/**
 * A place that keeps a state tree. It has one writer at a time, and any number of readers. What it throws comes out of
 * the tree as it is; the stores of this library throw TreeErrors.
 */
export interface Store extends StoreReader {
  /** Resolves once the batch would survive the end of the process, as far as this store can. */
  write(batch: Batch): Promise<void>;
  snapshot(): Promise<StoreSnapshot>;
  /** Called once, when no call is on its way and no snapshot is left. */
  close(): Promise<void>;
}
