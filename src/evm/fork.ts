/** Which fork holds in a block. */
import { type Fork, forks } from './call.js';
import { EvmError } from './errors.js';

export interface ForkChoice {
  readonly fork: Fork;
  /** Whether it rests on a time that is not proven, or on the lack of one. */
  readonly isAssumed: boolean;
}

/** What is known of the block, the best first; the first that is there decides. */
export interface ForkEvidence {
  /** Its proven time, in seconds. */
  readonly proven?: bigint | undefined;
  /** The caller's own word on the fork. */
  readonly own?: Fork | undefined;
  /** Its time in seconds, by the word of the caller, or of those who are trusted with the root. */
  readonly claimed?: bigint | undefined;
  /** A proven time, in seconds, before which the block was made not long ago: it is the newest finalized one. */
  readonly bound?: bigint | undefined;
  /** Whether nobody is trusted who could choose the newest fork by saying nothing; default false. */
  readonly isStrict?: boolean | undefined;
}

/**
 * @param times from which block time on, in seconds, which fork holds
 * @throws EvmError `FORK` if the block is before the first fork of the network, `FORK_UNKNOWN`
 */
export function forkOf(
  times: Readonly<Partial<Record<Fork, number>>>,
  { proven, own, claimed, bound, isStrict = false }: ForkEvidence,
): ForkChoice {
  const named = forks.filter((fork) => Object.hasOwn(times, fork) && times[fork] !== undefined);
  const timeOf = (fork: Fork) => BigInt(times[fork] as number);
  const newest = named.at(-1);
  if (newest === undefined) return { fork: own ?? (forks.at(-1) as Fork), isAssumed: true };
  // Nobody's word about the time matters if there is but one possibility.
  if (timeOf(newest) === 0n) return { fork: newest, isAssumed: false };
  if (proven === undefined && own !== undefined) return { fork: own, isAssumed: true };
  const time = proven ?? claimed ?? bound;
  if (time === undefined) {
    if (!isStrict) return { fork: newest, isAssumed: true };
    // Later rules on an older block give other results, and so do earlier ones on a newer block.
    const text =
      "the time of the block is not proven, so its fork is not known; supply one as fork: 'osaka', or the time as header: { timestamp }";
    throw new EvmError('FORK_UNKNOWN', text);
  }
  const fork = named.filter((one) => timeOf(one) <= time).at(-1);
  if (fork !== undefined) return { fork, isAssumed: proven === undefined };
  throw new EvmError('FORK', `the network names no fork for the block time ${time}`);
}
