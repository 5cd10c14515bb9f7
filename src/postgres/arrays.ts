/** Arrays as PostgreSQL takes them, in its binary form: as text, bytes would be twice as long. */

/** Number of the type `bytea`. */
const bytea = 17;

/** Bytes in front of the members: dimensions, flags, type, length and first index. */
const headWidth = 20;

/** An array of byte strings. */
export function byteArrays(items: readonly Uint8Array[]): Buffer {
  let width = headWidth;
  for (const { length } of items) width += 4 + length;
  const array = Buffer.allocUnsafe(width);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(0, 4);
  array.writeInt32BE(bytea, 8);
  array.writeInt32BE(items.length, 12);
  array.writeInt32BE(1, 16);
  let offset = headWidth;
  for (const item of items) {
    array.writeInt32BE(item.length, offset);
    array.set(item, offset + 4);
    offset += 4 + item.length;
  }
  return array;
}

/** An array of whole numbers. */
export const numbers = (items: readonly number[]): string => `{${items.join(',')}}`;
