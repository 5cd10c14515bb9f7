/** What a check looks at: some of many, by chance, so that one that is run again and again sees all in the end. */
import { addressWidth } from '../../bytes.js';

/** Some of the numbers below a count, each once, in order; all of them if there are no more. */
export function sampleNumbers(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  const found = new Set<number>();
  while (found.size < most) found.add(Math.floor(Math.random() * count));
  return [...found].sort((a, b) => a - b);
}

/** An address by chance: what stands behind it in a list is chosen by chance, too. */
export const sampleAddress = (): Uint8Array =>
  Uint8Array.from({ length: addressWidth }, () => Math.floor(256 * Math.random()));

/** Keeps some of the items that it is shown, each with the same chance. */
export class Sample<T> {
  readonly items: T[] = [];
  readonly #most: number;
  #seen = 0;

  constructor(most: number) {
    this.#most = most;
  }

  show(item: T): void {
    this.#seen++;
    if (this.items.length < this.#most) {
      this.items.push(item);
      return;
    }
    const place = Math.floor(Math.random() * this.#seen);
    if (place < this.#most) this.items[place] = item;
  }
}
