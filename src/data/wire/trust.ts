/** The root that answers must fit, as callers give it: to the client, or to one request. */
import type { AnchoredRoot, Network } from '../../anchor/index.js';
import { wrongType } from '../../errors.js';
import type { CallFork } from '../../forks.js';
import type { Query } from './query.js';
import { anything } from './request.js';

/** Finds a root that is trusted, such as a light client does. */
export type FindAnchor = () => Promise<AnchoredRoot>;

/** What is trusted. */
export interface Trusting {
  /**
   * A trusted state root, or a function that finds one, which is asked once for each request. Then the answer is asked for at
   * its block, with proofs, and each item is verified: the proofs under the root, amounts by asking the contracts again on
   * what was proven, and what stands in blocks by their headers. What of an answer is not proven stands in its `assumed`.
   * Default: nothing is verified.
   */
  anchor?: AnchoredRoot | FindAnchor;
  /** The network of `anchor`, whose fork times say which rules contracts run by. Default: the public one of its chain. */
  network?: Network;
  /**
   * The rules that contracts run by, in a block whose time `anchor` does not hold. Default: those of the newest finalized
   * block follow from the proven time of its L1 block, else the newest ones that the engine knows hold if the root is not
   * proven, or the fork times are not known; `assumed` names both. Contracts in any other block fail with `FORK_UNKNOWN`.
   */
  fork?: CallFork;
}

/** The members of {@link Trusting}. */
export const trustRules = {
  anchor: anything<AnchoredRoot | FindAnchor | undefined>(),
  network: anything<Network | undefined>(),
  fork: anything<CallFork | undefined>(),
};

/** Members that must have a value if they are there: without it, less would be verified than was meant. */
export const trustNames = ['anchor', 'network', 'fork'] as const;

/** The members as they were given. */
export type GivenTrust = {
  readonly [K in keyof typeof trustRules]: ReturnType<(typeof trustRules)[K]>;
};

/** The ground that one answer must fit. */
export interface Trust {
  readonly anchor: AnchoredRoot;
  /** Default: the public network of the anchor's chain, if there is one. */
  readonly network?: Network | undefined;
  readonly fork: CallFork | undefined;
  readonly signal: AbortSignal | undefined;
}

/** @param place of the members, for errors @throws TypeError */
export function checkTrust(given: GivenTrust): void {
  const lone = (['network', 'fork'] as const).find((name) => given[name] !== undefined);
  if (lone !== undefined && given.anchor === undefined) {
    throw wrongType(lone, 'expected an "anchor" beside it: without one nothing is verified');
  }
}

/**
 * What one request trusts: what it says itself, else what the client was given.
 *
 * @throws TypeError, the signal's reason, and what the function fails with
 */
export async function findTrust(
  own: GivenTrust & { readonly signal: AbortSignal | undefined },
  client: GivenTrust,
): Promise<Trust | undefined> {
  checkTrust(own);
  const { anchor, network, fork } = own.anchor === undefined ? client : own;
  if (anchor === undefined) return undefined;
  const { signal } = own;
  signal?.throwIfAborted();
  const root = typeof anchor === 'function' ? await anchor() : anchor;
  signal?.throwIfAborted();
  return { anchor: root, network, fork, signal };
}

/** The members of a query that ask for proofs under the root. */
export const toProofsQuery = (trust: Trust | undefined): Query => ({
  proofs: trust && true,
  'block-height': trust?.anchor?.l2BlockNumber,
  // A service of before there were kinds takes no such member, and has the other kind alone.
  'proof-kind': trust?.anchor?.kind === 'header' ? 'header' : undefined,
});
