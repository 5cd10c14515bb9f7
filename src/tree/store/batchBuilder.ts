/** Puts a batch together. */
import { bytesToText } from '../../bytes.js';
import type { Batch, Entry } from './store.js';

/** A batch in which a later change of a key replaces an earlier one. */
export class BatchBuilder {
  readonly #entries = new Map<string, { key: Uint8Array; value: Uint8Array | null }>();

  put(key: Uint8Array, value: Uint8Array): void {
    this.#entries.set(bytesToText(key), { key, value });
  }

  delete(key: Uint8Array): void {
    this.#entries.set(bytesToText(key), { key, value: null });
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

/** Two batches as one: if both name a key, the later one wins. */
export function mergeBatches(earlier: Batch, later: Batch): Batch {
  const named = new Set([
    ...later.puts.map(({ key }) => bytesToText(key)),
    ...later.deletes.map(bytesToText),
  ]);
  // Most keys are of a kind that the later one does not name.
  const kinds = new Set([
    ...later.puts.map(({ key }) => key[0]),
    ...later.deletes.map(([kind]) => kind),
  ]);
  const isLeft = (key: Uint8Array) => !kinds.has(key[0]) || !named.has(bytesToText(key));
  return {
    puts: [...earlier.puts.filter(({ key }) => isLeft(key)), ...later.puts],
    deletes: [...earlier.deletes.filter(isLeft), ...later.deletes],
  };
}
