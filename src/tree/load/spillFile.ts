/**
 * Entries of a store that wait for their turn, in the order of their keys: most in a temporary
 * file, the last ones in memory.
 */
import type { Scratch, ScratchFile } from '../store/scratch.js';
import type { Entry } from '../store/store.js';

/** Bytes that stay in memory; a small state needs no file. */
const memoryWidth = 2 ** 18;

/** Bytes of a file that are read at a time: a state has some twenty spill files, all read at once. */
const pieceWidth = 2 ** 18;

/** No entry is longer, its lengths included. */
export const longestEntry: number = 2 ** 17;

/** In front of an entry: bytes of its key, and of its value in two bytes. */
const lengthsWidth = 3;

/** Entries in ascending order of their keys; all are added before the first is read. */
export class SpillFile {
  readonly #scratch: Scratch;
  #bytes = new Uint8Array(2 ** 12);
  #length = 0;
  #file: ScratchFile | undefined;
  #fileLength = 0;

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
  }

  /** Adds an entry. After many, {@link drain} makes room. @param value below 2^16 bytes */
  add(key: Uint8Array, value: Uint8Array): void {
    const at = this.reserve({ key: key.length, value: value.length });
    this.#bytes.set(key, at);
    this.#bytes.set(value, at + key.length);
  }

  /**
   * The same for an entry that the caller writes into `bytes`.
   *
   * @param widths bytes of its key and of its value
   * @returns the offset of its key; its value follows
   */
  reserve({ key, value }: { key: number; value: number }): number {
    const at = this.#length;
    this.#length += lengthsWidth + key + value;
    if (this.#length > this.#bytes.length) this.#grow(this.#length);
    const bytes = this.#bytes;
    bytes[at] = key;
    bytes[at + 1] = value >> 8;
    bytes[at + 2] = value & 255;
    return at + lengthsWidth;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Puts the entries added since into the file, unless they are few. */
  async drain(): Promise<void> {
    if (this.#length >= memoryWidth) await this.#append();
  }

  /** Bytes of all entries. */
  get length(): number {
    return this.#fileLength + this.#length;
  }

  /** Begins to read; called once. */
  async read(): Promise<SpillReader> {
    if (this.#file === undefined) {
      return new SpillReader(this.#bytes.subarray(0, this.#length), undefined);
    }
    await this.#append();
    this.#bytes = new Uint8Array(0);
    return new SpillReader(new Uint8Array(0), { file: this.#file, length: this.#fileLength });
  }

  async #append(): Promise<void> {
    this.#file ??= await this.#scratch.create();
    await this.#file.append(this.#bytes.subarray(0, this.#length));
    this.#fileLength += this.#length;
    this.#length = 0;
  }

  #grow(least: number): void {
    const longer = new Uint8Array(Math.max(least, 2 * this.#bytes.length));
    longer.set(this.#bytes);
    this.#bytes = longer;
  }
}

/** Reads the entries of a spill file in their order, and waits only when a piece of its file ends. */
export class SpillReader {
  readonly #source: { readonly file: ScratchFile; readonly length: number } | undefined;
  /** The piece at hand, how much of it was read, and its end. */
  #bytes: Uint8Array;
  #at = 0;
  #end: number;
  #offset = 0;

  /**
   * @param bytes all entries, if there is no file
   * @param source the file that holds all, and its length
   */
  constructor(bytes: Uint8Array, source: { file: ScratchFile; length: number } | undefined) {
    this.#source = source;
    this.#bytes = source ? new Uint8Array(pieceWidth + longestEntry) : bytes;
    this.#end = bytes.length;
  }

  /** Whether an entry can be looked at and taken without waiting. */
  get isReady(): boolean {
    return this.#at + lengthsWidth <= this.#end && this.#at + this.#width <= this.#end;
  }

  /** Reads on until an entry is at hand. @returns false after the last one; the file is gone then */
  async fill(): Promise<boolean> {
    if (this.isReady) return true;
    const { file, length } = this.#source ?? { length: 0 };
    if (this.#offset === length) {
      await file?.delete();
      return false;
    }
    const bytes = this.#bytes;
    bytes.copyWithin(0, this.#at, this.#end);
    const kept = this.#end - this.#at;
    const width = Math.min(bytes.length - kept, length - this.#offset);
    await file?.read(this.#offset, bytes.subarray(kept, kept + width));
    this.#offset += width;
    this.#at = 0;
    this.#end = kept + width;
    return true;
  }

  /** Bytes of key and value of the entry at hand. */
  get entryWidth(): number {
    return this.#width - lengthsWidth;
  }

  /** Takes the entry at hand. @param into gets a copy of it from an offset on, which is returned */
  take(into: Uint8Array, offset: number): Entry {
    const from = this.#at + lengthsWidth;
    const keyEnd = offset + (this.#bytes[this.#at] as number);
    const end = offset + this.entryWidth;
    this.#at += this.#width;
    into.set(this.#bytes.subarray(from, this.#at), offset);
    return { key: into.subarray(offset, keyEnd), value: into.subarray(keyEnd, end) };
  }

  /** Whether the key at hand sorts before that of another; no key is in both. */
  isBelow(other: SpillReader): boolean {
    const [bytes, others] = [this.#bytes, other.#bytes];
    const width = Math.min(bytes[this.#at] as number, others[other.#at] as number);
    const [at, otherAt] = [this.#at + lengthsWidth, other.#at + lengthsWidth];
    for (let i = 0; i < width; i++) {
      const difference = (bytes[at + i] as number) - (others[otherAt + i] as number);
      if (difference !== 0) return difference < 0;
    }
    return (bytes[this.#at] as number) < (others[other.#at] as number);
  }

  get #width(): number {
    const [bytes, at] = [this.#bytes, this.#at];
    const valueWidth = (bytes[at + 1] as number) * 256 + (bytes[at + 2] as number);
    return lengthsWidth + (bytes[at] as number) + valueWidth;
  }
}
