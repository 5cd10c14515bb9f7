/** Reads JSON of a file or a node. */
import type { Hex } from '../../bytes.js';
import { memberPath, type Source } from '../../foreign/members.js';
import { createReader, type ValueReader } from '../../foreign/reader.js';
import { dataText } from '../../foreign/values.js';

/** Malformed JSON. The caller, who knows its source, turns it into a FollowError. */
export class FormatError extends Error {
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`"${path}" ${reason}`, options);
  }
}

const reader = createReader((at, reason, options) => new FormatError(at, reason, options));

/** Reads members. @throws FormatError */
export const { read, readMember, readObject, openArray, as, asList, asQuantity } = reader;

export const readBoolean: ValueReader<boolean> = as(
  (value) => (typeof value === 'boolean' ? value : undefined),
  'true or false',
);
/** Hex of any whole number of bytes, in lower case. The transport or the line bounds its length. */
export const readData: ValueReader<Hex> = as(
  (value) => dataText(value, Number.MAX_SAFE_INTEGER),
  '0x and an even number of hex digits',
);
export const readArray: ValueReader<unknown[]> = asList((element) => element);
export const readAddress: ValueReader<Hex> = reader.asHex(20);
/** 32 bytes. */
export const readWord: ValueReader<Hex> = reader.asHex(32);
/** A number that a JavaScript number holds: of a block, or a time in seconds. */
export const readSafeNumber: ValueReader<number> = reader.asNumber(48);
export const readNonce: ValueReader<bigint> = asQuantity(64);
/** An amount, or gas. */
export const readAmount: ValueReader<bigint> = asQuantity(256);

/** A word of storage that is not there. */
export const zeroWord: Hex = `0x${'0'.repeat(64)}`;

/** An object with no members but the named ones: a misspelt member must not be ignored silently. */
export function readExact(value: unknown, path: string, names: readonly string[]): Source {
  const source = readObject(value, path);
  const unknown = Object.keys(source.target).find((name) => !names.includes(name));
  if (unknown === undefined) return source;
  const name = JSON.stringify(unknown.slice(0, 80));
  const text = `expected no other members than ${names.join(', ')}; got ${name}`;
  throw new FormatError(path, text);
}

/**
 * Names of an object with their values, each once.
 *
 * @param readName gives the key that a name stands for
 */
export function readNames<K>(
  value: unknown,
  path: string,
  readName: (name: string, path: string) => K,
): (readonly [key: K, value: unknown, path: string])[] {
  const seen = new Set<K>();
  const source = readObject(value, path);
  return Object.keys(source.target).map((name) => {
    const at = memberPath(source, name.slice(0, 80));
    const key = readName(name, at);
    if (seen.has(key)) throw new FormatError(at, 'expected each key once');
    seen.add(key);
    return [key, readMember(source, name), at];
  });
}

/** Slots of an account: their values by their keys, in lower case. None if the member is missing. */
export const readStorage: ValueReader<Map<Hex, Hex>> = (value, path) =>
  new Map(
    (value === undefined ? [] : readNames(value, path, readWord)).map(([key, word, at]) => [
      key,
      readWord(word, at),
    ]),
  );
