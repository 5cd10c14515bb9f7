/**
 * Looks at a data file before LMDB does. LMDB trusts that it has written its file itself, and ends
 * the process if another program did.
 */
import { fstatSync, readSync } from 'node:fs';
import { endianness } from 'node:os';
import { TreeError } from '../tree/index.js';

export const isLittle: boolean = endianness() === 'LE';

/** Offsets of the members of a meta page, of which a file begins with two (`MDB_page_header`, `MDB_meta`). */
const offsets = {
  flags: 18,
  magic: 24,
  version: 28,
  pageSize: 48,
  modes: 52,
  freeRoot: 88,
  mainRoot: 136,
  lastPage: 144,
  transaction: 152,
};
const width = 160;

const metaFlag = 8;
/** Modes of a file that no program without encryption asks for: LMDB would end the process. 0x1000 is overlapping syncs. */
const foreignModes = 0xef00;
/** Bytes that no file has, and no memory can be mapped for. */
const maxLength = 2 ** 46;
const magic = 0xbeefc0de;
/** Version of LMDB's format; the upper half of the word has another meaning. */
const version = 2;

/** The header of a data file as of its newest transaction. */
export interface FileHeader {
  /** Bytes. */
  readonly pageSize: number;
  /** Pages that were ever used. LMDB never writes trailing pages that came and went in one transaction. */
  readonly pages: number;
  /** Pages at which the trees of free pages and of databases begin. */
  readonly roots: readonly bigint[];
  /** Counts the transactions. */
  readonly transaction: bigint;
}

/** Reads a meta page, or the part of it that is there. @returns undefined if it is something else */
function readMeta(fd: number, position: number): DataView | undefined {
  const bytes = new Uint8Array(width);
  readSync(fd, bytes, 0, width, position);
  const view = new DataView(bytes.buffer);
  const isMeta =
    (view.getUint16(offsets.flags, isLittle) & metaFlag) !== 0 &&
    view.getUint32(offsets.magic, isLittle) === magic &&
    (view.getUint32(offsets.version, isLittle) & 0xffff) === version;
  return isMeta ? view : undefined;
}

/** The error of a file that lacks pages which it must have. */
export const cutError = (file: string): TreeError =>
  new TreeError('DAMAGED', `"${file}" was cut short; restore it from a copy`);

/**
 * Reads the beginning of a data file.
 *
 * @returns undefined for an empty file, which was just created
 * @throws TreeError `WRONG_STORE` for a file that does not begin as LMDB's do, `DAMAGED` for one that ends too soon
 */
export function readLmdbHeader(fd: number, file: string): FileHeader | undefined {
  const { size } = fstatSync(fd);
  if (size === 0) return undefined;
  const wrong = () =>
    new TreeError('WRONG_STORE', `"${file}" is not of LMDB, or of another version of it`);
  const first = readMeta(fd, 0);
  if (!first) throw wrong();
  if (size < width) throw cutError(file);
  const pageSize = first.getUint32(offsets.pageSize, isLittle);
  if (pageSize < 512 || pageSize > 65_536) throw wrong();
  if (size < 2 * pageSize) throw cutError(file);
  const second = readMeta(fd, pageSize);
  if (!second) throw wrong();
  const modesOf = (meta: DataView) => meta.getUint16(offsets.modes, isLittle) & foreignModes;
  const lengthOf = (meta: DataView) =>
    (Number(meta.getBigUint64(offsets.lastPage, isLittle)) + 1) * pageSize;
  if ([first, second].some((meta) => modesOf(meta) !== 0 || lengthOf(meta) > maxLength)) {
    throw new TreeError('DAMAGED', `"${file}" has a damaged header; restore it from a copy`);
  }
  const transactionOf = (meta: DataView) => meta.getBigUint64(offsets.transaction, isLittle);
  const newest = transactionOf(first) > transactionOf(second) ? first : second;
  return {
    pageSize,
    pages: Number(newest.getBigUint64(offsets.lastPage, isLittle)) + 1,
    roots: [offsets.freeRoot, offsets.mainRoot].map((member) =>
      newest.getBigUint64(member, isLittle),
    ),
    transaction: transactionOf(newest),
  };
}
