/** Reads the numbers and words of a snapshot, one after the other, however it was cut into chunks. */
import { TreeError } from '../store/errors.js';
import { chunkWidth } from './chunks.js';

/** Bytes that no record of a snapshot passes: types, five numbers, four words and their widths. */
const longestRecord = 256;

/** Greatest number that is read: no index, and no count of leaves, reaches it. */
const numberLimit = 2 ** 48;

export const malformed = (what: string): TreeError =>
  new TreeError('BAD_SNAPSHOT', `the snapshot is malformed: ${what}; get it again`);

/** Reads on only between records, so that within one nothing waits. */
export class BodyReader {
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #bytes = new Uint8Array(chunkWidth + longestRecord);
  #at = 0;
  #end = 0;
  #isOver = false;

  /** @param chunks their contents */
  constructor(chunks: AsyncGenerator<Uint8Array>) {
    this.#chunks = chunks;
  }

  /** Whether a whole record is at hand, or all that is left. */
  get isReady(): boolean {
    return this.#isOver || this.#end - this.#at >= longestRecord;
  }

  /** Reads on until a whole record is at hand. @throws TreeError `BAD_SNAPSHOT` */
  async fill(): Promise<void> {
    while (!this.isReady) {
      const { value, done } = await this.#chunks.next();
      this.#isOver = done === true;
      if (done) return;
      this.#bytes.copyWithin(0, this.#at, this.#end);
      this.#end -= this.#at;
      this.#at = 0;
      this.#bytes.set(value, this.#end);
      this.#end += value.length;
    }
  }

  /** Whether nothing is left; only after {@link fill}. */
  get isOver(): boolean {
    return this.#isOver && this.#at === this.#end;
  }

  /** Stops reading the file. */
  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  byte(): number {
    if (this.#at >= this.#end) throw malformed('it ends within a record');
    return this.#bytes[this.#at++] as number;
  }

  /** A view of bytes, good until the next {@link fill}. */
  take(width: number): Uint8Array {
    const from = this.#at;
    this.#at += width;
    if (this.#at > this.#end) throw malformed('it ends within a record');
    return this.#bytes.subarray(from, this.#at);
  }

  /** A number in groups of seven bits, the lowest first. */
  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (value >= numberLimit || scale > numberLimit) throw malformed('a number is too large');
      if (byte >= 128) continue;
      if (byte === 0 && scale > 1) throw malformed('a number is not in its shortest form');
      return value;
    }
  }

  /**
   * Reads a big integer, its length and then its bytes, into zeros, so that it ends at an offset.
   *
   * @param width most bytes that it may have
   * @returns how many they are: none if it is zero
   */
  integer(width: number, into: Uint8Array, end: number): number {
    const length = this.byte();
    if (length > width) throw malformed(`an integer has ${length} bytes, and ${width} at most`);
    const bytes = this.take(length);
    if (bytes[0] === 0) throw malformed('an integer begins with a zero');
    into.set(bytes, end - length);
    return length;
  }
}
