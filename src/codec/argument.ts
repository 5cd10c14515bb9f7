/** What a caller passes: a wrong argument is its own mistake, and is refused before any answer is looked at. */
import { decodeHex, isZero } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { otherFamilies, quoteFamilies, type TreeSpec } from './spec.js';

/** Refuses an argument of named members that is none. @throws TypeError that names it */
export function checkObject(value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null) {
    const got = value === null ? 'null' : typeof value;
    throw new TypeError(`"${name}" expected an object, got ${got}`);
  }
}

/** Bytes of a hex argument. @throws TypeError or RangeError that names it */
export function checkHex(value: unknown, width: number, name: string): Uint8Array {
  if (typeof value !== 'string') {
    throw new TypeError(`"${name}" expected a hex string, got ${typeof value}`);
  }
  const bytes = new Uint8Array(width);
  if (!decodeHex(value, width, bytes)) {
    throw new RangeError(`"${name}" expected 0x and ${2 * width} hex digits (${width} bytes)`);
  }
  return bytes;
}

/** Bytes of a digest argument: canonical in the family. @throws TypeError or RangeError that names it */
export function checkDigest(spec: TreeSpec, value: unknown, name: string): Uint8Array {
  const bytes = checkHex(value, blockWidth, name);
  if (!spec.hasher.isCanonical(bytes)) {
    throw new RangeError(
      `"${name}" expected a digest of ${spec.hasher.title}, got a larger number`,
    );
  }
  return bytes;
}

/** Bytes of a trusted root. @throws TypeError or RangeError if it cannot be one */
export function checkRoot(spec: TreeSpec, value: unknown, name: string): Uint8Array {
  const bytes = checkHex(value, blockWidth, name);
  // The rollup contract answers zero for a block that ended no finalization.
  if (isZero(bytes)) {
    throw new RangeError(`"${name}" is zero, which is no root: L1 holds none for that block`);
  }
  if (!spec.hasher.isCanonical(bytes)) {
    throw new RangeError(
      `"${name}" is no root of ${spec.hasher.title} (hash: '${spec.hasher.family}'). Pass hash: ${quoteFamilies(otherFamilies(spec))} if it is one of that family; a block header's stateRoot is neither, it is another tree's`,
    );
  }
  return bytes;
}
