/** Feeds a state tree from an L2 node, block by block, over restarts and reorgs. */
import type { Hex } from '../bytes.js';
import type { Transport } from '../rpc/index.js';
import { type StateTree, TreeError } from '../tree/index.js';
import { fetchAhead } from './ahead.js';
import { createAsker, defaultPatience, type Patience, untilAnswered, wait } from './ask.js';
import { changesOf, type FetchedBlock, fetchBlock } from './block.js';
import { createCodeHashes } from './codeHashes.js';
import { FollowError } from './errors.js';
import { type Finality, finalityByNode, finalityByRollup } from './finality.js';
import { checkHeldGenesis } from './genesis.js';
import { createNode, type Node } from './node.js';
import { createRollup, type L1Tag } from './rollup.js';
import { checkSchedule, type Fork, type ForkTime, forkAt } from './system.js';

/** How far a follower has come. */
export interface FollowProgress {
  /** Newest block applied. */
  readonly block: number;
  /** Newest block of the node. */
  readonly head: number;
  /** Newest block named final; undefined where none is yet. */
  readonly final: number | undefined;
}

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
  onProgress?: (progress: FollowProgress) => void;
  /** What the caller should know, but does not end the run: a node that is away, a state that nothing confirms. */
  onWarning?: (text: string) => void;
  /** Ms between two looks for a new block; default 2000. */
  interval?: number;
  /** Default 6 tries, 500 ms. */
  patience?: Patience;
}

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

/** Blocks that are fetched ahead of the one applied, where no reorg can touch them. */
const lookahead = 3;

const unconfirmed =
  'without L1 no root has confirmed this state: it is as right as its genesis and the traces of the L2 node';

/** An earlier run, or another follower, may have marked the state as wrong. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof TreeError && error.code === 'DISTRUSTED')) return error;
  return new FollowError('ROOT_MISMATCH', error.message, { cause: error });
}

/** One run: what it asks, and how it ends, belongs to a signal. */
interface Session {
  readonly node: Node;
  readonly finality: Finality;
  readonly fetch: (number: number, limit: number) => Promise<FetchedBlock | undefined>;
  readonly signal: AbortSignal | undefined;
}

/** @throws TypeError or RangeError for wrong options */
export function createFollower(options: FollowerOptions): Follower {
  const { tree, fork, onProgress = () => {}, interval = 2000 } = options;
  const { patience = defaultPatience, onWarning = () => {}, genesisRoot } = options;
  checkSchedule(fork);
  if (options.l1 && !/^0x[0-9a-f]{40}$/i.test(options.l1.rollup)) {
    throw new RangeError('"l1.rollup" expected 0x and 40 hex digits');
  }
  if (genesisRoot !== undefined && !/^0x[0-9a-f]{64}$/i.test(genesisRoot)) {
    throw new RangeError('"genesisRoot" expected 0x and 64 hex digits');
  }
  const codeHashes = createCodeHashes();
  let isRunning = false;
  let isRefuted = false;
  let isGenesisChecked = false;
  let failure: unknown;

  function open(signal: AbortSignal | undefined): Session {
    const node = createNode(createAsker('the L2 node', options.l2, patience, signal));
    const { l1 } = options;
    const finality = l1
      ? finalityByRollup(
          tree,
          createRollup(
            createAsker('the L1 node', l1.transport, patience, signal),
            l1.rollup,
            l1.tag ?? 'finalized',
          ),
        )
      : finalityByNode(tree, node);
    const fetch = fetchAhead(lookahead, (number) => fetchBlock(node, number));
    return { node, finality, fetch, signal };
  }

  /** Block that the tree stands on. */
  async function newest(): Promise<number> {
    const block = await tree.newestBlock();
    if (block !== undefined) return block;
    throw new FollowError('NOT_LOADED', 'the state tree is empty; load a state file first');
  }

  /**
   * Goes back to the newest block that the node's chain holds as well.
   *
   * @param head a node that has not come as far as the tree is only behind, if it agrees where it is
   */
  async function rewind({ node }: Session, head: number): Promise<void> {
    const top = await newest();
    const final = (await tree.finalBlock()) ?? top;
    for (let block = Math.min(top, head); block >= final; block--) {
      const known = await tree.blockHash(block);
      const header = await node.header(block);
      // Of a block that came without its hash, from a file, nothing can be said against the node's.
      if (header && (known === undefined || header.hash === known)) {
        if (block < Math.min(top, head)) await tree.revert(block);
        return;
      }
    }
    if (head < final) return;
    throw new FollowError(
      'REORG_TOO_DEEP',
      `the node's block ${final} is another than the one that is final here: it serves another chain, or has taken back what was final`,
    );
  }

  /** Applies the block after the newest one. @returns false where the chain has changed below it */
  async function advance(session: Session, block: number, limit: number): Promise<boolean> {
    const fetched = await session.fetch(block, limit);
    const parent = await tree.blockHash(block - 1);
    if (fetched === undefined) return false;
    const { header } = fetched;
    if (parent !== undefined && header.parentHash !== parent) return false;
    const rules = { tree, node: session.node, fork: forkAt(fork, header.time), codeHashes };
    const changes = await changesOf(fetched, rules);
    session.signal?.throwIfAborted();
    try {
      await tree.applyBlock({ number: block, hash: header.hash, changes });
    } catch (cause) {
      if (!(cause instanceof TreeError && cause.code === 'STATE_MISMATCH')) throw cause;
      const difference = cause.message.replace(` (${cause.code})`, '');
      const text = `block ${block} does not begin with the state of this tree: ${difference}`;
      throw new FollowError('STATE_MISMATCH', text, { cause });
    }
    return true;
  }

  /** Brings the tree to the node's newest block. @returns false where the chain changed on the way */
  async function catchUp(session: Session): Promise<boolean> {
    const head = await session.node.head();
    await rewind(session, head);
    const check = { node: session.node, expected: genesisRoot, onWarning };
    if (!isGenesisChecked) await checkHeldGenesis(tree, check);
    isGenesisChecked = true;
    const limit = (await session.finality.refresh()) ?? -1;
    let block = await newest();
    await session.finality.settle(block);
    const report = async () => onProgress({ block, head, final: await tree.finalBlock() });
    await report();
    while (block < head) {
      // No further ahead than both: a node may be behind what L1 has.
      if (!(await advance(session, block + 1, Math.min(limit, head)))) return false;
      block++;
      await session.finality.settle(block);
      await report();
    }
    return true;
  }

  async function follow(signal: AbortSignal | undefined, once: boolean): Promise<void> {
    const first = await newest();
    if (!options.l1) onWarning(unconfirmed);
    // What the tree begins with is given, and nothing may take it back.
    if ((await tree.finalBlock()) === undefined) await tree.finalize(first);
    let session = open(signal);
    const look = () =>
      catchUp(session).catch((error) => {
        // What was fetched ahead has failed with it.
        session = open(signal);
        throw error;
      });
    const { delay } = patience;
    for (let changes = 0, last = first; ; ) {
      const isThere = await (once ? look() : untilAnswered(look, { delay, onWarning, signal }));
      if (isThere && once) return;
      const block = await newest();
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

  return {
    async run({ once = false, signal } = {}) {
      if (isRunning) throw new TypeError('the follower is running already');
      isRunning = true;
      failure = undefined;
      try {
        await follow(signal, once);
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
