/** Numbers of contracts: those that an index has given, and new ones. */

import type { Hex } from '../bytes.js';
import type { Entry, StoreReader } from '../tree/index.js';
import { IndexError } from './errors.js';
import {
  addressBytes,
  checkWidth,
  contractBytes,
  contractWidth,
  keyOf,
  maxContracts,
  numberIn,
} from './layout.js';

/** Contracts whose numbers are kept in memory; more are looked up. */
const maxKnown = 100_000;

/** Numbers for one batch. */
export interface Numbering {
  /** In the order in which the contracts were given. */
  readonly numbers: readonly number[];
  /** Entries of the new ones. */
  readonly puts: readonly Entry[];
  /** Keeps the numbers in memory, once they are written. */
  keep(): void;
}

/** The numbers of one index, which has no other writer. */
export class ContractNumbers {
  readonly #store: StoreReader;
  readonly #known = new Map<string, number>();
  #next: number | undefined;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** Forgets what it knows: blocks were taken back, and their contracts with them. */
  clear(): void {
    this.#known.clear();
    this.#next = undefined;
  }

  /** Numbers contracts in the order given. @param contracts addresses in lower case, each once */
  async number(contracts: readonly string[]): Promise<Numbering> {
    const unknown = contracts.filter((contract) => !this.#known.has(contract));
    const found = await this.#lookUp(unknown);
    let next = this.#next ?? (await this.#nextNumber());
    const puts: Entry[] = [];
    const numbers = contracts.map((contract) => {
      const known = this.#known.get(contract) ?? found.get(contract);
      if (known !== undefined) return known;
      if (next > maxContracts) throw new IndexError('DAMAGED', 'the index has too many contracts');
      const address = addressBytes(contract as Hex);
      const number = contractBytes(next);
      puts.push({ key: keyOf('contract', address), value: number });
      puts.push({ key: keyOf('address', number), value: address });
      return next++;
    });
    return {
      numbers,
      puts,
      keep: () => {
        this.#next = next;
        if (this.#known.size > maxKnown) this.#known.clear();
        for (const [i, contract] of contracts.entries()) {
          this.#known.set(contract, numbers[i] as number);
        }
      },
    };
  }

  async #lookUp(contracts: readonly string[]): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    if (contracts.length === 0) return found;
    const keys = contracts.map((contract) => keyOf('contract', addressBytes(contract as Hex)));
    const { values } = await this.#store.read({ keys, ranges: [] });
    for (const [i, value] of values.entries()) {
      if (value === undefined) continue;
      found.set(contracts[i] as string, numberIn(checkWidth(value, contractWidth, 'a number')));
    }
    return found;
  }

  /** The next number that no contract has. */
  async #nextNumber(): Promise<number> {
    const all = { from: keyOf('address'), to: keyOf('block'), limit: 1, reverse: true };
    const { ranges } = await this.#store.read({ keys: [], ranges: [all] });
    const last = ranges[0]?.[0]?.key;
    if (last === undefined) return 0;
    return numberIn(checkWidth(last, 1 + contractWidth, 'a number').subarray(1)) + 1;
  }
}
