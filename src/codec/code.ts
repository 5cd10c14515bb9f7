/** The hash of contract code in a tree's own family (`snarkCodeHash`). */
import { blockWidth } from '../hash/family.js';
import type { TreeSpec } from './spec.js';

/** Bytes of code that go into one block. */
const chunkWidth = 16;

/**
 * Hash of contract code; of 32 zero bytes if there is no code.
 *
 * @param code bytes of any number
 * @returns 32 bytes
 */
export function hashCode(spec: TreeSpec, code: Uint8Array): Uint8Array {
  if (code.length === 0) return spec.hasher.hash(new Uint8Array(blockWidth));
  const blocks = new Uint8Array(Math.ceil(code.length / chunkWidth) * blockWidth);
  for (let from = 0, to = 0; from < code.length; from += chunkWidth, to += blockWidth) {
    blocks.set(spec.codeBlock(code.subarray(from, from + chunkWidth)), to);
  }
  return spec.hasher.hash(blocks);
}
