/** What an index says of a wallet. */
// @ts-nocheck

import { encodeHex, equalBytes, type Hex } from '../bytes.js';
import type { Entry, Range, StoreReader } from '../tree/index.js';
import { IndexError } from './errors.js';
import {
  addressBytes,
  addressWidth,
  blockBytes,
  blockWidth,
  checkWidth,
  contractBytes,
  contractWidth,
  idWidth,
  type KeyKind,
  keyOf,
  numberIn,
  type Standard,
  standards,
} from './layout.js';

/** Something of which a wallet may have some. */
export interface Holding {
  readonly standard: Standard;
  /** Lower case. */
  readonly contract: Hex;
  /** Block of the last transfer, as far as the index has come. */
  readonly lastBlock: number;
}

export interface Holdings {
  /**
   * Holdings of a wallet from an offset on, at most `limit` of them: by standard, then in the order in which the contracts
   * had their first event.
   */
  holdings(wallet: Hex, page: { offset: number; limit: number }): Promise<Holding[]>;
  /** How many holdings a wallet has; counting ends at `limit`. */
  countHoldings(wallet: Hex, limit: number): Promise<number>;
  /**
   * Tokens of an ERC-721 or ERC-1155 contract that a wallet may hold at a block, at most `limit` of them. An ERC-721 token
   * that was sent away after that block is among them.
   */
  tokens(
    wallet: Hex,
    options: { standard: Standard; contract: Hex; block: number; limit: number },
  ): Promise<bigint[]>;
}

/** Entries that are read at a time: few enough for others to have their turn. */
const pageSize = 512;

const standardOf = new Map(
  (Object.keys(standards) as Standard[]).map((name) => [standards[name] as number, name]),
);

/** The first key behind all that begin with one. @param prefix has a byte below 255 at its end, or before others */
function endOf(prefix: Uint8Array): Uint8Array {
  let length = prefix.length;
  while (prefix[length - 1] === 0xff) length--;
  const end = prefix.slice(0, length);
  end[length - 1] = (end[length - 1] as number) + 1;
  return end;
}

/** Yields to the event loop, so that a long list holds nobody up. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Entries of a range, a page at a time. */
async function* pagesOf(
  store: StoreReader,
  { from, to }: Pick<Range, 'from' | 'to'>,
  limit: number,
): AsyncGenerator<readonly Entry[]> {
  let rest = limit;
  for (let start = from; rest > 0; ) {
    const size = Math.min(rest, pageSize);
    const range = { from: start, to, limit: size, reverse: false };
    const { ranges } = await store.read({ keys: [], ranges: [range] });
    const page = ranges[0] ?? [];
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < size) return;
    rest -= size;
    start = Uint8Array.of(...last.key, 0);
    await turn();
  }
}

/** All entries whose keys begin so. */
function within(kind: KeyKind, ...parts: readonly Uint8Array[]) {
  const from = keyOf(kind, ...parts);
  return { from, to: endOf(from) };
}

interface NumberedHolding {
  readonly standard: Standard;
  readonly number: number;
  readonly lastBlock: number;
}

function decodeHolding({ key, value }: Entry): NumberedHolding {
  const from = 1 + addressWidth;
  const bytes = checkWidth(key, from + 1 + contractWidth, 'a holding');
  const standard = standardOf.get(bytes[from] as number);
  if (standard === undefined)
    throw new IndexError('DAMAGED', 'the index holds an unknown standard');
  return {
    standard,
    number: numberIn(bytes.subarray(from + 1)),
    lastBlock: numberIn(checkWidth(value, blockWidth, 'a block')),
  };
}

/** Adds ids to a set up to a limit. */
function addTo(ids: Set<bigint>, limit: number, first: bigint, last: bigint = first): void {
  for (let id = first; id <= last && ids.size < limit; id++) ids.add(id);
}

const idIn = (bytes: Uint8Array): bigint => BigInt(encodeHex(bytes));

export function createHoldings(store: StoreReader): Holdings {
  async function contractsOf(numbers: readonly number[]): Promise<Hex[]> {
    const keys = numbers.map((number) => keyOf('address', contractBytes(number)));
    const { values } = await store.read({ keys, ranges: [] });
    return values.map((value) => encodeHex(checkWidth(value, addressWidth, 'an address')));
  }

  async function numberOf(contract: Hex): Promise<Uint8Array | undefined> {
    const key = keyOf('contract', addressBytes(contract));
    const { values } = await store.read({ keys: [key], ranges: [] });
    return values[0] && checkWidth(values[0], contractWidth, 'a number');
  }

  return {
    async holdings(wallet, { offset, limit }) {
      const range = within('holding', addressBytes(wallet));
      const found: NumberedHolding[] = [];
      let skipped = 0;
      for await (const page of pagesOf(store, range, offset + limit)) {
        const skip = Math.min(page.length, offset - skipped);
        skipped += skip;
        for (const entry of page.slice(skip)) found.push(decodeHolding(entry));
      }
      const contracts = await contractsOf(found.map(({ number }) => number));
      return found.map(({ standard, lastBlock }, i) => ({
        standard,
        contract: contracts[i] as Hex,
        lastBlock,
      }));
    },
    async countHoldings(wallet, limit) {
      let count = 0;
      const range = within('holding', addressBytes(wallet));
      for await (const page of pagesOf(store, range, limit)) count += page.length;
      return count;
    },
    async tokens(wallet, { standard, contract, block, limit }) {
      const number = await numberOf(contract);
      const ids = new Set<bigint>();
      if (number === undefined) return [];
      const owner = addressBytes(wallet);
      const held = within('token', owner, Uint8Array.of(standards[standard]), number);
      for await (const page of pagesOf(store, held, limit)) {
        for (const { key } of page) addTo(ids, limit, idIn(key.subarray(-idWidth)));
      }
      if (standard !== 'erc721') return [...ids];
      for await (const page of pagesOf(store, within('run', owner, number), limit)) {
        for (const { key, value } of page) {
          const last = checkWidth(value, idWidth + blockWidth, 'a run of tokens');
          addTo(ids, limit, idIn(key.subarray(-idWidth)), idIn(last.subarray(0, idWidth)));
        }
      }
      for await (const id of sentAfter(owner, number, block)) addTo(ids, limit, id);
      return [...ids];
    },
  };

  /** Tokens of a contract that a wallet sent away after a block: few, unless the block is an old one. */
  async function* sentAfter(
    wallet: Uint8Array,
    number: Uint8Array,
    block: number,
  ): AsyncGenerator<bigint> {
    const { to } = within('sent', wallet);
    const from = keyOf('sent', wallet, blockBytes(block + 1));
    const at = 1 + addressWidth + blockWidth;
    for await (const page of pagesOf(store, { from, to }, maxSent)) {
      for (const { key } of page) {
        const bytes = checkWidth(key, at + contractWidth + idWidth, 'a token sent');
        if (equalBytes(bytes.subarray(at, at + contractWidth), number)) {
          yield idIn(key.subarray(-idWidth));
        }
      }
    }
  }
}

/** Tokens sent away that are looked through for one contract. */
const maxSent = 10_000;
