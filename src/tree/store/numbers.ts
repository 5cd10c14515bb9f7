/** Numbers in keys and values of a store: big-endian, so that keys sort as their numbers do. */

/** Bytes of a number. */
export const numberWidth = 6;

/** Greatest number of a block: the next one still fits. */
export const maxBlock: number = 2 ** 48 - 2;

/** Byte by byte: a view for each number would cost more than all the rest. */
export function writeNumber(
  bytes: Uint8Array,
  offset: number,
  value: number,
  width: number = numberWidth,
): void {
  let rest = value;
  for (let i = width - 1; i >= 0; i--) {
    bytes[offset + i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

/** The number at an offset of a key or value. */
export function readNumber(bytes: Uint8Array, offset: number, width: number = numberWidth): number {
  let value = 0;
  for (let i = 0; i < width; i++) value = value * 256 + (bytes[offset + i] as number);
  return value;
}
