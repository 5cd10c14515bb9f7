/** The tries of a block: its transactions, receipts and withdrawals, each at the RLP of its index. */

import { integerToBytes } from '../bytes.js';
import type { Steps } from '../steps.js';
import { encodeInteger } from './encode.js';
import { TrieBuilder } from './root.js';

/** Indexes in the order of their keys: the key of 0 is 0x80, and keys from 128 on begin with a length. */
function* indexesByKey(length: number): Generator<number> {
  for (let index = 1; index < Math.min(length, 128); index++) yield index;
  if (length > 0) yield 0;
  for (let index = 128; index < length; index++) yield index;
}

/**
 * The root of a list.
 *
 * @param encoded its items
 * @returns 32 bytes
 */
export function* listRoot(encoded: readonly Uint8Array[]): Steps<Uint8Array> {
  const trie = new TrieBuilder();
  for (const index of indexesByKey(encoded.length)) {
    trie.add(encodeInteger(integerToBytes(BigInt(index), 6)), encoded[index] as Uint8Array);
    yield;
  }
  return trie.root();
}
