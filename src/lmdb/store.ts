/**
 * A store in LMDB. Readers see the store as of a whole batch and wait for nobody; a batch is one transaction, flushed
 * to disk before it is seen and before its write resolves, so that one which was acknowledged outlives the process and
 * the machine, as far as the disk keeps its word.
 */
import type { GetOptions, RangeOptions as LmdbRangeOptions } from 'lmdb';
import {
  type Batch,
  type Entry,
  type RangeOptions,
  type Store,
  type StoreReader,
  type StoreSnapshot,
  TreeError,
} from '../tree/index.js';
import { closedError, commitError, storeError } from './errors.js';
import { type ByteMap, openStore } from './files.js';
import { createLengthener, dataFile, type Lengthener } from './length.js';
import { asWriter, claim, fencedError, release } from './owner.js';

export interface LmdbOptions {
  /** The folder that holds the store; created where it is not there, unless `readOnly`. */
  path: string;
  /** Reads only, beside any writer; default false. */
  readOnly?: boolean;
}

/** Entries of a range, as `StoreReader.range` has it. */
function rangeOf(
  entries: ByteMap,
  from: Uint8Array,
  to: Uint8Array | undefined,
  { reverse = false, ...options }: RangeOptions & GetOptions,
): Entry[] {
  // LMDB takes an empty bound for none.
  if (to?.length === 0) return [];
  const bounds = reverse
    ? { start: to, exclusiveStart: true, end: from, inclusiveEnd: true }
    : { start: from, end: to };
  return [...entries.getRange({ ...options, ...bounds, reverse } as LmdbRangeOptions)];
}

/** @param options gives the transaction to read in, or throws where that is over */
function readerOf(entries: ByteMap, options: () => GetOptions): StoreReader {
  const read = <T>(work: (options: GetOptions) => T): T => {
    const current = options();
    try {
      return work(current);
    } catch (cause) {
      throw storeError('cannot read the store', cause);
    }
  };
  return {
    get: async (key) => read((options) => entries.get(key, options)),
    getMany: async (keys) => read((options) => keys.map((key) => entries.get(key, options))),
    range: async (from, to, asked) =>
      read((options) => rangeOf(entries, from, to, { ...options, ...asked })),
  };
}

/** Copies values into one piece of memory: LMDB reads it while the caller goes on, and asks for its address once. */
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

/**
 * Opens a store in LMDB, or creates an empty one.
 *
 * @throws TreeError `MISSING_PEER` with the line that installs lmdb, `OTHER_WRITER` while another process has it open to
 *   write, `WRONG_STORE`, `READ_ONLY`, `STORE_FULL`, `STORE_FAILED`
 */
export function lmdbStore({ path, readOnly = false }: LmdbOptions): Store {
  const files = openStore(path, readOnly);
  const { root, entries } = files;
  let number: number | undefined;

  let file: Lengthener | undefined;

  /** LMDB's lock keeps all writers away, this one's own thread among them. */
  function lengthen(): void {
    try {
      file?.lengthen((work) => root.transactionSync(work));
    } catch {
      // What was written stands all the same. A file that stays short is looked at page by page when it is opened.
    }
  }

  try {
    if (!readOnly) {
      number = claim(files);
      file = createLengthener(dataFile(path));
      lengthen();
    }
  } catch (cause) {
    void root.close();
    throw storeError(`cannot write to the store at "${path}"`, cause);
  }
  let isOpen = true;
  let failure: TreeError | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function checkOpen(): void {
    if (!isOpen) throw closedError();
  }

  /** After a commit that failed, LMDB may take none any more, and would not say so. */
  function checkUsable(): void {
    try {
      root.transactionSync(() => {});
    } catch (cause) {
      failure = storeError('the store must be closed and opened again', cause);
    }
  }

  async function commit(batch: Batch): Promise<void> {
    // What a killed reader looked at would be kept for ever, and nothing that was freed since used again.
    root.readerCheck();
    // In the order of keys, LMDB touches a page once and its neighbour next: a block of 10,000 accounts on 100,000 was
    // written in a quarter of the time.
    const puts = [...batch.puts].sort((a, b) => Buffer.compare(a.key, b.key));
    const deletes = [...batch.deletes].sort(Buffer.compare);
    const { values, bytes } = copyValues(puts);
    try {
      const isWriter = await asWriter(files, number as number, () => {
        for (const [i, { key }] of puts.entries()) void entries.put(key, values[i] as Uint8Array);
        for (const key of deletes) void entries.remove(key);
      });
      if (!isWriter) throw fencedError();
      lengthen();
    } catch (cause) {
      const error = await commitError(cause, path, bytes);
      if (error.code !== 'OTHER_WRITER') checkUsable();
      throw error;
    }
  }

  /** LMDB reads on for a turn in what it has read from: what another process has written since would be missing. */
  function refresh(): void {
    if (readOnly) entries.resetReadTxn();
  }

  return {
    ...readerOf(entries, () => {
      checkOpen();
      refresh();
      return {};
    }),
    async write(batch) {
      checkOpen();
      if (number === undefined) {
        throw new TreeError('READ_ONLY', 'the store was opened to be read only');
      }
      if (failure) throw failure;
      const done = commit(batch);
      writing = Promise.allSettled([writing, done]);
      await done;
    },
    async snapshot(): Promise<StoreSnapshot> {
      checkOpen();
      let options: GetOptions | undefined;
      try {
        refresh();
        options = { transaction: entries.useReadTransaction() };
      } catch (cause) {
        throw storeError('cannot read the store', cause);
      }
      return {
        // LMDB would read through a transaction that is over, and end the process.
        ...readerOf(entries, () => {
          checkOpen();
          if (options === undefined) throw new TreeError('CLOSED', 'the snapshot was released');
          return options;
        }),
        release() {
          if (isOpen) options?.transaction?.done();
          options = undefined;
        },
      };
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await writing;
      // A name that stays is found to be a process's that has ended.
      if (number !== undefined && !failure) {
        await release(files, number).catch(() => {});
        lengthen();
      }
      file?.close();
      await root.close();
    },
  };
}
