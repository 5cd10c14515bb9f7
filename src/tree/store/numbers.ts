/** Numbers in keys and values of a store: big-endian, so that keys sort as their numbers do. */

/** Bytes of a number. */
export const numberWidth = 6;

/** Bytes that a shift can hold. */
const shiftedWidth = 4;

/** Greatest number of a block: the next one still fits. */
export const maxBlock: number = 2 ** 48 - 2;

/**
 * Byte by byte: a view for each number would cost more than all the rest. Shifted, since a remainder of numbers that are longer
 * than a shift can hold takes ten times as long.
 *
 * @param value whole, from 0
 */
export function writeNumber(
  bytes: Uint8Array,
  offset: number,
  value: number,
  width: number = numberWidth,
): void {
  const end = offset + width;
  // An array of bytes keeps the lowest eight bits of what is put into it.
  let rest = value >>> 0;
  for (let i = 1; i <= width; i++) {
    bytes[end - i] = rest;
    rest = i === shiftedWidth ? Math.floor(value / 2 ** (8 * shiftedWidth)) : rest >>> 8;
  }
}

/** The number at an offset of a key or value. */
export function readNumber(bytes: Uint8Array, offset: number, width: number = numberWidth): number {
  let value = 0;
  for (let i = 0; i < width; i++) value = value * 256 + (bytes[offset + i] as number);
  return value;
}
