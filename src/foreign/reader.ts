/**
 * The one reader of foreign JSON: what files, nodes and callers give. It repairs nothing, and what it refuses is refused
 * with the caller's own error, which says at which member.
 */
import type { Hex } from '../bytes.js';
import {
  createMemberReader,
  type MemberReader,
  memberPath,
  type Refuse,
  type Source,
} from './members.js';
import { dataText, hexBytes, hexText, parseQuantity } from './values.js';

/** Reads a value that stands at a place, for example `block.number`. @throws the caller's error */
export type Read<T> = (value: unknown, at: string) => T;

/** The same, or undefined for what is missing. */
export const optional =
  <T>(read: Read<T>): Read<T | undefined> =>
  (value, at) =>
    value === undefined ? undefined : read(value, at);

/** The same, or undefined for what is missing or null. */
export const nullable =
  <T>(read: Read<T>): Read<T | undefined> =>
  (value, at) =>
    (value ?? undefined) === undefined ? undefined : read(value, at);

/** The reading functions of one caller; each throws what the caller's {@link Refuse} makes. */
export interface Reader extends MemberReader {
  /**
   * Reads values of a form.
   *
   * @param parse gives undefined for anything else
   * @param expected names the form, in a message
   */
  as<T>(parse: (value: unknown) => T | undefined, expected: string): Read<T>;
  /** Bytes of hex of so many. */
  asBytes(width: number): Read<Uint8Array>;
  /** Hex of so many bytes, in lower case. */
  asHex(width: number): Read<Hex>;
  /** A number below 2^`bits`: a quantity in hex, or a JSON number that is whole and safe. */
  asQuantity(bits: number): Read<bigint>;
  /** The same, up to 53 bits, as a number of JavaScript. */
  asNumber(bits: number): Read<number>;
  /** Hex of any whole number of bytes, in lower case. What it came in bounds its length. */
  readonly readData: Read<Hex>;
  readonly readBoolean: Read<boolean>;
  /** An object that is no array. */
  readonly readObject: Read<Source>;
  /** The elements of an array. What it came in bounds their number. */
  readonly readArray: Read<unknown[]>;
  /** The same, each read in turn. */
  asList<T>(read: Read<T>): Read<T[]>;
  /** An object with no members but the named ones: a misspelt member must not be ignored silently. */
  readExact(value: unknown, at: string, names: readonly string[]): Source;
  /** An own member; one that is missing is read as undefined. */
  read<T>(source: Source, key: string | number, read: Read<T>): T;
}

/** Characters of an unknown name that are shown. */
const longestShown = 80;

/** How the messages of one caller name its forms, behind "expected". */
export interface Wording {
  hex(width: number): string;
  quantity(bits: number): string;
}

const usual: Wording = {
  hex: (width) => `0x and ${2 * width} hex digits`,
  quantity: (bits) => `a number below 2^${bits}, as 0x and hex digits`,
};

/** Opens a reader that refuses with the caller's errors. */
export function createReader(refuse: Refuse, wording: Partial<Wording> = {}): Reader {
  const named = { ...usual, ...wording };
  const members = createMemberReader(refuse);
  const { openObject, openArray, readMember, nameOf } = members;

  function as<T>(parse: (value: unknown) => T | undefined, expected: string): Read<T> {
    return (value, at) => {
      const parsed = parse(value);
      if (parsed !== undefined) return parsed;
      throw refuse(at, `expected ${expected}`);
    };
  }

  const asQuantity = (bits: number) =>
    as((value) => parseQuantity(value, bits), named.quantity(bits));

  function readObject(value: unknown, at: string): Source {
    if (Array.isArray(value)) throw refuse(at, 'expected an object, got array');
    return openObject(value, at);
  }

  const read = <T>(source: Source, key: string | number, reading: Read<T>): T =>
    reading(readMember(source, key), memberPath(source, key));

  const asList =
    <T>(reading: Read<T>): Read<T[]> =>
    (value, at) => {
      const list = openArray(value, at);
      return Array.from({ length: list.length }, (_, i) => read(list, i, reading));
    };

  return {
    ...{ openObject, openArray, readMember, nameOf, as, asQuantity, readObject, read },
    asBytes: (width) => as((value) => hexBytes(value, width), named.hex(width)),
    asHex: (width) => as((value) => hexText(value, width), named.hex(width)),
    asNumber(bits) {
      const reading = asQuantity(bits);
      return (value, at) => Number(reading(value, at));
    },
    readData: as(
      (value) => dataText(value, Number.MAX_SAFE_INTEGER),
      '0x and an even number of hex digits',
    ),
    readBoolean: as((value) => (typeof value === 'boolean' ? value : undefined), 'true or false'),
    asList,
    readArray: asList((element) => element),
    readExact(value, at, names) {
      const source = readObject(value, at);
      const unknown = Object.keys(source.target).find((name) => !names.includes(name));
      if (unknown === undefined) return source;
      const shown = JSON.stringify(unknown.slice(0, longestShown));
      throw refuse(at, `expected no other members than ${names.join(', ')}; got ${shown}`);
    },
  };
}
