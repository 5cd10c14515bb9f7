/** The three kinds of nodes of a Merkle-Patricia trie whose keys all have 64 nibbles, as those of L1 have. */
import { ShapeError } from '../errors.js';
import { encodeRlp, type Item, isList } from './encode.js';

/** Nibbles of a key: keys are hashed, 32 bytes. */
export const keyLength = 64;

/** Bytes of the longest node, a branch with sixteen hashes: a header of 3, 16 times 33, no value. */
export const longestNode: number = 3 + 16 * 33 + 1;

export type TrieNode =
  | { readonly kind: 'branch'; readonly children: readonly Item[] }
  | { readonly kind: 'extension'; readonly path: Uint8Array; readonly child: Item }
  | { readonly kind: 'leaf'; readonly path: Uint8Array; readonly value: Uint8Array };

/** The nibbles of bytes, high one first. */
export function toNibbles(bytes: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(2 * bytes.length);
  for (let i = 0; i < nibbles.length; i++) {
    nibbles[i] = ((bytes[i >> 1] as number) >> (i % 2 === 0 ? 4 : 0)) & 15;
  }
  return nibbles;
}

/**
 * Reads a node that begins after `depth` nibbles of the key.
 *
 * A trusted root commits to honest nodes only, so most of these checks cannot fail under one. They leave each set of
 * keys and values a single form, whatever the root is.
 *
 * @throws ShapeError for anything that the trie of a set of 64-nibble keys cannot hold there
 */
export function parseNode(item: Item, depth: number, at: string): TrieNode {
  if (!isList(item)) throw new ShapeError(at, 'expected a node, got a byte string');
  if (item.length === 17) return parseBranch(item, depth, at);
  const [path, content] = item as readonly [Item, Item];
  if (item.length !== 2 || isList(path)) {
    throw new ShapeError(at, 'expected a node of 17 items, or of two');
  }
  return parsePathNode(path, content, depth, at);
}

function parseBranch(items: readonly Item[], depth: number, at: string): TrieNode {
  if (depth >= keyLength) throw new ShapeError(at, 'branches after the last nibble of the key');
  const children = items.slice(0, 16);
  // Its own value would be that of a key that ends here, and all keys are equally long.
  if ((items[16] as Item).length !== 0 || isList(items[16] as Item)) {
    throw new ShapeError(at, 'expected a branch without a value');
  }
  const present = children.filter((child) => isList(child) || child.length > 0);
  for (const child of present) checkReference(child, at);
  if (present.length < 2) throw new ShapeError(at, 'expected a branch with two children');
  return { kind: 'branch', children };
}

/** A leaf or an extension: the first nibble of its path tells which, and whether the path's length is odd. */
function parsePathNode(bytes: Uint8Array, content: Item, depth: number, at: string): TrieNode {
  const nibbles = toNibbles(bytes);
  const flag = nibbles.length > 0 ? (nibbles[0] as number) : 4;
  const isOdd = flag % 2 === 1;
  if (flag > 3 || (!isOdd && nibbles[1] !== 0)) throw new ShapeError(at, 'has a malformed path');
  const path = nibbles.subarray(isOdd ? 1 : 2);
  if (flag < 2) {
    checkReference(content, at);
    // A branch follows, which takes one nibble more.
    if (path.length === 0 || depth + path.length >= keyLength) {
      throw new ShapeError(at, 'has a path of a wrong length');
    }
    return { kind: 'extension', path, child: content };
  }
  if (isList(content) || content.length === 0) {
    throw new ShapeError(at, 'expected a leaf with a value');
  }
  if (depth + path.length !== keyLength) throw new ShapeError(at, 'has a path of a wrong length');
  return { kind: 'leaf', path, value: content };
}

/** Refuses what no parent names its child with: a hash, or the child itself if that is shorter than a hash. */
function checkReference(item: Item, at: string): void {
  if (isList(item) ? encodeRlp(item).length >= 32 : item.length !== 32) {
    throw new ShapeError(at, 'expected a child or its hash');
  }
}
