/** How a follower feeds a state tree from the traces of an L2 node: block by block, and several in one write if they are final. */
import { createRollupContract, type L1Tag } from '../anchor/contract.js';
import type { Hex } from '../bytes.js';
import type { Fork } from '../forks.js';
import type { Transport } from '../rpc/index.js';
import { type BlockGroup, type StateTree, TreeError } from '../tree/index.js';
import { checkHeldGenesis } from './genesis/genesis.js';
import type { FollowSession, Target } from './loop/catchUp.js';
import { fetchAhead } from './loop/fetchAhead.js';
import type { NodeFinality } from './loop/finality.js';
import { type Finalizer, finalizerByNode, finalizerByRollup } from './loop/finalizer.js';
import type { CodeHashes } from './node/codeHashes.js';
import { FollowError } from './node/errors.js';
import { createNode, type Node } from './node/node.js';
import { createPatientClient, type Patience } from './node/patience.js';
import { type ForkTime, forkAt } from './node/system.js';
import { type FetchedBlock, fetchBlock, findChanges, toRefusal } from './stateDiff/block.js';
import { createGroupFetch, type FetchedGroup } from './stateDiff/fetchGroup.js';
import { createValueCheck } from './stateDiff/valueLaw.js';

/** The chain as one follower sees it, over all of its runs. */
export interface FollowedChain {
  readonly tree: StateTree;
  readonly fork: Fork | readonly ForkTime[];
  readonly genesisRoot: Hex | undefined;
  readonly codeHashes: CodeHashes;
  /** Whether transactions may make value. */
  readonly mints: boolean;
  /** Ms in which a transaction must be traced. */
  readonly traceTimeout: number | undefined;
  readonly onWarning: (text: string) => void;
  /** By the L2 node, if no L1 is asked. */
  readonly finality: NodeFinality;
  /** Set once the genesis was compared. */
  isGenesisChecked: boolean;
}

/** The nodes that a run asks. */
interface Nodes {
  readonly l2: Transport;
  readonly l1: { transport: Transport; rollup: Hex; tag?: L1Tag } | undefined;
  readonly patience: Patience;
  readonly signal: AbortSignal | undefined;
}

/** Blocks that are fetched ahead of the one applied, if no reorg can touch them. */
const lookahead = 3;

/** Newest block that the tree holds, or holds at or below a height; -1 if it holds none there. @throws FollowError `NOT_LOADED` */
export async function newestBlock(tree: StateTree, atMost?: number): Promise<number> {
  const block = await tree.newestBlock(atMost);
  if (block !== undefined) return block;
  if (atMost !== undefined) return -1;
  throw new FollowError('NOT_LOADED', 'the state tree is empty; load a state file first');
}

export const toTarget = (tree: StateTree): Target => ({
  newestBlock: (atMost) => newestBlock(tree, atMost),
  finalBlock: () => tree.finalBlock(),
  blockHash: (block) => tree.blockHash(block),
  revert: (block) => tree.revert(block),
});

/** The means to apply blocks. */
interface Applying {
  readonly finalizer: Pick<Finalizer, 'comparesEach'>;
  readonly signal: AbortSignal | undefined;
}

/** What becomes of a block: it is held, or named final, or the state passes through it. */
type Fate = 'held' | 'final' | 'passed';

/** @throws FollowError, TreeError */
async function applyTo(
  { applyBlock, passBlock, read }: BlockGroup,
  block: FetchedBlock,
  { fork, codeHashes, fate }: FollowedChain & { fate: Fate },
): Promise<void> {
  const { number, hash, time } = block.header;
  const rules = { state: { read }, fork: forkAt(fork, time), codeHashes };
  const changes = await findChanges(block, rules);
  try {
    if (fate === 'passed') await passBlock({ number, changes });
    else if (fate === 'held') await applyBlock({ number, hash, changes });
    else await applyBlock({ number, hash, changes, finalBlock: number });
  } catch (cause) {
    if (!(cause instanceof TreeError && cause.code === 'STATE_MISMATCH')) throw cause;
    const text = `block ${number} does not begin with the state of this tree: ${cause.reason}`;
    throw new FollowError('STATE_MISMATCH', text, { cause });
  }
}

