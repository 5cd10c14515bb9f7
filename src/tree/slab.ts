/** Memory for many small arrays, in pieces: for each on its own, the engine would ask the system. */

/** Bytes of the first piece, and of the longest: most trees change little in a block. */
const firstPiece = 2 ** 11;
const longestPiece = 2 ** 16;

/** Cuts arrays from pieces. A piece lives as long as one of its arrays. */
export class Slab {
  #rest: Uint8Array = new Uint8Array(0);
  #next = firstPiece;

  /** An array of zeros. */
  take(length: number): Uint8Array {
    if (length > this.#rest.length) {
      this.#rest = new Uint8Array(Math.max(length, this.#next));
      this.#next = Math.min(2 * this.#next, longestPiece);
    }
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }
}
