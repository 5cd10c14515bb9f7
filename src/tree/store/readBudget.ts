/**
 * Bounds of what one request may cost. Stores in memory and in LMDB answer without waiting, so that a
 * long request would keep the thread: no timer, signal or other request would run meanwhile.
 */
import { yieldToEventLoop } from '../../concurrent.js';
import { wordFor } from '../../errors.js';
import type { Steps } from '../../steps.js';
import { TreeError } from './errors.js';
import type { MaybePromise } from './maybePromise.js';
import type { ReadAnswer, ReadRequest } from './store.js';

/** Bounds of the work on one proof. */
export interface ProofWork {
  /** Most entries that are read from the store, a number from 1; default no bound. */
  readonly maxReads?: number;
  /**
   * Awaited every few dozen reads and every few storage keys. What it throws ends the work and
   * comes out as it is. Default: a turn of the event loop.
   */
  readonly pause?: () => Promise<void>;
}

/**
 * Options that a server uses: the result as JSON text, which costs a part of what objects do. A tree
 * that others made or wrapped may give objects all the same.
 */
export interface TextWork extends ProofWork {
  /** True: the result is wanted as text. */
  readonly asText: true;
  /**
   * True: a text that takes several turns to write is wanted as the pieces of its bytes, `Uint8Array[]`. Texts of MBs cost
   * the garbage collector more time than writing them takes; bytes lie beside what it goes through. Default false.
   */
  readonly inPieces?: boolean;
  /**
   * Gives memory of exactly so many bytes, for each piece. The caller may use it again once it has sent the answer, so a tree
   * that keeps answers, or gives one to several, must not pass this on. Default: new memory each time.
   */
  readonly memory?: ((bytes: number) => Uint8Array) | undefined;
}

/** Reads between two pauses: a light request beside it waits for half a millisecond of work. */
export const readsPerTurn = 64;

/** Storage keys between two pauses: to prove and to verify one takes a fraction of a millisecond. */
export const keysPerTurn = 2;

/** Cuts a list into the parts that are done between two pauses. */
export function cutForTurns<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += keysPerTurn) {
    parts.push(items.slice(start, start + keysPerTurn));
  }
  return parts;
}

/** Counts the reads of a request, and pauses it. */
export class ReadBudget {
  readonly #maxReads: number;
  readonly #wait: () => Promise<void>;
  #reads = 0;
  /** Since others had a turn. */
  #readsOfTurn = 0;

  /** @param maxReads, pause as {@link ProofWork} has them @throws RangeError */
  constructor(maxReads = Infinity, pause = yieldToEventLoop) {
    if (!(maxReads >= 1)) throw new RangeError('"maxReads" expected a number from 1');
    this.#maxReads = maxReads;
    this.#wait = pause;
  }

  /** Does work in steps, at once if there is one only. */
  work<T>(steps: Steps<T>): MaybePromise<T> {
    const first = steps.next();
    return first.done ? first.value : this.#workOn(steps);
  }

  async #workOn<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      await this.pause();
      const step = steps.next();
      if (step.done) return step.value;
    }
  }

  /** Gives others a turn. */
  async pause(): Promise<void> {
    this.#readsOfTurn = 0;
    await this.#wait();
  }

  /** Whether others should have a turn before a request. */
  isDue({ keys, ranges }: ReadRequest): boolean {
    const reads = keys.length + ranges.length;
    return this.#readsOfTurn > 0 && this.#readsOfTurn + reads >= readsPerTurn;
  }

  #count(reads: number): void {
    this.#reads += reads;
    this.#readsOfTurn += reads;
    if (this.#reads <= this.#maxReads) return;
    throw new TreeError(
      'TOO_MANY_READS',
      `the proof takes more than ${this.#maxReads} reads, and would so again; ask for fewer storage keys at a time or for a newer block, or have the bound raised (${wordFor('reads', 'maxReads')})`,
    );
  }

  /** Counts a request, an entry for each key and range. @throws TreeError `TOO_MANY_READS` */
  countRequest({ keys, ranges }: ReadRequest): void {
    this.#count(keys.length + ranges.length);
  }

  /** Counts entries that were looked through in memory. @throws as before */
  countPassed(entries: number): void {
    this.#count(entries);
  }

  /** Counts the entries of ranges beyond the one that each was counted for. @throws as before */
  countAnswer({ ranges }: ReadAnswer): void {
    for (const { length } of ranges) if (length > 1) this.#count(length - 1);
  }
}
