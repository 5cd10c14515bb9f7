/** The records of an index about a wallet. */
import { addressWidth, encodeHex, equalBytes, type Hex } from '../../bytes.js';
import type { Entry, Store } from '../../tree/index.js';
import { IndexError } from '../layout/errors.js';
import {
  addressBytes,
  blockBytes,
  blockNumberWidth,
  checkWidth,
  contractWidth,
  idWidth,
  keyOf,
  numberIn,
  type Standard,
  standards,
  within,
} from '../layout/layout.js';
import { blockIn, bodyIn, stateWidth } from '../layout/record.js';
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

/** Which of a wallet's holdings are read. */
interface HoldingPart {
  /** Default: of all standards. */
  readonly standard?: Standard | undefined;
  /** The last one that was read: the list goes on behind it. */
  readonly after?: Pick<Holding, 'standard' | 'contract'> | undefined;
  /** How many are skipped; each costs as much as one that is read. Default 0. */
  readonly offset?: number | undefined;
  /** The most that are read. */
  readonly limit: number;
}

export interface Holdings {
  /** Holdings of a wallet: by standard, then in the order in which the contracts had their first event. */
  holdings(wallet: Hex, part: HoldingPart): Promise<Holding[]>;
  /** Whether a wallet has a holding of a contract by a standard. */
  isHolding(wallet: Hex, of: Pick<Holding, 'standard' | 'contract'>): Promise<boolean>;
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

/** Ids of tokens, each once, up to a limit. */
class Ids {
  readonly list = new Set<bigint>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.list.size >= this.#limit;
  }

  /** @returns whether there is room for more */
  add(first: bigint, last: bigint = first): boolean {
    for (let id = first; id <= last && !this.isFull; id++) this.list.add(id);
    return !this.isFull;
  }
}

/** The id at the end of a key, or alone. */
const idIn = (bytes: Uint8Array): bigint => BigInt(encodeHex(bytes.subarray(-idWidth)));

/** Tokens sent away that are looked through for one contract. */
const maxSent = 10_000;

export function createHoldings(store: Store): Holdings {
  async function numberOf(contract: Hex): Promise<Uint8Array | undefined> {
    return (await numbersOf(store, numberedContracts, [contract]))[0];
  }

  /** Tokens of a contract that a wallet sent away after a block: few, unless the block is an old one. */
  async function addSent(ids: Ids, wallet: Uint8Array, number: Uint8Array, block: number) {
    const from = keyOf('sent', wallet, blockBytes(block + 1));
    const at = 1 + addressWidth + blockNumberWidth;
    let looked = 0;
    await readRecords(store, { from, to: within('sent', wallet).to }, ({ key }) => {
      const bytes = checkWidth(key, at + contractWidth + idWidth, 'a token sent');
      const isOfContract = equalBytes(bytes.subarray(at, at + contractWidth), number);
      if (isOfContract) ids.add(idIn(key));
      return ++looked < maxSent && !ids.isFull;
    });
  }

  return {
    async holdings(wallet, { standard: only, after, offset = 0, limit }) {
      const found: NumberedHolding[] = [];
      const owner = addressBytes(wallet);
      const ofStandard = (name: Standard) => [owner, Uint8Array.of(standards[name])];
      const bounds = within('holding', ...(only === undefined ? [owner] : ofStandard(only)));
      let { from } = bounds;
      if (after !== undefined) {
        const number = await numberOf(after.contract);
        // Nobody has read a contract that no event has named.
        if (number === undefined) return [];
        from = within('holding', ...ofStandard(after.standard), number).to;
      }
      let count = 0;
      if (limit > 0) {
        await readRecords(store, { from, to: bounds.to }, (record) => {
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
    },
    async isHolding(wallet, { standard, contract }) {
      const number = await numberOf(contract);
      if (number === undefined) return false;
      const parts = [addressBytes(wallet), Uint8Array.of(standards[standard]), number];
      return (await countRecords(store, 'holding', parts, 1)) > 0;
    },
    countHoldings: async (wallet, limit) =>
      countRecords(store, 'holding', [addressBytes(wallet)], limit),
    async tokens(wallet, { standard, contract, block, limit }) {
      const number = await numberOf(contract);
      const ids = new Ids(limit);
      if (number === undefined || ids.isFull) return [];
      const owner = addressBytes(wallet);
      const held = within('token', owner, Uint8Array.of(standards[standard]), number);
      await readRecords(store, held, ({ key }) => ids.add(idIn(key)));
      if (standard !== 'erc721' || ids.isFull) return [...ids.list];
      await readRecords(store, within('run', owner, number), ({ key, value }) => {
        const last = bodyIn(checkWidth(value, stateWidth + idWidth, 'a run of tokens'));
        return ids.add(idIn(key), idIn(last));
      });
      if (!ids.isFull) await addSent(ids, owner, number, block);
      return [...ids.list];
    },
  };
}
