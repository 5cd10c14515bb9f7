/** Names of one kind, contracts or topics, that changes are about: each has a number here, until the index gives it its own. */
import { writeNumber } from '../../tree/store/numbers.js';
import { contractWidth } from './layout.js';

/** A place among names; made by `NumberedNames.mark`. */
export interface NamesMark {
  readonly names: number;
  readonly uses: number;
}

export class NumberedNames {
  readonly #numbers = new Map<string, number>();
  /** For each use: the offset of the number, and the number that the name has here. */
  readonly #at: number[] = [];
  readonly #of: number[] = [];

  /** In the order of their numbers. */
  get all(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  number(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(name, number);
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
    return { names: this.#numbers.size, uses: this.#at.length };
  }

  backTo({ names, uses }: NamesMark): void {
    this.#at.length = uses;
    this.#of.length = uses;
    for (const name of this.all.slice(names)) this.#numbers.delete(name);
  }

  /** Writes the index's numbers, in the order of `all`, wherever one is used. */
  write(bytes: Uint8Array, numbers: readonly number[]): void {
    // Encoded once for each name: encoding a number takes several times as long as copying its bytes.
    const written = new Uint8Array(contractWidth * numbers.length);
    for (const [i, number] of numbers.entries()) {
      writeNumber(written, contractWidth * i, number, contractWidth);
    }
    for (let i = 0; i < this.#at.length; i++) {
      const at = this.#at[i] as number;
      const from = contractWidth * (this.#of[i] as number);
      for (let k = 0; k < contractWidth; k++) bytes[at + k] = written[from + k] as number;
    }
  }
}
