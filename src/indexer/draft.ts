/** Puts a batch together, by keys in hex. */
import type { Batch, Entry } from '../tree/index.js';
import { bytesOf } from './layout.js';

/** A batch in which a later word on a key takes the place of an earlier one. */
export class Draft {
  /** Value; null for a key that is deleted. */
  readonly #entries = new Map<string, Uint8Array | null>();

  put(key: string, value: Uint8Array): void {
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    this.#entries.set(key, null);
  }

  /** Keys, in the order of their first word. */
  keys(): Uint8Array[] {
    return Array.from(this.#entries.keys(), bytesOf);
  }

  toBatch(): { puts: Entry[]; deletes: Uint8Array[] } & Batch {
    const puts: Entry[] = [];
    const deletes: Uint8Array[] = [];
    for (const [text, value] of this.#entries) {
      const key = bytesOf(text);
      if (value === null) deletes.push(key);
      else puts.push({ key, value });
    }
    return { puts, deletes };
  }
}
