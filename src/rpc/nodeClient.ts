/**
 * The questions to a node of a chain: what each is called, how its parameters are written, and how its answer is handed
 * to a reader. Whom to ask, how often, and with what error asking fails is the owner's own, who says how to ask.
 */
import type { Hex } from '../bytes.js';
import { hasMember } from '../foreign/members.js';
import type { ValueReader } from '../foreign/reader.js';
import { toQuantity } from '../foreign/values.js';
import type { Question } from './batch.js';
import { shortAnswer } from './bounds.js';

/**
 * Asks a question, and reads the answer.
 *
 * @param read may throw; the owner says how such an error is told
 * @param maxBytes longest true answer; if it is not given, it follows from method and params
 */
export type AskNode = <T>(
  method: string,
  params: readonly unknown[],
  read: (answer: unknown) => T,
  maxBytes?: number,
) => Promise<T>;

/** A way to ask, from one that gives the answer unread. */
export const toAskNode =
  (
    call: (
      method: string,
      params: readonly unknown[],
      maxBytes: number | undefined,
    ) => Promise<unknown>,
  ): AskNode =>
  async (method, params, read, maxBytes) =>
    read(await call(method, params, maxBytes));

/** A block, or the state after it: by its number, by what the node calls so, or by its hash (EIP-1898). */
export type BlockName = number | 'latest' | 'safe' | 'finalized' | { readonly blockHash: Hex };

/** A block, by its number or its hash. */
export type NumberOrHash = Extract<BlockName, number | object>;

/** A call that a node runs and nobody sends. All members are named, so that no prototype lends one. */
interface NodeCall {
  readonly to: Hex;
  readonly data: string;
  /** Undefined: as much as the node allows. */
  readonly gas: number | undefined;
}

/** Logs that are searched for; all members are named. */
interface LogFilter {
  /** Undefined: of any contract. */
  readonly address: Hex | undefined;
  readonly range: { readonly from: number; readonly to: number } | { readonly blockHash: Hex };
  /** As `eth_getLogs` takes them. */
  readonly topics: readonly unknown[];
}

/**
 * Asks one node, or several as one. Every answer goes through `read`, at the path `result`: nothing in it is checked
 * before, and it may be null for what the node does not have. `maxBytes` bounds the answer, where the question alone does
 * not.
 */
export interface NodeClient {
  /** Any question: for those of a single user. */
  readonly ask: AskNode;
  chainId<T>(read: ValueReader<T>): Promise<T>;
  /** Number of the newest block. */
  blockNumber<T>(read: ValueReader<T>): Promise<T>;
  /** A block with the hashes of its transactions. */
  block<T>(named: BlockName, read: ValueReader<T>, maxBytes?: number): Promise<T>;
  /** A block with its transactions whole. */
  wholeBlock<T>(named: NumberOrHash, read: ValueReader<T>, maxBytes?: number): Promise<T>;
  transaction<T>(hash: Hex, read: ValueReader<T>): Promise<T>;
  /** The transaction at a place of a block, from 0. */
  transactionAt<T>(block: Hex, index: number, read: ValueReader<T>): Promise<T>;
  receipt<T>(transaction: Hex, read: ValueReader<T>, maxBytes?: number): Promise<T>;
  /** The receipts of all transactions of a block. */
  receipts<T>(block: NumberOrHash, read: ValueReader<T>, maxBytes?: number): Promise<T>;
  logs<T>(filter: LogFilter, read: ValueReader<T>, maxBytes?: number): Promise<T>;
  call<T>(call: NodeCall, at: BlockName, read: ValueReader<T>, maxBytes: number): Promise<T>;
  code<T>(address: Hex, at: BlockName, read: ValueReader<T>, maxBytes?: number): Promise<T>;
  balance<T>(address: Hex, at: BlockName, read: ValueReader<T>): Promise<T>;
  nonce<T>(address: Hex, at: BlockName, read: ValueReader<T>): Promise<T>;
  /** The value of a slot. */
  slot<T>(address: Hex, key: Hex, at: BlockName, read: ValueReader<T>): Promise<T>;
  /** A Merkle-Patricia proof of an account and its slots. */
  proof<T>(
    account: { readonly address: Hex; readonly storageKeys: readonly Hex[] },
    at: BlockName,
    read: ValueReader<T>,
    maxBytes?: number,
  ): Promise<T>;
}

