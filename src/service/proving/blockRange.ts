/** Ranges of blocks, each held against the hash that the one after it names, with the receipts of those that may have certain logs. */
import type { Hex } from '../../bytes.js';
import { mapConcurrently } from '../../concurrent.js';
import {
  checkFilter,
  type LogFilter,
  mayMatch,
  toFilterBits,
} from '../../history/verify/filter.js';
import type { NodeClient } from '../../rpc/nodeClient.js';
import { NodeError } from '../chain/errors.js';
import type { AnswerContext, Pause } from '../jsonrpc/method.js';
import { findBlock, findReceipts, type KnownBlock } from './blockLists.js';

/** Blocks that are asked for at once. */
const blocksAtOnce = 8;

/**
 * Asks for the blocks before one, each held against the hash that the one after it names.
 *
 * @param from number of the first
 * @returns those from there on, the newest first; undefined for a header of a form that is not known
 * @throws RpcError, NodeError, what the pause throws
 */
async function findBlocksBefore(
  node: NodeClient,
  last: KnownBlock,
  { from, pause }: { readonly from: number; readonly pause: Pause },
): Promise<readonly KnownBlock[] | undefined> {
  const numbers = Array.from({ length: last.number - from }, (_, i) => last.number - 1 - i);
  const found = await mapConcurrently(numbers, blocksAtOnce, async (number) => {
    await pause();
    return findBlock(node, number, undefined);
  });
  const blocks: KnownBlock[] = [];
  let after = last;
  for (const block of found) {
    if (block === undefined) return undefined;
    if (block.hash !== after.parentHash) {
      const text = `the L2 node's block ${block.number} is not the one that its block ${after.number} names`;
      throw new NodeError('BAD_ANSWER', text);
    }
    blocks.push(block);
    after = block;
  }
  return blocks;
}

const sizeOf = (texts: readonly Hex[]) => texts.reduce((sum, text) => sum + text.length, 0);

interface BlockRange {
  /** The last one. */
  readonly top: KnownBlock;
  /** Number of the first one. */
  readonly from: number;
  readonly filter: LogFilter;
  /** Characters at most. */
  readonly mostLength: number;
}

interface ReadRange {
  /** The newest first. */
  readonly blocks: readonly KnownBlock[];
  /** By the numbers of blocks. */
  readonly receipts: Readonly<Record<number, readonly Hex[]>>;
  /** Characters of all. */
  readonly length: number;
}

/**
 * @returns undefined if it would be too long, or for a form that is not known
 * @throws RpcError, NodeError, what the pause throws
 */
export async function readBlockRange(
  node: NodeClient,
  { top, from, filter, mostLength }: BlockRange,
  { charge, pause }: AnswerContext,
): Promise<ReadRange | undefined> {
  charge(top.number - from);
  const before = await findBlocksBefore(node, top, { from, pause });
  if (before === undefined) return undefined;
  const blocks = [top, ...before];
  const bits = toFilterBits(checkFilter(filter));
  const receipts: Record<number, readonly Hex[]> = {};
  let length = sizeOf(blocks.map(({ encoded }) => encoded));
  for (const block of blocks) {
    if (length > mostLength) return undefined;
    // A block without logs has no bits.
    if (block.bloom.every((byte) => byte === 0) || !mayMatch(bits, block.bloom)) continue;
    charge(1);
    const items = await findReceipts(node, block, pause);
    if (items === undefined) return undefined;
    receipts[block.number] = items;
    length += sizeOf(items);
  }
  return length > mostLength ? undefined : { blocks, receipts, length };
}
