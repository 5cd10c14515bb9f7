/**
 * The newest final block as the node reports it, and whether the node has taken back a block that was final.
 *
 * All that is cached rests on final blocks. A block above all of them is remembered with its hash. As long as the node
 * has that hash at that height, all blocks below are the same too. One question now and then thus vouches for the whole
 * cache. If the node has another hash there, each cached entry must show that its own block is still on the chain.
 */
import type { Hex } from '../../bytes.js';
import { Poll } from '../../poll.js';

/** A block of the chain. */
export interface BlockId {
  readonly number: number;
  readonly hash: Hex;
}

/** The higher of two blocks. */
export function newer(a: BlockId | undefined, b: BlockId | undefined): BlockId | undefined {
  return (a?.number ?? -1) > (b?.number ?? -1) ? a : b;
}

/** The questions to the node. */
export interface HeadNode {
  /** The newest final block; undefined if none is. */
  finalBlock(): Promise<BlockId | undefined>;
  /** The hash at a height; undefined if the chain does not reach it. */
  hashAt(number: number): Promise<Hex | undefined>;
}

export interface FinalizedHead {
  /** The newest final block, not older than {@link FinalizedHeadOptions.recheck}. @throws RpcError or NodeError */
  newest(): Promise<BlockId | undefined>;
  /**
   * How often final blocks were taken back so far, from 0. An entry that was checked at another count must be
   * checked again. While the node does not answer, final blocks stay final.
   */
  reorgCount(): Promise<number>;
  /** The same as known now, without a question. */
  readonly knownReorgCount: number;
  /** Whether {@link reorgCount} would ask. */
  readonly isFresh: boolean;
}

interface FinalizedHeadOptions {
  readonly node: HeadNode;
  /** Ms for which an answer of the node is good. */
  readonly recheck: number;
  /** Ms that an answer from the cache waits for the node. */
  readonly patience: number;
  /** Told that the node fails while what is cached still stands. */
  readonly onError: (error: unknown) => void;
}

export function createFinalizedHead(options: FinalizedHeadOptions): FinalizedHead {
  const { node, recheck, patience, onError } = options;
  let head: BlockId | undefined;
  let knownReorgCount = 0;

  async function ask(): Promise<void> {
    const [final, hash] = await Promise.all([
      node.finalBlock(),
      head === undefined ? undefined : node.hashAt(head.number),
    ]);
    if (head !== undefined && hash !== head.hash) knownReorgCount += 1;
    // A node behind a balancer may lag: a block that was final stays so, as long as the chain has it.
    const isBehind =
      head !== undefined && hash === head.hash && (final?.number ?? -1) < head.number;
    if (!isBehind) head = final;
  }

  /** What failed is an answer too: a node that fails is not asked by each that reads the cache. */
  const poll = new Poll(() => ask().catch((error: unknown) => ({ error })), recheck);

  async function refresh(): Promise<void> {
    const failure = await poll.ask();
    if (failure) throw failure.error;
  }

  async function checkAtLeisure(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    try {
      await Promise.race([refresh(), late]);
    } catch (error) {
      onError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async newest() {
      if (!poll.isFresh || head === undefined) await refresh();
      return head;
    },
    async reorgCount() {
      if (!poll.isFresh) await checkAtLeisure();
      return knownReorgCount;
    },
    get knownReorgCount() {
      return knownReorgCount;
    },
    get isFresh() {
      return poll.isFresh;
    },
  };
}
