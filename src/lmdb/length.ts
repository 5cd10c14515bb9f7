/**
 * The length of a data file. LMDB maps its file into memory, and the system ends the process that reads a page which
 * the file no longer has. LMDB leaves out trailing pages that it never filled, so a short file may be whole. The writer
 * therefore brings the file to its full length after each transaction. A file that is shorter all the same was cut, or
 * an earlier release wrote it, or its writer was killed in between. Its pages tell which: all pages that can be reached
 * from the roots must be there.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { TreeError } from '../tree/index.js';
import { cutError, type FileHeader, isLittle, readLmdbHeader } from './header.js';

/** The file of a store that holds its data. */
export const dataFile = (folder: string): string => join(folder, 'data.mdb');

/**
 * Offsets of the members of a page and of an entry in it (`MDB_page_header`, `MDB_node`, `MDB_ovpage`, `MDB_db`). The
 * offsets that a page holds count from behind its header, where a table of its entries begins.
 */
const page = { number: 0, flags: 18, end: 20, width: 24 };
const node = { low: 0, high: 2, flags: 4, keyWidth: 6, width: 8 };
const overflow = { first: 0, pages: 16, width: 24 };
const databaseRoot = 40;

const pageFlags = { branch: 1, leaf: 2 };
const nodeFlags = { overflow: 1, database: 2 };

/** Root of an empty tree. */
const noPage = 2n ** 64n - 1n;

/** How often a file is looked at while its writer goes on. */
const attempts = 50;

/** Pages that one page names. */
interface Named {
  /** Pages of the same tree or of one below. */
  readonly below: bigint[];
  /** The last page of each long value. */
  readonly ends: bigint[];
}

function pagesNamedIn(view: DataView): Named {
  const named: Named = { below: [], ends: [] };
  const flags = view.getUint16(page.flags, isLittle);
  const end = page.width + view.getUint16(page.end, isLittle);
  for (let offset = page.width; offset < end; offset += 2) {
    const entry = page.width + view.getUint16(offset, isLittle);
    const low = view.getUint16(entry + node.low, isLittle);
    const high = view.getUint16(entry + node.high, isLittle);
    const kind = view.getUint16(entry + node.flags, isLittle);
    if (flags & pageFlags.branch) {
      named.below.push(BigInt(low) | (BigInt(high) << 16n) | (BigInt(kind) << 32n));
      continue;
    }
    const data = entry + node.width + view.getUint16(entry + node.keyWidth, isLittle);
    if (kind & nodeFlags.database) {
      named.below.push(view.getBigUint64(data + databaseRoot, isLittle));
    }
    if (kind & nodeFlags.overflow) {
      const first = view.getBigUint64(data + overflow.first, isLittle);
      named.ends.push(first + view.getBigUint64(data + overflow.pages, isLittle) - 1n);
    }
  }
  return named;
}

/** Whether all pages that can be reached are among the first `held`. */
function isWhole(fd: number, { pageSize, roots }: FileHeader, held: number): boolean {
  const bytes = new Uint8Array(pageSize);
  const view = new DataView(bytes.buffer);
  const seen = new Uint8Array(held);
  const open = [...roots];
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    if (number === noPage) continue;
    const index = Number(number);
    // A page is reached once; a damaged file must not lead round in circles.
    if (index >= held || seen[index]) return false;
    seen[index] = 1;
    readSync(fd, bytes, 0, pageSize, index * pageSize);
    const flags = view.getUint16(page.flags, isLittle);
    const isOfTree = (flags & (pageFlags.branch | pageFlags.leaf)) !== 0;
    if (!isOfTree || view.getBigUint64(page.number, isLittle) !== number) return false;
    try {
      const { below, ends } = pagesNamedIn(view);
      if (ends.some((end) => end >= held)) return false;
      open.push(...below);
    } catch {
      // An offset beyond the page.
      return false;
    }
  }
  return true;
}

/**
 * Checks that a data file begins as LMDB's do, and that it has all pages that are in use.
 *
 * Not checked: what the pages of a file of full length hold.
 *
 * @throws TreeError `WRONG_STORE`, `DAMAGED`, `STORE_FAILED`
 */
export function checkLength(file: string): void {
  const fd = openSync(file, 'r');
  try {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const header = readLmdbHeader(fd, file);
      if (header === undefined) return;
      const held = Math.floor(fstatSync(fd).size / header.pageSize);
      if (held >= header.pages) return;
      const whole = isWhole(fd, header, held);
      // A writer reuses pages of an old state once a newer one stands: what was read of them then tells nothing.
      if (readLmdbHeader(fd, file)?.transaction !== header.transaction) continue;
      if (whole) return;
      throw cutError(file);
    }
    throw new TreeError('STORE_FAILED', `"${file}" changes while it is looked at; try again`);
  } finally {
    closeSync(fd);
  }
}

/** Keeps a data file at its full length. */
export interface Lengthener {
  /**
   * Brings the file to the length that its newest transaction asks for. The added part takes no room on the disk.
   *
   * @param alone carries out work while no writer extends the file, whose new pages would be cut off otherwise
   */
  lengthen(alone: (work: () => void) => void): void;
  close(): void;
}

/** @param file of the open store; another file that takes its place is left alone */
export function createLengthener(file: string): Lengthener {
  const fd = openSync(file, 'r+');
  /** The length to be; at least the one that is. */
  const fullLength = (): number => {
    const { pages = 0, pageSize = 0 } = readLmdbHeader(fd, file) ?? {};
    return Math.max(fstatSync(fd).size, pages * pageSize);
  };
  return {
    lengthen(alone) {
      if (fstatSync(fd).size < fullLength()) alone(() => ftruncateSync(fd, fullLength()));
    },
    close: () => closeSync(fd),
  };
}
