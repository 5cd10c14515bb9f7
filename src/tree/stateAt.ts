/** Which state a call reads: that of a block that it names, or the newest. */
import { newestBlock, newestSummary, stateRootIn, stateRootOf } from './blocks.js';
import type { EmptyTree } from './nodes.js';
import type { Moment } from './pastValue.js';
import { type Reading, readAll } from './reading.js';
import { StateReader } from './stateReader.js';

/**
 * State root of a block held or, without a number, of the newest one; before the first, of the
 * empty state.
 */
export function* stateRootAt(empty: EmptyTree, block: number | undefined): Reading<Uint8Array> {
  if (block !== undefined) return yield* stateRootOf(block);
  const newest = yield* newestSummary();
  return newest ? stateRootIn(newest.value) : empty.spec.emptyRoot;
}

/** The state root at a moment. Finds out on the way whether its block is the newest one. */
function* settle(empty: EmptyTree, moment: Moment): Reading<Uint8Array> {
  if (moment.block === undefined) return yield* stateRootAt(empty, undefined);
  const [stateRoot, newest] = yield* readAll([stateRootOf(moment.block), newestBlock()]);
  // The newest block is the state as it is: keys that came and went before it cost nothing.
  if (moment.block === newest) moment.block = undefined;
  return stateRoot;
}

/**
 * Reads something of the state after a block or, without a number, of the newest state, and the
 * root of that state.
 */
export function* readStateAt<T>(
  empty: EmptyTree,
  block: number | undefined,
  read: (state: StateReader) => Reading<T>,
): Reading<{ stateRoot: Uint8Array; value: T }> {
  const moment: Moment = { block };
  // In this order: the first step settles the moment before the second step asks anything.
  const [stateRoot, value] = yield* readAll([
    settle(empty, moment),
    read(new StateReader(empty, moment)),
  ]);
  return { stateRoot, value };
}
