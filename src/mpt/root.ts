/**
 * The Merkle-Patricia root of a whole trie, from its entries in the order of their keys. Every node is encoded once and none
 * is kept but those on the path to the last entry.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { emptyTrieRoot, encodeList, encodeString } from './encode.js';

const hashWidth = 32;

const emptyString = encodeString(new Uint8Array(0));

const nibbleOf = (key: Uint8Array, depth: number): number => {
  const byte = key[depth >> 1] as number;
  return depth % 2 === 0 ? byte >> 4 : byte & 15;
};

/** Nibbles in bytes, behind a mark that says whether they are odd in number and whether a leaf follows. */
function compactPath(key: Uint8Array, from: number, to: number, isLeaf: boolean): Uint8Array {
  const isOdd = (to - from) % 2;
  const bytes = [16 * ((isLeaf ? 2 : 0) + isOdd) + (isOdd ? nibbleOf(key, from) : 0)];
  for (let i = from + isOdd; i < to; i += 2) {
    bytes.push(16 * nibbleOf(key, i) + nibbleOf(key, i + 1));
  }
  return encodeString(Uint8Array.from(bytes));
}

/** A parent's reference to a node: the node itself if it is short, else its hash. */
const referenceTo = (node: Uint8Array): Uint8Array =>
  node.length < hashWidth ? node : encodeString(keccak_256(node));

/** A branch on the path to the last entry. */
interface Branch {
  /** Nibbles above it. */
  readonly depth: number;
  /** What it holds of its children; without the one on the path. */
  readonly children: Uint8Array[];
}

/**
 * Takes entries in ascending order of their keys. No key may begin another: those of states are hashes, and those of lists
 * are RLP, so no branch has a value.
 */
export class TrieBuilder {
  /** From the root down. */
  readonly #path: Branch[] = [];
  /** The last entry. */
  #key = new Uint8Array(0);
  #value = new Uint8Array(0);

  /** @param value as it stands in the trie @throws RangeError for a key that is, or begins with, that of the entry before */
  add(key: Uint8Array, value: Uint8Array): void {
    if (this.#key.length > 0) {
      const shorter = 2 * Math.min(key.length, this.#key.length);
      let shared = 0;
      while (nibbleOf(key, shared) === nibbleOf(this.#key, shared)) {
        shared++;
        if (shared === shorter) throw new RangeError('a key of the trie stands twice');
      }
      this.#close(shared);
    }
    this.#key = key.slice();
    this.#value = value.slice();
  }

  /** Called once. @returns 32 bytes */
  root(): Uint8Array {
    if (this.#key.length === 0) return emptyTrieRoot;
    return keccak_256(this.#close(undefined));
  }

  /**
   * Encodes all nodes that the next entry does not share.
   *
   * @param shared depth of the branch at which it parts from the last one; undefined: there is none
   * @returns the node on top
   */
  #close(shared: number | undefined): Uint8Array {
    const key = this.#key;
    const least = shared ?? -1;
    const leafFrom = Math.max(least, this.#path.at(-1)?.depth ?? -1) + 1;
    const path = compactPath(key, leafFrom, 2 * key.length, true);
    let node = encodeList(path, encodeString(this.#value));
    for (let branch = this.#path.at(-1); branch && branch.depth > least; ) {
      branch.children[nibbleOf(key, branch.depth)] = referenceTo(node);
      this.#path.pop();
      const above = this.#path.at(-1);
      const from = Math.max(least, above?.depth ?? -1) + 1;
      node = encodeList(...branch.children, emptyString);
      if (from < branch.depth) {
        node = encodeList(compactPath(key, from, branch.depth, false), referenceTo(node));
      }
      branch = above;
    }
    if (shared === undefined) return node;
    let parent = this.#path.at(-1);
    if (parent?.depth !== shared) {
      parent = { depth: shared, children: new Array<Uint8Array>(16).fill(emptyString) };
      this.#path.push(parent);
    }
    parent.children[nibbleOf(key, shared)] = referenceTo(node);
    return node;
  }
}
