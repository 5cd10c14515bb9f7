/** Numbers of contracts: those that an index has given, and new ones. */
import type { StoreReader } from '../tree/index.js';
import type { Draft } from './draft.js';
import { IndexError } from './errors.js';
import {
  bytesOf,
  checkWidth,
  contractDigits,
  contractText,
  kinds,
  maxContracts,
  numberIn,
  textOf,
} from './layout.js';

/** Contracts whose numbers are kept in memory; more are looked up. */
const maxKnown = 100_000;

const numberWidth = contractDigits / 2;

/** The next number that no contract has. */
async function nextNumber(store: StoreReader): Promise<number> {
  const all = {
    from: bytesOf(kinds.address),
    to: bytesOf(kinds.block),
    limit: 1,
    reverse: true,
  };
  const { ranges } = await store.read({ keys: [], ranges: [all] });
  const last = ranges[0]?.[0]?.key;
  return last === undefined ? 0 : numberIn(checkWidth(last, 1 + numberWidth, 'a number'), 1) + 1;
}

/** Numbers for one batch. */
export interface Numbering {
  /** Number of a contract, in digits. */
  of(contract: string): string;
  /** Keeps the numbers in memory, once they are written. */
  keep(): void;
}

/** The numbers of one index, which nobody else writes to. */
export class ContractNumbers {
  readonly #store: StoreReader;
  readonly #known = new Map<string, string>();
  #next: number | undefined;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** Forgets what it knows: blocks were taken back, and their contracts with them. */
  clear(): void {
    this.#known.clear();
    this.#next = undefined;
  }

  /** Numbers contracts in the order given; new ones are put into the draft. */
  async number(contracts: Iterable<string>, draft: Draft): Promise<Numbering> {
    const numbers = new Map<string, string>();
    const unknown: string[] = [];
    for (const contract of new Set(contracts)) {
      const number = this.#known.get(contract);
      if (number === undefined) unknown.push(contract);
      else numbers.set(contract, number);
    }
    const keys = unknown.map((contract) => bytesOf(kinds.contract + contract));
    const { values } =
      keys.length > 0 ? await this.#store.read({ keys, ranges: [] }) : { values: [] };
    let next = this.#next ?? (await nextNumber(this.#store));
    for (const [i, contract] of unknown.entries()) {
      const value = values[i];
      const isNew = value === undefined;
      const number = isNew
        ? contractText(next)
        : textOf(checkWidth(value, numberWidth, 'a number'));
      numbers.set(contract, number);
      if (!isNew) continue;
      if (next > maxContracts) throw new IndexError('DAMAGED', 'the index has too many contracts');
      next++;
      draft.put(kinds.contract + contract, bytesOf(number));
      draft.put(kinds.address + number, bytesOf(contract));
    }
    return {
      of: (contract) => numbers.get(contract) as string,
      keep: () => {
        this.#next = next;
        if (this.#known.size > maxKnown) this.#known.clear();
        for (const contract of unknown) this.#known.set(contract, numbers.get(contract) as string);
      },
    };
  }
}
