/** The step from a trusted L1 block hash to the L1 state root. */
import { encodeHex, type Hex } from '../bytes.js';
import { TrieError, UnknownFieldError } from '../mpt/errors.js';
import { verifyHeader } from '../mpt/header.js';
import { checkTrusted } from './common/argument.js';
import { checkForeign } from './common/errors.js';

/** The members of an L1 header that are used here; all are proven by the block hash. */
export interface VerifiedL1Header {
  /** Root of L1's own state, for {@link verifyAnchorProof}: never the root that an L2 proof is held against. */
  readonly stateRoot: Hex;
  /** Number of the L1 block. */
  readonly number: number;
  /** Seconds. */
  readonly timestamp: bigint;
}

/**
 * Verifies an L1 block header, of any fork up to Amsterdam, against the hash of the block. Sends no request.
 *
 * @param header of unknown origin: the answer of `eth_getBlockByHash` or `eth_getBlockByNumber`
 * @param blockHash 32 bytes in hex, trusted: it must not come from the server that answered
 * @throws AnchorError `BAD_ANSWER`, `BAD_PROOF` if it is another block's header, `UNKNOWN_HEADER_FIELD`
 * @throws TypeError or RangeError for a wrong hash, before the header is looked at
 *
 * @example
 * ```ts
 * import { verifyL1Header } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const l1 = createTransport({ url: 'https://l1.example' });
 * const blockHash = '0xL1_BLOCK_HASH'; // trusted
 * const header = await l1.call('eth_getBlockByHash', [blockHash, false]);
 * const { number, stateRoot } = verifyL1Header(header, blockHash);
 * console.log(number, stateRoot);
 * ```
 */
export function verifyL1Header(header: unknown, blockHash: Hex): VerifiedL1Header {
  const trusted = checkTrusted(blockHash, 'blockHash');
  const { stateRoot, number, timestamp } = checkForeign(
    () => verifyHeader(header, trusted),
    (cause) => {
      if (cause instanceof UnknownFieldError) return 'UNKNOWN_HEADER_FIELD';
      return cause instanceof TrieError ? 'BAD_PROOF' : undefined;
    },
  );
  return { stateRoot: encodeHex(stateRoot), number: Number(number), timestamp };
}
