/**
 * Takes back what a wrong trace may have done. A node, or one of those behind its URL, may answer a wrong trace once. That
 * shows when the block is applied, or only later, when another block begins with what the trace left out. Blocks that are
 * not final can then be taken back and asked for again: their hashes are right whatever was said of them.
 */
import type { Hex } from '../../bytes.js';
import { doubling } from '../../rpc/retry.js';
import type { StateTree } from '../../tree/index.js';
import type { FollowError } from '../node/errors.js';

/** The traces of a block do not fit the state before it, or each other. */
export class RefusedBlock extends Error {
  readonly number: number;
  readonly hash: Hex;
  readonly failure: FollowError;

  constructor(number: number, hash: Hex, failure: FollowError) {
    super(failure.message, { cause: failure });
    this.number = number;
    this.hash = hash;
    this.failure = failure;
  }
}

/** Blocks that are taken back in one write: each is held in memory until then. */
const atOnce = 256;

/** Ms of the longest pause. */
const longestPause = 60_000;

interface TakeBackOptions {
  /** Ms of the first pause; doubled for each later one, up to a minute. */
  readonly delay: number;
  readonly onWarning: (text: string) => void;
}

/** Takes back all blocks that are not final. @returns the first of them; undefined if there was none */
async function takeBack(tree: StateTree): Promise<number | undefined> {
  const final = (await tree.finalBlock()) ?? 0;
  const newest = (await tree.newestBlock()) ?? 0;
  if (newest <= final) return undefined;
  // In steps, newest first: a kill in between leaves fewer blocks, and nothing else.
  for (let at = newest; at > final; ) {
    at = (await tree.newestBlock(Math.max(final, at - atOnce))) as number;
    await tree.revert(at);
  }
  return final + 1;
}

/**
 * The reaction to blocks that are refused, of one run.
 *
 * @returns a function that gives ms until the next try, or undefined if there is none: the block was refused before, with
 *   the same state before it
 */
export function createTakeBack(
  tree: StateTree,
  { delay, onWarning }: TakeBackOptions,
): (refused: RefusedBlock) => Promise<number | undefined> {
  const pauseAfter = doubling(delay, longestPause);
  const seen = new Set<string>();
  let highest = -1;
  let round = 0;
  return async ({ number, hash, failure }) => {
    if (number > highest) {
      // Blocks that were refused earlier have been applied since.
      seen.clear();
      round = 0;
      highest = number;
    }
    const state = `${number} ${hash} ${await tree.stateRoot(number - 1)}`;
    if (seen.has(state)) return undefined;
    seen.add(state);
    const pause = pauseAfter(++round);
    // At once, not after the pause: what is wrong must not become final meanwhile.
    const first = failure.code === 'STATE_MISMATCH' ? await takeBack(tree) : undefined;
    const taken =
      first === undefined
        ? `asking for block ${number} again`
        : `blocks ${first} to ${number - 1}, which are not final, are taken back, to ask for them again`;
    onWarning(`${failure.message}; ${taken} in ${Math.ceil(pause / 1000)} s`);
    return pause;
  };
}
