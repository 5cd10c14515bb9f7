/** The records of an index about a wallet. */
import { addressWidth, type Hex } from '../../bytes.js';
import type { Entry, Store } from '../../tree/index.js';
import { IndexError } from '../layout/errors.js';
import {
  addressBytes,
  checkWidth,
  contractBytes,
  contractWidth,
  type KeyBounds,
  numberIn,
  type Standard,
  standardNames,
  standards,
  within,
} from '../layout/layout.js';
import { blockIn, stateWidth } from '../layout/record.js';
import { countRecords, mostRepeats } from '../lists/list.js';
import { atMoment, type Moment } from '../sealed/moment.js';
import { contractNumber, contractsOf, numberedContracts, numbersOf } from '../sealed/numbers.js';
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
  /** Holdings of tokens with ids in the same order, behind one of them. */
  nftHoldings(wallet: Hex, part: Pick<HoldingPart, 'after' | 'limit'>): Promise<Holding[]>;
  /** How many of them a wallet has; counting ends at `limit`. */
  countNftHoldings(wallet: Hex, limit: number): Promise<number>;
  /** Whether a wallet has a holding of a contract by a standard. */
  isHolding(wallet: Hex, of: Pick<Holding, 'standard' | 'contract'>): Promise<boolean>;
  /** Of which of some contracts a wallet has a holding by a standard. */
  heldContracts(
    wallet: Hex,
    of: { readonly standard: Standard; readonly contracts: readonly Hex[] },
  ): Promise<ReadonlySet<Hex>>;
  /** How many holdings a wallet has; counting ends at `limit`. */
  countHoldings(wallet: Hex, limit: number): Promise<number>;
}

interface NumberedHolding {
  readonly standard: Standard;
  readonly number: number;
  readonly lastBlock: number;
}

function decodeHolding({ key, value }: Entry): NumberedHolding {
  const from = 1 + addressWidth;
  const bytes = checkWidth(key, from + 1 + contractWidth, 'a holding');
  const standard = standardNames[bytes[from] as number];
  if (standard === undefined)
    throw new IndexError('DAMAGED', 'the index holds an unknown standard');
  return {
    standard,
    number: numberIn(bytes.subarray(from + 1)),
    lastBlock: blockIn(checkWidth(value, stateWidth, 'a block')),
  };
}

const ofStandard = (owner: Uint8Array, standard: Standard, ...number: Uint8Array[]): KeyBounds =>
  within('holding', owner, Uint8Array.of(standards[standard]), ...number);

/** Where the list goes on; undefined behind a contract that no event has named, which nobody has read. */
async function behind(
  moment: Moment,
  owner: Uint8Array,
  { standard, contract }: Pick<Holding, 'standard' | 'contract'>,
): Promise<Uint8Array | undefined> {
  const number = await contractNumber(moment, contract);
  return number && ofStandard(owner, standard, number).to;
}

/** Holdings within bounds, from an offset on. */
async function readHoldings(
  moment: Moment,
  bounds: KeyBounds,
  { offset, limit }: { offset: number; limit: number },
): Promise<Holding[]> {
  const found: NumberedHolding[] = [];
  let count = 0;
  if (limit > 0) {
    await readRecords(moment, bounds, (record) => {
      if (count++ >= offset) found.push(decodeHolding(record));
      return found.length < limit;
    });
  }
  const contracts = await contractsOf(
    moment,
    found.map(({ number }) => number),
  );
  return found.map(({ standard, lastBlock }, i) => ({
    standard,
    contract: contracts[i] as Hex,
    lastBlock,
  }));
}

/** Which of some numbers, in order, holdings of a standard have. */
async function heldNumbers(
  moment: Moment,
  owner: Uint8Array,
  { standard, numbers }: { standard: Standard; numbers: readonly number[] },
): Promise<ReadonlySet<number>> {
  const held = new Set<number>();
  const { to } = ofStandard(owner, standard);
  for (let next = numbers[0], at = 0; next !== undefined; next = numbers[at]) {
    let useless = 0;
    const { from } = ofStandard(owner, standard, contractBytes(next));
    const visit = (record: Entry): boolean => {
      const { number } = decodeHolding(record);
      while ((numbers[at] ?? Infinity) < number) at++;
      const isWanted = numbers[at] === number;
      if (isWanted) held.add(number);
      useless = isWanted ? 0 : useless + 1;
      return at < numbers.length && useless < mostRepeats;
    };
    await readRecords(moment, { from, to }, visit);
    if (useless < mostRepeats) break;
  }
  return held;
}

export function createHoldings(store: Store): Holdings {
  const heldContracts: Holdings['heldContracts'] = (wallet, { standard, contracts }) =>
    atMoment(store, async (moment) => {
      const found = await numbersOf(moment, numberedContracts, contracts);
      const places = found.map((number) => number && numberIn(number));
      const numbers = places.filter((number) => number !== undefined).sort((a, b) => a - b);
      const held = await heldNumbers(moment, addressBytes(wallet), { standard, numbers });
      return new Set(contracts.filter((_, i) => held.has(places[i] ?? -1)));
    });

  return {
    holdings: (wallet, { standard, after, offset = 0, limit }) =>
      atMoment(store, async (moment) => {
        const owner = addressBytes(wallet);
        const bounds =
          standard === undefined ? within('holding', owner) : ofStandard(owner, standard);
        const from = after ? await behind(moment, owner, after) : bounds.from;
        return from ? readHoldings(moment, { from, to: bounds.to }, { offset, limit }) : [];
      }),
    nftHoldings: (wallet, { after, limit }) =>
      atMoment(store, async (moment) => {
        const owner = addressBytes(wallet);
        const from = after ? await behind(moment, owner, after) : ofStandard(owner, 'erc721').from;
        const { to } = within('holding', owner);
        return from ? readHoldings(moment, { from, to }, { offset: 0, limit }) : [];
      }),
    countNftHoldings: (wallet, limit) =>
      atMoment(store, async (moment) => {
        let count = 0;
        for (const standard of ['erc721', 'erc1155'] as const) {
          const parts = [addressBytes(wallet), Uint8Array.of(standards[standard])];
          count += await countRecords(moment, 'holding', parts, limit - count);
        }
        return count;
      }),
    heldContracts,
    isHolding: async (wallet, { standard, contract }) =>
      (await heldContracts(wallet, { standard, contracts: [contract] })).size > 0,
    countHoldings: (wallet, limit) =>
      atMoment(store, (moment) => countRecords(moment, 'holding', [addressBytes(wallet)], limit)),
  };
}
