/** Writes what `Reader` reads. */

/** Seven bits a byte; from here on more of the number follows. */
const more = 0x80;

/** Collects bytes. */
export class CompactWriter {
  readonly #parts: Uint8Array[] = [];
  #width = 0;

  putBytes(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#width += bytes.length;
  }

  /** A whole number from 0 to 2^40, in its shortest form. */
  putNumber(number: number): void {
    const bytes: number[] = [];
    let rest = number;
    // A division and no shift: numbers pass 32 bits.
    for (; rest >= more; rest = Math.floor(rest / more)) bytes.push(more + (rest % more));
    this.putBytes(Uint8Array.of(...bytes, rest));
  }

  /** All bytes so far. */
  finish(): Uint8Array {
    const bytes = new Uint8Array(this.#width);
    let offset = 0;
    for (const part of this.#parts) {
      bytes.set(part, offset);
      offset += part.length;
    }
    return bytes;
  }
}
