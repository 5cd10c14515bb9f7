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
import { hexText, parseQuantity } from './values.js';

/** Reads a value that stands at a place, for example `block.number`. @throws the caller's error */
export type ValueReader<T> = (value: unknown, at: string) => T;

/** The same, or undefined for what is missing. */
export const optional =
  <T>(read: ValueReader<T>): ValueReader<T | undefined> =>
  (value, at) =>
    value === undefined ? undefined : read(value, at);

/** The same, or undefined for what is missing or null. */
export const nullable =
  <T>(read: ValueReader<T>): ValueReader<T | undefined> =>
  (value, at) =>
    (value ?? undefined) === undefined ? undefined : read(value, at);

/** The reading functions of one caller; each throws what the caller's {@link Refuse} makes. */
interface Reader extends MemberReader {
  /**
   * Reads values of a form.
   *
   * @param parse gives undefined for anything else
   * @param expected names the form, in a message
   */
  as<T>(parse: (value: unknown) => T | undefined, expected: string): ValueReader<T>;
  /** Hex of so many bytes, in lower case. */
  asHex(width: number): ValueReader<Hex>;
  /** A number below 2^`bits`: a quantity in hex, or a JSON number that is whole and safe. */
  asQuantity(bits: number): ValueReader<bigint>;
  /** The same, up to 53 bits, as a number of JavaScript. */
  asNumber(bits: number): ValueReader<number>;
  /** An object that is no array. */
  readonly readObject: ValueReader<Source>;
  /** The elements of an array, each read in turn. What it came in bounds their number. */
  asList<T>(read: ValueReader<T>): ValueReader<T[]>;
  /** An own member; one that is missing is read as undefined. */
  read<T>(source: Source, key: string | number, read: ValueReader<T>): T;
}

/** How the messages of one caller name its forms, behind "expected". */
interface FormNames {
  hex(width: number): string;
  quantity(bits: number): string;
}

const usual: FormNames = {
  hex: (width) => `0x and ${2 * width} hex digits`,
  quantity: (bits) => `a number below 2^${bits}, as 0x and hex digits`,
};

/** Opens a reader that refuses with the caller's errors. */
export function createReader(refuse: Refuse, names: Partial<FormNames> = {}): Reader {
  const named = { ...usual, ...names };
  const members = createMemberReader(refuse);

  const as =
    <T>(parse: (value: unknown) => T | undefined, expected: string): ValueReader<T> =>
    (value, at) => {
      const parsed = parse(value);
      if (parsed !== undefined) return parsed;
      throw refuse(at, `expected ${expected}`);
    };

  const asQuantity = (bits: number) =>
    as((value) => parseQuantity(value, bits), named.quantity(bits));

  const read = <T>(source: Source, key: string | number, reading: ValueReader<T>): T =>
    reading(members.readMember(source, key), memberPath(source, key));

  return {
    ...members,
    as,
    asQuantity,
    read,
    asHex: (width) => as((value) => hexText(value, width), named.hex(width)),
    asNumber(bits) {
      const reading = asQuantity(bits);
      return (value, at) => Number(reading(value, at));
    },
    asList: (reading) => (value, at) => {
      const list = members.openArray(value, at);
      return Array.from({ length: list.length }, (_, i) => read(list, i, reading));
    },
    readObject(value, at) {
      if (Array.isArray(value)) throw refuse(at, 'expected an object, got array');
      return members.openObject(value, at);
    },
  };
}
