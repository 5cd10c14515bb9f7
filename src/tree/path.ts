/** Proofs in the wire form (protocol section 3), put together from what a tree keeps. */
import { encodeHex, type Hex } from '../bytes.js';
import { treeDepth } from '../hash/geometry.js';
import type { Leaf } from './leaves.js';
import {
  ancestorOf,
  type NodeSpec,
  openingOf,
  type Position,
  siblingOf,
  type Top,
  topNodeOf,
} from './nodes.js';

/** One leaf and the nodes of its path. */
export interface WireLeafProof {
  value: Hex;
  /** 42 nodes, top down. */
  proofRelatedNodes: Hex[];
}

/** A key that has a leaf. */
export interface WireExistence {
  /** 20 bytes of an address, 32 of a slot key. */
  key: Hex;
  leafIndex: number;
  proof: WireLeafProof;
}

/** A key between two leaves. */
export interface WireNonExistence {
  key: Hex;
  leftProof: WireLeafProof;
  rightProof: WireLeafProof;
  leftLeafIndex: number;
  rightLeafIndex: number;
}

/** A non-existence proof, with its members in the order in which the public system writes them. */
export const wireNonExistence = (
  key: Hex,
  left: { index: number; proof: WireLeafProof },
  right: { index: number; proof: WireLeafProof },
): WireNonExistence => ({
  key,
  leftProof: left.proof,
  rightProof: right.proof,
  leftLeafIndex: left.index,
  rightLeafIndex: right.index,
});

export type WireProof = WireExistence | WireNonExistence;

/** The `result` of an `l2_getProof` answer. */
export interface ProofResult {
  accountProof: WireProof;
  /** One per storage key asked, or none where the account is absent or its storage pristine. */
  storageProofs: WireProof[];
}

/** What a path needs to be read: the nodes beside it, lowest first, and the sibling leaf. */
export interface PathPlan {
  readonly leafIndex: number;
  readonly siblingLeaf: number;
  /** Those that are not empty sub-trees. */
  readonly siblings: readonly Position[];
}

/** @param nextFreeNode sub-trees that begin there or later are empty */
export function planPath(leafIndex: number, nextFreeNode: number): PathPlan {
  const siblings: Position[] = [];
  for (let height = 1; height < treeDepth; height++) {
    const index = siblingOf(ancestorOf(leafIndex, height));
    if (index * 2 ** height < nextFreeNode) siblings.push({ height, index });
  }
  return { leafIndex, siblingLeaf: siblingOf(leafIndex), siblings };
}

/**
 * @param siblings the preimage at each of `plan.siblings`
 * @param siblingLeaf undefined where it is empty
 */
export function wireLeafProof(
  { tree, emptyNodes }: NodeSpec,
  top: Top,
  plan: PathPlan,
  leaf: Leaf,
  siblings: readonly Uint8Array[],
  siblingLeaf: Leaf | undefined,
): WireLeafProof {
  const nodes = [...emptyNodes].reverse();
  nodes[0] = encodeHex(topNodeOf(tree, top));
  for (const [i, { height }] of plan.siblings.entries()) {
    nodes[treeDepth - height] = encodeHex(siblings[i] as Uint8Array);
  }
  if (siblingLeaf) nodes[treeDepth] = encodeHex(openingOf(tree, siblingLeaf));
  nodes.push(encodeHex(openingOf(tree, leaf)));
  return { value: encodeHex(leaf.value), proofRelatedNodes: nodes };
}
