/** Names of one kind, contracts or topics, that changes are about: each has a number here, until the index gives it its own. */
import { writeNumber } from '../../tree/store/numbers.js';
import { contractWidth } from './layout.js';
import { NumberList } from './numberList.js';

export class NumberedNames {
  readonly #numbers = new Map<string, number>();
  /** In the order of their numbers. */
  readonly all: string[] = [];

  number(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.all.length;
      this.#numbers.set(name, number);
      this.all.push(name);
    }
    return number;
  }

  /** Forgets all names behind so many. */
  cut(count: number): void {
    for (const name of this.all.splice(count)) this.#numbers.delete(name);
  }
}

/** Numbers of names in the form in which records have them, one behind the other: to encode one takes longer than to copy it. */
export function encodeNumbers(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(contractWidth * numbers.length);
  for (const [i, number] of numbers.entries()) {
    writeNumber(bytes, contractWidth * i, number, contractWidth);
  }
  return bytes;
}

/** Where records use names. */
export class NameUses {
  /** For each use: the offset of the number, and the number that the name has here. */
  readonly #at = new NumberList();
  readonly #of = new NumberList();

  get count(): number {
    return this.#at.length;
  }

  /** Notes that a number stands at an offset. @returns where it ends */
  add(number: number, at: number): number {
    this.#at.push(at);
    this.#of.push(number);
    return at + contractWidth;
  }

  /** Forgets all uses behind so many. */
  cut(count: number): void {
    this.#at.cut(count);
    this.#of.cut(count);
  }

  /** Adds the uses of others, whose offsets are now so much greater. @param numbers what their names have here */
  append(other: NameUses, { by, numbers }: { by: number; numbers: readonly number[] }): void {
    this.#at.append(other.#at.all, by);
    const of = other.#of.all;
    // A loop by place: over an array of this length, an iterator takes several times as long.
    for (let i = 0; i < of.length; i++) this.#of.push(numbers[of[i] as number] as number);
  }

  /** Writes numbers wherever one is used. @param encoded those of the names here, by `encodeNumbers` */
  write(bytes: Uint8Array, encoded: Uint8Array): void {
    const [places, of] = [this.#at.all, this.#of.all];
    for (let i = 0; i < places.length; i++) {
      const at = places[i] as number;
      const from = contractWidth * (of[i] as number);
      for (let k = 0; k < contractWidth; k++) bytes[at + k] = encoded[from + k] as number;
    }
  }
}
