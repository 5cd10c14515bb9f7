/**
 * A sparse tree that makes proofs in the wire form, of the reference's hashes. It keeps no law by itself:
 * a forger may link, place and encode leaves as it likes, and all other laws hold.
 */
import type { HashFamily } from '../../src/index.js';
import { type Digits, digits, emptySubTree, hash, integer, tailKey } from './reference.js';

const depth = 40;
const zero: Digits = digits(0n);

export interface Leaf {
  prev: bigint;
  next: bigint;
  hKey: Digits;
  hValue: Digits;
  /** What servers show as the value of this leaf. */
  value: Digits;
}

export interface WireLeaf {
  value: string;
  proofRelatedNodes: string[];
}

export class ReferenceTree {
  readonly family: HashFamily;
  readonly leaves = new Map<bigint, Leaf>();
  nextFreeNode = 2n;
  /** Replaces the bytes of a leaf opening, or of the next free node, by others. */
  rewrite: { leaf?: (index: bigint, opening: Digits) => Digits; top?: (top: Digits) => Digits } =
    {};

  constructor(family: HashFamily) {
    this.family = family;
    this.leaves.set(0n, { prev: 0n, next: 1n, hKey: zero, hValue: zero, value: zero });
    this.leaves.set(1n, { prev: 0n, next: 1n, hKey: tailKey(family), hValue: zero, value: zero });
  }

  leaf(index: bigint): Leaf {
    const leaf = this.leaves.get(index);
    if (!leaf) throw new Error(`no leaf at ${index}`);
    return leaf;
  }

  /** Index of the leaf with this hKey. */
  indexOf(hKey: Digits): bigint | undefined {
    for (const [index, leaf] of this.leaves) if (leaf.hKey === hKey) return index;
    return undefined;
  }

  /** Indices of the leaves on both sides of an hKey, by their own hKeys, whatever the pointers say. */
  neighbours(hKey: Digits): [bigint, bigint] {
    const sorted = [...this.leaves].sort(([, a], [, b]) => (a.hKey < b.hKey ? -1 : 1));
    const at = sorted.findIndex(([, leaf]) => leaf.hKey > hKey);
    const [left] = sorted[at - 1] as [bigint, Leaf];
    const [right] = sorted[at] as [bigint, Leaf];
    return [left, right];
  }

  insert(hKey: Digits, hValue: Digits, value: Digits, index = this.nextFreeNode): bigint {
    const [prev, next] = this.neighbours(hKey);
    this.leaf(prev).next = index;
    this.leaf(next).prev = index;
    this.leaves.set(index, { prev, next, hKey, hValue, value });
    this.nextFreeNode = index + 1n;
    return index;
  }

  remove(index: bigint): void {
    const { prev, next } = this.leaf(index);
    this.leaf(prev).next = next;
    this.leaf(next).prev = prev;
    this.leaves.delete(index);
  }

  opening(index: bigint): Digits {
    const { prev, next, hKey, hValue } = this.leaf(index);
    const opening = integer(this.family, prev) + integer(this.family, next) + hKey + hValue;
    return this.rewrite.leaf?.(index, opening) ?? opening;
  }

  /** Digest of the node at a height that covers the leaves from `first << height`. */
  node(height: number, first: bigint): Digits {
    if (height === 0) return this.leaves.has(first) ? hash(this.family, this.opening(first)) : zero;
    return hash(this.family, this.children(height, first));
  }

  private children(height: number, first: bigint): Digits {
    const isEmpty = ![...this.leaves.keys()].some((index) => index >> BigInt(height) === first);
    if (isEmpty && height > 1) return emptySubTree(this.family, height - 1).repeat(2);
    return this.node(height - 1, 2n * first) + this.node(height - 1, 2n * first + 1n);
  }

  get subTreeRoot(): Digits {
    return this.node(depth, 0n);
  }

  get top(): Digits {
    const top = integer(this.family, this.nextFreeNode) + this.subTreeRoot;
    return this.rewrite.top?.(top) ?? top;
  }

  get root(): Digits {
    return hash(this.family, this.top);
  }

  /** One side of a proof. */
  path(index: bigint): WireLeaf {
    const nodes = [this.top];
    for (let height = depth - 1; height > 0; height--) {
      nodes.push(this.children(height, (index >> BigInt(height)) ^ 1n));
    }
    const sibling = index ^ 1n;
    nodes.push(this.leaves.has(sibling) ? this.opening(sibling) : zero, this.opening(index));
    const proofRelatedNodes = nodes.map((node) => `0x${node}`);
    return { value: `0x${this.leaf(index).value}`, proofRelatedNodes };
  }

  existence(key: Digits, index: bigint) {
    return { key: `0x${key}`, leafIndex: Number(index), proof: this.path(index) };
  }

  nonExistence(key: Digits, left: bigint, right: bigint) {
    return {
      key: `0x${key}`,
      leftLeafIndex: Number(left),
      leftProof: this.path(left),
      rightLeafIndex: Number(right),
      rightProof: this.path(right),
    };
  }

  /** Whichever proof the key has. */
  prove(key: Digits, hKey: Digits) {
    const index = this.indexOf(hKey);
    return index === undefined
      ? this.nonExistence(key, ...this.neighbours(hKey))
      : this.existence(key, index);
  }
}
