/** Snappy's block format (google/snappy, `format_description.txt`): a length, then literals and copies. */

/** A little-endian integer in groups of 7 bits, and the place after it. */
function readLength(bytes: Uint8Array): { length: number; at: number } {
  let length = 0;
  for (let at = 0; ; at++) {
    const byte = bytes[at] as number;
    length += (byte & 127) * 2 ** (7 * at);
    if (byte < 128) return { length, at: at + 1 };
  }
}

/** @throws Error if the block is broken */
export function decodeSnappy(bytes: Uint8Array): Uint8Array {
  const { length, at: start } = readLength(bytes);
  const out = new Uint8Array(length);
  let at = start;
  let end = 0;
  const read = (width: number) => {
    let value = 0;
    for (let i = 0; i < width; i++) value += (bytes[at + i] as number) * 2 ** (8 * i);
    at += width;
    return value;
  };
  while (at < bytes.length) {
    const tag = read(1);
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >> 2;
      const width = 1 + (short < 60 ? short : read(short - 59));
      if (at + width > bytes.length) throw new Error('a literal passes the end');
      out.set(bytes.subarray(at, at + width), end);
      at += width;
      end += width;
      continue;
    }
    const width = kind === 1 ? 4 + ((tag >> 2) & 7) : 1 + (tag >> 2);
    const offset = kind === 1 ? (tag >> 5) * 256 + read(1) : read(kind === 2 ? 2 : 4);
    if (offset === 0 || offset > end) throw new Error('a copy begins before the start');
    // A copy may overlap itself, so it is made byte by byte.
    for (let i = 0; i < width; i++, end++) out[end] = out[end - offset] as number;
  }
  if (end !== length) throw new Error(`expected ${length} bytes, got ${end}`);
  return out;
}
