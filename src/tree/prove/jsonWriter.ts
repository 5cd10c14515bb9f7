/**
 * Writes JSON of ASCII alone. Engines keep a text that was joined from dozens of parts as a tree of
 * them, which costs more to take apart than to write the bytes in the first place.
 */
import { bytesToText } from '../../bytes.js';

/** Absent on some engines. */
const decoder = typeof TextDecoder === 'undefined' ? undefined : new TextDecoder();

const toText = (bytes: Uint8Array): string => decoder?.decode(bytes) ?? bytesToText(bytes);

/** A text of ASCII that was written, whole or in pieces of its bytes. */
export type Written = string | Uint8Array[];

/** The text in one piece. */
export const wholeText = (written: Written): string =>
  typeof written === 'string' ? written : written.map(toText).join('');

/** Codes of the digits of a byte: the first of each, and the second. */
const [high, low] = [4, 0].map((shift) =>
  Uint8Array.from({ length: 256 }, (_, byte) => ((byte >> shift) & 15).toString(16).charCodeAt(0)),
) as [Uint8Array, Uint8Array];

const quote = 0x22;

/** Room for the proof of an account. */
const firstRoom = 1 << 13;

export class JsonWriter {
  #bytes = new Uint8Array(firstRoom);
  #length = 0;

  /** Begins anew: to have room allocated takes longer than to fill it. */
  clear(): void {
    this.#length = 0;
  }

  /** The written bytes, in the memory that the next text overwrites. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  toString(): string {
    return toText(this.bytes);
  }

  /** Text as it is. @param text of ASCII alone */
  text(text: string): void {
    const at = this.#take(text.length);
    const bytes = this.#bytes;
    for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
  }

  /** A part that was written before. */
  copy(part: Uint8Array): void {
    const at = this.#take(part.length);
    this.#bytes.set(part, at);
  }

  /** Bytes as a string of hex, with `0x`. */
  hex(value: Uint8Array): void {
    let at = this.#take(4 + 2 * value.length);
    const bytes = this.#bytes;
    bytes[at++] = quote;
    bytes[at++] = 0x30;
    bytes[at++] = 0x78;
    for (let i = 0; i < value.length; i++) {
      const byte = value[i] as number;
      bytes[at++] = high[byte] as number;
      bytes[at++] = low[byte] as number;
    }
    bytes[at] = quote;
  }

  /** @returns the offset of the bytes */
  #take(width: number): number {
    const at = this.#length;
    this.#length += width;
    if (this.#length > this.#bytes.length) {
      const more = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length));
      more.set(this.#bytes.subarray(0, at));
      this.#bytes = more;
    }
    return at;
  }
}
