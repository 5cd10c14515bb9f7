/** Tokens with ids: which contracts have some, which ids they have, and how each has moved. */
import { addressWidth, bytesToInteger, encodeHex, equalBytes, type Hex } from '../../bytes.js';
import type { Entry, Store } from '../../tree/index.js';
import {
  checkWidth,
  contractBytes,
  contractWidth,
  idBytes,
  idWidth,
  keyOf,
  maxContracts,
  numberIn,
  placeWidth,
  within,
} from '../layout/layout.js';
import { blockIn, bodyIn } from '../layout/record.js';
import { atMoment, type Moment } from '../sealed/moment.js';
import { contractNumber, contractsOf } from '../sealed/numbers.js';
import { readRecords } from '../segments/readRecords.js';
import { type ItemEnds, type ItemMove, type LogPlace, readEnds, readMoves } from './itemMoves.js';
import { type ListPart, mostRepeats } from './list.js';

/** ERC-721 tokens that came together (ERC-2309). */
export interface ItemRun {
  readonly first: bigint;
  readonly last: bigint;
  readonly to: Hex;
  readonly block: number;
  readonly transaction: number;
}

/** A part of a list in the order of its keys. */
interface KeyPart<Key> {
  /** The last one that was read. */
  readonly after?: Key | undefined;
  readonly limit: number;
}

export interface ItemLists {
  /** Contracts that have moved tokens with ids, in the order of their first event. */
  collections(part: KeyPart<Hex>): Promise<Hex[]>;
  /** Ids of a contract that ever moved, in their order. Of runs, the first 10,000 are looked at. */
  ids(contract: Hex, part: KeyPart<bigint>): Promise<bigint[]>;
  /** Moves of the tokens of one id. A batch that names the id several times moves it once. */
  itemMoves(contract: Hex, id: bigint, part: ListPart<LogPlace>): Promise<ItemMove[]>;
  /**
   * The first and the last move of each token, up to a block; tokens that did not move by themselves are missing.
   *
   * @param ids in their order, each once
   */
  itemEnds(
    contract: Hex,
    ids: readonly bigint[],
    toBlock: number,
  ): Promise<ReadonlyMap<bigint, ItemEnds>>;
  /** Runs that may have an id, or a lower one; the nearest 10,000 are looked at. */
  itemRuns(contract: Hex, upTo: bigint): Promise<ItemRun[]>;
}

/** Runs of a contract that are looked at: honest ones have few, of thousands of tokens each. */
const mostRuns = 10_000;

const maxId = 2n ** 256n - 1n;
const idAt = 1 + contractWidth;

function decodeRun({ key, value }: Entry): ItemRun {
  const body = checkWidth(bodyIn(value), idWidth + addressWidth + placeWidth, 'a run of tokens');
  return {
    first: bytesToInteger(checkWidth(key, idAt + idWidth, 'a run of tokens').subarray(idAt)),
    last: bytesToInteger(body.subarray(0, idWidth)),
    to: encodeHex(body.subarray(idWidth, idWidth + addressWidth)),
    block: blockIn(value),
    transaction: numberIn(body.subarray(idWidth + addressWidth)),
  };
}

const byNumber = (a: bigint, b: bigint): number => Number(a > b) - Number(a < b);

/** Numbers of contracts that have records of a kind, from one on. */
async function contractsFrom(
  moment: Moment,
  kind: 'item' | 'batch',
  { start, limit }: { start: number; limit: number },
): Promise<number[]> {
  const found: number[] = [];
  const { to } = within(kind);
  for (let next = start; next <= maxContracts && found.length < limit; ) {
    let repeats = 0;
    let isCut = false;
    await readRecords(moment, { from: keyOf(kind, contractBytes(next)), to }, ({ key }) => {
      const number = numberIn(key.subarray(1, idAt));
      if (number === found.at(-1)) {
        isCut = ++repeats === mostRepeats;
        return !isCut;
      }
      repeats = 0;
      found.push(number);
      return found.length < limit;
    });
    if (!isCut) break;
    next = (found.at(-1) as number) + 1;
  }
  return found;
}

