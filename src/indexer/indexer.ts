/** Feeds an index from an L2 node, over restarts and reorgs. */
import type { FollowProgress, FollowSession, Target } from '../follow/loop/catchUp.js';
import { createNodeFinality, type NodeFinality } from '../follow/loop/finality.js';
import { finalizerByNode } from '../follow/loop/finalizer.js';
import { createRunner, follow } from '../follow/loop/loop.js';
import { checkPatience, defaultPatience, type Patience } from '../follow/node/patience.js';
import { ownMembers } from '../foreign/argument.js';
import type { Transport } from '../rpc/index.js';
import { numberText } from '../rpc/transport.js';
import { IndexError } from './layout/errors.js';
import { createLogSource } from './logs/logSource.js';
import type { Index } from './openIndex.js';
import { createReceiptSource } from './receipts/receiptSource.js';

/** Options of {@link createIndexer}. */
export interface IndexerOptions {
  /** Nobody else writes to it. */
  index: Index;
  /** An L2 node that has the receipts of all blocks; of an index of tokens alone, one with `eth_getLogs`. */
  l2: Transport;
  /** Told of each block that was applied. */
  onProgress?: (progress: FollowProgress) => void;
  /** Told of troubles that do not end the run, such as a node that does not answer. */
  onWarning?: (text: string) => void;
  /** Ms between two looks for a new block; default 2000. */
  interval?: number;
  /** Default 6 tries, 500 ms. */
  patience?: Patience;
}

/** Feeds an index from a node. */
export interface Indexer {
  /**
   * Follows the node until something is wrong or it is stopped. A node that does not answer is asked again, at most a
   * minute later. With `once`, follows to the block that is the newest when it gets there, and fails if the node does
   * not answer. Applied blocks are kept, and the next run goes on from them.
   *
   * @throws FollowError, IndexError, or any error of the store
   * @throws the signal's reason once it is aborted
   */
  run(options?: { once?: boolean; signal?: AbortSignal }): Promise<void>;
  /** The error that ended the last run. */
  readonly failure: unknown;
}

const targetOf = (index: Index): Target => ({
  // It holds all blocks up to its newest.
  newestBlock: async (atMost = Infinity) => Math.min((await index.newestBlock()) ?? -1, atMost),
  // The genesis is final, whatever the node knows. All blocks after it can then be taken back.
  finalBlock: async () =>
    (await index.finalBlock()) ?? ((await index.newestBlock()) === undefined ? undefined : 0),
  blockHash: (block) => index.blockHash(block),
  revert: (block) => index.revert(block),
});

interface FollowSessionOptions {
  readonly l2: Transport;
  readonly patience: Patience;
  readonly finality: NodeFinality;
}

function openSession(
  index: Index,
  { l2, patience, finality }: FollowSessionOptions,
  signal: AbortSignal | undefined,
): FollowSession {
  const open = index.only === 'tokens' ? createLogSource : createReceiptSource;
  const source = open(l2, patience, signal);
  let isChecked = false;

  async function advance(newest: number, last: number): Promise<number | undefined> {
    const isFinal = newest < last;
    const from = newest + 1;
    const fetched = isFinal ? await source.range(from, last) : await source.block(from);
    if (fetched === undefined) return undefined;
    if ('parentHash' in fetched && newest >= 0) {
      const parent = await index.blockHash(newest);
      if (parent !== undefined && fetched.parentHash !== parent) return undefined;
    }
    signal?.throwIfAborted();
    await index.apply({ ...fetched, isFinal }, signal);
    return fetched.to;
  }

  return {
    node: source.node,
    finalizer: finalizerByNode(index, finality.of(source)),
    async begin() {
      if (isChecked) return;
      const chainId = await source.chainId();
      if (chainId !== index.chainId) {
        const text = `the node serves chain ${numberText([l2], chainId)}, and the index is of chain ${index.chainId}`;
        throw new IndexError('WRONG_CHAIN', text);
      }
      isChecked = true;
    },
    advance: (newest, { final, head }) => advance(newest, Math.min(final, head)),
  };
}

const names = ['index', 'l2', 'onProgress', 'onWarning', 'interval', 'patience'] as const;

/** Prepares to feed an index. Nothing is asked before it runs. @throws TypeError for an unknown option */
export function createIndexer(options: IndexerOptions): Indexer {
  const given = ownMembers(options, names, 'options');
  const { index, l2, interval = 2000, patience = defaultPatience } = given;
  const { onProgress = () => {}, onWarning = () => {} } = given;
  checkPatience(patience);
  const session = { l2, patience, finality: createNodeFinality(onWarning, 'the index') };
  const loop = {
    target: targetOf(index),
    openSession: (signal: AbortSignal | undefined) => openSession(index, session, signal),
    onProgress,
    onWarning,
    interval,
    patience,
  };
  const runner = createRunner();
  return {
    run: (work = {}) =>
      runner.run(() => {
        const { once = false, signal } = ownMembers(work, ['once', 'signal'], 'options');
        return follow(loop, { once, signal });
      }),
    get failure() {
      return runner.failure;
    },
  };
}
