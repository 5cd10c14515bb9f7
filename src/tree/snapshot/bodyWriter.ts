/** Writes the numbers and words of a snapshot, one after the other. */
import { ChunkWriter } from './chunks.js';

/** Bytes that are put together before they go into chunks. */
const roomWidth = 2 ** 14;

/** Writes the body that {@link BodyReader} reads. */
export class BodyWriter {
  readonly #chunks = new ChunkWriter();
  readonly #room = new Uint8Array(roomWidth);
  #length = 0;

  byte(value: number): void {
    if (this.#length === roomWidth) this.#empty();
    this.#room[this.#length++] = value;
  }

  bytes(value: Uint8Array): void {
    if (this.#length + value.length > roomWidth) this.#empty();
    this.#room.set(value, this.#length);
    this.#length += value.length;
  }

  number(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte((rest % 128) + 128);
    this.byte(rest);
  }

  /** A big-endian integer without its leading zeros. */
  integer(word: Uint8Array): void {
    let from = 0;
    while (from < word.length && word[from] === 0) from++;
    this.byte(word.length - from);
    this.bytes(word.subarray(from));
  }

  /** Takes out the chunks that are whole. */
  take(): Uint8Array[] {
    return this.#chunks.take();
  }

  /** Takes out all that is left. */
  end(): Uint8Array[] {
    this.#empty();
    return this.#chunks.end();
  }

  #empty(): void {
    this.#chunks.add(this.#room.subarray(0, this.#length));
    this.#length = 0;
  }
}
