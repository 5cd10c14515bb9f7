/** Blocks that go into the tree in one write, if no reorg can touch them. */
import type { Finalizer } from '../loop/finalizer.js';
import type { FetchedBlock } from './block.js';

/** Most blocks of a group: as many as lie between two that are named final by a node's word. */
const maxBlocks = 64;

/** Accounts, slots and KiB of code in the traces of a group, before its last block: all that they change lies in memory. */
const maxParts = 8192;

/** Ms of fetching until a group is closed: a kill loses what it has. */
const maxTime = 1000;

/** Blocks in a row that the node has, and why there are no more. */
export interface FetchedGroup {
  readonly blocks: readonly FetchedBlock[];
  /** Whether the last of them is to be named final. */
  readonly isFinal: boolean;
  /** Of the fetch of the block behind them, if it failed: to be thrown once they are applied. */
  readonly failure?: unknown;
}

function partsOf({ diffs }: FetchedBlock): number {
  let parts = 0;
  for (const { accounts } of diffs) {
    for (const { pre, post } of accounts) {
      parts += 1 + (pre?.storage.size ?? 0) + (post?.storage.size ?? 0);
      parts += (post?.code?.length ?? 0) >> 11;
    }
  }
  return parts;
}

/**
 * Fetches blocks until they are enough for a write.
 *
 * @param options.first its block
 * @param options.limit the last block that no reorg can touch
 * @returns undefined if the node does not have the first one
 */
export async function fetchGroup(
  fetch: (number: number) => Promise<FetchedBlock | undefined>,
  {
    first,
    limit,
    finalizer,
  }: { first: number; limit: number; finalizer: Pick<Finalizer, 'isFinal'> },
): Promise<FetchedGroup | undefined> {
  const start = performance.now();
  const block = await fetch(first);
  if (block === undefined) return undefined;
  const blocks = [block];
  let parts = partsOf(block);
  for (let number = first; ; number++) {
    if (await finalizer.isFinal(number)) return { blocks, isFinal: true };
    const isLong = parts >= maxParts || performance.now() - start >= maxTime;
    if (number >= limit || blocks.length === maxBlocks || isLong) break;
    let next: FetchedBlock | undefined;
    try {
      next = await fetch(number + 1);
    } catch (failure) {
      return { blocks, isFinal: false, failure };
    }
    // Another chain: the next pass looks which one the node is on.
    if (next?.header.parentHash !== blocks.at(-1)?.header.hash) break;
    if (next === undefined) break;
    blocks.push(next);
    parts += partsOf(next);
  }
  return { blocks, isFinal: false };
}
