/** Puts a batch together. */
// @ts-nocheck

import { textOf } from './sortedMap.js';
import type { Batch, Entry } from './store.js';

/** A batch in which a later word on a key takes the place of an earlier one. */
export class Draft {
  readonly #entries = new Map<string, { key: Uint8Array; value: Uint8Array | null }>();

  put(key: Uint8Array, value: Uint8Array): void {
    this.#entries.set(textOf(key), { key, value });
  }

  delete(key: Uint8Array): void {
    this.#entries.set(textOf(key), { key, value: null });
  }

  toBatch(): Batch {
    const puts: Entry[] = [];
    const deletes: Uint8Array[] = [];
    for (const { key, value } of this.#entries.values()) {
      if (value !== null) puts.push({ key, value });
      else deletes.push(key);
    }
    return { puts, deletes };
  }
}
