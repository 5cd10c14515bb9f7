/** Feeds a state tree from an L2 node, block by block, over restarts and reorgs. */
import type { L1Tag } from '../anchor/contract.js';
import type { Hex } from '../bytes.js';
import { ownMembers, ownOptions } from '../foreign/argument.js';
import type { Fork } from '../forks.js';
import { checkLimit } from '../rpc/http.js';
import type { Transport } from '../rpc/index.js';
import { type StateTree, TreeError } from '../tree/index.js';
import type { FollowProgress } from './loop/catchUp.js';
import { createNodeFinality } from './loop/finality.js';
import { createRunner, follow, type LoopOptions } from './loop/loop.js';
import { createTakeBack } from './loop/refusedBlock.js';
import { createCodeHashes } from './node/codeHashes.js';
import { FollowError } from './node/errors.js';
import { defaultTraceTimeout } from './node/node.js';
import { checkPatience, defaultPatience, type Patience } from './node/patience.js';
import { checkSchedule, type ForkTime } from './node/system.js';
import { type FollowedChain, newestBlock, openFollowSession, toTarget } from './stateFeed.js';

/** Options of {@link createFollower}. */
export interface FollowerOptions {
  /** It holds the genesis, or any later block, and has no other writer. */
  tree: StateTree;
  /** An L2 node with `debug_traceBlockByNumber`. A `maxBytes` of its transport takes the place of the bounds of all questions. */
  l2: Transport;
  /** The fork whose rules the chain follows, or several in order, each with the time from which it does. */
  fork: Fork | readonly ForkTime[];
  /**
   * The rollup contract, on an L1 node that is trusted. Without it, the L2 node decides which blocks are final, and no root
   * is compared. If that node knows no finality, blocks count as final 256 below its newest one.
   */
  l1?: {
    /** The L1 node. */
    transport: Transport;
    /** The rollup contract, 20 bytes. */
    rollup: Hex;
    /** Which state of L1 is read; default `finalized`. */
    tag?: L1Tag;
  };
  /** Merkle-Patricia root of the genesis, 32 bytes, in place of the one that the L2 node reports. */
  genesisRoot?: Hex;
  /** Told of the newest block after each write. Several blocks that are final already go into one write. */
  onProgress?: (progress: FollowProgress) => void;
  /** Told of troubles that do not end the run: a node that does not answer, a state that nothing confirms. */
  onWarning?: (text: string) => void;
  /** Ms between two looks for a new block; default 2000. */
  interval?: number;
  /** Default 6 tries, 500 ms. */
  patience?: Patience;
  /**
   * Ms that the node may take to trace one transaction; default 120,000. It is sent in whole seconds, because geth's own
   * limit is 5 s. The `timeout` of `l2` bounds the whole answer.
   */
  traceTimeout?: number;
  /**
   * Whether transactions of the chain may make value, or its base fees go to an account in place of being burnt. Default
   * false: a block whose traces make value is refused (`BAD_TRACE`).
   */
  mints?: boolean;
}

/** Feeds a state tree from an L2 node. */
export interface Follower {
  /**
   * Follows the node until something is wrong or it is stopped. A node that does not answer is asked again, at most a
   * minute later. If a block does not fit, those that are not final are taken back and asked for again, until the same
   * block does not fit the same state. With `once`, follows to the block that is the newest when it gets there, and fails if the node does
   * not answer. Applied blocks are kept, and the next run goes on from them.
   *
   * @throws FollowError, TreeError
   * @throws the signal's reason once it is aborted
   */
  run(options?: { once?: boolean; signal?: AbortSignal }): Promise<void>;
  /** False, for good, once a root differed from L1's: this tree then does not prove the rollup's state. */
  readonly canServe: boolean;
  /** The error that ended the last run. */
  readonly failure: unknown;
}

const unconfirmed =
  'without L1 no root has confirmed this state: it is as right as its genesis and the traces of the L2 node';

/** An earlier run, or another follower, may have marked the state as wrong. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof TreeError && error.code === 'DISTRUSTED')) return error;
  return new FollowError('ROOT_MISMATCH', error.message, { cause: error });
}

const names = [
  ...(['tree', 'l2', 'fork', 'l1', 'genesisRoot'] as const),
  ...(['onProgress', 'onWarning', 'interval', 'patience', 'traceTimeout', 'mints'] as const),
] as const;

/** @throws TypeError or RangeError */
function checkL1(l1: NonNullable<FollowerOptions['l1']>): void {
  const { rollup } = ownOptions(l1, ['transport', 'rollup', 'tag'], 'l1', ['tag']);
  if (!/^0x[0-9a-f]{40}$/i.test(rollup)) {
    throw new RangeError('"l1.rollup" expected 0x and 40 hex digits');
  }
}

/** @throws TypeError or RangeError for wrong options */
function checkOptions(options: FollowerOptions): Pick<FollowerOptions, (typeof names)[number]> {
  const given = ownOptions(options, names, 'options', ['l1', 'genesisRoot']);
  const { fork, l1, genesisRoot, patience = defaultPatience } = given;
  const { traceTimeout = defaultTraceTimeout, mints = false } = given;
  checkLimit('traceTimeout', traceTimeout);
  if (typeof mints !== 'boolean') throw new TypeError('"mints" expected true or false');
  checkSchedule(fork);
  checkPatience(patience);
  if (l1 !== undefined) checkL1(l1);
  if (genesisRoot !== undefined && !/^0x[0-9a-f]{64}$/i.test(genesisRoot)) {
    throw new RangeError('"genesisRoot" expected 0x and 64 hex digits');
  }
  return given;
}

/** Makes a follower; no request is sent before it runs. @throws TypeError or RangeError for wrong options */
export function createFollower(options: FollowerOptions): Follower {
  const given = checkOptions(options);
  const { tree, l2, l1, fork, genesisRoot, interval = 2000, patience = defaultPatience } = given;
  const { onProgress = () => {}, onWarning = () => {}, traceTimeout, mints = false } = given;
  const codeHashes = createCodeHashes();
  const settings = { fork, genesisRoot, mints, traceTimeout };
  const finality = createNodeFinality(onWarning, 'the run');
  const kept = { tree, codeHashes, finality, onWarning };
  const chain: FollowedChain = { ...settings, ...kept, isGenesisChecked: false };
  const loop: LoopOptions = {
    target: toTarget(tree),
    openSession: (signal) => openFollowSession(chain, { l2, l1, patience, signal }),
    onProgress,
    onWarning,
    interval,
    patience,
  };
  let isRefuted = false;
  const runner = createRunner((error) => {
    const failure = failureOf(error);
    if (failure instanceof FollowError && failure.code === 'ROOT_MISMATCH') isRefuted = true;
    return failure;
  });
  return {
    run: (work = {}) =>
      runner.run(async () => {
        const { once = false, signal } = ownMembers(work, ['once', 'signal'], 'options');
        const first = await newestBlock(tree);
        if (!l1) onWarning(unconfirmed);
        // The first block is given by the caller, and must never be taken back.
        if ((await tree.finalBlock()) === undefined) await tree.finalize(first);
        const onRefused = createTakeBack(tree, { delay: patience.delay, onWarning });
        await follow({ ...loop, onRefused }, { once, signal });
      }),
    get canServe() {
      return !isRefuted;
    },
    get failure() {
      return runner.failure;
    },
  };
}
