/** How a follower feeds a state tree: block by block, from the traces of an L2 node. */
import { createRollupContract, type L1Tag } from '../anchor/contract.js';
import type { Hex } from '../bytes.js';
import type { Fork } from '../forks.js';
import type { Transport } from '../rpc/index.js';
import { type StateTree, TreeError } from '../tree/index.js';
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

/** Block that the tree stands on. @throws FollowError `NOT_LOADED` */
export async function newestBlock(tree: StateTree): Promise<number> {
  const block = await tree.newestBlock();
  if (block !== undefined) return block;
  throw new FollowError('NOT_LOADED', 'the state tree is empty; load a state file first');
}

export const toTarget = (tree: StateTree): Target => ({
  newestBlock: () => newestBlock(tree),
  finalBlock: () => tree.finalBlock(),
  blockHash: (block) => tree.blockHash(block),
  revert: (block) => tree.revert(block),
});

/**
 * @returns false if the chain has changed below the block
 * @throws FollowError
 */
async function apply(
  { tree, fork, codeHashes }: FollowedChain,
  fetched: FetchedBlock,
  {
    node,
    finalizer,
    signal,
  }: { node: Node; finalizer: Finalizer; signal: AbortSignal | undefined },
): Promise<boolean> {
  const { header } = fetched;
  const { number } = header;
  const parent = await tree.blockHash(number - 1);
  if (parent !== undefined && header.parentHash !== parent) return false;
  const rules = { tree, node, fork: forkAt(fork, header.time), codeHashes };
  const changes = await findChanges(fetched, rules);
  signal?.throwIfAborted();
  try {
    const final = (await finalizer.isFinal(number)) && { finalBlock: number };
    await tree.applyBlock({ number, hash: header.hash, changes, ...final });
  } catch (cause) {
    if (!(cause instanceof TreeError && cause.code === 'STATE_MISMATCH')) throw cause;
    const text = `block ${number} does not begin with the state of this tree: ${cause.reason}`;
    throw new FollowError('STATE_MISMATCH', text, { cause });
  }
  return true;
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
  const fetch = fetchAhead(lookahead, (number) => fetchBlock(node, number, checkValue));
  const finalizer = finalizerOf(chain, node, nodes);
  return {
    node,
    finalizer,
    async begin() {
      if (chain.isGenesisChecked) return;
      await checkHeldGenesis(tree, { node, expected, onWarning });
      chain.isGenesisChecked = true;
    },
    async advance(newest, { final, head }) {
      // Not beyond the node's newest block: it may be behind L1.
      const fetched = await fetch(newest + 1, Math.min(final, head));
      if (fetched === undefined) return undefined;
      try {
        const isNext = await apply(chain, fetched, { node, finalizer, signal });
        return isNext ? newest + 1 : undefined;
      } catch (error) {
        throw toRefusal(fetched.header, error);
      }
    },
  };
}