/** Ids of a contract that moved, from one on. */
interface IdsFrom {
  readonly contract: Uint8Array;
  readonly from: bigint;
  readonly limit: number;
}

/** Those that moved by themselves. */
async function movedIds(moment: Moment, { contract, from, limit }: IdsFrom): Promise<bigint[]> {
  const found: bigint[] = [];
  const { to } = within('item', contract);
  for (let next = from; next <= maxId; next = (found.at(-1) as bigint) + 1n) {
    let last: Uint8Array | undefined;
    let repeats = 0;
    let isCut = false;
    await readRecords(moment, { from: keyOf('item', contract, idBytes(next)), to }, ({ key }) => {
      const id = key.subarray(idAt, idAt + idWidth);
      if (last && equalBytes(id, last)) {
        isCut = ++repeats === mostRepeats;
        return !isCut;
      }
      last = id.slice();
      repeats = 0;
      found.push(bytesToInteger(id));
      return found.length < limit;
    });
    if (!isCut) break;
  }
  return found;
}

/** Those that came in runs. */
async function idsOfRuns(moment: Moment, { contract, from, limit }: IdsFrom): Promise<bigint[]> {
  const found: bigint[] = [];
  let looked = 0;
  let next = from;
  await readRecords(moment, within('batch', contract), (record) => {
    const { first, last } = decodeRun(record);
    // Runs lie in the order of their first ids: what one before it had is not listed again.
    if (first > next) next = first;
    for (; next <= last && found.length < limit; next++) found.push(next);
    return ++looked < mostRuns && found.length < limit;
  });
  return found;
}

/** Runs that begin up to an id, the nearest first. */
async function runsUpTo(moment: Moment, contract: Uint8Array, id: bigint): Promise<ItemRun[]> {
  const found: ItemRun[] = [];
  const bounds = {
    from: within('batch', contract).from,
    to: within('batch', contract, idBytes(id)).to,
  };
  const visit = (record: Entry) => {
    found.push(decodeRun(record));
    return found.length < mostRuns;
  };
  await readRecords(moment, bounds, visit, { isReverse: true });
  return found;
}

export function createItemLists(store: Store): ItemLists {
  /** Reads at one moment what belongs to the number of a contract; a contract without one has nothing. */
  const ofContract = <T>(
    contract: Hex,
    none: T,
    read: (moment: Moment, number: Uint8Array) => Promise<T>,
  ): Promise<T> =>
    atMoment(store, async (moment) => {
      const number = await contractNumber(moment, contract);
      return number === undefined ? none : read(moment, number);
    });

  return {
    collections: ({ after, limit }) =>
      atMoment(store, async (moment) => {
        const behind = after === undefined ? undefined : await contractNumber(moment, after);
        // A contract that has no number has nothing behind it.
        if (after !== undefined && behind === undefined) return [];
        const start = behind === undefined ? 0 : numberIn(behind) + 1;
        const items = await contractsFrom(moment, 'item', { start, limit });
        const batches = await contractsFrom(moment, 'batch', { start, limit });
        const all = [...new Set([...items, ...batches])].sort((a, b) => a - b);
        return contractsOf(moment, all.slice(0, limit));
      }),
    ids: (contract, { after, limit }) =>
      ofContract<bigint[]>(contract, [], async (moment, number) => {
        if (limit <= 0) return [];
        const of = { contract: number, from: after === undefined ? 0n : after + 1n, limit };
        const all = [...(await movedIds(moment, of)), ...(await idsOfRuns(moment, of))];
        return [...new Set(all)].sort(byNumber).slice(0, limit);
      }),
    itemMoves: (contract, id, part) =>
      ofContract<ItemMove[]>(contract, [], (moment, number) =>
        readMoves(moment, { contract: number, id }, part),
      ),
    itemEnds: (contract, ids, toBlock) =>
      ofContract<ReadonlyMap<bigint, ItemEnds>>(contract, new Map(), (moment, number) =>
        readEnds(moment, number, { ids, toBlock }),
      ),
    itemRuns: (contract, upTo) =>
      ofContract<ItemRun[]>(contract, [], (moment, number) => runsUpTo(moment, number, upTo)),
  };
}
