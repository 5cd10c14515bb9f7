/** One pass of a follower: from where the tree stands to the newest block of the node. */
import type { Hex } from '../bytes.js';
import { type StateTree, TreeError } from '../tree/index.js';
import { changesOf, type FetchedBlock } from './block.js';
import type { CodeHashes } from './codeHashes.js';
import { FollowError } from './errors.js';
import type { Finalizer } from './finalizer.js';
import { checkHeldGenesis } from './genesis.js';
import type { Node } from './node.js';
import { type Fork, type ForkTime, forkAt } from './system.js';

/** How far a follower has come. */
export interface FollowProgress {
  /** Newest block applied. */
  readonly block: number;
  /** Newest block of the node. */
  readonly head: number;
  /** Newest block named final; undefined if there is none yet. */
  readonly final: number | undefined;
}

/** The chain as one follower sees it, over all of its runs. */
export interface Chain {
  readonly tree: StateTree;
  readonly fork: Fork | readonly ForkTime[];
  readonly genesisRoot: Hex | undefined;
  readonly codeHashes: CodeHashes;
  readonly onProgress: (progress: FollowProgress) => void;
  readonly onWarning: (text: string) => void;
  /** Set once the genesis was compared. */
  isGenesisChecked: boolean;
}

/** One run: what it asks, and how it ends, belongs to a signal. */
export interface Session {
  readonly node: Node;
  readonly finalizer: Finalizer;
  readonly fetch: (number: number, limit: number) => Promise<FetchedBlock | undefined>;
  readonly signal: AbortSignal | undefined;
}

/** Block that the tree stands on. @throws FollowError `NOT_LOADED` */
export async function newestBlock(tree: StateTree): Promise<number> {
  const block = await tree.newestBlock();
  if (block !== undefined) return block;
  throw new FollowError('NOT_LOADED', 'the state tree is empty; load a state file first');
}

/**
 * Goes back to the newest block that the node's chain holds as well.
 *
 * @param head a node that has not come as far as the tree is only behind, if it agrees at its own newest block
 */
async function rewind(tree: StateTree, node: Node, head: number): Promise<void> {
  const top = await newestBlock(tree);
  const final = (await tree.finalBlock()) ?? top;
  for (let block = Math.min(top, head); block >= final; block--) {
    const known = await tree.blockHash(block);
    const header = await node.header(block);
    // A block that came without its hash, from a file, cannot be held against the node's.
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

/** Applies the block after the newest one. @returns false if the chain has changed below it */
async function advance(
  { tree, fork, codeHashes }: Chain,
  session: Session,
  { block, limit }: { block: number; limit: number },
): Promise<boolean> {
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

/** Brings the tree to the node's newest block. @returns false if the chain changed on the way */
export async function catchUp(chain: Chain, session: Session): Promise<boolean> {
  const { tree, genesisRoot: expected, onProgress, onWarning } = chain;
  const { node, finalizer } = session;
  const head = await node.head();
  await rewind(tree, node, head);
  if (!chain.isGenesisChecked) await checkHeldGenesis(tree, { node, expected, onWarning });
  chain.isGenesisChecked = true;
  const final = (await finalizer.refresh()) ?? -1;
  let block = await newestBlock(tree);
  await finalizer.settle(block);
  const report = async () => onProgress({ block, head, final: await tree.finalBlock() });
  await report();
  while (block < head) {
    // No further ahead than both: a node may be behind what L1 has.
    const limit = Math.min(final, head);
    if (!(await advance(chain, session, { block: block + 1, limit }))) return false;
    block++;
    await finalizer.settle(block);
    await report();
  }
  return true;
}
