/** Which state a call reads: that of a block that it names, or the newest. */
import { newestSummary, readNewestBlock, readStateRoot, stateRootIn } from '../layout/blocks.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { known, type Reading, readAll } from '../store/reading.js';
import { loadDiffs } from './diffs.js';
import { StateReader, type TreeContext } from './stateReader.js';
import type { VersionCache } from './storeCache.js';

/** State root of a block held or, without a number, of the newest one; before the first, of the empty state. */
export function* readStateRootAt(empty: EmptyTree, block: number | undefined): Reading<Uint8Array> {
  if (block !== undefined) return yield* readStateRoot(block);
  const newest = yield* newestSummary();
  return newest ? stateRootIn(newest.value) : empty.spec.emptyRoot;
}

/** The record of a block that is held. */
interface HeldBlock {
  readonly stateRoot: Uint8Array;
  /** Whether the state after it is the state as it is. */
  readonly isNewest: boolean;
}

const cacheName = (block: number) => `block ${block}`;

/** The state root after a block, if it was read before and the store is as it was. */
export const knownRoot = (
  cache: VersionCache,
  block: number | undefined,
): Uint8Array | undefined =>
  block === undefined
    ? undefined
    : (cache.peek(cacheName(block)) as HeldBlock | undefined)?.stateRoot;

/** Reads a block that is held and, if reading ahead saves steps, what changed since. */
function* readHeldBlock({ cache, readsAhead }: StateReader, block: number): Reading<HeldBlock> {
  const [stateRoot, newest] = yield* readAll([
    readStateRoot(block),
    cache.keep('newest', () => readNewestBlock()),
    readsAhead ? loadDiffs(cache, block) : known(undefined),
  ]);
  return { stateRoot, isNewest: block === newest };
}

/** Reads what changed since a block. First refuses a block that is not held. */
export function* loadDiffsSince(cache: VersionCache, block: number): Reading<unknown> {
  yield* readStateRoot(block);
  return yield* loadDiffs(cache, block);
}

/**
 * The state root after a block that is held. If the block is the newest one, tells the reader so;
 * else reads what changed since.
 */
function* settle(state: StateReader, block: number): Reading<Uint8Array> {
  const { cache } = state;
  const { stateRoot, isNewest } = yield* cache.keep(cacheName(block), () =>
    readHeldBlock(state, block),
  );
  // The newest block is the state as it is: keys that came and went before it cost nothing.
  if (isNewest) state.toNewest();
  else yield* loadDiffs(cache, block);
  return stateRoot;
}

/** Reads something of the state after a block or, without a number, of the newest state, and the root of that state. */
export function* readStateAt<T>(
  { context, cache }: { context: TreeContext; cache: VersionCache },
  block: number | undefined,
  read: (state: StateReader) => Reading<T>,
): Reading<{ stateRoot: Uint8Array; value: T }> {
  const state = new StateReader(context, block, cache);
  const readRoot = () =>
    block === undefined
      ? cache.keep('root now', () => readStateRootAt(context.empty, block))
      : settle(state, block);
  if (context.readsAhead || block === undefined) {
    // In this order, so that the newest block is known before the second step asks anything.
    const [stateRoot, value] = yield* readAll([readRoot(), read(state)]);
    return { stateRoot, value };
  }
  const stateRoot = yield* readRoot();
  return { stateRoot, value: yield* read(state) };
}
