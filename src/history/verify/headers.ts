/** Headers, each proven by its hash, which the one after it names. */
import { encodeHex, type Hex } from '../../bytes.js';
import { checkHex, ownMembers } from '../../foreign/argument.js';
import { memberPath } from '../../foreign/members.js';
import { openArray, readMember } from '../../foreign/shape.js';
import { TrieError } from '../../mpt/errors.js';
import { matchAnyHeader } from '../../mpt/header.js';
import { headerToJson, type RlpHeader } from '../../mpt/headerFields.js';
import { toInteger } from '../../mpt/text.js';
import { runSteps, type Steps } from '../../steps.js';
import { checkAnswer } from './errors.js';
import type { BlockHeader } from './types.js';

/** A header that hashes to a hash that was proven. */
export interface ProvenHeader {
  readonly hash: Uint8Array;
  readonly values: RlpHeader;
  readonly encoded: Uint8Array;
  readonly number: number;
}

/**
 * Holds a header against its hash.
 *
 * @param header of unknown origin: a block as JSON-RPC answers it, or the hex of the header's RLP
 * @param hash 32 bytes, proven
 * @throws ShapeError, TrieError, UnknownFieldError
 */
export function readHeader(header: unknown, hash: Uint8Array, at: string): ProvenHeader {
  const { values, encoded } = matchAnyHeader(header, hash, at);
  // Hashed numbers of real blocks are far below 2^53.
  return { hash, values, encoded, number: Number(toInteger(values.get('number') as Uint8Array)) };
}

/** The header in the forms of JSON-RPC. */
export const toBlockHeader = ({ hash, values }: ProvenHeader): BlockHeader => ({
  hash: encodeHex(hash),
  ...headerToJson(values),
});

/** Refuses a header that another one names as the block before, and whose number is not the one before. */
export function checkHeaderNumber({ number }: ProvenHeader, expected: number, at: string): void {
  if (number === expected) return;
  throw new TrieError(at, `is of block ${number}, and not of ${expected}`);
}

/** The same in steps, one a header. @throws HistoryError */
function* verifyHeadersInSteps(headers: unknown, hash: Uint8Array): Steps<BlockHeader[]> {
  const list = checkAnswer(() => openArray(headers, ''));
  const proven: BlockHeader[] = [];
  let wanted = hash;
  let after: ProvenHeader | undefined;
  for (let i = list.length - 1; i >= 0; i--) {
    const at = memberPath(list, i);
    const header = checkAnswer(() => {
      const read = readHeader(readMember(list, i), wanted, at);
      if (after) checkHeaderNumber(read, after.number - 1, at);
      return read;
    });
    proven.push(toBlockHeader(header));
    wanted = header.values.get('parentHash') as Uint8Array;
    after = header;
    yield;
  }
  return proven.reverse();
}

/**
 * Verifies headers of blocks that follow one another.
 *
 * @param headers of unknown origin, the oldest first: blocks as JSON-RPC answers them, or the hex of each header's RLP
 * @param claim.hash hash of the last one, 32 bytes, trusted
 * @returns the headers, in the same order
 * @throws HistoryError `BAD_ANSWER`, `WRONG_HEADER`, `UNKNOWN_HEADER_FIELD`
 * @throws TypeError or RangeError for a wrong hash, before the headers are looked at
 *
 * @example
 * ```ts
 * import { verifyHeaders } from 'l2proof/history';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const node = createTransport({ url: 'https://node.example' }); // any node of the L2
 * const hash = '0xL2_BLOCK_HASH'; // trusted
 * const block = await node.call('eth_getBlockByHash', [hash, false]);
 * const [header] = verifyHeaders([block], { hash });
 * console.log(header?.number, header?.timestamp);
 * ```
 */
export function verifyHeaders(headers: unknown, claim: { readonly hash: Hex }): BlockHeader[] {
  const { hash } = ownMembers(claim, ['hash'], 'claim');
  return runSteps(verifyHeadersInSteps(headers, checkHex(hash, 32, 'hash')));
}
