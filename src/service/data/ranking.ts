/**
 * Wallets in the order of what they have of a token, in 32 bytes each: its size in 12, and the address. A size is the number of an
 * amount's bytes and the first 11 of these, each taken from 255, so that the largest amount has the least bytes. Amounts
 * whose sizes are the same, which differ in less than 2^-80 of them, stand in the order of the addresses.
 */
import { addressWidth, encodeHex, type Hex } from '../../bytes.js';

const sizeWidth = 12;
/** Bytes of an amount that count. */
const countedWidth = sizeWidth - 1;
/** Bytes of a wallet in a ranking. */
export const rankWidth: number = sizeWidth + addressWidth;

/** Writes a wallet into a ranking. @param amount unsigned, big-endian, of any width */
export function writeRank(
  target: Uint8Array,
  at: number,
  { wallet, amount }: { readonly wallet: Uint8Array; readonly amount: Uint8Array },
): void {
  let first = 0;
  while (first < amount.length && amount[first] === 0) first++;
  const width = amount.length - first;
  target[at] = 255 - width;
  // Loops: for so few bytes, `set` takes longer.
  for (let i = 0; i < countedWidth; i++) {
    target[at + 1 + i] = 255 - (i < width ? (amount[first + i] as number) : 0);
  }
  for (let i = 0; i < addressWidth; i++) target[at + sizeWidth + i] = wallet[i] as number;
}

/** Order of two wallets in rankings: below, equal or above 0. */
export function compareRanks(a: Uint8Array, atA: number, b: Uint8Array, atB: number): number {
  for (let i = 0; i < rankWidth; i++) {
    const difference = (a[atA + i] as number) - (b[atB + i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

export class Ranking {
  readonly #bytes: Uint8Array;

  /** @param bytes ranks in order */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** How many wallets it has. */
  get size(): number {
    return this.#bytes.length / rankWidth;
  }

  /** Bytes in memory. */
  get byteLength(): number {
    return this.#bytes.length;
  }

  /** Wallets from a place on. */
  wallets(from: number, count: number): Hex[] {
    const end = Math.min(from + count, this.size);
    const found: Hex[] = [];
    for (let place = from; place < end; place++) {
      found.push(encodeHex(this.rank(place).subarray(sizeWidth)));
    }
    return found;
  }

  /** What stands for the wallet at a place. */
  rank(place: number): Uint8Array {
    return this.#bytes.subarray(place * rankWidth, (place + 1) * rankWidth);
  }

  /** The place of the first wallet behind a rank, which need not be here. */
  findBehind(rank: Uint8Array): number {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (compareRanks(this.#bytes, middle * rankWidth, rank, 0) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
