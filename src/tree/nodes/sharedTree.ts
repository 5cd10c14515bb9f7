/** The empty trees that all state trees of a process share, also in imports, exports and conversions. */
import { ownSpecOf, specOf, type TreeSpec } from '../../codec/spec.js';
import type { Engine } from '../../hash/engine.js';
import type { HashFamily } from '../../hash/index.js';
import { createEmptyTree } from './emptyTree.js';
import type { EmptyTree } from './nodes.js';

/** Nodes that the hasher remembers: 16 MiB under Poseidon2. */
const rememberedNodes = 1 << 16;

/** By the spec that all other calls use. */
const shared = new Map<TreeSpec, EmptyTree>();

/**
 * The empty tree of a family, with a hasher that only trees use, so that other calls do not push out what it remembers.
 * Opening both for each tree would take 6 ms and 16 MiB. The hasher remembers a digest by its whole input, so all trees
 * can share it.
 *
 * @throws TypeError or RangeError, as `specOf`
 */
export function sharedEmptyTree(family?: HashFamily, engine?: Engine): EmptyTree {
  const name = specOf(family, engine);
  let empty = shared.get(name);
  if (empty === undefined) {
    const spec = ownSpecOf(family, engine);
    spec.hasher.remember(rememberedNodes);
    empty = createEmptyTree(spec);
    shared.set(name, empty);
  }
  return empty;
}
