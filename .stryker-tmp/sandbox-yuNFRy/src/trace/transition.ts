/** A run of blocks: from the parent root, trace by trace, to the end root. */
// @ts-nocheck

import type { TreeSpec } from '../codec/spec.js';
import { checkIndices, checkLaws } from './laws.js';
import { createStorageRootCheck } from './storageRoots.js';
import { createTopNodeCheck } from './topNodes.js';
import type { Trace } from './types.js';

/**
 * Checks all traces of some blocks, in order.
 *
 * @param parentRoot trusted
 * @returns the state root after each block
 * @throws VerificationError for the first law that breaks
 */
export function checkTransition(
  spec: TreeSpec,
  blocks: readonly (readonly Trace[])[],
  parentRoot: Uint8Array,
): Uint8Array[] {
  const topNodes = createTopNodeCheck(spec, parentRoot);
  return blocks.map((block) => {
    const storageRoots = createStorageRootCheck(spec);
    for (const trace of block) {
      // First, because the next check hashes the next free node: an insertion's may be -1 up to here.
      checkIndices(trace);
      topNodes.check(trace);
      checkLaws(spec, trace);
      storageRoots.check(trace);
    }
    storageRoots.end();
    return topNodes.root();
  });
}
