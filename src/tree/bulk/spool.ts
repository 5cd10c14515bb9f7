/**
 * Entries of a store that wait for their turn, in the order of their keys: most in a temporary
 * file, the last ones in memory.
 */
import { isBelow } from '../scan.js';
import type { Entry } from '../store.js';
import { MergeHeap } from './heap.js';
import type { Scratch, ScratchFile } from './scratch.js';

/** Bytes that stay in memory; a small state needs no file. */
const memoryWidth = 2 ** 20;

/** Bytes of a file that are read at a time. */
const pieceWidth = 2 ** 22;

/** No entry is longer. */
const longestEntry = 2 ** 17;

/** In front of an entry: bytes of its key, and of its value in two bytes. */
const lengthsWidth = 3;

/** Entries in ascending order of their keys; all are added before the first is read. */
export class Spool {
  readonly #scratch: Scratch;
  #bytes = new Uint8Array(2 ** 12);
  #length = 0;
  #file: ScratchFile | undefined;
  #fileLength = 0;

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
  }

  /** Adds an entry. After many, {@link drain} makes room. @param value below 2^16 bytes */
  add(key: Uint8Array, value: Uint8Array): void {
    const at = this.reserve({ key: key.length, value: value.length });
    this.#bytes.set(key, at);
    this.#bytes.set(value, at + key.length);
  }

  /**
   * The same for an entry that the caller writes into `bytes`.
   *
   * @param widths bytes of its key and of its value
   * @returns where its key begins; its value follows
   */
  reserve({ key, value }: { key: number; value: number }): number {
    const at = this.#length;
    this.#length += lengthsWidth + key + value;
    if (this.#length > this.#bytes.length) this.#grow(this.#length);
    const bytes = this.#bytes;
    bytes[at] = key;
    bytes[at + 1] = value >> 8;
    bytes[at + 2] = value & 255;
    return at + lengthsWidth;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Puts what has come in into the file, unless it is little. */
  async drain(): Promise<void> {
    if (this.#length < memoryWidth) return;
    this.#file ??= await this.#scratch.create();
    await this.#file.append(this.#bytes.subarray(0, this.#length));
    this.#fileLength += this.#length;
    this.#length = 0;
  }

  /** Bytes of all entries. */
  get length(): number {
    return this.#fileLength + this.#length;
  }

  /**
   * All entries, some at a time; called once. A page is overwritten once the next one is asked for.
   * The file is gone afterwards.
   */
  async *pages(): AsyncGenerator<Entry[]> {
    const piece = new Uint8Array(Math.min(this.#fileLength, pieceWidth + longestEntry));
    let kept = 0;
    for (let offset = 0; offset < this.#fileLength; ) {
      const width = Math.min(piece.length - kept, this.#fileLength - offset);
      await this.#file?.read(offset, piece.subarray(kept, kept + width));
      offset += width;
      const { entries, end } = entriesIn(piece.subarray(0, kept + width));
      yield entries;
      piece.copyWithin(0, end, kept + width);
      kept += width - end;
    }
    await this.#file?.delete();
    yield entriesIn(this.#bytes.subarray(0, this.#length)).entries;
    this.#bytes = new Uint8Array(0);
  }

  #grow(least: number): void {
    const longer = new Uint8Array(Math.max(least, 2 * this.#bytes.length));
    longer.set(this.#bytes);
    this.#bytes = longer;
  }
}

/** The whole entries in bytes, and where they end. */
function entriesIn(bytes: Uint8Array): { entries: Entry[]; end: number } {
  const entries: Entry[] = [];
  let at = 0;
  while (at + lengthsWidth <= bytes.length) {
    const keyAt = at + lengthsWidth;
    const valueAt = keyAt + (bytes[at] as number);
    const end = valueAt + (bytes[at + 1] as number) * 256 + (bytes[at + 2] as number);
    if (end > bytes.length) break;
    entries.push({ key: bytes.subarray(keyAt, valueAt), value: bytes.subarray(valueAt, end) });
    at = end;
  }
  return { entries, end: at };
}

/** A spool that is read. */
interface Reader {
  readonly pages: AsyncGenerator<Entry[]>;
  page: readonly Entry[];
  at: number;
}

/** Reads on if the page is over. @returns false at the end */
async function refill(reader: Reader): Promise<boolean> {
  while (reader.at === reader.page.length) {
    const { value, done } = await reader.pages.next();
    if (done) return false;
    reader.page = value;
    reader.at = 0;
  }
  return true;
}

const nextKey = ({ page, at }: Reader): Uint8Array => (page[at] as Entry).key;

/**
 * The entries of several spools in the order of their keys, some at a time: a few MiB, which are
 * overwritten once the next ones are asked for.
 */
export async function* mergeSpools(spools: readonly Spool[]): AsyncGenerator<Entry[]> {
  const readers: Reader[] = [];
  for (const spool of spools) {
    const reader = { pages: spool.pages(), page: [], at: 0 };
    if (await refill(reader)) readers.push(reader);
  }
  const heap = new MergeHeap(readers, (a, b) => isBelow(nextKey(a), nextKey(b)));
  let entries: Entry[] = [];
  for (let reader = heap.least; reader; reader = heap.least) {
    entries.push(reader.page[reader.at] as Entry);
    reader.at++;
    if (reader.at < reader.page.length) {
      heap.settle();
      continue;
    }
    // Before the page is overwritten.
    yield entries;
    entries = [];
    if (await refill(reader)) heap.settle();
    else heap.remove();
  }
}
