/** Numbers of contracts and of topics: those that an index has given, and new ones. */
import { addressWidth, encodeHex, type Hex } from '../../bytes.js';
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
  topicBytes,
} from '../layout/layout.js';
import { atMoment, type Moment } from './moment.js';
import { readCounted } from './sums.js';

/** What is numbered. */
export interface NumberedKind {
  /** Of the entries from what it is to its number, and of those from its number back. */
  readonly kind: 'contract' | 'topicNumber';
  readonly back: 'address' | undefined;
  readonly bytesOf: (name: Hex) => Uint8Array;
}

export const numberedContracts: NumberedKind = {
  kind: 'contract',
  back: 'address',
  bytesOf: addressBytes,
};
export const numberedTopics: NumberedKind = {
  kind: 'topicNumber',
  back: undefined,
  bytesOf: topicBytes,
};

/** Names whose numbers are kept in memory; more are looked up. */
const maxKnown = 100_000;

/** Numbers for one batch. */
interface Numbering {
  /** In the order in which the names were given. */
  readonly numbers: readonly number[];
  /** Entries of the new ones. */
  readonly puts: readonly Entry[];
  /** How many have numbers then. */
  readonly count: number;
  /** Keeps the numbers in memory, once they are written. */
  keep(): void;
}

/** The numbers of one index, which has no other writer. */
export class Numbers {
  readonly #store: Store;
  readonly #of: NumberedKind;
  readonly #known = new Map<string, number>();

  constructor(store: Store, of: NumberedKind) {
    this.#store = store;
    this.#of = of;
  }

  /** Forgets what it knows: blocks were taken back, and with them what first came in them. */
  clear(): void {
    this.#known.clear();
  }

  /**
   * Numbers names in the order given.
   *
   * @param names in lower case, each once
   * @param count how many have numbers
   */
  async number(names: readonly string[], count: number): Promise<Numbering> {
    const { kind, back, bytesOf } = this.#of;
    const found = await this.#lookUp(names.filter((name) => !this.#known.has(name)));
    let next = count;
    const puts: Entry[] = [];
    const numbers = names.map((name) => {
      const known = this.#known.get(name) ?? found.get(name);
      if (known !== undefined) return known;
      if (next > maxContracts) throw new IndexError('DAMAGED', 'the index has too many contracts');
      const bytes = bytesOf(name as Hex);
      const number = contractBytes(next);
      puts.push({ key: keyOf(kind, bytes), value: number });
      if (back) puts.push({ key: keyOf(back, number), value: bytes });
      return next++;
    });
    return {
      numbers,
      puts,
      count: next,
      keep: () => {
        if (this.#known.size > maxKnown) this.#known.clear();
        for (const [i, name] of names.entries()) this.#known.set(name, numbers[i] as number);
      },
    };
  }

  async #lookUp(names: readonly string[]): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    if (names.length === 0) return found;
    const values = await atMoment(this.#store, (moment) =>
      numbersOf(moment, this.#of, names as readonly Hex[]),
    );
    for (const [i, value] of values.entries()) {
      if (value !== undefined) found.set(names[i] as string, numberIn(value));
    }
    return found;
  }
}

/** The numbers of names, undefined for one that has none. @throws IndexError `DAMAGED` */
export async function numbersOf(
  { reader }: Moment,
  { kind, bytesOf }: NumberedKind,
  names: readonly Hex[],
): Promise<readonly (Uint8Array | undefined)[]> {
  if (names.length === 0) return [];
  const keys = names.map((name) => keyOf(kind, bytesOf(name)));
  const { values } = await reader.read({ keys, ranges: [] });
  for (const [i, key] of keys.entries()) {
    // It throws if the number was lost: another one must not be given.
    if (values[i] === undefined) await readCounted(reader, { from: key, to: keyAfter(key) });
  }
  return values.map((value) => value && checkWidth(value, contractWidth, 'a number'));
}

/** The number of a contract, undefined if it has none. @throws IndexError `DAMAGED` */
export async function contractNumber(
  moment: Moment,
  contract: Hex,
): Promise<Uint8Array | undefined> {
  return (await numbersOf(moment, numberedContracts, [contract]))[0];
}

/** The contracts that have these numbers. @throws IndexError `DAMAGED` */
export async function contractsOf({ reader }: Moment, numbers: readonly number[]): Promise<Hex[]> {
  const keys = numbers.map((number) => keyOf('address', contractBytes(number)));
  const { values } = await reader.read({ keys, ranges: [] });
  return values.map((value) => encodeHex(checkWidth(value, addressWidth, 'an address')));
}
