/** The hash of contract code in a tree's own family (`snarkCodeHash`). */
import { blockWidth } from '../hash/family.js';
import type { TreeSpec } from './spec.js';
import { padLeft, spread } from './word.js';

/** Bytes of code that go into one block. */
const chunkWidth = 16;

/** One chunk of at most 16 bytes as one block, left-padded where it is short. */
function encodeChunk(spec: TreeSpec, chunk: Uint8Array): Uint8Array {
  if (spec.hasher.family === 'mimc') return padLeft(chunk);
  // An odd chunk is cut 1, 2, 2, ...: its first limb holds one byte.
  return padLeft(spread(padLeft(chunk, 2)));
}

/**
 * Hash of contract code; of 32 zero bytes where there is none.
 *
 * @param code bytes of any number
 * @returns 32 bytes
 */
export function hashCode(spec: TreeSpec, code: Uint8Array): Uint8Array {
  if (code.length === 0) return spec.hasher.hash(new Uint8Array(blockWidth));
  const blocks = new Uint8Array(Math.ceil(code.length / chunkWidth) * blockWidth);
  for (let at = 0; at < code.length; at += chunkWidth) {
    blocks.set(encodeChunk(spec, code.subarray(at, at + chunkWidth)), 2 * at);
  }
  return spec.hasher.hash(blocks);
}
