/**
 * The rollup contract on L1, which holds the state root of the last block of each finalization, or from version 9 on its hash:
 * its calls, and how their answers are read. It asks by whatever way its user has, with that user's own patience.
 */
import { callData } from '../abi/call.js';
import { bytesToInteger, type Hex } from '../bytes.js';
import { hexBytes } from '../foreign/values.js';
import { shortAnswer } from '../rpc/bounds.js';
import type { NodeClient } from '../rpc/nodeClient.js';
import { AnchorError } from './common/errors.js';

/** The state of L1 that is read: a tag, or one block by its hash (EIP-1898). */
export type L1Tag = 'finalized' | 'safe' | 'latest';
export type L1Block = L1Tag | { readonly blockHash: Hex };

/** Each throws AnchorError `BAD_ANSWER` or `WRONG_NETWORK`, and any error of asking. */
export interface RollupContract {
  /** The last L2 block that is finalized. */
  currentL2BlockNumber(at: L1Block): Promise<number>;
  /** 32 bytes; zero if the block ended no finalization. */
  stateRootHash(l2BlockNumber: number, at: L1Block): Promise<Uint8Array>;
  /** 32 bytes; zero as above. Contracts before version 9 have no such function. */
  blockHash(l2BlockNumber: number, at: L1Block): Promise<Uint8Array>;
}

/** First four bytes of the keccak-256 of `currentL2BlockNumber()`, `stateRootHashes(uint256)` and `blockHashes(uint256)`. */
const selectors = {
  currentL2BlockNumber: '0x695378f5',
  stateRootHashes: '0x8be745d1',
  blockHashes: '0x34cdf78d',
} as const;

/** @throws AnchorError `BAD_ANSWER` or `WRONG_NETWORK` */
export function parseWord(answer: unknown): Uint8Array {
  // The answer of an address without code; a wrong address is the likeliest mistake.
  if (answer === '0x') throw new AnchorError('WRONG_NETWORK', 'L1 has no contract there');
  const word = hexBytes(answer, 32);
  if (word) return word;
  throw new AnchorError('BAD_ANSWER', 'the contract answers no word');
}

function readBlockNumber(answer: unknown): number {
  const number = Number(bytesToInteger(parseWord(answer)));
  if (Number.isSafeInteger(number)) return number;
  throw new AnchorError('WRONG_NETWORK', 'the rollup contract answers no number');
}

/** @param node of L1 @param rollup address of the contract, 20 bytes */
export function createRollupContract(node: NodeClient, rollup: Hex): RollupContract {
  const call = <T>(data: string, at: L1Block, read: (answer: unknown) => T): Promise<T> =>
    node.call({ to: rollup, data, gas: undefined }, at, read, shortAnswer);
  return {
    currentL2BlockNumber: (at) => call(selectors.currentL2BlockNumber, at, readBlockNumber),
    stateRootHash: (l2BlockNumber, at) =>
      call(callData(selectors.stateRootHashes, l2BlockNumber), at, parseWord),
    blockHash: (l2BlockNumber, at) =>
      call(callData(selectors.blockHashes, l2BlockNumber), at, parseWord),
  };
}
