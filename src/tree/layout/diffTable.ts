/**
 * Which entries a block changed, and what stood in them before: sorted rows, which are searched as they lie in the
 * store, without an object for each. The rows of one kind of key have one width. Long values lie in chunks beside the
 * table, in the order of the rows: one that is looked up takes one read of a chunk.
 *
 * A table begins with the number of chunks that the whole diff has. Then come sections, one a kind of key: first byte
 * of the keys, number of rows, rows. A row begins with the rest of a key. Then comes either 1 and the value behind its
 * stamp (0 and zeros: there was no entry), or number of the chunk, offset in it and length (no bytes: no entry) in 3, 2
 * and 2 bytes. A long table is cut into parts, each of which can be read alone.
 */
import { joinBytes } from '../../bytes.js';
import { TreeError } from '../store/errors.js';
import { numberWidth, readNumber, writeNumber } from '../store/numbers.js';
import { firstWhere } from '../store/search.js';
import type { Entry } from '../store/store.js';
import { type DiffRow, diffKey, diffRows, encodeNumber, pastKey } from './layout.js';

/**
 * Longest chunk, and longest part of a table: with the header, a page of LMDB. For longer values it
 * would search all free pages for some side by side.
 */
const pieceLength = 4096 - 24;

/** The value of an entry that was not there. */
export const emptyBytes: Uint8Array = new Uint8Array(0);

/** Widths of the members of a location. */
const chunkWidth = 3;
const offsetWidth = 2;
const locationWidth: number = chunkWidth + 2 * offsetWidth;

/** Bytes in front of the rows of a section: kind, and number of rows. */
const sectionHead: number = 1 + numberWidth;

/** Where a long value lies. */
export interface OldLocation {
  readonly chunk: number;
  readonly offset: number;
  readonly length: number;
}

/** The old value of an entry in a diff, behind its stamp, or the location of that value. */
export type OldValue = Uint8Array | OldLocation;

const damaged = () => new TreeError('DAMAGED', 'the store holds a malformed step between blocks');

const slotWidth = ({ inlineWidth }: DiffRow): number =>
  inlineWidth === undefined ? locationWidth : 1 + inlineWidth;

function writeShort(bytes: Uint8Array, offset: number, width: number, value: number): void {
  for (let i = width - 1, rest = value; i >= 0; i--, rest >>>= 8) bytes[offset + i] = rest & 255;
}

function readShort(bytes: Uint8Array, offset: number, width: number): number {
  let value = 0;
  for (let i = 0; i < width; i++) value = (value << 8) | (bytes[offset + i] as number);
  return value;
}

/** The rows of one kind of key in a table. */
export class Section {
  /** First byte of the keys. */
  readonly kind: number;
  readonly count: number;
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #row: DiffRow;
  readonly #width: number;

  constructor(bytes: Uint8Array, start: number) {
    const kind = bytes[start] as number;
    const row = diffRows.get(kind);
    if (row === undefined || start + sectionHead > bytes.length) throw damaged();
    this.kind = kind;
    this.count = readNumber(bytes, start + 1);
    this.#bytes = bytes;
    this.#start = start + sectionHead;
    this.#row = row;
    this.#width = row.keyWidth + slotWidth(row);
    if (this.end > bytes.length) throw damaged();
  }

  /** Where the section ends in its table. */
  get end(): number {
    return this.#start + this.#width * this.count;
  }

