/**
 * A store in LMDB. Readers see the store as of a whole batch and wait for nobody. A batch is one
 * transaction, flushed to disk before readers see it and before its write resolves: once it was
 * acknowledged, it survives a crash of the process or the machine, if the disk honors flushes.
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folderScratch } from '../disk/scratch.js';
import { ownMembers } from '../foreign/argument.js';
import {
  type Read,
  type ReadRequest,
  type Store,
  type StoreReader,
  type StoreSnapshot,
  TreeError,
} from '../tree/index.js';
import { lmdbClosedError, lmdbError } from './errors.js';
import { type ByteMap, type Files, openFiles } from './files.js';
import { dataFile } from './length.js';
import { LogSnapshots, type Opened } from './overlay.js';
import { findLmdbWriter } from './owner.js';
import { createStoreReader, LmdbView } from './reader.js';
import { LmdbWriter } from './writer.js';

/** Options of {@link lmdbStore}. */
export interface LmdbOptions {
  /** The folder that holds the store; created if it is not there, unless `readOnly`. */
  path: string;
  /** Reads only, beside any writer; default false. A process that also writes to the store opens it to write first. */
  readOnly?: boolean;
}

/** @param isOpen whether the store still is: LMDB would read through a transaction that is over, and end the process */
function openSnapshot(entries: ByteMap, log: LogSnapshots, isOpen: () => boolean): StoreSnapshot {
  let opened: Opened;
  try {
    opened = log.open();
  } catch (cause) {
    throw lmdbError('cannot read the store', cause);
  }
  const { transaction, version } = opened;
  const view = new LmdbView(entries, opened);
  let isHeld = true;
  return {
    version,
    release() {
      if (isOpen() && isHeld) transaction.done();
      isHeld = false;
    },
    ...createStoreReader(entries, () => {
      if (!isOpen()) throw lmdbClosedError();
      if (!isHeld) throw new TreeError('CLOSED', 'the snapshot was released');
      return view;
    }),
  };
}

/** Reads each request in a snapshot of its own. */
function readerOfSnapshots(snapshot: () => StoreSnapshot): StoreReader {
  const read = async (request: ReadRequest, pause?: () => Promise<void>) => {
    const one = snapshot();
    try {
      return await one.read(request, pause);
    } finally {
      one.release();
    }
  };
  const now = (request: ReadRequest) => {
    const one = snapshot();
    try {
      return (one.read.now as NonNullable<Read['now']>)(request);
    } finally {
      one.release();
    }
  };
  return { read: Object.assign(read, { now }) };
}

/** The folder of a load's temporary files. */
const temporaryFolder = (path: string): string => join(path, 'temporary');

/** Becomes the writer of files that were opened, and closes them if that fails. */
function openWriter(files: Files, log: LogSnapshots, path: string): LmdbWriter {
  try {
    const writer = new LmdbWriter(files, log, path);
    // A load that was killed has left its files; no other writer can have any now.
    rmSync(temporaryFolder(path), { recursive: true, force: true });
    return writer;
  } catch (cause) {
    void files.close();
    throw lmdbError(`cannot write to the store at "${path}"`, cause);
  }
}

/**
 * Opens a store in LMDB, or creates an empty one.
 *
 * @throws TreeError `MISSING_PEER` with the line that installs lmdb, `OTHER_WRITER` while another
 *   process has it open to write, `WRONG_STORE`, `READ_ONLY`, `STORE_FULL`, `STORE_FAILED`
 */
export function lmdbStore(options: LmdbOptions): Store {
  const { path, readOnly = false } = ownMembers(options, ['path', 'readOnly'], 'options');
  const files = openFiles(path, readOnly);
  const { entries } = files;
  const log = new LogSnapshots(files);
  const writer = readOnly ? undefined : openWriter(files, log, path);
  let isOpen = true;

  function snapshot(): StoreSnapshot {
    if (!isOpen) throw lmdbClosedError();
    // LMDB reads on for a turn in what it has read from: what another process has written since would be missing.
    if (readOnly) entries.resetReadTxn();
    return openSnapshot(entries, log, () => isOpen);
  }

  return {
    isLocal: true,
    ...readerOfSnapshots(snapshot),
    snapshot,
    async write(batch) {
      if (!isOpen) throw lmdbClosedError();
      if (!writer) throw new TreeError('READ_ONLY', 'the store was opened to be read only');
      await writer.write(batch);
    },
    async scratch() {
      if (!isOpen) throw lmdbClosedError();
      return folderScratch(temporaryFolder(path));
    },
    async usage() {
      if (!isOpen) throw lmdbClosedError();
      try {
        return { bytes: statSync(dataFile(path)).size, writer: findLmdbWriter(files) };
      } catch (cause) {
        throw lmdbError('cannot read the store', cause);
      }
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await writer?.close();
      await files.close();
    },
  };
}
