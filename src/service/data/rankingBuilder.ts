/** Sorts the wallets of a ranking, in pieces of a few ms: runs of them as they come, which are then merged. */
import { MergeHeap } from '../../tree/load/mergeHeap.js';
import { sortRecords } from '../../tree/load/sortRecords.js';
import type { Pause } from '../jsonrpc/method.js';
import { compareRanks, Ranking, rankWidth, writeRank } from './ranking.js';

/** Wallets of a run, and wallets that are read in a turn: some ms of work. */
export const runLength = 2048;

/** Wallets that are merged in a turn: of hundreds of runs, by code that has not run before, 2,000 took 50 ms. */
const mergedATurn = 512;

const keysOf = (bytes: Uint8Array) => ({ bytes, ahead: 0, width: rankWidth });

/** A sorted run, and how far it is read. */
class Run {
  readonly bytes: Uint8Array;
  readonly #order: Uint32Array;
  #next = 0;
  /** Where the next rank begins, and its first bytes as a number, which tells most ranks apart. */
  at = 0;
  head = 0;

  constructor(bytes: Uint8Array, count: number) {
    this.bytes = bytes;
    this.#order = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.#order[i] = i * rankWidth;
    sortRecords(keysOf(bytes), this.#order);
    this.step();
  }

  /** Goes on to the next rank. @returns false if there is none */
  step(): boolean {
    if (this.#next === this.#order.length) return false;
    const { bytes } = this;
    const at = this.#order[this.#next++] as number;
    this.at = at;
    let head = 0;
    for (let i = 0; i < 6; i++) head = head * 256 + (bytes[at + i] as number);
    this.head = head;
    return true;
  }
}

const isBefore = (a: Run, b: Run): boolean =>
  a.head === b.head ? compareRanks(a.bytes, a.at, b.bytes, b.at) < 0 : a.head < b.head;

export class RankingBuilder {
  readonly #runs: Run[] = [];
  #bytes = new Uint8Array(runLength * rankWidth);
  #count = 0;

  /** How many wallets were added. */
  get size(): number {
    return this.#runs.length * runLength + this.#count;
  }

  /** @param amount unsigned, big-endian, of any width */
  add(wallet: Uint8Array, amount: Uint8Array): void {
    writeRank(this.#bytes, this.#count * rankWidth, { wallet, amount });
    this.#count += 1;
    if (this.#count < runLength) return;
    this.#runs.push(new Run(this.#bytes, runLength));
    this.#bytes = new Uint8Array(runLength * rankWidth);
    this.#count = 0;
  }

  /** All of them in order. Afterwards nothing more is added. @throws what `pause` throws */
  async finish(pause: Pause): Promise<Ranking> {
    const sorted = new Uint8Array(this.size * rankWidth);
    const last = this.#count > 0 ? [new Run(this.#bytes, this.#count)] : [];
    const heap = new MergeHeap([...this.#runs, ...last], isBefore);
    let end = 0;
    for (let run = heap.least; run !== undefined; run = heap.least) {
      if (end % (mergedATurn * rankWidth) === 0) await pause();
      const { bytes, at } = run;
      for (let i = 0; i < rankWidth; i++) sorted[end + i] = bytes[at + i] as number;
      end += rankWidth;
      if (run.step()) heap.settle();
      else heap.remove();
    }
    return new Ranking(sorted);
  }
}