  /** Compares the key of a row with another of its kind, or the beginning of one. */
  compare(index: number, key: Uint8Array): number {
    const offset = this.#start + this.#width * index - 1;
    const width = Math.min(this.#row.keyWidth + 1, key.length);
    for (let i = 1; i < width; i++) {
      const difference = (this.#bytes[offset + i] as number) - (key[i] as number);
      if (difference !== 0) return difference;
    }
    return this.#row.keyWidth + 1 - key.length;
  }

  /** Index of the first row whose key is `key` or greater. */
  indexOf(key: Uint8Array): number {
    return firstWhere(this.count, (i) => this.compare(i, key) >= 0);
  }

  keyAt(index: number): Uint8Array {
    const key = new Uint8Array(1 + this.#row.keyWidth);
    const offset = this.#start + this.#width * index;
    key[0] = this.kind;
    key.set(this.#bytes.subarray(offset, offset + this.#row.keyWidth), 1);
    return key;
  }

  oldAt(index: number): OldValue {
    const { keyWidth, inlineWidth } = this.#row;
    const offset = this.#start + this.#width * index + keyWidth;
    if (inlineWidth !== undefined) {
      if (this.#bytes[offset] === 0) return emptyBytes;
      return this.#bytes.subarray(offset + 1, offset + 1 + inlineWidth);
    }
    const at = offset + chunkWidth;
    const length = readShort(this.#bytes, at + offsetWidth, offsetWidth);
    if (length === 0) return emptyBytes;
    return {
      chunk: readShort(this.#bytes, offset, chunkWidth),
      offset: readShort(this.#bytes, at, offsetWidth),
      length,
    };
  }
}

/** One part of a diff's table. */
export class DiffTable {
  /** Bytes that it takes. */
  readonly size: number;
  /** Chunks of the whole diff. */
  readonly chunks: number;
  readonly sections: readonly Section[];

  /** @throws TreeError `DAMAGED` */
  constructor(bytes: Uint8Array) {
    if (bytes.length < numberWidth) throw damaged();
    this.size = bytes.length;
    this.chunks = readNumber(bytes, 0);
    const sections: Section[] = [];
    for (let offset = numberWidth; offset < bytes.length; ) {
      const section = new Section(bytes, offset);
      sections.push(section);
      offset = section.end;
    }
    this.sections = sections;
  }

  /** Whether all its keys are greater than a key. */
  isBehind(key: Uint8Array): boolean {
    const first = this.sections.at(0);
    if (first === undefined) return false;
    const difference = first.kind - (key[0] as number);
    return difference > 0 || (difference === 0 && first.compare(0, key) > 0);
  }

  section(kind: number): Section | undefined {
    return this.sections.find((one) => one.kind === kind);
  }

  /** The value of an entry before the block; undefined if the block did not change it. */
  find(key: Uint8Array): OldValue | undefined {
    const section = this.section(key[0] as number);
    if (section === undefined) return undefined;
    const index = section.indexOf(key);
    const isThere = index < section.count && section.compare(index, key) === 0;
    return isThere ? section.oldAt(index) : undefined;
  }
}

/** An old value in its chunk. @throws TreeError `DAMAGED` */
export function oldIn(chunk: Uint8Array | undefined, { offset, length }: OldLocation): Uint8Array {
  if (chunk === undefined || offset + length > chunk.length) {
    throw new TreeError('DAMAGED', 'the store has lost what a block overwrote');
  }
  return chunk.subarray(offset, offset + length);
}

/** A key that a block changed, and the old value, behind its stamp; no bytes if there was no entry. */
export interface Changed {
  readonly key: Uint8Array;
  readonly old: Uint8Array;
}

/** Puts old values into chunks. @returns the chunks, and the location of each value */
function toChunks(rows: readonly Changed[]): { chunks: Uint8Array[]; locations: OldLocation[] } {
  const chunks: Uint8Array[] = [];
  const all = new Uint8Array(rows.reduce((sum, { old }) => sum + old.length, 0));
  let start = 0;
  let offset = 0;
  const end = () => {
    if (offset > 0) chunks.push(all.subarray(start, start + offset));
    start += offset;
    offset = 0;
  };
  const locations = rows.map(({ old }) => {
    if (offset + old.length > pieceLength) end();
    const location = { chunk: chunks.length, offset, length: old.length };
    all.set(old, start + offset);
    offset += old.length;
    return location;
  });
  end();
  return { chunks, locations };
}

/** One section about rows of one kind. @param locations of the values, in the order of the rows */
function sectionBytes(
  row: DiffRow,
  rows: readonly Changed[],
  locations: readonly OldLocation[] | undefined,
): Uint8Array {
  const width = row.keyWidth + slotWidth(row);
  const bytes = new Uint8Array(sectionHead + width * rows.length);
  bytes[0] = rows[0]?.key[0] as number;
  writeNumber(bytes, 1, rows.length);
  let offset = sectionHead;
  for (const [i, { key, old }] of rows.entries()) {
    for (let j = 1; j < key.length; j++) bytes[offset + j - 1] = key[j] as number;
    const slot = offset + row.keyWidth;
    const location = locations?.[i];
    if (location) {
      writeShort(bytes, slot, chunkWidth, location.chunk);
      writeShort(bytes, slot + chunkWidth, offsetWidth, location.offset);
      writeShort(bytes, slot + chunkWidth + offsetWidth, offsetWidth, location.length);
    } else if (old.length > 0) {
      bytes[slot] = 1;
      bytes.set(old, slot + 1);
    }
    offset += width;
  }
  return bytes;
}

/** The entries that keep a diff. @param rows sorted by key, each key once */
export function diffEntries(block: number, rows: readonly Changed[]): Entry[] {
  const rowOf = (key: Uint8Array) => diffRows.get(key[0] as number) as DiffRow;
  const long = rows.filter(({ key }) => rowOf(key).inlineWidth === undefined);
  const { chunks, locations } = toChunks(long);
  const head = encodeNumber(chunks.length);
  const parts: Uint8Array[][] = [[head]];
  let room = pieceLength - head.length;
  let placed = 0;
  for (let start = 0; start < rows.length; ) {
    const kind = rows[start]?.key[0];
    const row = rowOf(rows[start]?.key as Uint8Array);
    const width = row.keyWidth + slotWidth(row);
    const most = Math.floor((room - sectionHead) / width);
    if (most < 1) {
      parts.push([head]);
      room = pieceLength - head.length;
      continue;
    }
    let end = start;
    while (end < rows.length && end - start < most && rows[end]?.key[0] === kind) end++;
    const isLong = row.inlineWidth === undefined;
    const some = isLong ? locations.slice(placed, placed + end - start) : undefined;
    const section = sectionBytes(row, rows.slice(start, end), some);
    placed += some?.length ?? 0;
    parts.at(-1)?.push(section);
    room -= section.length;
    start = end;
  }
  return [
    ...parts.map((some, i) => ({ key: diffKey(block, i), value: joinBytes(some) })),
    ...chunks.map((value, i) => ({ key: pastKey(block, i), value })),
  ];
}
