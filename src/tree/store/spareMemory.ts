/** Memory for the bytes of a batch, which is used again. */

/** Longest memory that is kept. */
const longestKept = 2 ** 23;

const none = new Uint8Array(0);

/**
 * Memory that is needed again and again, each time for a short while. New memory would be garbage at once, and some megabytes of
 * that let an engine collect all of its garbage, which costs more than to write the batch.
 */
export class SpareMemory {
  #spare: Uint8Array = none;

  /** At least so many bytes, which hold anything. Nobody else has them until they are given back. */
  take(length: number): Uint8Array {
    const spare = this.#spare;
    this.#spare = none;
    // Some more: the next batch may be a little longer.
    return spare.length < length ? new Uint8Array(Math.ceil(1.125 * length)) : spare;
  }

  /** Gives them back, once nobody reads them any more. */
  giveBack(memory: Uint8Array): void {
    if (memory.length <= longestKept) this.#spare = memory;
  }
}
