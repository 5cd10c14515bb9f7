/** Hard forks of an L2 chain, oldest first: the one list of them. */

/** Those whose rules the engine runs. */
export const callForks = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const;
/** A fork whose rules the engine runs. */
export type CallFork = (typeof callForks)[number];

/**
 * Those that a chain may name. What Amsterdam's gas costs is not settled, and the engine's package follows drafts of it: no
 * call runs in a block of that fork.
 */
export const forks = [...callForks, 'amsterdam'] as const;
/** A hard fork that a chain may name. */
export type Fork = (typeof forks)[number];

/** Whether a fork is `first` or a later one. */
export const isSince = (fork: Fork, first: Fork): boolean =>
  forks.indexOf(fork) >= forks.indexOf(first);
