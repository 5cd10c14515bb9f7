/** The entries of several spill files in one order, in batches that a store takes one after the other. */
import type { Entry } from '../store/store.js';
import { MergeHeap } from './mergeHeap.js';
import { longestEntry, type SpillFile, type SpillReader } from './spillFile.js';

/**
 * Bytes and entries of a batch. Until it is written, a short entry takes several times its bytes in
 * a store's memory, so both are bounded. Each batch is flushed to the disk.
 */
const batchWidth = 2 ** 21;
const batchEntries = 2 ** 13;

/** The entries that are given next. */
class EntryBatch {
  readonly #bytes = new Uint8Array(batchWidth + longestEntry);
  #length = 0;
  #entries: Entry[] = [];

  get isFull(): boolean {
    return this.#length >= batchWidth || this.#entries.length >= batchEntries;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Takes a reader's next entry. */
  takeFrom(reader: SpillReader): void {
    const width = reader.entryWidth;
    this.#entries.push(reader.take(this.#bytes, this.#length));
    this.#length += width;
  }

  /** Gives its entries, and begins anew. */
  take(): Entry[] {
    const entries = this.#entries;
    this.#entries = [];
    this.#length = 0;
    return entries;
  }
}

/**
 * The entries of several spill files in the order of their keys, some at a time. They are overwritten
 * once the next ones are asked for.
 */
export async function* mergeSpills(spills: readonly SpillFile[]): AsyncGenerator<Entry[]> {
  const readers: SpillReader[] = [];
  for (const spill of spills) {
    const reader = await spill.read();
    if (await reader.fill()) readers.push(reader);
  }
  const heap = new MergeHeap(readers, (a, b) => a.isBelow(b));
  const batch = new EntryBatch();
  for (let reader = heap.least; reader; reader = heap.least) {
    if (batch.isFull) yield batch.take();
    batch.takeFrom(reader);
    if (reader.isReady || (await reader.fill())) heap.settle();
    else heap.remove();
  }
  if (!batch.isEmpty) yield batch.take();
}
