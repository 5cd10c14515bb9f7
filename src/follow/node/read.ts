/** Reads members of parsed JSON strictly: values from a file or a node are untrusted until they were checked here. */
import type { Hex } from '../../bytes.js';
import { createMemberReader, memberPath, type Source } from '../../foreign/members.js';
import { dataText, hexText, parseQuantity } from '../../foreign/values.js';

/** Malformed JSON. The caller, who knows its source, turns it into a FollowError. */
export class FormatError extends Error {
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`"${path}" ${reason}`, options);
  }
}

const { openObject, openArray, readMember } = createMemberReader(
  (at, reason, options) => new FormatError(at, reason, options),
);

/** A word of storage that is not there. */
export const zeroWord: Hex = `0x${'0'.repeat(64)}`;

/** An object that is no array. */
export function readObject(value: unknown, path: string): Source {
  if (Array.isArray(value)) throw new FormatError(path, 'expected an object, got array');
  return openObject(value, path);
}

/** An object with no members but the named ones: a misspelt member must not be ignored silently. */
export function readExact(value: unknown, path: string, names: readonly string[]): Source {
  const source = readObject(value, path);
  const unknown = Object.keys(source.target).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const name = JSON.stringify(unknown.slice(0, 80));
    const text = `expected no other members than ${names.join(', ')}; got ${name}`;
    throw new FormatError(path, text);
  }
  return source;
}

/** An own member; undefined if it is missing, even if the prototype has one. */
export const member = readMember;

export function readArray(value: unknown, path: string): readonly unknown[] {
  const source = openArray(value, path);
  return Array.from({ length: source.length }, (_, i) => readMember(source, i));
}

export function readBoolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw new FormatError(path, 'expected true or false');
  return value;
}

/** Hex of so many bytes, in lower case. */
export function readHex(value: unknown, width: number, path: string): Hex {
  const hex = hexText(value, width);
  if (hex !== undefined) return hex;
  throw new FormatError(path, `expected 0x and ${2 * width} hex digits`);
}

/** Hex of any whole number of bytes, in lower case. The transport or the line bounds its length. */
export function readData(value: unknown, path: string): Hex {
  const data = dataText(value, Number.MAX_SAFE_INTEGER);
  if (data !== undefined) return data;
  throw new FormatError(path, 'expected 0x and an even number of hex digits');
}

/** A number below 2^bits: hex with 0x, or a JSON number that is whole and safe. */
export function readQuantity(value: unknown, bits: number, path: string): bigint {
  const number = parseQuantity(value, bits);
  if (number !== undefined) return number;
  throw new FormatError(path, `expected a number below 2^${bits}, as 0x and hex digits`);
}

/** A number that a JavaScript number holds: of a block, or a time in seconds. */
export const readNumber = (value: unknown, path: string): number =>
  Number(readQuantity(value, 48, path));

/**
 * Names of an object with their values, each once.
 *
 * @param read gives the key that a name stands for
 */
export function readNames<K>(
  value: unknown,
  path: string,
  read: (name: string, path: string) => K,
): (readonly [key: K, value: unknown, path: string])[] {
  const seen = new Set<K>();
  const source = readObject(value, path);
  return Object.keys(source.target).map((name) => {
    const at = memberPath(source, name.slice(0, 80));
    const key = read(name, at);
    if (seen.has(key)) throw new FormatError(at, 'expected each key once');
    seen.add(key);
    return [key, readMember(source, name), at];
  });
}

/** Names that are addresses or slot keys with their values, in lower case, each once. */
export const readEntries = (value: unknown, width: number, path: string) =>
  readNames(value, path, (name, at) => readHex(name, width, at));

/** Slots of an account: their values by their keys. */
export function readStorage(value: unknown, path: string): Map<Hex, Hex> {
  const entries = value === undefined ? [] : readEntries(value, 32, path);
  return new Map(entries.map(([key, word, at]) => [key, readHex(word, 32, at)]));
}
