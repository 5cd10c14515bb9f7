/** CRC-32 as zip, gzip and PNG have it: it finds damage early, and is no proof of anything. */

/** Remainders of each byte, and of each byte with one to three zero bytes behind it. */
const tables: readonly Uint32Array[] = (() => {
  const first = new Uint32Array(256).map((_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
  });
  const all = [first];
  for (let zeros = 1; zeros < 4; zeros++) {
    const shorter = all[zeros - 1] as Uint32Array;
    all.push(shorter.map((rest) => (rest >>> 8) ^ (first[rest & 255] as number)));
  }
  return all;
})();

/** The checksum of bytes behind others. @param before the checksum of those others; 0 if there are none */
export function crc32(bytes: Uint8Array, before = 0): number {
  const [t0, t1, t2, t3] = tables as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  let rest = ~before;
  let i = 0;
  // Four bytes a turn: with one, the checksum would take a tenth of a load's time.
  for (; i + 4 <= bytes.length; i += 4) {
    const low = (bytes[i] as number) | ((bytes[i + 1] as number) << 8);
    rest ^= low | ((bytes[i + 2] as number) << 16) | ((bytes[i + 3] as number) << 24);
    rest =
      (t3[rest & 255] as number) ^
      (t2[(rest >>> 8) & 255] as number) ^
      (t1[(rest >>> 16) & 255] as number) ^
      (t0[rest >>> 24] as number);
  }
  for (; i < bytes.length; i++) {
    rest = (rest >>> 8) ^ (t0[(rest ^ (bytes[i] as number)) & 255] as number);
  }
  return ~rest >>> 0;
}
