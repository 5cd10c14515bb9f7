/** Where an index has its blocks from. */
import type { Node } from '../../follow/node/node.js';
import type { Changes } from '../layout/changes.js';
import type { BlockMark } from '../layout/layout.js';

/** The changes of blocks next to each other. */
export interface FetchedRange {
  readonly to: number;
  /** The mark of the last block. */
  readonly mark: BlockMark;
  readonly changes: Changes;
}

export interface BlockSource {
  readonly node: Node;
  /** Asks for the final block once. */
  readonly hasty: Pick<Node, 'finalized'>;
  chainId(): Promise<number>;
  /**
   * Changes of final blocks from one on. Already asks for the blocks after these.
   *
   * @param limit the last block that may be asked for
   * @returns undefined if the node has no such block. Its changes may have the memory of those of the next call
   */
  range(from: number, limit: number): Promise<FetchedRange | undefined>;
  /**
   * Changes of one block that may be taken back.
   *
   * @returns undefined if the node has no such block, or took it back meanwhile
   */
  block(number: number): Promise<(FetchedRange & { parentHash: string }) | undefined>;
}

/** Records to collect before changes are applied: many at a time give fewer segments and less to merge. */
export const manyRecords = 131_072;
