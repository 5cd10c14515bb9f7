/** Which fork holds in a block. */
// @ts-nocheck

import { type Fork, forks } from './call.js';
import { EvmError } from './errors.js';

export interface ForkChoice {
  readonly fork: Fork;
  /** Whether it rests on a time that is not proven, or on the lack of one. */
  readonly isAssumed: boolean;
}

/**
 * @param times from which block time on, in seconds, which fork holds
 * @param timestamp of the block
 * @throws EvmError `FORK` if the block is before the first fork of the network
 */
export function forkOf(
  times: Readonly<Partial<Record<Fork, number>>>,
  timestamp: { readonly value: bigint; readonly proven: boolean } | undefined,
): ForkChoice {
  const named = forks.filter((fork) => Object.hasOwn(times, fork) && times[fork] !== undefined);
  const timeOf = (fork: Fork) => BigInt(times[fork] as number);
  const newest = named.at(-1);
  if (newest === undefined) return { fork: forks.at(-1) as Fork, isAssumed: true };
  // Nobody's word about the time matters if there is but one possibility.
  if (timeOf(newest) === 0n) return { fork: newest, isAssumed: false };
  if (timestamp === undefined) return { fork: newest, isAssumed: true };
  const fork = named.filter((one) => timeOf(one) <= timestamp.value).at(-1);
  if (fork !== undefined) return { fork, isAssumed: !timestamp.proven };
  throw new EvmError('FORK', `the network names no fork for the block time ${timestamp.value}`);
}
