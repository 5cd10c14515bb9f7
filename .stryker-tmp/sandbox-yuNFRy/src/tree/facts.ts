/**
 * What readings have found out about a store, kept for as long as the store holds the same: which
 * block is the newest, state roots, top nodes. Every answer needs them, and between two blocks they
 * stay as they are.
 */
// @ts-nocheck

import type { Reading } from './reading.js';

/** Facts that are kept; beyond them, all are read anew. */
const maxFacts = 4096;

/** What is known of a store as it is at one moment. */
export class Facts {
  readonly #known = new Map<string, unknown>();

  /** What is known under a name; undefined if nothing is. */
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

/** The facts of the version of a store that was asked for last. */
export class FactsByVersion {
  #version: number | undefined;
  #facts = new Facts();

  /** @param version as `StoreSnapshot.version` has it */
  of(version: number | undefined): Facts {
    if (version === undefined || version !== this.#version) this.#facts = new Facts();
    this.#version = version;
    return this.#facts;
  }
}
