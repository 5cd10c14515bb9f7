/** The chains: each tree goes from trace to trace as the last one left it, the tree of accounts across blocks too. */
import { encodeHex, equalBytes } from '../bytes.js';
import { encodeTopNode } from '../codec/node.js';
import type { TreeSpec } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import { type Trace, type TreeState, worldTree } from './types.js';

/** Root of a tree in some state. */
export function rootOf(spec: TreeSpec, state: TreeState): Uint8Array {
  return spec.hasher.hash(encodeTopNode(spec, state));
}

/** Checks the one chain of each tree. */
export interface Chain {
  /** Takes the next trace. @throws VerificationError `PARENT_ROOT_MISMATCH` or `CHAIN_BROKEN` */
  step(trace: Trace): void;
  /** The state root after the traces so far. */
  root(): Uint8Array;
}

/**
 * Opens the chains of all trees.
 *
 * @param parentRoot trusted; the tree of accounts must begin at it
 */
export function openChain(spec: TreeSpec, parentRoot: Uint8Array): Chain {
  const trees = new Map<string, TreeState>();
  return {
    step({ tree, key, before, after, statement, at }) {
      const left = trees.get(tree);
      if (left === undefined) {
        // A storage tree begins at a root that the account's value gives, which `openTie` checks.
        if (tree === worldTree && !equalBytes(rootOf(spec, before), parentRoot)) {
          throw new VerificationError(
            'PARENT_ROOT_MISMATCH',
            at,
            "expected the tree under the parent root; check that the root is the rollup contract's for the parent block, and of this hash family",
          );
        }
      } else if (
        left.nextFreeNode !== before.nextFreeNode ||
        !equalBytes(left.subTreeRoot, before.subTreeRoot)
      ) {
        throw new VerificationError(
          'CHAIN_BROKEN',
          at,
          'expected the next free node and sub-tree root that the last trace of this tree left',
        );
      }
      trees.set(tree, after);
      // An account that is created again begins with another, empty tree.
      if (tree === worldTree && statement.kind === 'delete') trees.delete(encodeHex(key));
    },
    root() {
      const world = trees.get(worldTree);
      return world === undefined ? parentRoot : rootOf(spec, world);
    },
  };
}
