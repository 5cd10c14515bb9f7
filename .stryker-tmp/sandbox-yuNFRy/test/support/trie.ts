/** Merkle-Patricia tries and proofs by another implementation, @ethereumjs/mpt. */
// @ts-nocheck

import { createMerkleProof, MerklePatriciaTrie, verifyMPTWithMerkleProof } from '@ethereumjs/mpt';
import { toHex } from './hex.js';

/** Numbers below `limit`, the same for the same seed. */
export function randomOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  };
}

export type Random = ReturnType<typeof randomOf>;

export const randomBytes = (random: Random, length: number): Uint8Array =>
  Uint8Array.from({ length }, () => random(256));

/** A key that has the first so many nibbles with another in common, and no more. */
export function branchOff(random: Random, key: Uint8Array, nibbles: number): Uint8Array {
  const other = randomBytes(random, key.length);
  other.set(key.subarray(0, nibbles >> 1));
  const at = nibbles >> 1;
  const [high, low] = [(key[at] as number) >> 4, (key[at] as number) & 15];
  const another = (nibble: number) => (nibble + 1 + random(15)) % 16;
  other[at] = nibbles % 2 === 0 ? (another(high) << 4) | random(16) : (high << 4) | another(low);
  return other;
}

export interface RandomTrie {
  readonly trie: MerklePatriciaTrie;
  readonly root: Uint8Array;
  readonly keys: readonly Uint8Array[];
}

/** A trie of up to 20 keys of 32 bytes, many with long common beginnings, so that short nodes stand in their parents. */
export async function randomTrie(random: Random): Promise<RandomTrie> {
  const trie = new MerklePatriciaTrie();
  const keys: Uint8Array[] = [];
  for (let count = random(21); count > 0; count--) {
    const near = keys[random(keys.length + 1)];
    const key = near ? branchOff(random, near, random(64)) : randomBytes(random, 32);
    keys.push(key);
    const value = randomBytes(random, random(2) === 0 ? 1 : 1 + random(40));
    await trie.put(key, value);
  }
  return { trie, root: trie.root(), keys };
}

/** The proof of a key, nodes inside their parents listed too; and what @ethereumjs/mpt makes of it. */
export async function provenBy({ trie, root }: RandomTrie, key: Uint8Array) {
  const nodes = await createMerkleProof(trie, key);
  const value = await verifyMPTWithMerkleProof(trie, root, key, nodes);
  return { listed: nodes.map(toHex), value: value ?? undefined };
}

/** The same nodes as servers of the geth kind list them. */
export const leaveOutShort = (nodes: readonly string[]): string[] =>
  nodes.filter((node, i) => i === 0 || node.length >= 2 + 2 * 32);
