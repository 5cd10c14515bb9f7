/** The records of an index about a wallet. */
import { addressWidth, type Hex } from '../../bytes.js';
import type { Entry, Store } from '../../tree/index.js';
import { IndexError } from '../layout/errors.js';
import {
  addressBytes,
  checkWidth,
  contractWidth,
  type KeyBounds,
  keyOf,
  numberIn,
  type Standard,
  standards,
  within,
} from '../layout/layout.js';
import { blockIn, stateWidth } from '../layout/record.js';
import { countRecords } from '../lists/list.js';
import { contractsOf, numberedContracts, numbersOf } from '../sealed/numbers.js';
import { readRecords } from '../segments/readRecords.js';

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
  /** Holdings of tokens with ids in the same order, behind one of them. */
  nftHoldings(
    wallet: Hex,
    part: { after?: Pick<Holding, 'standard' | 'contract'> | undefined; limit: number },
  ): Promise<Holding[]>;
  /** How many of them a wallet has; counting ends at `limit`. */
  countNftHoldings(wallet: Hex, limit: number): Promise<number>;
  /** Whether a wallet has a holding of a contract by a standard. */
  isHolding(wallet: Hex, of: Pick<Holding, 'standard' | 'contract'>): Promise<boolean>;
  /** How many holdings a wallet has; counting ends at `limit`. */
  countHoldings(wallet: Hex, limit: number): Promise<number>;
}

const standardOf = new Map(
  (Object.keys(standards) as Standard[]).map((name) => [standards[name] as number, name]),
);

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
    lastBlock: blockIn(checkWidth(value, stateWidth, 'a block')),
  };
}

export function createHoldings(store: Store): Holdings {
  async function numberOf(contract: Hex): Promise<Uint8Array | undefined> {
    return (await numbersOf(store, numberedContracts, [contract]))[0];
  }

  /** Holdings within bounds, from an offset on. */
  async function readHoldings(bounds: KeyBounds, offset: number, limit: number) {
    const found: NumberedHolding[] = [];
    let count = 0;
    if (limit > 0) {
      await readRecords(store, bounds, (record) => {
        if (count++ >= offset) found.push(decodeHolding(record));
        return found.length < limit;
      });
    }
    const contracts = await contractsOf(
      store,
      found.map(({ number }) => number),
    );
    return found.map(({ standard, lastBlock }, i) => ({
      standard,
      contract: contracts[i] as Hex,
      lastBlock,
    }));
  }

  return {
    holdings: (wallet, { offset, limit }) =>
      readHoldings(within('holding', addressBytes(wallet)), offset, limit),
    async nftHoldings(wallet, { after, limit }) {
      const owner = addressBytes(wallet);
      const { to } = within('holding', owner);
      if (after === undefined) {
        const from = keyOf('holding', owner, Uint8Array.of(standards.erc721));
        return readHoldings({ from, to }, 0, limit);
      }
      const number = await numberOf(after.contract);
      // A contract that has no number has nothing behind it.
      if (number === undefined) return [];
      const last = within('holding', owner, Uint8Array.of(standards[after.standard]), number);
      return readHoldings({ from: last.to, to }, 0, limit);
    },
    async countNftHoldings(wallet, limit) {
      let count = 0;
      for (const standard of ['erc721', 'erc1155'] as const) {
        const parts = [addressBytes(wallet), Uint8Array.of(standards[standard])];
        count += await countRecords(store, 'holding', parts, limit - count);
      }
      return count;
    },
    async isHolding(wallet, { standard, contract }) {
      const number = await numberOf(contract);
      if (number === undefined) return false;
      const parts = [addressBytes(wallet), Uint8Array.of(standards[standard]), number];
      return (await countRecords(store, 'holding', parts, 1)) > 0;
    },
    countHoldings: async (wallet, limit) =>
      countRecords(store, 'holding', [addressBytes(wallet)], limit),
  };
}
