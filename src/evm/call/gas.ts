/** Gas that a call costs before its first instruction. */
import { type CallFork, isSince } from '../../forks.js';
import type { Call } from './call.js';

const wordsOf = (bytes: Uint8Array): bigint => BigInt(Math.ceil(bytes.length / 32));

/**
 * - `intrinsic` is taken off before the run (EIP-2028, EIP-2930, EIP-3860)
 * - `floor` is what the call costs at least (EIP-7623); 0 before Prague
 */
export function baseGas(
  { to, data, accessList }: Pick<Call, 'to' | 'data' | 'accessList'>,
  fork: CallFork,
): { intrinsic: bigint; floor: bigint } {
  let count = 0;
  // Not reduced: a call for each byte of a megabyte takes ten times as long.
  for (let i = 0; i < data.length; i++) if (data[i] === 0) count += 1;
  const zeros = BigInt(count);
  const others = BigInt(data.length) - zeros;
  let intrinsic = 21_000n + 4n * zeros + 16n * others;
  for (const { storageKeys } of accessList) intrinsic += 2400n + 1900n * BigInt(storageKeys.length);
  if (to === undefined) {
    intrinsic += 32_000n;
    if (isSince(fork, 'shanghai')) intrinsic += 2n * wordsOf(data);
  }
  const floor = isSince(fork, 'prague') ? 21_000n + 10n * (zeros + 4n * others) : 0n;
  return { intrinsic, floor };
}

/** The smaller of two; Math.min takes no bigint. */
export function lesser(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

/** The larger of two. */
export const greater = (a: bigint, b: bigint): bigint => -lesser(-a, -b);

/** Refund for gas used: a fifth at most (EIP-3529). */
export const refundOf = (used: bigint, refund: bigint): bigint => lesser(refund, used / 5n);

/** Most bytes of init code (EIP-3860); undefined: no bound. */
export const maxInitCode = (fork: CallFork): number | undefined =>
  isSince(fork, 'shanghai') ? 49_152 : undefined;

/** Most gas of a transaction (EIP-7825); undefined: no bound. */
export const maxTransactionGas = (fork: CallFork): bigint | undefined =>
  isSince(fork, 'osaka') ? 2n ** 24n : undefined;
