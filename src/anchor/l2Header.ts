/** The header of an L2 block whose hash L1 holds: from anyone, held against that hash. */
import { encodeHex, type Hex } from '../bytes.js';
import { ownMembers } from '../codec/argument.js';
import { wrongRange } from '../errors.js';
import { TrieError, UnknownFieldError } from '../mpt/errors.js';
import { matchAnyHeader } from '../mpt/header.js';
import { type HeaderJson, headerToJson } from '../mpt/headerFields.js';
import { toInteger } from '../mpt/text.js';
import { callL2 } from '../rpc/caller.js';
import { RpcError, type Transport } from '../rpc/index.js';
import { createNodeClient, toAskNode, unread } from '../rpc/nodeClient.js';
import { checkTrusted, checkWhole } from './common/argument.js';
import { checkForeign } from './common/errors.js';

/** A header of L2 as JSON-RPC has it: quantities and hex. */
export type L2Header = HeaderJson;

/** An L2 block that L1 holds the hash of. */
export interface L2BlockHash {
  /** 32 bytes, trusted: as `verifyBlockHashProof` gives it. */
  readonly blockHash: Hex;
  /** Number of the block that the hash stands for on L1. */
  readonly l2BlockNumber: number;
}

/** What a header of L2 says; all of it is proven by the block hash. */
export interface VerifiedL2Header {
  /** All of it. */
  readonly header: L2Header;
  /** Merkle-Patricia root of the state after the block, for `verifyAccountProof`. */
  readonly stateRoot: Hex;
  /** Seconds. */
  readonly timestamp: bigint;
}

function matchL2Header(header: unknown, hash: Uint8Array, l2BlockNumber: number): VerifiedL2Header {
  const { values } = matchAnyHeader(header, hash, '');
  const number = toInteger(values.get('number') as Uint8Array);
  if (number !== BigInt(l2BlockNumber)) {
    throw new TrieError('', `the header is of block ${number}, and not of ${l2BlockNumber}`);
  }
  const found = headerToJson(values);
  return { header: found, stateRoot: found.stateRoot, timestamp: BigInt(found.timestamp) };
}

/**
 * Verifies the header of an L2 block, of any fork up to Amsterdam, against the hash that L1 holds. Sends no request.
 *
 * @param header of unknown origin: a block as JSON-RPC answers it, or the hex of the header's RLP
 * @throws AnchorError `BAD_ANSWER`, `BAD_PROOF` if it is another block's header, `UNKNOWN_HEADER_FIELD`
 * @throws TypeError or RangeError for a wrong block, before the header is looked at
 *
 * @example
 * ```ts
 * import { verifyL2Header } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const node = createTransport({ url: 'https://node.example' }); // any node of the L2
 * const blockHash = '0xL2_BLOCK_HASH'; // from verifyBlockHashProof, as is its number
 * const answer = await node.call('eth_getBlockByHash', [blockHash, false]);
 * const { stateRoot, timestamp } = verifyL2Header(answer, { blockHash, l2BlockNumber: 28511680 });
 * console.log(stateRoot, timestamp);
 * ```
 */
export function verifyL2Header(header: unknown, block: L2BlockHash): VerifiedL2Header {
  const given = ownMembers(block, ['blockHash', 'l2BlockNumber'], 'block');
  const hash = checkTrusted(given.blockHash, 'blockHash');
  const number = checkWhole(given.l2BlockNumber, 'l2BlockNumber');
  return checkForeign(
    () => matchL2Header(header, hash, number),
    (cause) => {
      if (cause instanceof UnknownFieldError) return 'UNKNOWN_HEADER_FIELD';
      return cause instanceof TrieError ? 'BAD_PROOF' : undefined;
    },
  );
}

/** The header in an anchor that a caller gives. @param at of the anchor @throws TypeError or RangeError */
export function checkL2Header(
  given: { readonly [name in 'blockHash' | 'header' | 'stateRoot']?: unknown },
  l2BlockNumber: number,
  at: string,
) {
  const hash = checkTrusted(given.blockHash, `${at}blockHash`);
  let found: VerifiedL2Header;
  try {
    found = matchL2Header(given.header, hash, l2BlockNumber);
  } catch (cause) {
    throw wrongRange(`${at}header`, `expected that of the block hash: ${(cause as Error).message}`);
  }
  const { header, stateRoot, timestamp: time } = found;
  const root = given.stateRoot;
  if (root !== undefined && encodeHex(checkTrusted(root, `${at}stateRoot`)) !== stateRoot) {
    throw wrongRange(`${at}stateRoot`, 'expected the root in the header');
  }
  return { blockHash: encodeHex(hash), header, stateRoot, time };
}

/**
 * Asks an L2 node, which needs no trust, for the header of a block.
 *
 * @throws AnchorError as {@link verifyL2Header}; RpcError, `BLOCK_NOT_HELD` if it has no such block; the signal's reason
 */
export async function fetchL2Header(
  l2: Transport,
  block: L2BlockHash,
  signal: AbortSignal | undefined,
): Promise<VerifiedL2Header> {
  const node = createNodeClient(
    toAskNode((method, params, maxBytes) => callL2(l2, method, params, signal, { maxBytes })),
  );
  const { blockHash, l2BlockNumber } = block;
  const answer = await node.block({ blockHash }, unread);
  if (answer !== null) return verifyL2Header(answer, block);
  const text = `the L2 server has no block ${l2BlockNumber} of the hash that L1 holds; ask another`;
  throw new RpcError('BLOCK_NOT_HELD', 'eth_getBlockByHash', text);
}
