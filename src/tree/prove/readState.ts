/** Reads values from the trees of a state, without the paths that would prove them. */
import type { ClaimQuestion } from '../../verify/claim.js';
import {
  type Account,
  type VerifiedState,
  verifiedAccount,
  verifiedSlot,
} from '../../verify/result.js';
import { hashAddresses, hashWords } from '../apply/changes.js';
import { accountInLeaf, type StateReader } from '../history/stateReader.js';
import { accountTree } from '../layout/layout.js';
import type { Leaf } from '../nodes/leaves.js';
import { TreeError } from '../store/errors.js';
import { known, type Reading, readAll } from '../store/reading.js';

/** An account and its slots as a store holds them, in the form of a verifier's result. Nothing of it is proven. */
export interface StateValues {
  /** null: there is no such account. */
  readonly account: Account | null;
  /** One per storage key asked, in the same order. */
  readonly storage: VerifiedState['storage'];
}

/** Reads leaves that must be there; undefined for a key without one. */
function* readLeaves(
  state: StateReader,
  tree: number,
  indices: readonly (number | undefined)[],
): Reading<(Leaf | undefined)[]> {
  const own = indices.filter((index) => index !== undefined);
  const leaves = (yield* state.leaves(tree, own)).values();
  return indices.map((index) => {
    if (index === undefined) return undefined;
    const leaf = leaves.next().value;
    if (leaf === undefined) throw new TreeError('DAMAGED', `the store has lost leaf ${index}`);
    return leaf;
  });
}

/** Reads the leaves of keys; undefined for a key without one. */
function* findLeaves(
  state: StateReader,
  tree: number,
  hKeys: readonly Uint8Array[],
): Reading<(Leaf | undefined)[]> {
  return yield* readLeaves(state, tree, yield* state.indices(tree, hKeys));
}

/** The values of an account and its slots in a state. */
export function* readState(
  state: StateReader,
  { address, storageKeys }: ClaimQuestion,
): Reading<StateValues> {
  const { spec } = state.empty;
  const [index] = yield* state.indices(accountTree, hashAddresses(spec, [address]));
  const [[leaf], slots] = yield* readAll([
    readLeaves(state, accountTree, [index]),
    index === undefined ? known(undefined) : findLeaves(state, index, hashWords(spec, storageKeys)),
  ]);
  return Object.freeze({
    account: leaf ? verifiedAccount(accountInLeaf(spec, leaf)) : null,
    storage: Object.freeze(
      storageKeys.map((key, i) => verifiedSlot({ key, value: slots?.[i]?.value })),
    ),
  });
}
