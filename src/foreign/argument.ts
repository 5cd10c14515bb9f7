/** Arguments of a caller: a wrong one is the caller's mistake, and is refused before any answer is looked at. */
import { decodeHex } from '../bytes.js';
import { shown } from '../errors.js';

/**
 * Own members of an object that a caller passes, each read once. Inherited members do not count: a careless merge of
 * JSON elsewhere in the process may have put one on `Object.prototype`, and so into every claim without it.
 *
 * @returns a copy of those that are there, without a prototype
 * @throws TypeError that names the object unless it is one
 */
export function ownMembers<T extends object, K extends keyof T & string>(
  given: T,
  names: readonly K[],
  what: string,
): Pick<T, K> {
  const value: unknown = given;
  if (typeof value !== 'object' || value === null) {
    const members = names.join(', ');
    throw new TypeError(`"${what}" expected an object { ${members} }, got ${shown(value)}`);
  }
  const copy = Object.create(null);
  for (const name of names) if (Object.hasOwn(given, name)) copy[name] = given[name];
  return copy;
}

/** Bytes of a hex argument. @throws TypeError or RangeError that names it */
export function checkHex(value: unknown, width: number, name: string): Uint8Array {
  if (typeof value !== 'string') {
    throw new TypeError(`"${name}" expected a hex string, got ${shown(value)}`);
  }
  const bytes = new Uint8Array(width);
  if (!decodeHex(value, width, bytes)) {
    throw new RangeError(`"${name}" expected 0x and ${2 * width} hex digits (${width} bytes)`);
  }
  return bytes;
}
