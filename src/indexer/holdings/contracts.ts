/** Numbers of contracts: those that an index has given, and new ones. */
import type { Hex } from '../../bytes.js';
import type { Entry, Store } from '../../tree/index.js';
import { keyAfter } from '../../tree/store/scan.js';
import { IndexError } from '../layout/errors.js';
import {
  addressBytes,
  checkWidth,
  contractBytes,
  contractWidth,
  keyOf,
  maxContracts,
  numberIn,
} from '../layout/layout.js';
import { readHead } from '../sealed/head.js';
import { readCounted } from '../sealed/sums.js';

/** Contracts whose numbers are kept in memory; more are looked up. */
const maxKnown = 100_000;

/** Numbers for one batch. */
interface Numbering {
  /** In the order in which the contracts were given. */
  readonly numbers: readonly number[];
  /** Entries of the new ones. */
  readonly puts: readonly Entry[];
  /** How many contracts have numbers then. */
  readonly count: number;
  /** Keeps the numbers in memory, once they are written. */
  keep(): void;
}

/** The numbers of one index, which has no other writer. */
export class ContractNumbers {
  readonly #store: Store;
  readonly #known = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Forgets what it knows: blocks were taken back, and their contracts with them. */
  clear(): void {
    this.#known.clear();
  }

  /**
   * Numbers contracts in the order given.
   *
   * @param contracts addresses in lower case, each once
   * @param count how many have numbers
   */
  async number(contracts: readonly string[], count: number): Promise<Numbering> {
    const unknown = contracts.filter((contract) => !this.#known.has(contract));
    const found = await this.#lookUp(unknown);
    let next = count;
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
      count: next,
      keep: () => {
        if (this.#known.size > maxKnown) this.#known.clear();
        for (const [i, contract] of contracts.entries()) {
          this.#known.set(contract, numbers[i] as number);
        }
      },
    };
  }

  async #lookUp(contracts: readonly string[]): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const values = await contractNumbers(this.#store, contracts as readonly Hex[]);
    for (const [i, value] of values.entries()) {
      if (value !== undefined) found.set(contracts[i] as string, numberIn(value));
    }
    return found;
  }
}

/** The numbers of contracts, undefined for one that has none. @throws IndexError `DAMAGED` */
export async function contractNumbers(
  store: Store,
  contracts: readonly Hex[],
): Promise<readonly (Uint8Array | undefined)[]> {
  if (contracts.length === 0) return [];
  const snapshot = await store.snapshot();
  try {
    await readHead(snapshot);
    const keys = contracts.map((contract) => keyOf('contract', addressBytes(contract)));
    const { values } = await snapshot.read({ keys, ranges: [] });
    for (const [i, key] of keys.entries()) {
      // It throws if the number was lost: another one must not be given.
      if (values[i] === undefined) await readCounted(snapshot, { from: key, to: keyAfter(key) });
    }
    return values.map((value) => value && checkWidth(value, contractWidth, 'a number'));
  } finally {
    await snapshot.release();
  }
}
