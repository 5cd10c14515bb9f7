/**
 * A store in LMDB. Readers see the store as of a whole batch and wait for nobody; a batch is one
 * transaction, flushed to disk before it is seen and before its write resolves, so that one which
 * was acknowledged outlives the process and the machine, as far as the disk keeps its word.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { GetOptions } from 'lmdb';
import { type Store, type StoreSnapshot, TreeError } from '../tree/index.js';
import { closedError, storeError } from './errors.js';
import { type Files, openStore } from './files.js';
import { readerOf } from './reader.js';
import { folderScratch } from './scratch.js';
import { Writer } from './writer.js';

/** What {@link lmdbStore} takes. */
export interface LmdbOptions {
  /** The folder that holds the store; created if it is not there, unless `readOnly`. */
  path: string;
  /** Reads only, beside any writer; default false. */
  readOnly?: boolean;
}

/**
 * @param isOpen whether the store still is: LMDB would read through a transaction that is over, and
 *   end the process
 */
function snapshotOf({ entries, versionIn }: Files, isOpen: () => boolean): StoreSnapshot {
  let options: GetOptions | undefined;
  let version: number;
  try {
    const transaction = entries.useReadTransaction();
    options = { transaction };
    version = versionIn(transaction);
  } catch (cause) {
    throw storeError('cannot read the store', cause);
  }
  return {
    version,
    ...readerOf(entries, () => {
      if (!isOpen()) throw closedError();
      if (options === undefined) throw new TreeError('CLOSED', 'the snapshot was released');
      return options;
    }),
    release() {
      if (isOpen()) options?.transaction?.done();
      options = undefined;
    },
  };
}

/** Where a load keeps its files. */
const temporaryFolder = (path: string): string => join(path, 'temporary');

/** Becomes the writer of files that were opened, and closes them if that fails. */
function openWriter(files: Files, path: string): Writer {
  try {
    const writer = new Writer(files, path);
    // A load that was killed has left its files; no other writer can have any now.
    rmSync(temporaryFolder(path), { recursive: true, force: true });
    return writer;
  } catch (cause) {
    void files.root.close();
    throw storeError(`cannot write to the store at "${path}"`, cause);
  }
}

/**
 * Opens a store in LMDB, or creates an empty one.
 *
 * @throws TreeError `MISSING_PEER` with the line that installs lmdb, `OTHER_WRITER` while another
 *   process has it open to write, `WRONG_STORE`, `READ_ONLY`, `STORE_FULL`, `STORE_FAILED`
 */
export function lmdbStore({ path, readOnly = false }: LmdbOptions): Store {
  const files = openStore(path, readOnly);
  const { root, entries } = files;
  const writer = readOnly ? undefined : openWriter(files, path);
  let isOpen = true;

  /**
   * LMDB reads on for a turn in what it has read from: what another process has written since would
   * be missing.
   */
  function refresh(): void {
    if (!isOpen) throw closedError();
    if (readOnly) entries.resetReadTxn();
  }

  return {
    isLocal: true,
    ...readerOf(entries, () => {
      refresh();
      return {};
    }),
    async write(batch) {
      if (!isOpen) throw closedError();
      if (!writer) throw new TreeError('READ_ONLY', 'the store was opened to be read only');
      await writer.write(batch);
    },
    snapshot() {
      refresh();
      return snapshotOf(files, () => isOpen);
    },
    async scratch() {
      if (!isOpen) throw closedError();
      return folderScratch(temporaryFolder(path));
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await writer?.close();
      await root.close();
    },
  };
}
