/** Names of one kind, contracts or topics, that changes are about: each has a number here, until the index gives it its own. */
import { writeNumber } from '../../tree/store/numbers.js';
import { contractWidth } from './layout.js';
import { NumberList } from './numberList.js';

/** A place among names; made by `NumberedNames.mark`. */
export interface NamesMark {
  readonly names: number;
  readonly uses: number;
}

/** The place before the first name. */
export const noNames: NamesMark = { names: 0, uses: 0 };

export class NumberedNames {
  readonly #numbers = new Map<string, number>();
  /** In the order of their numbers. */
  readonly all: string[] = [];
  /** For each use: the offset of the number, and the number that the name has here. */
  readonly #at = new NumberList();
  readonly #of = new NumberList();

  number(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.all.length;
      this.#numbers.set(name, number);
      this.all.push(name);
    }
    return number;
  }

  /** Notes that a number stands at an offset. @returns where it ends */
  use(number: number, at: number): number {
    this.#at.push(at);
    this.#of.push(number);
    return at + contractWidth;
  }

  mark(): NamesMark {
    return { names: this.all.length, uses: this.#at.length };
  }

  backTo({ names, uses }: NamesMark): void {
    this.#at.cut(uses);
    this.#of.cut(uses);
    for (const name of this.all.splice(names)) this.#numbers.delete(name);
  }

  /** Adds the names and uses of another list, whose offsets are now so much greater. */
  append(other: NumberedNames, by: number): void {
    const numbers: number[] = [];
    for (const name of other.all) numbers.push(this.number(name));
    this.#at.append(other.#at.all, by);
    const of = other.#of.all;
    // A loop by place: over an array of this length, an iterator takes several times as long.
    for (let i = 0; i < of.length; i++) this.#of.push(numbers[of[i] as number] as number);
  }

  /** Writes the index's numbers, in the order of `all`, wherever one is used. */
  write(bytes: Uint8Array, numbers: readonly number[]): void {
    // Encoded once for each name: encoding a number takes several times as long as copying its bytes.
    const written = new Uint8Array(contractWidth * numbers.length);
    for (const [i, number] of numbers.entries()) {
      writeNumber(written, contractWidth * i, number, contractWidth);
    }
    const [places, of] = [this.#at.all, this.#of.all];
    for (let i = 0; i < places.length; i++) {
      const at = places[i] as number;
      const from = contractWidth * (of[i] as number);
      for (let k = 0; k < contractWidth; k++) bytes[at + k] = written[from + k] as number;
    }
  }
}
