/**
 * What readings have found out about a store, kept for as long as the store holds the same: which
 * block is the newest, state roots, top nodes. Every answer needs them, and between two blocks they
 * stay as they are.
 */
import type { Reading } from '../store/reading.js';
import type { HeldSteps, KeptSteps } from './steps.js';

/** Facts that are kept; beyond them, all are read anew. */
const maxFacts = 4096;

/** The known facts about a store at one moment. */
export class Facts implements KeptSteps {
  readonly #known = new Map<string, unknown>();
  /** The steps as the store holds them at this moment, if they were read. */
  steps: HeldSteps | undefined;
  /** The steps as the store held them earlier; the user must check whether they still hold. */
  readonly earlierSteps: HeldSteps | undefined;

  constructor(earlierSteps?: HeldSteps) {
    this.earlierSteps = earlierSteps;
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  /** The fact with a name; undefined if it is not known. */
  peek(name: string): unknown {
    return this.#known.get(name);
  }

  /** Reads something, unless it is known under its name. */
  *keep<T>(name: string, read: () => Reading<T>): Reading<T> {
    if (this.#known.has(name)) return this.#known.get(name) as T;
    const fact = yield* read();
    if (this.#known.size >= maxFacts) this.#known.clear();
    this.#known.set(name, fact);
    return fact;
  }
}

/** The facts of the version of a store that was asked for last, and the queue of its writes. */
export class FactsByVersion {
  /**
   * The end of the last write, which the next one waits for: batches that were worked out at once
   * would each undo what the other has written.
   */
  writing: Promise<unknown> = Promise.resolve();
  #version: number | undefined;
  #facts = new Facts();

  /** @param version as `StoreSnapshot.version` has it */
  of(version: number | undefined): Facts {
    if (version === undefined || version !== this.#version) {
      this.#facts = new Facts(this.#steps);
      this.#version = version;
    }
    return this.#facts;
  }

  /** Notes what this process has written itself. @param change of the steps held before */
  noteSteps(change: (earlier: HeldSteps | undefined) => HeldSteps | undefined): void {
    this.#facts = new Facts(change(this.#steps));
    this.#version = undefined;
  }

  /** Whether as many of the steps after a block as are kept were read, at this version or earlier. */
  hasSteps(after: number): boolean {
    const { after: from = Infinity, isFull = false } = this.#steps ?? {};
    return isFull || from <= after;
  }

  get #steps(): HeldSteps | undefined {
    return this.#facts.steps ?? this.#facts.earlierSteps;
  }
}
