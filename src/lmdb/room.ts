/**
 * Checks that the disk has room before LMDB writes. LMDB must not find that out by itself: when the system refuses a write,
 * it formats a message that may be longer than its buffer (`mdb_page_flush` in lmdb 3.5.6), and the overwritten memory ends
 * the process some time later, by SIGABRT or SIGSEGV.
 */
import { closeSync, ftruncateSync, openSync, rmSync, statfsSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { dataFile } from './length.js';

/** Bytes of a page on most machines. On the few with longer pages, a batch fills fewer of them. */
const pageSize = 4096;

/** Bytes that opening and closing a store may write. */
export const leastRoom = 64 * 1024;

/** Bytes by which a file may grow before its length is checked again. */
const lengthStep = 64 * 2 ** 20;

/** The size of a batch. */
export interface Extent {
  /** Of its keys and values. */
  readonly bytes: number;
  /** Its puts and deletes. */
  readonly entries: number;
}

/** Length of the data file in bytes; 0 if there is none. */
const lengthOf = (folder: string): number =>
  statSync(dataFile(folder), { throwIfNoEntry: false })?.size ?? 0;

/**
 * Most bytes that LMDB writes for a batch: a copy of each page that an entry touches and of the page above, though no more
 * pages than there are, and pages that are half full for what is new.
 */
export function roomOf({ bytes, entries }: Extent, folder: string): number {
  const touched = Math.min(2 * entries * pageSize, lengthOf(folder));
  return leastRoom + touched + 2 * bytes + (touched + bytes) / 16;
}

/** Bytes that this process may still write; `Infinity` if the file system does not say. */
function freeBytes(folder: string): number {
  try {
    const { blocks, bavail, bfree, bsize } = statfsSync(folder);
    if (blocks === 0) return Infinity;
    return (process.geteuid?.() === 0 ? bfree : bavail) * bsize;
  } catch {
    return Infinity;
  }
}

/**
 * The error that a file of this length in the folder meets, if it is longer than a file may be. Other errors say nothing
 * about the store: a process may only have the right to write to the store's files.
 */
function lengthError(folder: string, length: number): unknown {
  const file = join(folder, `length-${process.pid}`);
  let fd: number | undefined;
  try {
    fd = openSync(file, 'w');
    // Lengthened, not written: it takes no room on the disk.
    ftruncateSync(fd, length);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EFBIG' ? error : undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
    rmSync(file, { force: true });
  }
}

/** Looks at the disk of one store. */
export interface Room {
  /**
   * The error that writing so many bytes may meet, because the disk is full or the data file as long as it may be; undefined
   * if there is room.
   */
  error(bytes: number): unknown;
}

/** @param folder of the store */
export function createRoom(folder: string): Room {
  /** A length that is known to be allowed for a file here. */
  let possible = 0;
  return {
    error(bytes) {
      const free = freeBytes(folder);
      const needed = Math.ceil(bytes);
      if (free < needed) {
        const message = `ENOSPC: ${free} bytes are free on the disk, and the batch may need ${needed}`;
        return Object.assign(new Error(message), { errno: constants.errno.ENOSPC });
      }
      const length = lengthOf(folder) + needed;
      if (length <= possible) return undefined;
      const ample = length + lengthStep;
      const isAmple = lengthError(folder, ample) === undefined;
      const error = isAmple ? undefined : lengthError(folder, length);
      if (error === undefined) possible = isAmple ? ample : length;
      return error;
    },
  };
}
