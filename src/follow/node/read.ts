/** Reads JSON of a file or a node. */
import type { Hex } from '../../bytes.js';
import { memberPath } from '../../foreign/members.js';
import { createReader, type Read } from '../../foreign/reader.js';

/** Malformed JSON. The caller, who knows its source, turns it into a FollowError. */
export class FormatError extends Error {
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`"${path}" ${reason}`, options);
  }
}

const reader = createReader((at, reason, options) => new FormatError(at, reason, options));

/** Reads members. @throws FormatError */
export const { read, readMember, readObject, readExact, readArray, readData, readBoolean } = reader;
export const { openArray, asBytes, asList, asQuantity } = reader;

export const readAddress: Read<Hex> = reader.asHex(20);
/** 32 bytes. */
export const readWord: Read<Hex> = reader.asHex(32);
/** A number that a JavaScript number holds: of a block, or a time in seconds. */
export const readNumber: Read<number> = reader.asNumber(48);
export const readNonce: Read<bigint> = asQuantity(64);
/** An amount, or gas. */
export const readAmount: Read<bigint> = asQuantity(256);

/** A word of storage that is not there. */
export const zeroWord: Hex = `0x${'0'.repeat(64)}`;

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
export const readStorage: Read<Map<Hex, Hex>> = (value, path) =>
  new Map(
    (value === undefined ? [] : readNames(value, path, readWord)).map(([key, word, at]) => [
      key,
      readWord(word, at),
    ]),
  );
