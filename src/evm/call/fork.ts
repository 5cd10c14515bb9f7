/** Which fork holds in a block. */

import { ownMember } from '../../foreign/members.js';
import { type CallFork, callForks, type Fork, forks } from '../../forks.js';
import { isProvenRoot } from '../../verify/claim.js';
import { EvmError } from './errors.js';

/** The members of an anchor about its block; the type is structural, for anchors are made elsewhere. */
interface AnchoredBlock {
  readonly how: string;
  readonly timestamp?: { readonly value: bigint; readonly proven: boolean };
  readonly isNewest?: boolean;
  readonly l1: { readonly timestamp?: bigint; readonly proven?: boolean };
}

/** The caller's own words on the block. */
interface OwnWords {
  readonly fork?: CallFork | undefined;
  /** In seconds. */
  readonly timestamp?: bigint | undefined;
}

interface ForkChoice {
  readonly fork: CallFork;
  /** Whether it rests on a time that is not proven, or on the lack of one. */
  readonly isAssumed: boolean;
}

/** The knowledge of the block, the best first; the first that is there decides. */
interface ForkEvidence {
  /** Its proven time, in seconds. */
  readonly proven?: bigint | undefined;
  /** The caller's own word on the fork. */
  readonly own?: CallFork | undefined;
  /** Its time in seconds, by the word of the caller, or of those who are trusted with the root. */
  readonly claimed?: bigint | undefined;
  /** A proven time, in seconds, before which the block was made not long ago: it is the newest finalized one. */
  readonly bound?: bigint | undefined;
  /** Whether nobody is trusted who could choose the newest fork by saying nothing; default false. */
  readonly isStrict?: boolean | undefined;
}

/** @throws EvmError `FORK` if the engine does not run the fork's rules */
export function checkRules(fork: Fork): CallFork {
  const known = callForks.find((one) => one === fork);
  if (known !== undefined) return known;
  const text = `the block is under the rules of ${fork}, and calls run by those up to ${callForks.at(-1)}: ask about an earlier block, or try a newer version`;
  throw new EvmError('FORK', text);
}

/**
 * @param times from which block time on, in seconds, which fork holds
 * @throws EvmError `FORK` if the block is before the first fork of the network, or under rules that do not run here;
 *   `FORK_UNKNOWN`
 */
export function findFork(
  times: Readonly<Partial<Record<Fork, number>>>,
  { proven, own, claimed, bound, isStrict = false }: ForkEvidence,
): ForkChoice {
  const named = forks.filter((fork) => ownMember(times, fork) !== undefined);
  const timeOf = (fork: Fork) => BigInt(times[fork] as number);
  const newest = named.at(-1);
  if (newest === undefined) return { fork: own ?? (callForks.at(-1) as CallFork), isAssumed: true };
  // Nobody's word about the time matters if there is but one possibility.
  if (timeOf(newest) === 0n) return { fork: checkRules(newest), isAssumed: false };
  if (proven === undefined && own !== undefined) return { fork: own, isAssumed: true };
  const time = proven ?? claimed ?? bound;
  if (time === undefined) {
    if (!isStrict) return { fork: checkRules(newest), isAssumed: true };
    // Later rules on an older block give other results, and so do earlier ones on a newer block.
    const text =
      "the time of the block is not proven, so its fork is not known; supply one as fork: 'osaka', or the time as header: { timestamp }";
    throw new EvmError('FORK_UNKNOWN', text);
  }
  const fork = named.filter((one) => timeOf(one) <= time).at(-1);
  if (fork !== undefined) return { fork: checkRules(fork), isAssumed: proven === undefined };
  throw new EvmError('FORK', `the network names no fork for the block time ${time}`);
}

/** Rules and time that a call in an anchored block runs with. */
export interface BlockRules extends ForkChoice {
  /** The block's time in seconds, if L1 proves it. */
  readonly proven: bigint | undefined;
  /** Its time by the word of the caller, or of those who are trusted with the root, if it is not proven. */
  readonly claimed: bigint | undefined;
}

/**
 * The rules of an anchored block. No server that nobody trusts has a say in them.
 *
 * @param times as `forkOf` takes them
 * @throws EvmError as `forkOf`
 */
export function rulesOf(
  { how, timestamp, isNewest, l1 }: AnchoredBlock,
  times: Readonly<Partial<Record<Fork, number>>>,
  own: OwnWords,
): BlockRules {
  const isStrict = isProvenRoot(how);
  const proven = timestamp?.proven === true ? timestamp.value : undefined;
  // Beside a proven root, a bare claim would be the word of a server that nobody trusts.
  const stated = isStrict ? undefined : timestamp?.value;
  // A proven time comes first, then the one that the caller supplies for all calls, then a mere claim.
  const claimed = proven === undefined ? (own.timestamp ?? stated) : undefined;
  const choice = findFork(times, {
    // If the root itself is only claimed, the time in the same claim is as good as the root.
    proven: proven ?? (own.timestamp === undefined ? stated : undefined),
    own: own.fork,
    claimed,
    // L1 takes no finalization of a block that is later than its own.
    bound: isStrict && isNewest && l1.proven ? l1.timestamp : undefined,
    isStrict,
  });
  return { ...choice, proven, claimed };
}
