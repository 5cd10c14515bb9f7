/** Arguments of a caller: a wrong one is the caller's mistake, and is refused before any answer is looked at. */
import { decodeHex, type Hex } from '../bytes.js';
import { nearestName, shown, wrongRange, wrongType } from '../errors.js';

/** Longest part of an unknown name that a message shows. */
const longestShown = 40;

/** An unknown name for a message: it may come from a file, so it is cut, and escaped unless it is plain. */
const shownName = (name: string): string =>
  name
    .slice(0, longestShown)
    .replace(/[^ !#-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The known name that was probably meant, or all that are known. */
function adviceOn(name: string, names: readonly string[]): string {
  const nearest = nearestName(name.slice(0, longestShown), names);
  return nearest === undefined ? `known: ${names.join(', ')}` : `did you mean "${nearest}"?`;
}

/** Refuses own members that no rule names: a misspelt one would be lost in silence. @throws TypeError */
export function refuseUnknown(given: object, names: readonly string[], what: string): void {
  for (const name of Object.getOwnPropertyNames(given)) {
    if (names.includes(name)) continue;
    throw wrongType(`${what}.${shownName(name)}`, `is unknown; ${adviceOn(name, names)}`);
  }
}

/**
 * Own members of an object that holds others beside them, each read once: what the caller has from elsewhere, such as an
 * item of a list, or the description of a chain. Inherited members do not count: a careless merge of JSON elsewhere in
 * the process may have put one on `Object.prototype`, and so into every claim without it.
 *
 * @returns a copy of those that are there, without a prototype
 * @throws TypeError that names the object unless it is one
 */
export function pickMembers<T extends object, K extends keyof T & string>(
  given: T,
  names: readonly K[],
  what: string,
): Pick<T, K> {
  checkMembers(given, names, what);
  return copyOf(given, names);
}

/**
 * Own members of options or of a claim, as {@link pickMembers} reads them. Others are refused.
 *
 * @throws TypeError that names the object unless it is one, or the member that is unknown
 */
export function ownMembers<T extends object, K extends keyof T & string>(
  given: T,
  names: readonly K[],
  what: string,
): Pick<T, K> {
  checkMembers(given, names, what);
  refuseUnknown(given, names, what);
  return copyOf(given, names);
}

/**
 * The same, of options some of which strengthen a check.
 *
 * @param strengthening names that must have a value if they are there: without it, less would be checked than was meant
 * @throws TypeError as {@link ownMembers}, or that names the member without a value
 */
export function ownOptions<T extends object, K extends keyof T & string>(
  given: T,
  names: readonly K[],
  what: string,
  strengthening: readonly K[],
): Pick<T, K> {
  const copy = ownMembers(given, names, what);
  refuseEmpty(copy, strengthening);
  return copy;
}

/** Refuses own members that are there without a value. @throws TypeError that names the first one */
export function refuseEmpty<K extends string>(
  given: { readonly [name in K]?: unknown },
  names: readonly K[],
): void {
  for (const name of names) {
    if (!Object.hasOwn(given, name)) continue;
    const value = given[name];
    if (value !== undefined && value !== null) continue;
    throw wrongType(name, `is ${value}; leave it out, or pass a value`);
  }
}

function checkMembers(value: unknown, names: readonly string[], what: string): void {
  if (typeof value === 'object' && value !== null) return;
  const members = names.join(', ');
  throw wrongType(what, `expected an object { ${members} }, got ${shown(value)}`);
}

/** Prototype of copies: nobody can give it members. To an object without any, an engine gives a table of its own. */
const noMembers: object = Object.freeze(Object.create(null));

function copyOf<T extends object, K extends keyof T & string>(
  given: T,
  names: readonly K[],
): Pick<T, K> {
  const copy = Object.create(noMembers);
  for (const name of names) if (Object.hasOwn(given, name)) copy[name] = given[name];
  return copy;
}

/** Bytes of a hex argument. @throws TypeError or RangeError that names it */
export function checkHex(value: unknown, width: number, name: string): Uint8Array {
  if (typeof value !== 'string') {
    throw wrongType(name, `expected a hex string, got ${shown(value)}`);
  }
  const bytes = new Uint8Array(width);
  if (!decodeHex(value, width, bytes)) {
    throw wrongRange(name, `expected 0x and ${2 * width} hex digits (${width} bytes)`);
  }
  return bytes;
}

/** Bytes of hex that was checked before, of any whole width. */
export const hexToBytes = (hex: Hex): Uint8Array => checkHex(hex, (hex.length - 2) / 2, 'hex');

/** A bound that may be `Infinity`. @throws TypeError or RangeError */
export function checkCount(value: unknown, name: string, least: number): number {
  if (typeof value !== 'number') throw wrongType(name, `expected a number, got ${shown(value)}`);
  if (value >= least && (Number.isSafeInteger(value) || value === Infinity)) return value;
  throw wrongRange(name, `expected a whole number from ${least}, or Infinity`);
}