/** Leaves an answer to later checks. */
export const unread: ValueReader<unknown> = (answer) => answer;

/** Reads an answer; undefined if the node does not have what was asked for. */
export const unlessNull =
  <T>(read: ValueReader<T>): ValueReader<T | undefined> =>
  (answer, at) =>
    answer === null ? undefined : read(answer, at);

const place = (at: BlockName): unknown => (typeof at === 'number' ? toQuantity(at) : at);

const searched = (range: LogFilter['range']) =>
  hasMember(range, 'blockHash')
    ? { blockHash: range.blockHash }
    : { fromBlock: toQuantity(range.from), toBlock: toQuantity(range.to) };

/** The question for a block. @param isWhole with its transactions, else with their hashes */
export const blockQuestion = (named: BlockName, isWhole: boolean): Question =>
  typeof named === 'object'
    ? { method: 'eth_getBlockByHash', params: [named.blockHash, isWhole] }
    : { method: 'eth_getBlockByNumber', params: [place(named), isWhole] };

/** The question for the receipts of all transactions of a block, which is named by its number or its hash. */
export const receiptsQuestion = (block: number | Hex): Question => ({
  method: 'eth_getBlockReceipts',
  params: [typeof block === 'number' ? toQuantity(block) : block],
});

export function createNodeClient(ask: AskNode): NodeClient {
  const put = <T>(
    method: string,
    params: readonly unknown[],
    read: ValueReader<T>,
    maxBytes?: number,
  ): Promise<T> => ask(method, params, (answer) => read(answer, 'result'), maxBytes);
  const putQuestion = <T>(
    { method, params }: Question,
    read: ValueReader<T>,
    maxBytes: number | undefined,
  ): Promise<T> => put(method, params, read, maxBytes);
  return {
    ask,
    chainId: (read) => put('eth_chainId', [], read, shortAnswer),
    blockNumber: (read) => put('eth_blockNumber', [], read, shortAnswer),
    block: (named, read, maxBytes) => putQuestion(blockQuestion(named, false), read, maxBytes),
    wholeBlock: (named, read, maxBytes) => putQuestion(blockQuestion(named, true), read, maxBytes),
    transaction: (hash, read) => put('eth_getTransactionByHash', [hash], read),
    transactionAt: (block, index, read) =>
      put('eth_getTransactionByBlockHashAndIndex', [block, toQuantity(index)], read),
    receipt: (hash, read, maxBytes) => put('eth_getTransactionReceipt', [hash], read, maxBytes),
    receipts: (block, read, maxBytes) =>
      putQuestion(
        receiptsQuestion(typeof block === 'object' ? block.blockHash : block),
        read,
        maxBytes,
      ),
    logs: ({ address, range, topics }, read, maxBytes) =>
      put(
        'eth_getLogs',
        [{ ...(address !== undefined && { address }), ...searched(range), topics }],
        read,
        maxBytes,
      ),
    call: ({ to, data, gas }, at, read, maxBytes) =>
      put(
        'eth_call',
        [{ to, data, ...(gas !== undefined && { gas: toQuantity(gas) }) }, place(at)],
        read,
        maxBytes,
      ),
    code: (address, at, read, maxBytes) => put('eth_getCode', [address, place(at)], read, maxBytes),
    balance: (address, at, read) => put('eth_getBalance', [address, place(at)], read, shortAnswer),
    nonce: (address, at, read) =>
      put('eth_getTransactionCount', [address, place(at)], read, shortAnswer),
    slot: (address, key, at, read) =>
      put('eth_getStorageAt', [address, key, place(at)], read, shortAnswer),
    proof: ({ address, storageKeys }, at, read, maxBytes) =>
      put('eth_getProof', [address, storageKeys, place(at)], read, maxBytes),
  };
}
