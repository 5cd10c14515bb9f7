/** One pass of a follower: from where its target stands to the newest block of the node. */
import type { Hex } from '../../bytes.js';
import { FollowError } from '../node/errors.js';
import type { Node } from '../node/node.js';
import type { Finalizer } from './finalizer.js';

/** How far a follower has come. */
export interface FollowProgress {
  /** Newest block applied. */
  readonly block: number;
  /** Newest block of the node. */
  readonly head: number;
  /** Newest block named final; undefined before the first one. */
  readonly final: number | undefined;
}

/** A target that is fed with a chain: a state, or an index of its events. */
export interface Target {
  /** Newest block held at or below a height; -1 if there is none. */
  newestBlock(atMost?: number): Promise<number>;
  /** Newest block that nothing takes back; undefined before the first one. */
  finalBlock(): Promise<number | undefined>;
  /** Undefined if the block was applied without its hash. */
  blockHash(block: number): Promise<Hex | undefined>;
  /** Takes back all blocks after one. */
  revert(block: number): Promise<void>;
}

/** How far the next step may go. */
interface Reach {
  /** Newest block that is final by now; -1 if none is. It may lie above `head`. */
  readonly final: number;
  /** Newest block of the node. */
  readonly head: number;
}

/** One run. Its signal aborts its requests and ends it. */
export interface FollowSession {
  readonly node: Pick<Node, 'head' | 'header'>;
  readonly finalizer: Finalizer;
  /** Called in each pass, once the target is known to be on the node's chain and before anything is applied. */
  begin(): Promise<void>;
  /** Applies one or more blocks after the newest one. @returns the newest by then; undefined if the chain has changed below it */
  advance(newest: number, reach: Reach): Promise<number | undefined>;
}

/**
 * Goes back to the newest block that the node's chain holds as well.
 *
 * @param head the newest block of the node. A node below the target is only behind, if both agree on this block
 */
async function rewind(target: Target, node: FollowSession['node'], head: number): Promise<void> {
  const top = await target.newestBlock();
  const final = (await target.finalBlock()) ?? Math.max(top, 0);
  const first = top > head ? await target.newestBlock(Math.max(head, 0)) : top;
  for (let block = first; block >= final; ) {
    const known = await target.blockHash(block);
    const header = await node.header(block);
    // A block from a file may have no hash to compare with the node's.
    if (header && (known === undefined || header.hash === known)) {
      if (block < first) await target.revert(block);
      return;
    }
    if (block === final) break;
    block = await target.newestBlock(block - 1);
  }
  if (head < final || top < 0) return;
  throw new FollowError(
    'REORG_TOO_DEEP',
    `the node's block ${final} is another than the one that is final here: it serves another chain, or has taken back what was final`,
  );
}

/** Brings the target to the node's newest block. @returns false if the chain changed on the way */
export async function catchUp(
  target: Target,
  { node, finalizer, begin, advance }: FollowSession,
  onProgress: (progress: FollowProgress) => void,
): Promise<boolean> {
  const head = await node.head();
  await rewind(target, node, head);
  await begin();
  const final = (await finalizer.refresh()) ?? -1;
  let block = await target.newestBlock();
  // If a block follows, what is there is named final after it: it may show that a block before was traced wrongly.
  if (block >= head) await finalizer.settle(block);
  const report = async () => onProgress({ block, head, final: await target.finalBlock() });
  await report();
  while (block < head) {
    const newest = await advance(block, { final, head });
    if (newest === undefined) return false;
    block = newest;
    await finalizer.settle(block);
    await report();
  }
  return true;
}
