/** Reads members of parsed JSON strictly: what a file or a node says is foreign until it was looked at here. */
import type { Hex } from '../bytes.js';

/** JSON that is not what it should be; whoever knows where it came from says so with a FollowError. */
export class FormatError extends Error {
  constructor(path: string, expected: string) {
    super(`"${path}" expected ${expected}`);
  }
}

/** A word of storage that is not there. */
export const zeroWord: Hex = `0x${'0'.repeat(64)}`;

export type Members = Readonly<Record<string, unknown>>;

/** An object that is no array. */
export function readObject(value: unknown, path: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FormatError(path, 'an object');
  }
  return value as Members;
}

/** An object with none but the named members: a misspelt one would be lost in silence. */
export function readExact(value: unknown, path: string, names: readonly string[]): Members {
  const members = readObject(value, path);
  const unknown = Object.keys(members).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const name = JSON.stringify(unknown.slice(0, 80));
    throw new FormatError(path, `no other members than ${names.join(', ')}; got ${name}`);
  }
  return members;
}

/** An own member; undefined where there is none, whatever the prototype has. */
export const member = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;

export function readArray(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new FormatError(path, 'an array');
  return value;
}

export function readBoolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw new FormatError(path, 'true or false');
  return value;
}

/** Hex of so many bytes, in lower case. */
export function readHex(value: unknown, width: number, path: string): Hex {
  const isRight =
    typeof value === 'string' && value.length === 2 + 2 * width && /^0x[0-9a-f]*$/i.test(value);
  if (!isRight) throw new FormatError(path, `0x and ${2 * width} hex digits`);
  return (value as string).toLowerCase() as Hex;
}

/** Hex of any whole number of bytes, in lower case. */
export function readData(value: unknown, path: string): Hex {
  const isRight =
    typeof value === 'string' && value.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(value);
  if (!isRight) throw new FormatError(path, '0x and an even number of hex digits');
  return (value as string).toLowerCase() as Hex;
}

/** A number below 2^bits: hex with 0x, or a JSON number that is whole and safe. */
export function readQuantity(value: unknown, bits: number, path: string): bigint {
  const isHex = typeof value === 'string' && value.length <= 2 + 64 && /^0x[0-9a-f]+$/i.test(value);
  if (isHex || (Number.isSafeInteger(value) && (value as number) >= 0)) {
    const quantity = BigInt(value as string | number);
    if (quantity >> BigInt(bits) === 0n) return quantity;
  }
  throw new FormatError(path, `a number below 2^${bits}, as 0x and hex digits`);
}

/** A number that a JavaScript number holds: of a block, or a time in seconds. */
export const readNumber = (value: unknown, path: string): number =>
  Number(readQuantity(value, 48, path));

/** Names of an object of addresses or slot keys with their values, in lower case, each once. */
export function readEntries(
  value: unknown,
  width: number,
  path: string,
): (readonly [key: Hex, value: unknown, path: string])[] {
  const seen = new Set<Hex>();
  return Object.entries(readObject(value, path)).map(([name, content]) => {
    const at = `${path}.${name.slice(0, 80)}`;
    const key = readHex(name, width, at);
    if (seen.has(key)) throw new FormatError(at, 'each key once');
    seen.add(key);
    return [key, content, at];
  });
}

/** Slots of an account: words by words. */
export function readStorage(value: unknown, path: string): Map<Hex, Hex> {
  const entries = value === undefined ? [] : readEntries(value, 32, path);
  return new Map(entries.map(([key, word, at]) => [key, readHex(word, 32, at)]));
}
