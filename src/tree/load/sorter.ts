/**
 * Sorts more records than fit memory: runs of them are sorted and put into a temporary file, and
 * merged once at the end.
 */
import type { Scratch, ScratchFile } from '../store/scratch.js';
import { MergeHeap } from './mergeHeap.js';
import { sortRecords } from './sortRecords.js';

/** Most records that are sorted at a time. */
const maxRecords = 2 ** 20;

/** Bytes of a run, unless it has `maxRecords` records before. */
const runWidth = 16 * 2 ** 20;

/** Bytes of a run that are read at a time, while not too many runs share `readWidth`. */
const pieceWidth = 2 ** 18;

/** Bytes that are read ahead of all runs together. */
const readWidth = 16 * 2 ** 20;

/** Bytes of sorted records that are given at a time. */
const pageWidth = 2 ** 20;

/** Records by which a long buffer grows: what comes in between two drains is less. */
const leastGrowth = 2 ** 16;

/** A run that is read: the piece that is in memory, and what of the file comes behind it. */
interface Run {
  bytes: Uint8Array;
  at: number;
  offset: number;
  end: number;
}

/** Records of one width; all are added before the first is read. */
export class Sorter {
  readonly #scratch: Scratch;
  readonly #width: number;
  readonly #keyWidth: number;
  readonly #perRun: number;
  #bytes = new Uint8Array(0);
  #count = 0;
  #file: ScratchFile | undefined;
  /** Ends of the runs in the file. */
  readonly #ends: number[] = [];

  /** @param widths bytes of a record, and of its key in front, by which they are sorted */
  constructor(scratch: Scratch, { width, keyWidth }: { width: number; keyWidth: number }) {
    this.#scratch = scratch;
    this.#width = width;
    this.#keyWidth = keyWidth;
    this.#perRun = Math.min(maxRecords, Math.floor(runWidth / width));
  }

  /**
   * Adds a record of zeros, which the caller writes into `bytes` from the offset returned on. After
   * many, {@link drain} makes room.
   */
  reserve(): number {
    const at = this.#count * this.#width;
    if (at === this.#bytes.length) {
      const records = Math.min(2 * this.#count, this.#count + leastGrowth);
      const longer = new Uint8Array(Math.max(2 ** 8, records) * this.#width);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#count++;
    return at;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Puts whole runs into the file. */
  async drain(): Promise<void> {
    if (this.#count >= this.#perRun) await this.#endRun();
  }

  /**
   * All records in the order of their keys, some at a time, back to back; called once. A page is
   * overwritten once the next one is asked for.
   */
  async *pages(): AsyncGenerator<Uint8Array> {
    if (this.#file === undefined && this.#count <= maxRecords) {
      if (this.#count > 0) yield* this.#sorted(pageWidth);
      return;
    }
    await this.#endRun();
    this.#bytes = new Uint8Array(0);
    yield* this.#merge(this.#file as ScratchFile);
    await this.#file?.delete();
  }

  /** The records in memory, sorted; at most `maxRecords` of them. */
  *#sorted(atMost: number, from = 0, count: number = this.#count): Generator<Uint8Array> {
    const width = this.#width;
    const bytes = this.#bytes.subarray(from * width, (from + count) * width);
    const starts = new Uint32Array(count);
    for (let i = 0; i < count; i++) starts[i] = i * width;
    sortRecords({ bytes, ahead: 0, width: this.#keyWidth }, starts);
    const perPage = Math.floor(atMost / width);
    const page = new Uint8Array(Math.min(perPage, count) * width);
    for (let start = 0; start < count; start += perPage) {
      const some = starts.subarray(start, start + perPage);
      for (let i = 0; i < some.length; i++) {
        const at = some[i] as number;
        page.set(bytes.subarray(at, at + width), i * width);
      }
      yield page.subarray(0, some.length * width);
    }
  }

  async #endRun(): Promise<void> {
    this.#file ??= await this.#scratch.create();
    let end = this.#ends.at(-1) ?? 0;
    // More than a run may have come in since the last look.
    for (let from = 0; from < this.#count; from += this.#perRun) {
      const count = Math.min(this.#perRun, this.#count - from);
      for (const page of this.#sorted(pageWidth, from, count)) await this.#file.append(page);
      end += count * this.#width;
      this.#ends.push(end);
    }
    this.#bytes.fill(0, 0, this.#count * this.#width);
    this.#count = 0;
  }

  async *#merge(file: ScratchFile): AsyncGenerator<Uint8Array> {
    const [width, keyWidth] = [this.#width, this.#keyWidth];
    const room = Math.min(pieceWidth, Math.floor(readWidth / this.#ends.length));
    const piece = Math.max(1, Math.floor(room / width)) * width;
    const read = async (run: Run) => {
      run.bytes = run.bytes.subarray(0, Math.min(run.bytes.length, run.end - run.offset));
      await file.read(run.offset, run.bytes);
      run.offset += run.bytes.length;
      run.at = 0;
    };
    const runs: Run[] = [];
    for (const [i, end] of this.#ends.entries()) {
      const run = { bytes: new Uint8Array(piece), at: 0, offset: this.#ends[i - 1] ?? 0, end };
      await read(run);
      runs.push(run);
    }
    const heap = new MergeHeap(runs, (a, b) => {
      for (let i = 0; i < keyWidth; i++) {
        const difference = (a.bytes[a.at + i] as number) - (b.bytes[b.at + i] as number);
        if (difference !== 0) return difference < 0;
      }
      return false;
    });
    const page = new Uint8Array(Math.floor(pageWidth / width) * width);
    let length = 0;
    for (let run = heap.least; run; run = heap.least) {
      page.set(run.bytes.subarray(run.at, run.at + width), length);
      length += width;
      run.at += width;
      if (run.at === run.bytes.length && run.offset < run.end) await read(run);
      if (run.at < run.bytes.length) heap.settle();
      else heap.remove();
      if (length < page.length) continue;
      yield page;
      length = 0;
    }
    if (length > 0) yield page.subarray(0, length);
  }
}
