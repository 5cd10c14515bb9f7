/**
 * Looks at a data file before LMDB does. LMDB takes its file for what it has written itself: it ends the process over
 * one that it has not, or over a page that a file cut short no longer has.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';
import { TreeError } from '../tree/index.js';

const isLittle = endianness() === 'LE';

/** Where the members of a meta page lie, of which a file begins with two (`MDB_page_header`, `MDB_meta`). */
const at = { flags: 18, magic: 24, version: 28, pageSize: 48, lastPage: 144, transaction: 152 };
const width = 160;

const metaFlag = 8;
const magic = 0xbeefc0de;
/** Of LMDB's format; the upper half of the word has another meaning. */
const version = 2;

/** Reads a meta page. @returns undefined where there is none */
function readMeta(fd: number, position: number): DataView | undefined {
  const bytes = new Uint8Array(width);
  if (readSync(fd, bytes, 0, width, position) < width) return undefined;
  const view = new DataView(bytes.buffer);
  const isMeta =
    (view.getUint16(at.flags, isLittle) & metaFlag) !== 0 &&
    view.getUint32(at.magic, isLittle) === magic &&
    (view.getUint32(at.version, isLittle) & 0xffff) === version;
  return isMeta ? view : undefined;
}

/**
 * Checks that a file begins as LMDB's do and is about as long as it says.
 *
 * Not checked: the pages themselves. Some of the last may be missing by right, those that are free and never were used;
 * so a file that lacks a few others passes.
 *
 * @throws TreeError `WRONG_STORE`, `DAMAGED`
 */
export function checkHeader(file: string): void {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    // One that was just created.
    if (size === 0) return;
    const first = readMeta(fd, 0);
    const pageSize = first?.getUint32(at.pageSize, isLittle) ?? 0;
    const second = pageSize >= 512 && pageSize <= 65536 ? readMeta(fd, pageSize) : undefined;
    if (!first || !second) {
      throw new TreeError('WRONG_STORE', `"${file}" is not of LMDB, or of another version of it`);
    }
    const transactionOf = (meta: DataView) => meta.getBigUint64(at.transaction, isLittle);
    const newest = transactionOf(first) > transactionOf(second) ? first : second;
    const pages = Number(newest.getBigUint64(at.lastPage, isLittle)) + 1;
    const missing = pages - size / pageSize;
    if (missing > 64 + pages / 16) {
      throw new TreeError('DAMAGED', `"${file}" was cut short; restore it from a copy`);
    }
  } finally {
    closeSync(fd);
  }
}
