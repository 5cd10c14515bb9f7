/** Opens the files of a store. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Database, GetOptions, RootDatabase, Transaction } from 'lmdb';
import { makeFolder } from '../disk/folder.js';
import { missingPeer, type PeerUser } from '../peer.js';
import { TreeError } from '../tree/index.js';
import { lmdbError } from './errors.js';
import { checkLength, dataFile } from './length.js';
import { createRoom, leastRoom } from './room.js';
import { checkShared, share } from './shared.js';

/** A database of bytes by bytes. */
export type ByteMap = Database<Uint8Array, Uint8Array>;

/** The files of a store as one process has them open. */
export interface Files {
  readonly root: RootDatabase<Uint8Array, Uint8Array>;
  /** The entries of the state tree, apart from those in the log. */
  readonly entries: ByteMap;
  /**
   * The log, as seen by a transaction that is opened next in the same turn; undefined while no
   * writer of this release has opened the store.
   */
  log(): ByteMap | undefined;
  /** The writer's name; the version of this one entry counts the writers so far. */
  readonly writers: Database<string, string>;
  /** Number of the last commit that a transaction sees, whichever process made it. */
  versionIn(transaction: Transaction): number;
  close(): Promise<void>;
}

/**
 * Names of the databases in the files, as LMDB's root lists them. A release that does not know the
 * log refuses a store that has one.
 */
const names = { entries: 'entries', log: 'log', writers: 'writers' };

/** Keys of their records; made once, since each answer reads one. */
const recordKeys = {
  entries: new TextEncoder().encode(`${names.entries}\0`),
  log: new TextEncoder().encode(`${names.log}\0`),
};

/** Snapshots that may be held at a time, in all processes. */
const maxReaders = 512;

const store: PeerUser<'lmdb'> = {
  title: 'the store',
  needs: ['lmdb'],
  fail: (message, options) => new TreeError('MISSING_PEER', message, options),
};

/** Commit that last wrote the page of what was read last. Its types leave it out. */
type Lmdb = typeof import('lmdb') & { getLastTxnId(): number };

function loadLmdb(): Lmdb {
  try {
    return createRequire(import.meta.url)('lmdb');
  } catch (cause) {
    throw missingPeer(store, 'lmdb', cause);
  }
}

/** LMDB would find this out by itself, but keep files open that it could not use. */
function checkWritable(path: string): void {
  for (const file of [path, dataFile(path), join(path, 'lock.mdb')]) {
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A reader notes in the lock file what it reads, so that the writer does not reuse those pages. If it
 * may not write there, it could read pages that the writer has overwritten. Only on a disk that is
 * mounted read-only is there no writer.
 */
function checkLock(file: string): void {
  try {
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
  } catch (cause) {
    if ((cause as { code?: string }).code === 'EROFS') return;
    throw new TreeError('STORE_FAILED', `a reader needs the right to write to "${file}"`, {
      cause,
    });
  }
}

/** Refuses paths that LMDB would silently turn into a new store. */
function checkFolder(path: string, readOnly: boolean): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat && !stat.isDirectory()) {
    throw new TreeError('WRONG_STORE', `a store is a folder, and "${path}" is something else`);
  }
  const file = dataFile(path);
  // A folder that may not be looked into is no missing store.
  if (statSync(file, { throwIfNoEntry: false })) checkLength(file);
  else if (readOnly)
    throw new TreeError('WRONG_STORE', `there is no store at "${path}"`, { detail: 'NO_STORE' });
  else makeFolder(path);
  const lock = join(path, 'lock.mdb');
  if (readOnly) checkLock(lock);
  else {
    checkShared(file);
    checkWritable(path);
  }
  // Without a lock file, LMDB makes one if it can, and writes to it as if it were memory.
  const writes = !readOnly || (!existsSync(lock) && isWritable(path));
  const full = writes ? createRoom(path).error(leastRoom) : undefined;
  if (full !== undefined) throw full;
}

function openDatabases(path: string, readOnly: boolean, { open, getLastTxnId }: Lmdb): Files {
  const bytes = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Uint8Array, Uint8Array>({
    ...bytes,
    path,
    readOnly,
    maxReaders,
    // LMDB would take a path with a dot in it for a file.
    noSubdir: false,
    // A block is shown to readers after it is flushed, not before, and a failure to flush fails the write.
    overlappingSync: false,
    // A turn's batch has a promise of its own that no caller holds: a failed commit would end the process.
    eventTurnBatching: false,
  } as Parameters<typeof open>[0]);
  try {
    const found = [...root.getKeys()].map((key) => new TextDecoder().decode(key).replace('\0', ''));
    if (found.some((name) => !Object.values(names).includes(name))) {
      throw new TreeError('WRONG_STORE', `"${path}" is another program's store`);
    }
    const entries = root.openDB<Uint8Array, Uint8Array>(names.entries, bytes);
    const writers = root.openDB<string, string>(names.writers, {
      encoding: 'string',
      useVersions: true,
    });
    const openLog = () => root.openDB<Uint8Array, Uint8Array>(names.log, bytes);
    let log = readOnly && !found.includes(names.log) ? undefined : openLog();
    // In a read-only folder, databases that were never created are not created now.
    if (!entries || !writers) throw new TreeError('WRONG_STORE', `"${path}" holds no state tree`);
    /** The record of a database, which names the first page of its tree. */
    const recordOf = (key: Uint8Array, options?: GetOptions): unknown =>
      (root as { getBinaryFast(key: Uint8Array, options?: GetOptions): unknown }).getBinaryFast(
        key,
        options,
      );
    const noteClosed = share(dataFile(path), readOnly);
    return {
      root,
      entries,
      writers,
      log() {
        if (log === undefined && recordOf(recordKeys.log) !== undefined) {
          log = openLog();
          // A transaction that began before does not know it.
          root.resetReadTxn();
        }
        return log;
      },
      versionIn(transaction) {
        // The records of all databases lie in one page, which each commit writes anew.
        recordOf(recordKeys.entries, { transaction });
        return getLastTxnId();
      },
      close: () => root.close().finally(noteClosed),
    };
  } catch (error) {
    void root.close();
    throw error;
  }
}

/**
 * Opens a store, or creates it.
 *
 * @throws TreeError `MISSING_PEER`, `WRONG_STORE`, `READ_ONLY`, `STORE_FULL`, `STORE_FAILED`
 */
export function openFiles(path: string, readOnly: boolean): Files {
  const lmdb = loadLmdb();
  try {
    checkFolder(path, readOnly);
    return openDatabases(path, readOnly, lmdb);
  } catch (cause) {
    throw lmdbError(`cannot open the store at "${path}"`, cause);
  }
}
