/** Tries made by hand, whose hashes fit, whatever their nodes are. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeRlp, type Item } from '../../src/mpt/encode.js';
import { fromHex, toHex } from './hex.js';

export const empty = new Uint8Array(0);
export const key = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x12 : i === 1 ? 0x34 : i));
export const hashOf = (item: Item) => keccak_256(encodeRlp(item));
export const bytesOf = (hex: string) => fromHex(`0x${hex}`);
export const restOf = (nibbles: number) => Buffer.from(key).toString('hex').slice(nibbles);
export const value = bytesOf('aa'.repeat(40));
export const leaf = (path: string, content: Item = value): Item => [bytesOf(path), content];
/** A branch with the child at the nibble, and another. */
export const branch = (at: number, child: Item, last: Item = empty): readonly Item[] =>
  Array.from({ length: 17 }, (_, i) =>
    i === at ? child : i === 16 ? last : i === (at + 1) % 16 ? new Uint8Array(32).fill(7) : empty,
  );
/** The root and the nodes, the last at the bottom; each parent names its child. */
export const trieOf = (...nodes: Item[]) => ({
  root: hashOf(nodes[0] as Item),
  nodes: nodes.map((item) => toHex(encodeRlp(item))),
});
