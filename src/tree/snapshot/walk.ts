/** Goes through all leaves of a state in the order of a snapshot. */
import { equalBytes } from '../../bytes.js';
import { blockWidth } from '../../hash/family.js';
import type { StateReader } from '../history/stateReader.js';
import { accountTree } from '../layout/layout.js';
import type { Leaf } from '../nodes/leaves.js';
import type { StoredTopNode } from '../nodes/nodes.js';
import { known, type Reading, readAll } from '../store/reading.js';

/** Leaf indices that are read together. */
const pageLeaves = 256;

/** Next free node up to which the trees of a page of accounts are read together. */
const smallTree = 64;

/** Leaves of a tree from an index on; undefined for an empty leaf. */
export interface LeafPage {
  readonly from: number;
  readonly leaves: readonly (Leaf | undefined)[];
}

/** The storage tree of an account. */
export interface StorageTree {
  readonly tree: number;
  readonly top: StoredTopNode;
  /** All of its leaves, if they are few. */
  readonly small: LeafPage | undefined;
}

/** Accounts next to each other, with the storage trees that they have, in order. */
export interface AccountPage extends LeafPage {
  readonly storages: readonly StorageTree[];
}

/** Reads leaves up to a next free node. */
export function* readPage(
  state: StateReader,
  tree: number,
  { from, nextFreeNode }: { from: number; nextFreeNode: number },
): Reading<LeafPage> {
  const count = Math.min(pageLeaves, nextFreeNode - from);
  const indices = Array.from({ length: count }, (_, i) => from + i);
  return { from, leaves: yield* state.leaves(tree, indices) };
}

/** Accounts on a page that have a storage tree with insertions. */
const ownersOn = ({ from, leaves }: LeafPage, emptyRoot: Uint8Array): number[] =>
  leaves.flatMap((leaf, i) => {
    const storageRoot = leaf?.value.subarray(2 * blockWidth, 3 * blockWidth);
    const hasStorage = storageRoot?.length === blockWidth && !equalBytes(storageRoot, emptyRoot);
    return hasStorage ? [from + i] : [];
  });

/** Reads accounts and, unless only their trees are wanted, the leaves of small trees. */
export function* readAccounts(
  state: StateReader,
  { from, nextFreeNode, withLeaves }: { from: number; nextFreeNode: number; withLeaves: boolean },
): Reading<AccountPage> {
  const page = yield* readPage(state, accountTree, { from, nextFreeNode });
  const owners = ownersOn(page, state.empty.spec.emptyRoot);
  const tops = yield* readAll(owners.map((tree) => state.topNode(tree)));
  const small = yield* readAll(
    owners.map((tree, i): Reading<LeafPage | undefined> => {
      const top = tops[i] as StoredTopNode;
      if (!withLeaves || top.nextFreeNode > smallTree) return known(undefined);
      return readPage(state, tree, { from: 0, nextFreeNode: top.nextFreeNode });
    }),
  );
  const storages = owners.map((tree, i) => ({
    tree,
    top: tops[i] as StoredTopNode,
    small: small[i],
  }));
  return { ...page, storages };
}
