/** Proofs in the wire form (docs/protocol.md section 3), put together from the leaves and nodes of a tree. */
import { encodeHex, type Hex } from '../../bytes.js';
import { treeDepth } from '../../hash/geometry.js';
import type { Leaf } from '../nodes/leaves.js';
import {
  type EmptyTree,
  openingBytes,
  type Position,
  type StoredTopNode,
  siblingOf,
  topNodeBytes,
} from '../nodes/nodes.js';
import { TreeError } from '../store/errors.js';
import type { EncodedNode } from './upperNodeCache.js';

/** One leaf and the nodes of its path. */
export interface WireLeafProof {
  /** 192 bytes of an account, 32 of a slot, of head and of tail. */
  value: Hex;
  /** 42 nodes, top down. */
  proofRelatedNodes: Hex[];
}

/** A key that has a leaf. */
export interface WireExistence {
  /** 20 bytes of an address, 32 of a slot key. */
  key: Hex;
  /** Below 2^40. */
  leafIndex: number;
  /** The leaf of the key. */
  proof: WireLeafProof;
}

/** A key between two leaves. */
export interface WireNonExistence {
  /** 20 bytes of an address, 32 of a slot key. */
  key: Hex;
  /** The leaf with the next smaller hKey. */
  leftProof: WireLeafProof;
  /** The leaf with the next larger hKey. */
  rightProof: WireLeafProof;
  /** Below 2^40. */
  leftLeafIndex: number;
  /** Below 2^40. */
  rightLeafIndex: number;
}

/** Shows that a key exists, or that it does not. */
export type WireProof = WireExistence | WireNonExistence;

/** The `result` of an `l2_getProof` answer. */
export interface ProofResult {
  /** Proof of the account. */
  accountProof: WireProof;
  /** One per storage key asked, or none if the account is absent or its storage pristine. */
  storageProofs: WireProof[];
}

/** The positions beside a leaf's path that are not empty sub-trees, lowest first. */
export function siblingPositions(leafIndex: number, nextFreeNode: number): Position[] {
  const siblings: Position[] = [];
  let ancestor = leafIndex;
  // Leaves that a node of the height spans. Beside one that spans all, everything is empty.
  let span = 2;
  for (let height = 1; height < treeDepth && span < nextFreeNode; height++) {
    ancestor = Math.floor(ancestor / 2);
    const index = siblingOf(ancestor);
    if (index * span < nextFreeNode) siblings.push({ height, index });
    span *= 2;
  }
  return siblings;
}

/** A tree, or the part of it that paths show. */
export interface PathSource {
  readonly topNode: StoredTopNode;
  /** The leaf at an index; undefined if it is empty. */
  leaf(index: number): Leaf | undefined;
  /** The node at a position that is no empty sub-tree. */
  node(position: Position): EncodedNode;
}

/** The path of a leaf that is not empty. */
export function wireLeafProof(
  { spec, nodes: emptyNodes }: EmptyTree,
  source: PathSource,
  leafIndex: number,
): WireLeafProof {
  const { topNode } = source;
  const leaf = source.leaf(leafIndex);
  if (leaf === undefined) throw new TreeError('DAMAGED', `the store has lost leaf ${leafIndex}`);
  const nodes = [...emptyNodes].reverse();
  nodes[0] = encodeHex(topNodeBytes(spec, topNode));
  for (const position of siblingPositions(leafIndex, topNode.nextFreeNode)) {
    nodes[treeDepth - position.height] = source.node(position).text;
  }
  const siblingLeaf = source.leaf(siblingOf(leafIndex));
  if (siblingLeaf) nodes[treeDepth] = encodeHex(openingBytes(spec, siblingLeaf));
  nodes.push(encodeHex(openingBytes(spec, leaf)));
  return { value: encodeHex(leaf.value), proofRelatedNodes: nodes };
}

/** The proof of a key that has a leaf. */
export const wireExistence = (
  empty: EmptyTree,
  source: PathSource,
  { key, own }: { key: Hex; own: number },
): WireExistence => ({ key, leafIndex: own, proof: wireLeafProof(empty, source, own) });

/** The proof of a key between two leaves, with its members in the order in which the public system writes them. */
export const wireNonExistence = (
  empty: EmptyTree,
  source: PathSource,
  { key, left, right }: { key: Hex; left: number; right: number },
): WireNonExistence => ({
  key,
  leftProof: wireLeafProof(empty, source, left),
  rightProof: wireLeafProof(empty, source, right),
  leftLeafIndex: left,
  rightLeafIndex: right,
});
