/** Tokens with ids: which contracts have some, which ids they have, and how each has moved. */
import { addressWidth, bytesToInteger, encodeHex, equalBytes, type Hex } from '../../bytes.js';
import { yieldToEventLoop } from '../../concurrent.js';
import type { Entry, Store } from '../../tree/index.js';
import {
  blockNumberWidth,
  checkWidth,
  contractBytes,
  contractWidth,
  idBytes,
  idWidth,
  keyOf,
  maxContracts,
  newestBlockBytes,
  newestBlockIn,
  newestPlaceBytes,
  newestPlaceIn,
  numberIn,
  placeWidth,
  within,
} from '../layout/layout.js';
import { blockIn, bodyIn } from '../layout/record.js';
import { contractsOf, numberedContracts, numbersOf } from '../sealed/numbers.js';
import { readRecords } from '../segments/readRecords.js';
import { type ListPart, readList } from './list.js';

/** The place of a log in the chain. */
export interface LogPlace {
  readonly block: number;
  /** Number of the log in the block, from 0. */
  readonly log: number;
}

/** A move of a token with an id. */
export interface ItemMove extends LogPlace {
  /** Place of the transaction in the block. */
  readonly transaction: number;
  /** The zero address if the token was made. */
  readonly from: Hex;
  /** The zero address if it was burnt. */
  readonly to: Hex;
}

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
  /** Runs that a token came with, the newest first. Of all runs that begin up to it, the nearest 1,000 are looked at. */
  itemRuns(contract: Hex, id: bigint): Promise<ItemRun[]>;
}

/** Runs of a contract that are looked at, for all ids and for one: honest ones have few, of thousands of tokens each. */
const mostRuns = { ofContract: 10_000, ofId: 1000 };

/** Contracts after which others have their turn. */
const contractsATurn = 16;

/** Moves of one token that are read over before the next id is looked for. */
const mostRepeats = 64;

const maxId = 2n ** 256n - 1n;
const idAt = 1 + contractWidth;

function decodeMove({ key, value }: Entry): ItemMove {
  const blockAt = idAt + idWidth;
  const logAt = blockAt + blockNumberWidth;
  const bytes = checkWidth(key, logAt + placeWidth, 'a move of a token');
  const body = checkWidth(bodyIn(value), 2 * addressWidth + placeWidth, 'the sides of a move');
  return {
    block: newestBlockIn(bytes.subarray(blockAt, logAt)),
    log: newestPlaceIn(bytes.subarray(logAt)),
    transaction: numberIn(body.subarray(2 * addressWidth)),
    from: encodeHex(body.subarray(0, addressWidth)),
    to: encodeHex(body.subarray(addressWidth, 2 * addressWidth)),
  };
}

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

async function numberOf(store: Store, contract: Hex): Promise<Uint8Array | undefined> {
  return (await numbersOf(store, numberedContracts, [contract]))[0];
}

/** The number of the first contract from one on that has records of a kind. */
async function firstFrom(
  store: Store,
  kind: 'item' | 'batch',
  number: number,
): Promise<number | undefined> {
  let found: number | undefined;
  if (number > maxContracts) return found;
  const bounds = { from: keyOf(kind, contractBytes(number)), to: within(kind).to };
  await readRecords(store, bounds, ({ key }) => {
    found = numberIn(key.subarray(1, idAt));
    return false;
  });
  return found;
}

/** Numbers of contracts that have moved tokens with ids, from one on. */
async function collectionsFrom(store: Store, start: number, limit: number): Promise<number[]> {
  let item = await firstFrom(store, 'item', start);
  let batch = await firstFrom(store, 'batch', start);
  const found: number[] = [];
  while (found.length < limit && (item !== undefined || batch !== undefined)) {
    const number = Math.min(item ?? batch ?? 0, batch ?? item ?? 0);
    found.push(number);
    if (found.length % contractsATurn === 0) await yieldToEventLoop();
    if (item === number) item = await firstFrom(store, 'item', number + 1);
    if (batch === number) batch = await firstFrom(store, 'batch', number + 1);
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
async function movedIds(store: Store, { contract, from, limit }: IdsFrom): Promise<bigint[]> {
  const found: bigint[] = [];
  const { to } = within('item', contract);
  for (let next = from; next <= maxId; next = (found.at(-1) as bigint) + 1n) {
    let last: Uint8Array | undefined;
    let repeats = 0;
    let isCut = false;
    await readRecords(store, { from: keyOf('item', contract, idBytes(next)), to }, ({ key }) => {
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
async function idsOfRuns(store: Store, { contract, from, limit }: IdsFrom): Promise<bigint[]> {
  const found: bigint[] = [];
  let looked = 0;
  let next = from;
  await readRecords(store, within('batch', contract), (record) => {
    const { first, last } = decodeRun(record);
    // Runs lie in the order of their first ids: what one before it had is not listed again.
    if (first > next) next = first;
    for (; next <= last && found.length < limit; next++) found.push(next);
    return ++looked < mostRuns.ofContract && found.length < limit;
  });
  return found;
}

/** Runs that a token came with, the newest first. */
async function runsOf(store: Store, contract: Uint8Array, id: bigint): Promise<ItemRun[]> {
  const found: ItemRun[] = [];
  let looked = 0;
  const bounds = {
    from: within('batch', contract).from,
    to: within('batch', contract, idBytes(id)).to,
  };
  const visit = (record: Entry) => {
    const run = decodeRun(record);
    if (run.last >= id) found.push(run);
    return ++looked < mostRuns.ofId;
  };
  await readRecords(store, bounds, visit, { isReverse: true });
  return found.sort((a, b) => b.block - a.block || b.transaction - a.transaction);
}

export const createItemLists = (store: Store): ItemLists => ({
  async collections({ after, limit }) {
    const behind = after === undefined ? undefined : await numberOf(store, after);
    // A contract that has no number has nothing behind it.
    if (after !== undefined && behind === undefined) return [];
    const start = behind === undefined ? 0 : numberIn(behind) + 1;
    return contractsOf(store, await collectionsFrom(store, start, limit));
  },
  async ids(contract, { after, limit }) {
    const number = await numberOf(store, contract);
    if (number === undefined || limit <= 0) return [];
    const of = { contract: number, from: after === undefined ? 0n : after + 1n, limit };
    const all = [...(await movedIds(store, of)), ...(await idsOfRuns(store, of))];
    return [...new Set(all)].sort(byNumber).slice(0, limit);
  },
  async itemMoves(contract, id, part) {
    const number = await numberOf(store, contract);
    if (number === undefined) return [];
    const list = {
      ...({ kind: 'item', prefix: [number, idBytes(id)] } as const),
      ...{ blockBytes: newestBlockBytes, isNewestFirst: true },
      keyBytes: ({ block, log }: LogPlace) => [newestBlockBytes(block), newestPlaceBytes(log)],
    };
    return readList(store, list, part, decodeMove);
  },
  async itemRuns(contract, id) {
    const number = await numberOf(store, contract);
    return number === undefined ? [] : runsOf(store, number, id);
  },
});
