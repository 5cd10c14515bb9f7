/** The decoder's questions to an L2 node, with bounds on time and size, and a check that the answers fit together. */
import type { Hex } from '../../bytes.js';
import type { Source } from '../../foreign/members.js';
import { createReader } from '../../foreign/reader.js';
import { dataBytes, parseQuantity } from '../../foreign/values.js';
import { callPatiently } from '../../rpc/caller.js';
import { wordsOf } from '../../rpc/errors.js';
import { createTransport, type RpcError, type TransportOptions } from '../../rpc/index.js';
import {
  createNodeClient,
  type NodeClient,
  toAskNode,
  unlessNull,
  unread,
} from '../../rpc/nodeClient.js';
import { numberText } from '../../rpc/transport.js';
import { NodeError } from './errors.js';
import type { BlockId, HeadNode } from './finalizedHead.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** A mined transaction as the node has it. */
export interface MinedTransaction {
  /** The node's objects; only their hashes and places were looked at. */
  readonly transaction: JsonObject;
  readonly receipt: JsonObject;
  readonly block: JsonObject;
  readonly at: BlockId;
}

export interface DecoderNode extends HeadNode {
  /** For questions whose answers their owner reads. */
  readonly client: NodeClient;
  chainId(): Promise<number>;
  /** The number of the newest block. @throws NodeError or RpcError */
  newestNumber(): Promise<number>;
  /** A number that it answered, for a message. */
  numberText(value: number): string;
  /**
   * A transaction, its receipt and its block.
   *
   * @returns undefined if the node does not know it, or has not mined it
   * @throws NodeError or RpcError
   */
  mined(hash: Hex): Promise<MinedTransaction | undefined>;
  /**
   * Executes a call at a block. The contract decides what it answers.
   *
   * @param maxBytes longest answer
   * @returns undefined if the call fails, or answers more
   * @throws RpcError if the node does not answer; `SERVER_ERROR` if it does not hold the state, or fails in words that
   *   are not known
   */
  callAt(call: ContractCall): Promise<Uint8Array | undefined>;
  /** The code of an account, unchecked. @throws RpcError */
  codeAt(address: Hex, block: number): Promise<unknown>;
  /** The native balance at a block, in wei. @throws NodeError or RpcError */
  balanceAt(address: Hex, block: number): Promise<bigint>;
}

export interface ContractCall {
  readonly to: Hex;
  readonly data: Hex;
  /** Undefined: the newest block. */
  readonly block: number | undefined;
  readonly maxBytes: number;
  /** Default 20 million: enough for any token, and little for one that burns all that it gets. */
  readonly gas?: number;
}

/** Longest answer to a call of a contract, whatever else is said. */
const maxCallAnswer = 1024 * 1024;

/** Gas of a call if nothing else is said. */
const callGas = 20_000_000;

export const nonsense = (at: string, reason: string) =>
  new NodeError('BAD_ANSWER', `the L2 node answered nonsense: "${at}" ${reason}`);

const { openObject, readMember, read, asHex, asNumber } = createReader(nonsense, {
  hex: (width) => `a hash of ${width} bytes`,
  quantity: (bits) => `a quantity below 2^${bits}`,
});

const readHash = asHex(32);
/** A number of JSON. */
const readNumber = asNumber(53);

const openBlock = (answer: unknown): Source => openObject(answer, 'block');

const readBlockId = (block: Source): BlockId => ({
  number: read(block, 'number', readNumber),
  hash: read(block, 'hash', readHash),
});

const parseBlockId = (answer: unknown): BlockId => readBlockId(openBlock(answer));

function readChainId(answer: unknown): number {
  const id = parseQuantity(answer, 53);
  if (id === undefined || id === 0n) throw nonsense('chainId', 'is no number');
  return Number(id);
}

function readBalance(answer: unknown): bigint {
  const balance = parseQuantity(answer, 256);
  if (balance === undefined) throw nonsense('balance', 'is no number');
  return balance;
}

