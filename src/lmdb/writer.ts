/** The one process that writes to a store. */
import type { Batch, Entry, TreeError } from '../tree/index.js';
import { commitError, storeError } from './errors.js';
import type { Files } from './files.js';
import { createLengthener, dataFile, type Lengthener } from './length.js';
import { asWriter, claim, fencedError, release } from './owner.js';

/**
 * Copies values into one piece of memory: LMDB reads it while the caller goes on, and asks for its
 * address once.
 */
function copyValues(puts: readonly Entry[]): { values: Uint8Array[]; bytes: number } {
  const all = new Uint8Array(puts.reduce((sum, { value }) => sum + value.length, 1));
  let offset = 0;
  const values = puts.map(({ value }) => {
    all.set(value, offset);
    const copy = all.subarray(offset, offset + value.length);
    offset += value.length;
    return copy;
  });
  return { values, bytes: all.length };
}

/** Writes batches as long as no other writer comes. */
export class Writer {
  readonly #files: Files;
  readonly #path: string;
  readonly #number: number;
  readonly #lengthener: Lengthener;
  #writing: Promise<unknown> = Promise.resolve();
  #failure: TreeError | undefined;

  /** Becomes the writer. @throws TreeError `OTHER_WRITER`, `STORE_FAILED` */
  constructor(files: Files, path: string) {
    this.#files = files;
    this.#path = path;
    this.#number = claim(files);
    this.#lengthener = createLengthener(dataFile(path));
    this.#lengthen();
  }

  async write(batch: Batch): Promise<void> {
    if (this.#failure) throw this.#failure;
    const done = this.#commit(batch);
    this.#writing = Promise.allSettled([this.#writing, done]);
    await done;
  }

  /** Waits for the writes under way, and leaves the store to the next writer. */
  async close(): Promise<void> {
    await this.#writing;
    // A name that stays is found to be a process's that has ended.
    if (!this.#failure) {
      await release(this.#files, this.#number).catch(() => {});
      this.#lengthen();
    }
    this.#lengthener.close();
  }

  /** LMDB's lock keeps all other writers away, also the one on this writer's own thread. */
  #lengthen(): void {
    try {
      this.#lengthener.lengthen((work) => this.#files.root.transactionSync(work));
    } catch {
      // The written batch stands all the same. A file that stays short is checked page by page when
      // it is opened.
    }
  }

  async #commit(batch: Batch): Promise<void> {
    const { root, entries } = this.#files;
    // Otherwise the pages of a killed reader would be kept for ever, and no page freed since would
    // be used again.
    root.readerCheck();
    // In the order of keys, LMDB touches a page once and its neighbour next: a block of 10,000
    // accounts on 100,000 was written in a quarter of the time.
    const puts = [...batch.puts].sort((a, b) => Buffer.compare(a.key, b.key));
    const deletes = [...batch.deletes].sort(Buffer.compare);
    const { values, bytes } = copyValues(puts);
    try {
      const isWriter = await asWriter(this.#files, this.#number, () => {
        for (const [i, { key }] of puts.entries()) void entries.put(key, values[i] as Uint8Array);
        for (const key of deletes) void entries.remove(key);
      });
      if (!isWriter) throw fencedError();
      this.#lengthen();
    } catch (cause) {
      const error = await commitError(cause, this.#path, bytes);
      if (error.code !== 'OTHER_WRITER') this.#checkUsable();
      throw error;
    }
  }

  /** After a commit that failed, LMDB may take none any more, and would not say so. */
  #checkUsable(): void {
    try {
      this.#files.root.transactionSync(() => {});
    } catch (cause) {
      this.#failure = storeError('the store must be closed and opened again', cause);
    }
  }
}
