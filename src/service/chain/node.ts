/** The decoder's questions to an L2 node, with bounds on time and size, and a check that the answers fit together. */
import type { Hex } from '../../bytes.js';
import { createMemberReader, type Source } from '../../foreign/members.js';
import { dataBytes, hexText, parseQuantity, toQuantity } from '../../foreign/values.js';
import { callPatiently } from '../../rpc/caller.js';
import { createTransport, type RpcError, type TransportOptions } from '../../rpc/index.js';
import { wordsOf } from '../../rpc/words.js';
import { NodeError } from './errors.js';
import type { BlockId, HeadNode } from './finalHead.js';

/** A mined transaction as the node has it. */
export interface MinedTransaction {
  /** The node's objects; only their hashes and places were looked at. */
  readonly transaction: unknown;
  readonly receipt: unknown;
  readonly block: unknown;
  readonly at: BlockId;
}

export interface DecoderNode extends HeadNode {
  chainId(): Promise<number>;
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

const { openObject, readMember } = createMemberReader(
  (at, reason) => new NodeError('BAD_ANSWER', `the L2 node answered nonsense: "${at}" ${reason}`),
);

/** A member in a form of ours. @throws NodeError */
function readAs<T>(
  source: Source,
  name: string,
  read: (value: unknown) => T | undefined,
  expected: string,
): T {
  const value = read(readMember(source, name));
  if (value !== undefined) return value;
  const at = `${source.at}.${name}`;
  throw new NodeError('BAD_ANSWER', `the L2 node answered nonsense: "${at}" expected ${expected}`);
}

const readHash = (source: Source, name: string): Hex =>
  readAs(source, name, (value) => hexText(value, 32), 'a hash of 32 bytes');

/** A number below 2^53, so that it can be one of JSON. */
const readNumber = (source: Source, name: string): number =>
  Number(readAs(source, name, (value) => parseQuantity(value, 53), 'a quantity below 2^53'));

function readBlock(answer: unknown): BlockId {
  const block = openObject(answer, 'block');
  return { number: readNumber(block, 'number'), hash: readHash(block, 'hash') };
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

  const ask = (method: string, params: readonly unknown[], bound: { maxBytes?: number } = {}) =>
    callPatiently(transport, method, params, undefined, bound);

  const blockAt = (block: string) => ask('eth_getBlockByNumber', [block, false]);

  async function minedOnce(hash: Hex) {
    const [transaction, receipt] = await Promise.all([
      ask('eth_getTransactionByHash', [hash]),
      ask('eth_getTransactionReceipt', [hash]),
    ]);
    // Not known, or still waiting to be mined.
    if (transaction === null || receipt === null) return undefined;
    const place = openObject(receipt, 'receipt');
    const sent = openObject(transaction, 'transaction');
    const isAsked = readHash(place, 'transactionHash') === hash && readHash(sent, 'hash') === hash;
    const isMined = readMember(sent, 'blockHash') !== null;
    if (!isAsked || !isMined || readHash(sent, 'blockHash') !== readHash(place, 'blockHash')) {
      throw misfit();
    }
    // By its number: a block that the chain has left is not found so.
    const number = readNumber(place, 'blockNumber');
    const block = await blockAt(toQuantity(number));
    if (block === null) throw misfit();
    const at = readBlock(block);
    if (at.number !== number || at.hash !== readHash(place, 'blockHash')) throw misfit();
    return { transaction, receipt, block, at };
  }

  return {
    async chainId() {
      const answer = parseQuantity(await ask('eth_chainId', []), 53);
      if (answer === undefined || answer === 0n) {
        throw new NodeError('BAD_ANSWER', 'the L2 node answered nonsense: "chainId" is no number');
      }
      return Number(answer);
    },
    async mined(hash) {
      try {
        return await minedOnce(hash);
      } catch (error) {
        if (!(error instanceof NodeError)) throw error;
        // A block came or went in between, or a balancer asked a node that is behind.
        return minedOnce(hash);
      }
    },
    async finalBlock(): Promise<BlockId | undefined> {
      let answer: unknown;
      try {
        answer = await blockAt('finalized');
      } catch (error) {
        // Nodes without the tag answer an error: then nothing is final, and nothing is cached.
        if ((error as Partial<RpcError>).code === 'SERVER_ERROR') return undefined;
        throw error;
      }
      if (answer === null) return undefined;
      return readBlock(answer);
    },
    async hashAt(number) {
      const answer = await blockAt(toQuantity(number));
      return answer === null ? undefined : readBlock(answer).hash;
    },
    async callAt({ to, data, block, maxBytes, gas = callGas }) {
      const place = block === undefined ? 'latest' : toQuantity(block);
      // Two hex digits a byte, and the envelope.
      const longest = 2 * Math.min(maxBytes, maxCallAnswer) + 1024;
      try {
        const params = [{ to, data, gas: toQuantity(gas) }, place];
        return dataBytes(await ask('eth_call', params, { maxBytes: longest }), maxBytes);
      } catch (error) {
        if (isContractsFault(error)) return undefined;
        throw error;
      }
    },
    codeAt: (address, block) => ask('eth_getCode', [address, toQuantity(block)]),
    async balanceAt(address, block) {
      const balance = parseQuantity(await ask('eth_getBalance', [address, toQuantity(block)]), 256);
      if (balance !== undefined) return balance;
      throw new NodeError('BAD_ANSWER', 'the L2 node answered nonsense: "balance" is no number');
    },
  };
}
