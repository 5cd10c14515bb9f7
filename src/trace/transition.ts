/** A run of blocks: from the parent root, trace by trace, to the end root. */
import type { TreeSpec } from '../codec/spec.js';
import { openChain } from './chain.js';
import { checkIndices, checkLaws } from './laws.js';
import { openTie } from './tie.js';
import type { Trace } from './types.js';

/**
 * Checks all traces of some blocks, in order.
 *
 * @param parentRoot trusted
 * @returns the state root after each block
 * @throws VerificationError for the first law that breaks
 */
export function checkBlocks(
  spec: TreeSpec,
  blocks: readonly (readonly Trace[])[],
  parentRoot: Uint8Array,
): Uint8Array[] {
  const chain = openChain(spec, parentRoot);
  return blocks.map((block) => {
    const tie = openTie(spec);
    for (const trace of block) {
      // Before the chain, which hashes the next free node: an insertion's may be -1 up to here.
      checkIndices(trace);
      chain.step(trace);
      checkLaws(spec, trace);
      tie.step(trace);
    }
    tie.end();
    return chain.root();
  });
}
