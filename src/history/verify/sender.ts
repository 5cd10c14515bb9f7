/** Who signed a transaction, by its signature. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeHex, type Hex } from '../../bytes.js';
import { integerOf, type RlpTransaction, signingHash } from '../../mpt/transaction.js';
import { HistoryError } from './errors.js';

/** The parity of the signature's point; the first type holds it beside the chain (EIP-155). */
function parityOf(transaction: RlpTransaction): number {
  if (transaction.type !== 0) return Number(integerOf(transaction, 'yParity'));
  const v = integerOf(transaction, 'v') as bigint;
  return Number(v >= 35n ? (v - 35n) & 1n : v - 27n);
}

/**
 * The address whose key signed a transaction, 20 bytes.
 *
 * @param at where it stands, for the error
 * @throws HistoryError `BAD_ANSWER` if nobody can have signed so, which no block has
 */
export function recoverSender(transaction: RlpTransaction, at: string): Hex {
  const [r, s] = [integerOf(transaction, 'r'), integerOf(transaction, 's')] as [bigint, bigint];
  const fail = (cause: unknown) =>
    new HistoryError('BAD_ANSWER', `"${at}" has a signature that no key can make`, {
      cause,
      path: at,
    });
  try {
    const signature = new secp256k1.Signature(r, s, parityOf(transaction));
    // EIP-2; typed transactions are younger, and of the first type blocks of before have others.
    if (transaction.type !== 0 && signature.hasHighS()) throw new RangeError('high s');
    const key = signature.recoverPublicKey(signingHash(transaction)).toBytes(false);
    return encodeHex(keccak_256(key.subarray(1)).subarray(12));
  } catch (cause) {
    throw fail(cause);
  }
}
