/**
 * The Merkle-Patricia proof of one key: the nodes on the way from the root to the key, in this order and no others.
 * A node shorter than 32 bytes stands inside its parent instead of its hash. Some servers list it all the same
 * (Anvil, reth), others do not (geth): both are accepted, since the parent's hash covers it.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { equalBytes } from '../bytes.js';
import { ShapeError } from '../errors.js';
import { memberPath } from '../foreign/members.js';
import { openArray, readMember } from '../foreign/shape.js';
import { dataBytes } from '../foreign/values.js';
import { emptyNode, emptyTrieRoot, encodeRlp, type Item, isList } from './encode.js';
import { TrieError } from './errors.js';
import { keyLength, longestNode, parseNode, type TrieNode, toNibbles } from './node.js';
import { decodeRlp } from './rlp.js';

/** More nodes are on no path: each but the last takes a nibble of the key, or more. */
const mostNodes: number = keyLength + 1;

/**
 * Reads what stands at a key under a root.
 *
 * @param root 32 bytes, trusted
 * @param key 32 bytes: the keccak-256 of what the trie is asked for
 * @param nodes of unknown origin: an array of hex
 * @param at path of `nodes`, for errors
 * @returns the value, or undefined if the trie provably has none at the key
 * @throws ShapeError if the nodes are malformed; TrieError if they do not lead from the root to the key
 */
export function verifyPath(
  root: Uint8Array,
  key: Uint8Array,
  nodes: unknown,
  at: string,
): Uint8Array | undefined {
  const listed = readNodes(nodes, at);
  if (equalBytes(root, emptyTrieRoot)) {
    const [only = emptyNode, ...more] = listed;
    if (more.length === 0 && equalBytes(only, emptyNode)) return undefined;
    throw new TrieError(at, 'expected no nodes: the trie is empty');
  }
  const walk = createWalk(root, listed, at);
  const value = descend(walk, root, toNibbles(key), at);
  if (walk.used() < listed.length) {
    throw new TrieError(memberPath({ at }, walk.used()), 'is not on the path to the key');
  }
  return value;
}

/** The bytes of each node. @throws ShapeError if one is too long, before any is hashed */
function readNodes(nodes: unknown, at: string): Uint8Array[] {
  const array = openArray(nodes, at);
  const { length } = array;
  if (length > mostNodes) {
    throw new ShapeError(at, `expected at most ${mostNodes} nodes, got ${length}`);
  }
  return Array.from({ length }, (_, i) => {
    const bytes = dataBytes(readMember(array, i), longestNode);
    if (bytes) return bytes;
    const text = `expected hex of at most ${longestNode} bytes`;
    throw new ShapeError(memberPath(array, i), text);
  });
}

interface Walk {
  /** The node that a parent names by its hash or holds, which begins after `depth` nibbles of the key. */
  step(reference: Item, depth: number): TrieNode;
  /** How many of the listed nodes were stepped on. */
  used(): number;
}

function createWalk(root: Uint8Array, listed: readonly Uint8Array[], at: string): Walk {
  let used = 0;
  const isNext = (bytes: Uint8Array) =>
    used < listed.length && equalBytes(listed[used] as Uint8Array, bytes);

  return {
    step(reference, depth) {
      if (isList(reference)) {
        const inside = memberPath({ at }, used - 1);
        if (isNext(encodeRlp(reference))) used++;
        return parseNode(reference, depth, inside);
      }
      const path = memberPath({ at }, used);
      if (used === listed.length) {
        throw new TrieError(at, `ends after ${used} nodes, before the path does`);
      }
      const bytes = listed[used] as Uint8Array;
      if (!equalBytes(keccak_256(bytes), reference)) {
        const named = reference === root ? 'the root' : 'the hash in its parent';
        throw new TrieError(path, `does not hash to ${named}`);
      }
      if (bytes.length < 32 && reference !== root) {
        throw new ShapeError(path, 'is shorter than 32 bytes: expected inside its parent');
      }
      used++;
      return parseNode(decodeRlp(bytes, path), depth, path);
    },
    used: () => used,
  };
}

/** Follows the key until it ends at a leaf, or the trie leaves it. */
function descend(
  { step, used }: Walk,
  root: Uint8Array,
  key: Uint8Array,
  at: string,
): Uint8Array | undefined {
  let reference: Item = root;
  let depth = 0;
  let afterExtension = false;
  for (;;) {
    const node = step(reference, depth);
    if (node.kind === 'branch') {
      reference = node.children[key[depth] as number] as Item;
      if (!isList(reference) && reference.length === 0) return undefined;
      depth += 1;
      afterExtension = false;
      continue;
    }
    if (afterExtension) {
      throw new ShapeError(memberPath({ at }, used() - 1), 'expected a branch below an extension');
    }
    const follows = equalBytes(node.path, key.subarray(depth, depth + node.path.length));
    if (node.kind === 'leaf') return follows ? node.value : undefined;
    if (!follows) return undefined;
    reference = node.child;
    depth += node.path.length;
    afterExtension = true;
  }
}
