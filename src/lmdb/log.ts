/**
 * The log of a store. LMDB writes whole pages, and copies each that a batch touches: an entry of 100 bytes takes 4096,
 * and as many for the page above it. So a batch puts its short entries one behind the other into chunks of a page. They
 * reach their places among the others many batches later, all at once: a page that several of them touch is then
 * written once. Until then each process keeps them in memory (see overlay.ts).
 *
 * The log is a database of its own: number of a chunk -> records, and one head: the number of the first chunk and of
 * the one to come. No number is used again, so that a chunk that was read stays as it is.
 *
 * A record about a key that has an entry is the length of its key in one byte, the length of its value in two, key and
 * value. If the log no longer counts for the key, the length of the value is `noEntry`, and no value follows.
 */
import { type Entry, TreeError } from '../tree/index.js';

/** Longest value that goes to the log: LMDB gives a longer one pages of its own anyway. */
const longestValue = 2000;

/** With the header, a page of LMDB. */
const chunkLength = 4096 - 24;

/** Most chunks of a log, 8 MiB, whose entries each process keeps in memory. */
export const maxChunks = 2048;

/**
 * Most chunks of a batch, 128 KiB: the log then holds 64 of them. Of longer ones it holds too few for many to touch a page
 * together: a block of 100 accounts costs up to a third more processor time with the log than without it.
 */
const maxBatchChunks = 32;

/** Most records of a batch: those of a bulk load may be short, and fill whole pages. */
const maxBatchRecords = 2048;

const recordHead = 3;
const noEntry = 0xffff;

/** Key of the head: behind all numbers. */
export const headKey: Uint8Array = Uint8Array.of(0xff);

/** Which chunks a log has: from `first` on, below `end`. */
export interface LogHead {
  readonly first: number;
  readonly end: number;
}

/** Bytes of a number of a chunk. */
const numberWidth = 6;

export function chunkKey(number: number): Uint8Array {
  const key = Buffer.alloc(numberWidth);
  key.writeUIntBE(number, 0, numberWidth);
  return key;
}

export const encodeHead = ({ first, end }: LogHead): Uint8Array =>
  Buffer.concat([chunkKey(first), chunkKey(end)]);

/** @param bytes undefined: nothing was ever logged. @throws TreeError `DAMAGED` */
export function decodeHead(bytes: Uint8Array | undefined): LogHead {
  if (bytes === undefined) return { first: 0, end: 0 };
  const head = Buffer.from(bytes);
  if (head.length !== 2 * numberWidth) {
    throw new TreeError('DAMAGED', 'the head of the log of the store is malformed');
  }
  const numberAt = (offset: number) => head.readUIntBE(offset, numberWidth);
  return { first: numberAt(0), end: numberAt(numberWidth) };
}

/** Whether an entry goes to the log, if its batch does. */
export const isShort = ({ value }: Entry): boolean => value.length <= longestValue;

/**
 * The chunks of a batch.
 *
 * @param puts short entries
 * @param gone keys for which the log counts no more
 * @returns undefined if they are too many for one batch
 */
export function toChunks(
  puts: readonly Entry[],
  gone: readonly Uint8Array[],
): Uint8Array[] | undefined {
  if (puts.length + gone.length > maxBatchRecords) return undefined;
  let length = 0;
  for (const { key, value } of puts) length += recordHead + key.length + value.length;
  for (const key of gone) length += recordHead + key.length;
  if (length > maxBatchChunks * chunkLength) return undefined;
  const bytes = new Uint8Array(length);
  let offset = 0;
  const add = (key: Uint8Array, width: number) => {
    bytes[offset] = key.length;
    bytes[offset + 1] = width >> 8;
    bytes[offset + 2] = width & 255;
    bytes.set(key, offset + recordHead);
    offset += recordHead + key.length;
  };
  for (const { key, value } of puts) {
    add(key, value.length);
    bytes.set(value, offset);
    offset += value.length;
  }
  for (const key of gone) add(key, noEntry);
  const chunks: Uint8Array[] = [];
  for (let from = 0; from < length; from += chunkLength) {
    chunks.push(bytes.subarray(from, from + chunkLength));
  }
  return chunks;
}

/** A record of a key; no value: the log counts no more. */
interface LogRecord {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/**
 * The records of chunks in a row, oldest first.
 *
 * @param bytes all chunks of some batches; values are views of it
 * @throws TreeError `DAMAGED`
 */
export function* recordsIn(bytes: Uint8Array): Generator<LogRecord> {
  let offset = 0;
  while (offset < bytes.length) {
    const keyAt = offset + recordHead;
    const width = ((bytes[offset + 1] as number) << 8) | (bytes[offset + 2] as number);
    const valueAt = keyAt + (bytes[offset] as number);
    offset = width === noEntry ? valueAt : valueAt + width;
    if (!(offset <= bytes.length)) throw new TreeError('DAMAGED', 'the log of the store is cut');
    const value = width === noEntry ? undefined : bytes.subarray(valueAt, offset);
    yield { key: bytes.subarray(keyAt, valueAt), value };
  }
}