/** Applies blocks in one write: all or none. @throws FollowError, TreeError */
async function applyAtOnce(
  chain: FollowedChain & Applying,
  { blocks, isFinal }: FetchedGroup,
): Promise<void> {
  const before: Fate = chain.finalizer.comparesEach ? 'held' : 'passed';
  const last: Fate = isFinal ? 'final' : 'held';
  await chain.tree.applyBlocks(async (group) => {
    for (const block of blocks) {
      chain.signal?.throwIfAborted();
      await applyTo(group, block, { ...chain, fate: block === blocks.at(-1) ? last : before });
    }
  });
}

/** Applies blocks in one write. @returns whether all of them fit @throws TreeError */
async function fitsAtOnce(chain: FollowedChain & Applying, group: FetchedGroup): Promise<boolean> {
  try {
    await applyAtOnce(chain, group);
    return true;
  } catch (error) {
    if (error instanceof FollowError) return false;
    throw error;
  }
}

/** Blocks that were applied, and the error of the one behind them, if it failed. */
interface Applied {
  readonly count: number;
  readonly failure?: unknown;
}

/** Applies blocks up to the first that does not fit. @throws TreeError, and the error of the first block */
async function applyFitting(
  chain: FollowedChain & Applying,
  { blocks, isFinal }: FetchedGroup,
): Promise<Applied> {
  for (const [count, block] of blocks.entries()) {
    try {
      await applyAtOnce(chain, { blocks: [block], isFinal: isFinal && block === blocks.at(-1) });
    } catch (error) {
      const failure = toRefusal(block.header, error);
      if (count === 0 || !(error instanceof FollowError)) throw failure;
      return { count, failure };
    }
  }
  return { count: blocks.length };
}

/** @returns undefined if the chain has changed below the blocks @throws FollowError, TreeError, RefusedBlock */
async function apply(
  chain: FollowedChain & Applying,
  group: FetchedGroup,
): Promise<Applied | undefined> {
  const { blocks } = group;
  const { number, parentHash } = (blocks[0] as FetchedBlock).header;
  const parent = await chain.tree.blockHash(number - 1);
  if (parent !== undefined && parentHash !== parent) return undefined;
  const behind = 'failure' in group && { failure: group.failure };
  // If one block does not fit, nothing is written. The blocks before it are right, and are kept.
  const isDone = blocks.length > 1 && (await fitsAtOnce(chain, group));
  const applied = isDone ? { count: blocks.length } : await applyFitting(chain, group);
  return { ...behind, ...applied };
}

function finalizerOf(
  { tree, finality, onWarning }: FollowedChain,
  node: Node,
  nodes: Nodes,
): Finalizer {
  const { l2, l1, patience, signal } = nodes;
  if (!l1) {
    const once = createPatientClient('the L2 node', l2, { ...patience, tries: 1 }, signal);
    const hasty = createNode(once);
    return finalizerByNode(tree, finality.of({ node, hasty }));
  }
  const l1Node = createPatientClient('the L1 node', l1.transport, patience, signal);
  const rollup = createRollupContract(l1Node, l1.rollup);
  return finalizerByRollup(tree, rollup, l1.tag ?? 'finalized', onWarning);
}

export function openFollowSession(chain: FollowedChain, nodes: Nodes): FollowSession {
  const { tree, genesisRoot: expected, onWarning } = chain;
  const { signal } = nodes;
  const client = createPatientClient('the L2 node', nodes.l2, nodes.patience, signal);
  const node = createNode(client, chain.traceTimeout);
  const checkValue = chain.mints ? undefined : createValueCheck(node);
  const source = { node, checkValue, forkAt: (time: number) => forkAt(chain.fork, time) };
  const finalizer = finalizerOf(chain, node, nodes);
  const ahead = fetchAhead(lookahead, (number) => fetchBlock(source, number));
  const fetchGroup = createGroupFetch(ahead, finalizer);
  /** The error of a block behind those that were applied: these are settled first. */
  let failed: { number: number; error: unknown } | undefined;
  return {
    node,
    finalizer,
    async begin() {
      if (chain.isGenesisChecked) return;
      await checkHeldGenesis(tree, { node, expected, onWarning });
      chain.isGenesisChecked = true;
    },
    async advance(newest, { final, head }) {
      const first = newest + 1;
      if (failed?.number === first) throw failed.error;
      // Not beyond the node's newest block: it may be behind L1.
      const group = await fetchGroup(first, Math.min(final, head));
      const applied = group && (await apply({ ...chain, finalizer, signal }, group));
      if (applied === undefined) return undefined;
      const { count } = applied;
      if ('failure' in applied) failed = { number: first + count, error: applied.failure };
      return newest + count;
    },
  };
}
