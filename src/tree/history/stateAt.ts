/** Which state a call reads: that of a block that it names, or the newest. */
import { newestBlock, newestSummary, stateRootIn, stateRootOf } from '../layout/blocks.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { known, type Reading, readAll } from '../store/reading.js';
import type { Facts } from './facts.js';
import { StateReader, type StateSource } from './stateReader.js';
import { heldSteps } from './steps.js';

/**
 * State root of a block held or, without a number, of the newest one; before the first, of the
 * empty state.
 */
export function* stateRootAt(empty: EmptyTree, block: number | undefined): Reading<Uint8Array> {
  if (block !== undefined) return yield* stateRootOf(block);
  const newest = yield* newestSummary();
  return newest ? stateRootIn(newest.value) : empty.spec.emptyRoot;
}

/** What is known of a block that is held. */
interface HeldBlock {
  readonly stateRoot: Uint8Array;
  /** Whether the state after it is the state as it is. */
  readonly isNewest: boolean;
}

const factName = (block: number) => `block ${block}`;

/** The state root after a block, if it was read before and the store is as it was. */
export const knownRoot = (facts: Facts, block: number | undefined): Uint8Array | undefined =>
  block === undefined
    ? undefined
    : (facts.peek(factName(block)) as HeldBlock | undefined)?.stateRoot;

/** Reads a block that is held and, if reading ahead saves steps, what changed since. */
function* readHeldBlock({ facts, readsAhead }: StateReader, block: number): Reading<HeldBlock> {
  const [stateRoot, newest] = yield* readAll([
    stateRootOf(block),
    facts.keep('newest', () => newestBlock()),
    readsAhead ? heldSteps(facts, block) : known(undefined),
  ]);
  return { stateRoot, isNewest: block === newest };
}

/** Reads what changed since a block. First refuses a block that is not held. */
export function* stepsSince(facts: Facts, block: number): Reading<unknown> {
  yield* stateRootOf(block);
  return yield* heldSteps(facts, block);
}

/**
 * The state root after a block that is held. If the block is the newest one, tells the reader so;
 * else reads what changed since.
 */
function* settle(state: StateReader, block: number): Reading<Uint8Array> {
  const { facts } = state;
  const { stateRoot, isNewest } = yield* facts.keep(factName(block), () =>
    readHeldBlock(state, block),
  );
  // The newest block is the state as it is: keys that came and went before it cost nothing.
  if (isNewest) state.toNewest();
  else yield* heldSteps(facts, block);
  return stateRoot;
}

/**
 * Reads something of the state after a block or, without a number, of the newest state, and the
 * root of that state.
 */
export function* readStateAt<T>(
  { source, facts }: { source: StateSource; facts: Facts },
  block: number | undefined,
  read: (state: StateReader) => Reading<T>,
): Reading<{ stateRoot: Uint8Array; value: T }> {
  const state = new StateReader(source, block, facts);
  const readRoot = () =>
    block === undefined
      ? facts.keep('root now', () => stateRootAt(source.empty, block))
      : settle(state, block);
  if (source.readsAhead || block === undefined) {
    // In this order, so that the newest block is known before the second step asks anything.
    const [stateRoot, value] = yield* readAll([readRoot(), read(state)]);
    return { stateRoot, value };
  }
  const stateRoot = yield* readRoot();
  return { stateRoot, value: yield* read(state) };
}
