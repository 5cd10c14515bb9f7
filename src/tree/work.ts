/**
 * What one request may cost. Stores in memory and in LMDB answer without waiting for anything, so that a long request
 * would keep the thread: no timer, signal or other request had its turn meanwhile.
 */
import { ownMembers } from '../codec/argument.js';
import { TreeError } from './errors.js';
import type { StoreReader } from './store.js';

/** Bounds of the work on one proof. */
export interface ProofWork {
  /** Most entries that are read from the store, a number from 1; default no bound. */
  readonly maxReads?: number;
  /**
   * Awaited every few hundred reads and every few storage keys. What it throws ends the work and comes out as it is.
   * Default: a turn of the event loop.
   */
  readonly pause?: () => Promise<void>;
}

/** Reads between two pauses: some milliseconds of work. */
const readsPerTurn = 256;

/** Storage keys between two pauses: to prove and to verify one takes a fraction of a millisecond. */
const keysPerTurn = 8;

/** Cuts a list into what is done between two pauses. */
export function partsOf<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += keysPerTurn) {
    parts.push(items.slice(at, at + keysPerTurn));
  }
  return parts;
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });

/** Counts what a request reads, and pauses it. */
export class Meter {
  readonly #maxReads: number;
  readonly #wait: () => Promise<void>;
  #reads = 0;
  #nextPause = readsPerTurn;
  /** The pause under way. A failed one stays: whatever else is on its way for the request ends with the same error. */
  #pausing: Promise<void> | undefined;

  /** @throws RangeError */
  constructor(work: ProofWork = {}) {
    const { maxReads = Infinity, pause = nextTurn } = ownMembers(
      work,
      ['maxReads', 'pause'],
      'work',
    );
    if (!(maxReads >= 1)) throw new RangeError('"maxReads" expected a number from 1');
    this.#maxReads = maxReads;
    this.#wait = pause;
  }

  /** Gives others a turn. All reads of the request that come meanwhile wait for its end. */
  async pause(): Promise<void> {
    this.#pausing ??= this.#turn();
    await this.#pausing;
  }

  async #turn(): Promise<void> {
    await this.#wait();
    this.#pausing = undefined;
  }

  /** Counts reads. @returns what to wait for, if anything @throws TreeError `TOO_MANY_READS` */
  spend(reads: number): Promise<void> | undefined {
    this.#reads += reads;
    if (this.#reads > this.#maxReads) {
      throw new TreeError(
        'TOO_MANY_READS',
        `the proof takes more than ${this.#maxReads} reads, and would so again; ask for fewer storage keys at a time or for a newer block, or have the bound raised (maxReads, --max-reads)`,
      );
    }
    if (this.#reads < this.#nextPause) return this.#pausing;
    this.#nextPause = this.#reads + readsPerTurn;
    return this.pause();
  }
}

/** A reader whose reads are counted and paused. */
export function meteredReader(reader: StoreReader, meter: Meter): StoreReader {
  async function getParts(keys: readonly Uint8Array[]) {
    const values: (Uint8Array | undefined)[] = [];
    for (let at = 0; at < keys.length; at += readsPerTurn) {
      const some = keys.slice(at, at + readsPerTurn);
      await meter.spend(some.length);
      for (const value of await reader.getMany(some)) values.push(value);
    }
    return values;
  }

  return {
    async get(key) {
      await meter.spend(1);
      return reader.get(key);
    },
    // Most calls are short and wait for nothing: a promise of their own would cost a proof some percent.
    getMany(keys) {
      if (keys.length > readsPerTurn) return getParts(keys);
      const turn = meter.spend(keys.length);
      return turn ? turn.then(() => reader.getMany(keys)) : reader.getMany(keys);
    },
    async range(from, to, options) {
      const entries = await reader.range(from, to, options);
      // One that finds nothing is a read, too.
      await meter.spend(Math.max(1, entries.length));
      return entries;
    },
  };
}
