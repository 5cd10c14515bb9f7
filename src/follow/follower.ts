/** Feeds a state tree from an L2 node, block by block, over restarts and reorgs. */
import { createRollupContract, type L1Tag } from '../anchor/contract.js';
import type { Hex } from '../bytes.js';
import type { Transport } from '../rpc/index.js';
import { wait } from '../rpc/retry.js';
import { type StateTree, TreeError } from '../tree/index.js';
import { createAsker, defaultPatience, type Patience, untilAnswered } from './asker.js';
import { fetchBlock } from './block.js';
import { type Chain, catchUp, type FollowProgress, newestBlock, type Session } from './catchUp.js';
import { createCodeHashes } from './codeHashes.js';
import { FollowError } from './errors.js';
import { fetchAhead } from './fetchAhead.js';
import { finalizerByNode, finalizerByRollup } from './finalizer.js';
import { createNode } from './node.js';
import { checkSchedule, type Fork, type ForkTime } from './system.js';

/** What {@link createFollower} takes. */
export interface FollowerOptions {
  /** It holds the genesis, or any later block; nobody else writes to it. */
  tree: StateTree;
  /** An L2 node with `debug_traceBlockByNumber`. Traces of full blocks are long: allow for them in `maxBytes`. */
  l2: Transport;
  /** The fork whose rules the chain follows, or several in order, each with the time from which it does. */
  fork: Fork | readonly ForkTime[];
  /**
   * The rollup contract, on an L1 node that is trusted; without it, blocks are final by the L2 node's own word and no root
   * is compared. `tag`: which state of L1 is read, default `finalized`.
   */
  l1?: { transport: Transport; rollup: Hex; tag?: L1Tag };
  /** Merkle-Patricia root of the genesis, 32 bytes, which takes the place of the L2 node's word. */
  genesisRoot?: Hex;
  /** Told of each block that was applied. */
  onProgress?: (progress: FollowProgress) => void;
  /** What the caller should know, but does not end the run: a node that is away, a state that nothing confirms. */
  onWarning?: (text: string) => void;
  /** Ms between two looks for a new block; default 2000. */
  interval?: number;
  /** Default 6 tries, 500 ms. */
  patience?: Patience;
}

/** Feeds a state tree from an L2 node. */
export interface Follower {
  /**
   * Follows the node until something is wrong or it is stopped. A node that is away is asked again, at most a minute later.
   * With `once`, follows to the block that is the newest when it gets there, and fails if a node is away. What was applied is
   * kept, and the next run goes on from it.
   *
   * @throws FollowError, TreeError
   * @throws the signal's reason once it is aborted
   */
  run(options?: { once?: boolean; signal?: AbortSignal }): Promise<void>;
  /** False once a root differed from L1's, for good: what this tree proves is not the rollup's state. */
  readonly canServe: boolean;
  /** What the last run failed with. */
  readonly failure: unknown;
}

/** Times that a chain may change under the follower without a block being applied: a node that never agrees with itself. */
const maxChanges = 50;

/** Blocks that are fetched ahead of the one applied, if no reorg can touch them. */
const lookahead = 3;

const unconfirmed =
  'without L1 no root has confirmed this state: it is as right as its genesis and the traces of the L2 node';

/** An earlier run, or another follower, may have marked the state as wrong. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof TreeError && error.code === 'DISTRUSTED')) return error;
  return new FollowError('ROOT_MISMATCH', error.message, { cause: error });
}

/** @throws TypeError or RangeError for wrong options */
function checkOptions({ fork, l1, genesisRoot }: FollowerOptions): void {
  checkSchedule(fork);
  if (l1 && !/^0x[0-9a-f]{40}$/i.test(l1.rollup)) {
    throw new RangeError('"l1.rollup" expected 0x and 40 hex digits');
  }
  if (genesisRoot !== undefined && !/^0x[0-9a-f]{64}$/i.test(genesisRoot)) {
    throw new RangeError('"genesisRoot" expected 0x and 64 hex digits');
  }
}

function openSession(options: FollowerOptions, signal: AbortSignal | undefined): Session {
  const { tree, l2, l1, patience = defaultPatience } = options;
  const node = createNode(createAsker('the L2 node', l2, patience, signal));
  const fetch = fetchAhead(lookahead, (number) => fetchBlock(node, number));
  if (!l1) return { node, finalizer: finalizerByNode(tree, node), fetch, signal };
  const { ask } = createAsker('the L1 node', l1.transport, patience, signal);
  const rollup = createRollupContract(ask, l1.rollup);
  return { node, finalizer: finalizerByRollup(tree, rollup, l1.tag ?? 'finalized'), fetch, signal };
}

/** Follows the node until something is wrong or it is stopped. @param once ends at the node's newest block */
async function follow(
  chain: Chain,
  options: FollowerOptions,
  { once, signal }: { once: boolean; signal: AbortSignal | undefined },
): Promise<void> {
  const { tree, onWarning } = chain;
  const { interval = 2000, patience: { delay } = defaultPatience } = options;
  const first = await newestBlock(tree);
  if (!options.l1) onWarning(unconfirmed);
  // What the tree begins with is given, and nothing may take it back.
  if ((await tree.finalBlock()) === undefined) await tree.finalize(first);
  let session = openSession(options, signal);
  const look = () =>
    catchUp(chain, session).catch((error) => {
      // What was fetched ahead has failed with it.
      session = openSession(options, signal);
      throw error;
    });
  for (let changes = 0, last = first; ; ) {
    const isThere = await (once ? look() : untilAnswered(look, { delay, onWarning, signal }));
    if (isThere && once) return;
    const block = await newestBlock(tree);
    changes = isThere || block > last ? 0 : changes + 1;
    last = block;
    if (changes > maxChanges) {
      const text = `the L2 node names another parent of block ${block + 1} than its block ${block}`;
      throw new FollowError('BAD_ANSWER', text);
    }
    // A chain that has just changed is looked at again at once, but not without a pause.
    await wait(isThere ? interval : Math.min(interval, 100), signal);
  }
}

/** Makes a follower; nobody is asked before it runs. @throws TypeError or RangeError for wrong options */
export function createFollower(options: FollowerOptions): Follower {
  checkOptions(options);
  const { tree, fork, genesisRoot, onProgress = () => {}, onWarning = () => {} } = options;
  const chain: Chain = {
    tree,
    fork,
    genesisRoot,
    codeHashes: createCodeHashes(),
    onProgress,
    onWarning,
    isGenesisChecked: false,
  };
  let isRunning = false;
  let isRefuted = false;
  let failure: unknown;
  return {
    async run({ once = false, signal } = {}) {
      if (isRunning) throw new TypeError('the follower is running already');
      isRunning = true;
      failure = undefined;
      try {
        await follow(chain, options, { once, signal });
      } catch (error) {
        failure = failureOf(error);
        if (failure instanceof FollowError && failure.code === 'ROOT_MISMATCH') isRefuted = true;
        throw failure;
      } finally {
        isRunning = false;
      }
    },
    get canServe() {
      return !isRefuted;
    },
    get failure() {
      return failure;
    },
  };
}
