/** Blocks that go into the tree in one write, if no reorg can touch them. */
import type { Finalizer } from '../loop/finalizer.js';
import type { FetchedBlock } from './block.js';

/** Most blocks of a group: as many as lie between two that are named final by a node's word. */
const maxBlocks = 64;

/** Transactions, accounts, slots and KiB of code in the traces of a group, before its last block: all of it lies in memory. */
const maxParts = 8192;

/** Ms of fetching until a group is closed: a kill loses what it has. */
const maxTime = 1000;

/** Blocks in a row that the node has, and why there are no more. */
export interface FetchedGroup {
  readonly blocks: readonly FetchedBlock[];
  /** Whether the last of them is to be named final. */
  readonly isFinal: boolean;
  /** The error of the fetch of the block behind them, if it failed: to be thrown once they are applied. */
  readonly failure?: unknown;
}

const kibOf = (code: string | undefined): number => (code?.length ?? 0) >> 11;

function partsOf({ diffs }: FetchedBlock): number {
  let parts = 0;
  for (const { accounts } of diffs) {
    parts += 1 + accounts.length;
    for (const { pre, post } of accounts) {
      parts += (pre?.storage.size ?? 0) + (post?.storage.size ?? 0);
      parts += kibOf(pre?.code) + kibOf(post?.code);
    }
  }
  return parts;
}

const late = Symbol('late');

/** What a promise gives within some ms; `late` if it gives nothing by then. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | typeof late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Fetches blocks until they are enough for a write.
 *
 * @param fetch of one block, with the last block that may be fetched ahead
 * @returns a function that gives the group that begins with a block; undefined if the node does not have that one. Behind
 *   `limit`, a reorg may touch blocks: such a block is a group by itself
 */
export function createGroupFetch(
  fetch: (number: number, limit: number) => Promise<FetchedBlock | undefined>,
  finalizer: Pick<Finalizer, 'isFinal'>,
): (first: number, limit: number) => Promise<FetchedGroup | undefined> {
  /** A fetch that the group before did not wait for. */
  let open: { number: number; answer: Promise<FetchedBlock | undefined> } | undefined;

  function begin(number: number, limit: number): Promise<FetchedBlock | undefined> {
    const known = open?.number === number ? open.answer : undefined;
    open = undefined;
    return known ?? fetch(number, limit);
  }

  return async (first, limit) => {
    const start = performance.now();
    const block = await begin(first, limit);
    if (block === undefined) return undefined;
    const blocks = [block];
    let parts = partsOf(block);
    for (let number = first; ; number++) {
      if (await finalizer.isFinal(number)) return { blocks, isFinal: true };
      const left = maxTime - (performance.now() - start);
      if (number >= limit || blocks.length === maxBlocks || parts >= maxParts || left <= 0) break;
      const answer = begin(number + 1, limit);
      let next: FetchedBlock | typeof late | undefined;
      try {
        next = await within(answer, left);
      } catch (failure) {
        return { blocks, isFinal: false, failure };
      }
      if (next === late) {
        open = { number: number + 1, answer };
        // It may fail before the next group awaits it.
        answer.catch(() => {});
        break;
      }
      // Another chain: the next pass looks which one the node is on.
      if (next === undefined || next.header.parentHash !== blocks.at(-1)?.header.hash) break;
      blocks.push(next);
      parts += partsOf(next);
    }
    return { blocks, isFinal: false };
  };
}
