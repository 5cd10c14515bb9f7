/**
 * The top node that each tree has been left with (docs/protocol.md section 7.6): a trace begins at the one that
 * the last trace of the same tree left. The tree of all accounts goes on from block to block.
 */
import { encodeHex, equalBytes } from '../bytes.js';
import { hashTopNode, type TopNode } from '../codec/node.js';
import type { TreeSpec } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import { type Trace, worldLocation } from './types.js';

/** Checks the traces of all trees, in order. */
interface TopNodeCheck {
  /** Takes the next trace. @throws VerificationError `PARENT_ROOT_MISMATCH` or `CHAIN_BROKEN` */
  check(trace: Trace): void;
  /** The state root after the traces so far. */
  root(): Uint8Array;
}

/**
 * Opens the check before the first block.
 *
 * @param parentRoot trusted; the tree of accounts must begin at it
 */
export function createTopNodeCheck(spec: TreeSpec, parentRoot: Uint8Array): TopNodeCheck {
  const topNodes = new Map<string, TopNode>();
  return {
    check({ location, key, before, after, statement, at }) {
      const left = topNodes.get(location);
      if (left === undefined) {
        // A storage tree begins at a root that the account's value gives, see `createStorageRootCheck`.
        if (location === worldLocation && !equalBytes(hashTopNode(spec, before), parentRoot)) {
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
      topNodes.set(location, after);
      // An account that is created again begins with another, empty tree.
      if (location === worldLocation && statement.kind === 'delete') {
        topNodes.delete(encodeHex(key));
      }
    },
    root() {
      const world = topNodes.get(worldLocation);
      return world === undefined ? parentRoot : hashTopNode(spec, world);
    },
  };
}
