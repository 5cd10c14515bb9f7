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
  /** Whether each block must be held until it is settled. If not, only the last block of a write is held. */
  readonly comparesEach: boolean;
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
    comparesEach: false,
    async settle(newest) {
      const block = Math.min(newest, limit ?? -1);
      if (await isDue(block)) await target.finalize(block);
    },
  };
}

/**
 * Asks the rollup contract. Looks up each block at or below the last finalized one once. Only blocks that ended a
 * finalization have a root there. It must be the tree's, and only these blocks are named final.
 *
 * From version 9 of the contract on it has hashes of blocks. That of the last finalized block must be the one here, and each block
 * here names the one before, so that this is the chain which is final. No root here follows from a hash: the state itself is
 * then checked no more, and `onWarning` is told so, once.
 */
export function finalizerByRollup(
  tree: StateTree,
  rollup: RollupContract,
  tag: L1Tag,
  onWarning: (text: string) => void,
): Finalizer {
  let isTold = false;
  const tell = (text: string) => {
    if (!isTold) onWarning(text);
    isTold = true;
  };

  /** Of the last finalized block, if L1 has no root of it. @returns whether L1 has its hash */
  async function checkHash(block: number): Promise<boolean> {
    const hash = await rollup.blockHash(block, tag);
    if (isZero(hash)) {
      tell(
        `L1 holds neither a state root nor a hash of block ${block}, the last finalized one: it is not named final`,
      );
      return false;
    }
    const expected = encodeHex(hash);
    const known = await tree.blockHash(block);
    if (known !== expected) {
      const text = `block ${block} is ${known ?? 'of unknown hash'} here and ${expected} on L1: the L2 node serves another chain than the one that is final, or this store was fed with it`;
      throw new FollowError('REORG_TOO_DEEP', text);
    }
    tell(
      `L1 holds the hash of block ${block}, and no state root any more: from now on the chain of this store is checked against L1, and its state is not. Its proofs hold under its own roots, which no reader can find on L1: those take eth_getProof of any node`,
    );
    return true;
  }

  const expectedAt = fetchAhead(lookahead, (block) => rollup.stateRootHash(block, tag));
  let limit: number | undefined;
  let checked: number | undefined;

  async function check(block: number, end: number): Promise<boolean> {
    const root = await expectedAt(block, end);
    // Any other block ended no finalization; with block 0, nothing is finalized yet.
    if (isZero(root)) return block > 0 && block === end && checkHash(block);
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
    comparesEach: true,
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
