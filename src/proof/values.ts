/** Single values of foreign data, read already: hex of an exact width, whole numbers, digests. */
import { decodeHex } from '../bytes.js';
import type { TreeSpec } from '../codec/spec.js';
import { indexLimit } from '../codec/word.js';
import { ShapeError, shownNumber } from '../errors.js';
import { blockWidth } from '../hash/family.js';
import { shownAt } from './read.js';

/** Bytes of hex of one of some widths. @throws ShapeError for anything else */
export function parseHex(text: unknown, widths: readonly number[], at: string): Uint8Array {
  if (typeof text !== 'string') {
    throw new ShapeError(at, `expected hex, got ${shownAt(text, at)}`);
  }
  const width = widths.find((candidate) => text.length === 2 + 2 * candidate);
  // Where none fits, the first does not either, and `decodeHex` refuses the text by its length.
  const bytes = new Uint8Array(width ?? (widths[0] as number));
  if (!decodeHex(text, bytes.length, bytes)) {
    throw new ShapeError(at, `expected 0x and ${widths.map((w) => 2 * w).join(' or ')} hex digits`);
  }
  return bytes;
}

/** A digest of the family. @throws ShapeError where an element is not canonical */
export function parseDigest(spec: TreeSpec, text: unknown, at: string): Uint8Array {
  const digest = parseHex(text, [blockWidth], at);
  if (!spec.hasher.isCanonical(digest)) {
    throw new ShapeError(at, `expected canonical elements of ${spec.hasher.title}`);
  }
  return digest;
}

/** A JSON number that is a whole number from 0. @throws ShapeError for anything else */
export function parseWhole(value: unknown, at: string): number {
  if (typeof value !== 'number') {
    throw new ShapeError(at, `expected a whole number, got ${shownAt(value, at)}`);
  }
  // -0 stands in JSON as a negative number or a fraction, which no leaf index is.
  if (!Number.isSafeInteger(value) || value < 0 || Object.is(value, -0)) {
    throw new ShapeError(at, `expected a whole number, got ${shownNumber(value)}`);
  }
  return value;
}

/** An index below 2^40. @throws ShapeError for anything else */
export function parseLeafIndex(value: unknown, at: string): bigint {
  const index = parseWhole(value, at);
  if (index >= Number(indexLimit)) {
    throw new ShapeError(at, `expected a leaf index below 2^40, got ${index}`);
  }
  return BigInt(index);
}
