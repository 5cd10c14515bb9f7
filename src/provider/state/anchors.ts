/** The anchored block. It moves on with a read, at most once in `refresh` ms. */

import { checkAnchored } from '../../anchor/checkAnchored.js';
import { AnchorError, type AnchoredRoot, type Network } from '../../anchor/index.js';
import { LruCache } from '../../lru.js';
import { Poll } from '../../poll.js';
import type { Transport } from '../../rpc/index.js';
import { SharedWork } from '../../sharedWork.js';
import { isProvenRoot } from '../../verify/claim.js';
import type { Lifetime } from './lifetime.js';

/** The request to an {@link AnchorSource}. */
export interface AnchorWish {
  /** The block whose root is wanted; undefined: the last finalized one. */
  readonly l2BlockNumber: number | undefined;
  /** In its place: the end of the last finalization before this block is wanted. It is not there unless it is needed. */
  readonly before?: number;
  /** The provider's own L2 endpoint: it gives the header of a block whose hash L1 holds in place of a root. */
  readonly l2: Transport;
  /** Aborted once no request waits for the anchor any more. */
  readonly signal: AbortSignal;
}

/** Gives anchors, as `fetchAnchor` does. */
export type AnchorSource = (wish: AnchorWish) => Promise<AnchoredRoot>;

export interface Anchors {
  /** The anchored block, fetched anew if the last look is older than `refresh`. */
  latest(): Promise<AnchoredRoot>;
  /** The root of one block. @throws AnchorError `NOT_PROVABLE` if the source gives another block's */
  at(l2BlockNumber: number): Promise<AnchoredRoot>;
  /** The end of the last finalization before a block. @throws AnchorError `NOT_PROVABLE` if the source gives a later one */
  before(l2BlockNumber: number): Promise<AnchoredRoot>;
  /** An anchored block newer than the given one; undefined if there is no newer one yet. */
  after(anchor: AnchoredRoot): Promise<AnchoredRoot | undefined>;
}

/** Blocks whose roots are kept for requests that name them by number. */
const maxKnown = 16;

/** What a function gave, checked as what a caller gives. @throws AnchorError */
function checkGiven(given: unknown, network: Network): AnchoredRoot {
  try {
    return checkAnchored(given, network);
  } catch (cause) {
    throw new AnchorError('BAD_ANSWER', (cause as Error).message, { cause });
  }
}

interface AnchorsOptions {
  readonly network: Network;
  readonly l2: Transport;
  readonly source: AnchorSource;
  /** Ms. */
  readonly refresh: number;
  readonly lifetime: Lifetime;
}

/** Whether all of it is the word of L1 endpoints. */
const isBelieved = ({ how }: AnchoredRoot): boolean => how === 'call' || how === 'quorum';

/**
 * Whether an anchor comes from an L1 endpoint that lags behind the last one asked: it does not take the anchored block
 * back. Beside a proven root the L2 block alone counts: the number of an L1 block may be a claim, and one of 2^53 - 1
 * would keep the anchored block for ever. So would a claimed root, so a proven one always takes its place. If the
 * endpoints are believed, a newer L1 block with an older L2 block is a reorg of L1.
 */
function isBehind(anchor: AnchoredRoot, current: AnchoredRoot): boolean {
  const isProven = isProvenRoot(anchor.how);
  if (isProven && isBelieved(current)) return false;
  if (isProven || isProvenRoot(current.how)) return anchor.l2BlockNumber < current.l2BlockNumber;
  return anchor.l1.blockNumber < current.l1.blockNumber;
}

/** Ms for which an anchored block stands that is only believed, while all that L1 answers is before it. */
const longestLag = 3_600_000;

export function createAnchors({ network, l2, source, refresh, lifetime }: AnchorsOptions): Anchors {
  /** When L1 last answered the anchored block, or one that took its place. */
  let confirmedAt = Number.NEGATIVE_INFINITY;
  const known = new LruCache<number, AnchoredRoot>(maxKnown);
  const asking = new SharedWork<number, AnchoredRoot>();
  /** By the block that they end before. */
  const earlier = new LruCache<number, AnchoredRoot>(maxKnown);
  const askingEarlier = new SharedWork<number, AnchoredRoot>();

  async function fetch(wish: Omit<AnchorWish, 'l2' | 'signal'>): Promise<AnchoredRoot> {
    const given = await lifetime.run((signal) => source({ ...wish, l2, signal }));
    return checkGiven(given, network);
  }

  const newest = new Poll(async (): Promise<AnchoredRoot> => {
    const anchor = await fetch({ l2BlockNumber: undefined });
    const current = newest.last;
    const now = performance.now();
    if (current && isBehind(anchor, current)) {
      // One false number of an L1 block must not keep the block in silence.
      if (isBelieved(current) && now - confirmedAt > longestLag) {
        const text = `for an hour L1 has answered blocks before ${current.l1.blockNumber}, that of the anchored block: one of them is false; open another provider`;
        throw new AnchorError('STALE', text);
      }
      return current;
    }
    confirmedAt = now;
    // Whatever L1 had beyond this block it may have lost in a reorg.
    for (const block of known.keys()) if (block > anchor.l2BlockNumber) known.delete(block);
    for (const block of earlier.keys()) if (block > anchor.l2BlockNumber) earlier.delete(block);
    known.set(anchor.l2BlockNumber, anchor);
    return anchor;
  }, refresh);

  async function ask(l2BlockNumber: number): Promise<AnchoredRoot> {
    const anchor = await fetch({ l2BlockNumber });
    if (anchor.l2BlockNumber !== l2BlockNumber) {
      const text = `no root is known of block ${l2BlockNumber}; the anchored block is ${anchor.l2BlockNumber}`;
      throw new AnchorError('NOT_PROVABLE', text);
    }
    known.set(l2BlockNumber, anchor);
    return anchor;
  }

  async function askEarlier(before: number): Promise<AnchoredRoot> {
    const anchor = await fetch({ l2BlockNumber: undefined, before });
    if (anchor.l2BlockNumber >= before) {
      const text = `no finalization that ended before block ${before} is known: a function given as "anchor" must take "before" into account`;
      throw new AnchorError('NOT_PROVABLE', text);
    }
    earlier.set(before, anchor);
    known.set(anchor.l2BlockNumber, anchor);
    return anchor;
  }

  return {
    latest: () => newest.get(),
    at: async (l2BlockNumber) =>
      known.get(l2BlockNumber) ?? asking.run(l2BlockNumber, undefined, () => ask(l2BlockNumber)),
    before: async (l2BlockNumber) =>
      earlier.get(l2BlockNumber) ??
      askingEarlier.run(l2BlockNumber, undefined, () => askEarlier(l2BlockNumber)),
    async after({ l2BlockNumber }) {
      const isNewer = (anchor: AnchoredRoot | undefined) =>
        anchor !== undefined && anchor.l2BlockNumber > l2BlockNumber;
      const anchor = isNewer(newest.last) ? newest.last : await newest.ask();
      return isNewer(anchor) ? anchor : undefined;
    },
  };
}
