/** Foreign values as a proof or a trace holds them; whatever does not fit is a ShapeError. */
import type { TreeSpec } from '../codec/spec.js';
import { indexLimit } from '../codec/word.js';
import { ShapeError, shownNumber } from '../errors.js';
import { memberPath, type Source } from '../foreign/members.js';
import { nameOf, readMember } from '../foreign/shape.js';
import { hexBytes, parseWholeNumber } from '../foreign/values.js';
import { blockWidth } from '../hash/family.js';

/** An element that is text, of any length and content. @throws ShapeError for anything else */
export function readString(source: Source, i: number): string {
  const text = readMember(source, i);
  if (typeof text === 'string') return text;
  const at = memberPath(source, i);
  throw new ShapeError(at, `expected hex, got ${nameOf(text, at)}`);
}

/** Bytes of hex of one of some widths. @throws ShapeError for anything else */
export function parseHex(value: unknown, widths: readonly number[], at: string): Uint8Array {
  if (typeof value !== 'string') throw new ShapeError(at, `expected hex, got ${nameOf(value, at)}`);
  for (const width of widths) {
    const bytes = hexBytes(value, width);
    if (bytes !== undefined) return bytes;
  }
  throw new ShapeError(at, `expected 0x and ${widths.map((w) => 2 * w).join(' or ')} hex digits`);
}

/** A digest of the family. @throws ShapeError if an element is not canonical */
export function parseDigest(spec: TreeSpec, value: unknown, at: string): Uint8Array {
  const digest = parseHex(value, [blockWidth], at);
  if (!spec.hasher.isCanonical(digest)) {
    throw new ShapeError(at, `expected canonical elements of ${spec.hasher.title}`);
  }
  return digest;
}

/** A JSON number that is a whole number from 0. @throws ShapeError for anything else */
export function parseWhole(value: unknown, at: string): number {
  const whole = parseWholeNumber(value);
  if (whole === undefined) {
    const given = typeof value === 'number' ? shownNumber(value) : nameOf(value, at);
    throw new ShapeError(at, `expected a whole number, got ${given}`);
  }
  return whole;
}

/** An index below 2^40. @throws ShapeError for anything else */
export function parseLeafIndex(value: unknown, at: string): bigint {
  const index = parseWhole(value, at);
  if (index >= Number(indexLimit)) {
    throw new ShapeError(at, `expected a leaf index below 2^40, got ${index}`);
  }
  return BigInt(index);
}
