/** What the state trees of a process share, and those that are imported, exported or converted. */
import { ownSpecOf, specOf, type TreeSpec } from '../codec/spec.js';
import type { Engine } from '../hash/engine.js';
import type { HashFamily } from '../hash/family.js';
import { emptyTreeOf } from './emptyTree.js';
import type { EmptyTree } from './nodes.js';

/** Nodes that the hasher remembers: 16 MiB under Poseidon2. */
const rememberedNodes = 1 << 16;

/** By the spec of all other calls. */
const shared = new Map<TreeSpec, EmptyTree>();

/**
 * The empty tree of a family, with a hasher that no call but those of trees uses: what they remember stays. To open both
 * for each tree would take 6 ms and 16 MiB. A digest is remembered by all of what was hashed, so what one tree has left
 * is as true for another.
 *
 * @throws TypeError or RangeError, as `specOf`
 */
export function sharedEmptyTree(family?: HashFamily, engine?: Engine): EmptyTree {
  const name = specOf(family, engine);
  let empty = shared.get(name);
  if (empty === undefined) {
    const spec = ownSpecOf(family, engine);
    spec.hasher.remember(rememberedNodes);
    empty = emptyTreeOf(spec);
    shared.set(name, empty);
  }
  return empty;
}