const misfit = () =>
  new NodeError('BAD_ANSWER', "the L2 node's answers do not fit together; ask again");

/** JSON-RPC code of a call that was reverted; many nodes have a general one, and say it in words. */
const reverted = 3;
const failureWords = /revert|out ?of ?gas|opcode|stack|invalid jump|bad instruction/i;

/** Whether the contract is at fault, as opposed to a node that does not hold the state. */
function isContractsFault(error: unknown): boolean {
  // Codes of other errors are other words.
  const { code, serverCode } = error as Partial<RpcError>;
  if (code === 'TOO_LARGE') return true;
  return (
    code === 'SERVER_ERROR' &&
    (serverCode === reverted || failureWords.test(wordsOf(error as Partial<RpcError>)))
  );
}

export type NodeOptions = Pick<TransportOptions, 'url' | 'fetch' | 'headers' | 'timeout'>;

/** @throws TypeError or RangeError for wrong options */
export function createDecoderNode(options: NodeOptions): DecoderNode {
  const transport = createTransport(options);
  const client = createNodeClient(
    toAskNode((method, params, maxBytes) =>
      callPatiently(transport, method, params, undefined, { maxBytes }),
    ),
  );

  async function minedOnce(hash: Hex): Promise<MinedTransaction | undefined> {
    const [transaction, receipt] = await Promise.all([
      client.transaction(hash, unread),
      client.receipt(hash, unread),
    ]);
    // Not known, or still waiting to be mined.
    if (transaction === null || receipt === null) return undefined;
    const place = openObject(receipt, 'receipt');
    const sent = openObject(transaction, 'transaction');
    const isAsked =
      read(place, 'transactionHash', readHash) === hash && read(sent, 'hash', readHash) === hash;
    const isMined = readMember(sent, 'blockHash') !== null;
    if (!isAsked || !isMined) throw misfit();
    const blockHash = read(sent, 'blockHash', readHash);
    if (read(place, 'blockHash', readHash) !== blockHash) throw misfit();
    // By its number: a block that the chain has left is not found so.
    const number = read(place, 'blockNumber', readNumber);
    const block = await client.block(number, unlessNull(openBlock));
    if (block === undefined) throw misfit();
    const at = readBlockId(block);
    if (at.number !== number || at.hash !== blockHash) throw misfit();
    const target = (source: Source) => source.target as JsonObject;
    return { transaction: target(sent), receipt: target(place), block: target(block), at };
  }

  return {
    client,
    chainId: () => client.chainId(readChainId),
    async newestNumber() {
      const newest = await client.block('latest', unlessNull(parseBlockId));
      if (newest === undefined) throw nonsense('block', 'is missing');
      return newest.number;
    },
    numberText: (value) => numberText([transport], value),
    async mined(hash) {
      try {
        return await minedOnce(hash);
      } catch (error) {
        if (!(error instanceof NodeError)) throw error;
        // A block came or went in between, or a balancer asked a node that is behind.
        return minedOnce(hash);
      }
    },
    async finalBlock() {
      try {
        return await client.block('finalized', unlessNull(parseBlockId));
      } catch (error) {
        // Nodes without the tag answer an error: then nothing is final, and nothing is cached.
        if ((error as Partial<RpcError>).code === 'SERVER_ERROR') return undefined;
        throw error;
      }
    },
    hashAt: async (number) => (await client.block(number, unlessNull(parseBlockId)))?.hash,
    async callAt({ to, data, block, maxBytes, gas = callGas }) {
      // Two hex digits a byte, and the envelope.
      const longest = 2 * Math.min(maxBytes, maxCallAnswer) + 1024;
      const parse = (answer: unknown) => dataBytes(answer, maxBytes);
      try {
        return await client.call({ to, data, gas }, block ?? 'latest', parse, longest);
      } catch (error) {
        if (isContractsFault(error)) return undefined;
        throw error;
      }
    },
    codeAt: (address, block) => client.code(address, block, unread),
    balanceAt: (address, block) => client.balance(address, block, readBalance),
  };
}
