/** Names blocks of the tree final, and compares the roots here with those that L1 holds. */
import type { L1Tag, RollupContract } from '../../anchor/contract.js';
import { encodeHex, isZero } from '../../bytes.js';
import type { StateTree } from '../../tree/index.js';
import { FollowError } from '../node/errors.js';
import type { Node } from '../node/node.js';
import { fetchAhead } from './fetchAhead.js';

/** Says what is final. */
export interface Finalizer {
  /** Asks again. @returns the last block that is final by now; undefined if none is */
  refresh(): Promise<number | undefined>;
  /** Whether a block may be named final as it is applied, because nothing has to be compared before. */
  isFinal(block: number): Promise<boolean>;
  /**
   * Names blocks final that the tree holds.
   *
   * @throws FollowError `ROOT_MISMATCH`; then nothing from that block on was named
   */
  settle(newest: number): Promise<void>;
}

/** Roots that are asked for ahead of the one compared. */
const lookahead = 8;

/** The target in which blocks are named final. */
type Finalized = Pick<StateTree, 'finalBlock' | 'finalize'>;

/** Trusts the node. Marks only every 64th block final on the way. */
export function finalizerByNode(target: Finalized, node: Pick<Node, 'finalized'>): Finalizer {
  const interval = 64;
  let limit: number | undefined;
  async function isDue(block: number): Promise<boolean> {
    const last = await target.finalBlock();
    if (block <= (last ?? -1)) return false;
    return block === limit || block - (last ?? -interval) >= interval;
  }
  return {
    async refresh() {
      limit = await node.finalized();
      return limit;
    },
    isFinal: async (block) => block <= (limit ?? -1) && isDue(block),
    async settle(newest) {
      const block = Math.min(newest, limit ?? -1);
      if (await isDue(block)) await target.finalize(block);
    },
  };
}

/**
 * Asks the rollup contract. Looks up each block at or below the last finalized one once. Only blocks that ended a
 * finalization have a root there. It must be the tree's, and only these blocks are named final.
 */
export function finalizerByRollup(tree: StateTree, rollup: RollupContract, tag: L1Tag): Finalizer {
  const expectedAt = fetchAhead(lookahead, (block) => rollup.stateRootHash(block, tag));
  let limit: number | undefined;
  let checked: number | undefined;

  async function check(block: number, end: number): Promise<boolean> {
    const root = await expectedAt(block, end);
    if (isZero(root)) return false;
    const expected = encodeHex(root);
    const stateRoot = await tree.stateRoot(block);
    if (stateRoot === expected) return true;
    const reason = `the state root of block ${block} is ${stateRoot} here and ${expected} on L1`;
    // Other readers of the store must not serve it either.
    await tree.distrust(reason);
    throw new FollowError('ROOT_MISMATCH', reason);
  }

  return {
    async refresh() {
      limit = await rollup.currentL2BlockNumber(tag);
      return limit;
    },
    isFinal: async () => false,
    async settle(newest) {
      const final = await tree.finalBlock();
      // The last final block is looked up too, once: it may come from a file, or from a run without L1.
      let block = checked === undefined ? (final ?? 0) : checked + 1;
      const end = limit ?? -1;
      for (; block <= Math.min(newest, end); block++) {
        if (await check(block, end)) await tree.finalize(block);
        checked = block;
      }
    },
  };
}
