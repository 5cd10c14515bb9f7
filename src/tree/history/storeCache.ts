/**
 * Results of readings, kept for as long as the store holds the same: the newest block, state roots,
 * top nodes. Every answer needs them, and between two blocks they stay as they are.
 */
import type { Reading } from '../store/reading.js';
import type { KeptDiffs, LoadedDiffs } from './diffs.js';

/** Values that are kept; beyond them, all are read anew. */
const maxEntries = 4096;

/** Results of readings of a store in one version. */
export class VersionCache implements KeptDiffs {
  readonly #known = new Map<string, unknown>();
  /** The diffs as the store holds them in this version, if they were read. */
  diffs: LoadedDiffs | undefined;
  /** The diffs as the store held them earlier; whether they still hold must be checked. */
  readonly earlierDiffs: LoadedDiffs | undefined;

  constructor(earlierSteps?: LoadedDiffs) {
    this.earlierDiffs = earlierSteps;
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  /** The result under a name; undefined if it is not known. */
  peek(name: string): unknown {
    return this.#known.get(name);
  }

  /** Reads something, unless it is known under its name. */
  *keep<T>(name: string, read: () => Reading<T>): Reading<T> {
    if (this.#known.has(name)) return this.#known.get(name) as T;
    const value = yield* read();
    if (this.#known.size >= maxEntries) this.#known.clear();
    this.#known.set(name, value);
    return value;
  }
}

/** The cache of the version of a store that was read last, and the queue of its writes. */
export class StoreCache {
  /**
   * The end of the last write, which the next one waits for: batches that were worked out at once
   * would each undo what the other has written.
   */
  writing: Promise<unknown> = Promise.resolve();
  #version: number | undefined;
  #cache = new VersionCache();

  /** @param version as `StoreSnapshot.version` has it */
  of(version: number | undefined): VersionCache {
    if (version === undefined || version !== this.#version) {
      this.#cache = new VersionCache(this.#diffs);
      this.#version = version;
    }
    return this.#cache;
  }

  /** Notes a write of this process. @param change of the diffs held before */
  noteDiffs(change: (earlier: LoadedDiffs | undefined) => LoadedDiffs | undefined): void {
    this.#cache = new VersionCache(change(this.#diffs));
    this.#version = undefined;
  }

  /** Whether as many of the diffs after a block as are kept were read, at this version or earlier. */
  hasDiffs(after: number): boolean {
    const { after: from = Infinity, isFull = false } = this.#diffs ?? {};
    return isFull || from <= after;
  }

  get #diffs(): LoadedDiffs | undefined {
    return this.#cache.diffs ?? this.#cache.earlierDiffs;
  }
}
