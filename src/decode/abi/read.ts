/**
 * Reads values out of ABI data of unknown origin, in the one form that encoding gives. Every digit is either part of a
 * value or compared with what the encoder would write there. Encoding the values again thus gives the data itself: it
 * has no dirty bits above an address, no padding other than zero, no offset to anywhere but the next free place, and
 * nothing behind the end. This also bounds the work: no digit is read twice, whatever the offsets say.
 */
import { decodeHex } from '../../bytes.js';
import { type AbiType, sumHeads, wordDigits } from './type.js';

/** Text for `string`; lower-case hex with `0x` for addresses and bytes. */
export type Value = bigint | boolean | string | readonly Value[];

interface Reading {
  /** Lower-case hex digits. */
  readonly data: string;
  /** Where the next value of variable length must lie. */
  tail: number;
}

const zeros = '0'.repeat(wordDigits);
const ones = 'f'.repeat(wordDigits);
const yes = `${'0'.repeat(wordDigits - 1)}1`;
/** Digits of an address, and of a length that a number holds exactly. */
const addressDigits = 40;
const lengthDigits = 12;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** An integer; the digits above its type must be those of its sign. */
function readInteger(word: string, bits: number, isSigned: boolean): bigint | undefined {
  const digits = bits / 4;
  const value = BigInt(`0x${word}`);
  if (!isSigned) return word.startsWith(zeros.slice(digits)) ? value : undefined;
  const signed = BigInt.asIntN(bits, value);
  const fill = signed < 0n ? ones : zeros;
  return word.startsWith(fill.slice(digits)) ? signed : undefined;
}

/** Reads a value of one word; undefined if the word holds more than the type. */
export function decodeWord(type: AbiType, word: string): Value | undefined {
  switch (type.kind) {
    case 'uint':
      return readInteger(word, type.bits, false);
    case 'int':
      return readInteger(word, type.bits, true);
    case 'address': {
      const above = wordDigits - addressDigits;
      return word.startsWith(zeros.slice(addressDigits)) ? `0x${word.slice(above)}` : undefined;
    }
    case 'bool':
      if (word === zeros) return false;
      return word === yes ? true : undefined;
    case 'fixedBytes':
      return word.endsWith(zeros.slice(type.digits))
        ? `0x${word.slice(0, type.digits)}`
        : undefined;
    default:
      return undefined;
  }
}

/** The length at `at`; undefined if the data ends before, or no data is that long. */
function readLength({ data }: Reading, at: number): number | undefined {
  const end = at + wordDigits;
  if (end > data.length || !data.startsWith(zeros.slice(lengthDigits), at)) return undefined;
  return Number.parseInt(data.slice(end - lengthDigits, end), 16);
}

/** Text of UTF-8 in hex digits; undefined if it is not UTF-8. */
export function decodeUtf8(digits: string): string | undefined {
  if (digits.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(digits.length / 2);
  decodeHex(`0x${digits}`, bytes.length, bytes);
  try {
    return utf8.decode(bytes);
  } catch {
    // Bytes that are no text would not be written as they are.
    return undefined;
  }
}

/** Reads `bytes` or `string` at the tail. */
function readBytes(reading: Reading, type: AbiType): Value | undefined {
  const { data, tail } = reading;
  const length = readLength(reading, tail);
  if (length === undefined) return undefined;
  const start = tail + wordDigits;
  const end = start + 2 * length;
  const padded = start + wordDigits * Math.ceil(length / 32);
  if (padded > data.length || !data.startsWith(zeros.slice(0, padded - end), end)) return undefined;
  reading.tail = padded;
  const digits = data.slice(start, end);
  return type.kind === 'bytes' ? `0x${digits}` : decodeUtf8(digits);
}

/** Reads values side by side, whose heads begin at the tail. */
function readBody(reading: Reading, types: readonly AbiType[]): readonly Value[] | undefined {
  const base = reading.tail;
  const end = base + sumHeads(types);
  if (end > reading.data.length) return undefined;
  reading.tail = end;
  return readHeads(reading, types, base);
}

/** Reads a value of variable length at the tail. */
function readTail(reading: Reading, type: AbiType): Value | undefined {
  if (type.kind === 'tuple') return readBody(reading, type.items);
  if (type.kind !== 'array') return readBytes(reading, type);
  const { item } = type;
  let { length } = type;
  if (length === undefined) {
    length = readLength(reading, reading.tail);
    reading.tail += wordDigits;
    // Before the list is made: a length costs its sender nothing.
    const room = reading.data.length - reading.tail;
    if (length === undefined || length * item.headDigits > room) return undefined;
  }
  return readBody(reading, new Array<AbiType>(length).fill(item));
}

/** Reads a value whose head is at `at`. */
function readValue(reading: Reading, type: AbiType, at: number, base: number) {
  if (type.isDynamic) {
    const offset = readLength(reading, at);
    // Values of variable length follow one another without gaps, in the order of their heads.
    return offset === (reading.tail - base) / 2 ? readTail(reading, type) : undefined;
  }
  if (type.kind === 'tuple') return readHeads(reading, type.items, at);
  if (type.kind === 'array') {
    return readHeads(reading, new Array<AbiType>(type.length as number).fill(type.item), at);
  }
  return decodeWord(type, reading.data.slice(at, at + wordDigits));
}

/** Reads values side by side, whose heads begin at `base` and lie within the data. */
function readHeads(
  reading: Reading,
  types: readonly AbiType[],
  base: number,
): readonly Value[] | undefined {
  const values: Value[] = [];
  let at = base;
  for (const type of types) {
    const value = readValue(reading, type, at, base);
    if (value === undefined) return undefined;
    values.push(value);
    at += type.headDigits;
  }
  return values;
}

/**
 * Reads the values that `data` is the encoding of; undefined if it is not exactly that.
 *
 * @param data lower-case hex digits without `0x`
 */
export function decodeValues(
  types: readonly AbiType[],
  data: string,
): readonly Value[] | undefined {
  const reading = { data, tail: 0 };
  const values = readBody(reading, types);
  return reading.tail === data.length ? values : undefined;
}
