/** Reads values from the trees of a state, without the paths that would prove them. */
import type { Question } from '../verify/claim.js';
import {
  type Account,
  type VerifiedState,
  verifiedAccount,
  verifiedSlot,
} from '../verify/result.js';
import { hashAddresses, hashWords } from './changes.js';
import { TreeError } from './errors.js';
import { accountTree } from './layout.js';
import type { Leaf } from './leaves.js';
import { accountOf, type StateReader } from './state.js';

/** What a store holds of an account and its slots, in the form in which a verifier gives it. Nothing of it is proven. */
export interface StateValues {
  /** null: there is no such account. */
  readonly account: Account | null;
  /** One per storage key asked, in the same order. */
  readonly storage: VerifiedState['storage'];
}

/** A leaf and its index; undefined for a key that has none. */
type Found = { readonly index: number; readonly leaf: Leaf } | undefined;

/** The leaves of keys. */
async function find(
  state: StateReader,
  tree: number,
  hKeys: readonly Uint8Array[],
): Promise<Found[]> {
  const indices = await state.indices(tree, hKeys);
  const own = indices.filter((index) => index !== undefined);
  const leaves = (await state.leaves(tree, own)).values();
  return indices.map((index) => {
    if (index === undefined) return undefined;
    const leaf = leaves.next().value;
    if (leaf === undefined) throw new TreeError('DAMAGED', `the store has lost leaf ${index}`);
    return { index, leaf };
  });
}

/** The values that a state holds of what is asked. */
export async function readState(
  state: StateReader,
  { address, storageKeys }: Question,
): Promise<StateValues> {
  const { tree } = state.spec;
  const [found] = await find(state, accountTree, hashAddresses(tree, [address]));
  const slots = found && (await find(state, found.index, hashWords(tree, storageKeys)));
  return Object.freeze({
    account: found ? verifiedAccount(accountOf(tree, found.leaf)) : null,
    storage: Object.freeze(
      storageKeys.map((key, i) => verifiedSlot({ key, value: slots?.[i]?.leaf.value })),
    ),
  });
}
