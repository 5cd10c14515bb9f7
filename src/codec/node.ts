/** Leaf openings and top nodes: bytes <-> values. */
import { concatBytes } from '../bytes.js';
import { ShapeError } from '../errors.js';
import { blockWidth } from '../hash/family.js';
import type { TreeSpec } from './spec.js';
import { indexLimit } from './word.js';

/** The preimage of a leaf: its neighbours in the sorted list, and the hashes of its key and value. */
export interface LeafOpening {
  /** Leaf index of the neighbour with the next smaller hKey, below 2^40. */
  readonly prev: bigint;
  /** Leaf index of the neighbour with the next larger hKey, below 2^40. */
  readonly next: bigint;
  /** 32 bytes. */
  readonly hKey: Uint8Array;
  /** 32 bytes. */
  readonly hValue: Uint8Array;
}

/** The preimage of a root. */
export interface TopNode {
  /** Index the next insertion will take, at most 2^40. */
  readonly nextFreeNode: bigint;
  /** 32 bytes. */
  readonly subTreeRoot: Uint8Array;
}

/** Writes the bytes of a leaf opening, `spec.widths.leafOpening` of them, into `out` at `offset`. */
export function writeLeafOpening(
  spec: TreeSpec,
  leaf: LeafOpening,
  out: Uint8Array,
  offset: number,
): void {
  const { integer } = spec;
  out.set(integer.encode(leaf.prev), offset);
  out.set(integer.encode(leaf.next), offset + integer.width);
  out.set(leaf.hKey, offset + 2 * integer.width);
  out.set(leaf.hValue, offset + 2 * integer.width + blockWidth);
}

/** Bytes of a leaf opening. */
export function encodeLeafOpening(spec: TreeSpec, leaf: LeafOpening): Uint8Array {
  const bytes = new Uint8Array(spec.widths.leafOpening);
  writeLeafOpening(spec, leaf, bytes, 0);
  return bytes;
}

/** Digest of a leaf opening: the leaf. */
export function hashLeafOpening(spec: TreeSpec, leaf: LeafOpening): Uint8Array {
  return spec.hasher.hash(encodeLeafOpening(spec, leaf));
}

/** Bytes that hold a node, and where. Read in place: each view of bytes is an object, and a path has dozens of parts. */
interface NodeBytes {
  readonly bytes: Uint8Array;
  /** Where the node begins in `bytes`. */
  readonly offset: number;
  /** Location of the node in the answer, for errors. */
  readonly at: string;
}

/** An integer from 0 to `limit`, exclusive, in the family's encoding; `skip` bytes into the node. */
function decodeIndex(
  spec: TreeSpec,
  { bytes, offset, at }: NodeBytes,
  { name, skip, limit }: { name: string; skip: number; limit: bigint },
): bigint {
  const index = spec.integer.decode(bytes, offset + skip);
  if (index === undefined) {
    throw new ShapeError(`${at}.${name}`, 'expected limbs of two bytes, got one above 0xffff');
  }
  if (index >= limit) {
    throw new ShapeError(`${at}.${name}`, `expected an index below ${limit}, got ${index}`);
  }
  return index;
}

/**
 * Reads the pointers of a leaf opening.
 *
 * @throws ShapeError if one has a limb above 0xffff, or reaches 2^40
 */
export function decodePointers(
  spec: TreeSpec,
  node: NodeBytes,
): Pick<LeafOpening, 'prev' | 'next'> {
  const { width } = spec.integer;
  return {
    prev: decodeIndex(spec, node, { name: 'prev', skip: 0, limit: indexLimit }),
    next: decodeIndex(spec, node, { name: 'next', skip: width, limit: indexLimit }),
  };
}

/**
 * Reads a leaf opening of canonical elements.
 *
 * @throws ShapeError if a pointer has a limb above 0xffff, or reaches 2^40
 */
export function decodeLeafOpening(spec: TreeSpec, node: NodeBytes): LeafOpening {
  const { bytes, offset } = node;
  const { prev, next } = decodePointers(spec, node);
  const hKey = offset + 2 * spec.integer.width;
  const hValue = hKey + blockWidth;
  return Object.freeze({
    prev,
    next,
    hKey: bytes.subarray(hKey, hValue),
    hValue: bytes.subarray(hValue, hValue + blockWidth),
  });
}

/** Bytes of a top node, `spec.widths.topNode` of them. */
export function encodeTopNode(spec: TreeSpec, top: TopNode): Uint8Array {
  return concatBytes(spec.integer.encode(top.nextFreeNode), top.subTreeRoot);
}

/** Digest of a top node: the root. */
export function hashTopNode(spec: TreeSpec, top: TopNode): Uint8Array {
  return spec.hasher.hash(encodeTopNode(spec, top));
}

/** A full tree has 2^40 itself. */
const nextFreeNodeLimit = indexLimit + 1n;

/**
 * Reads a top node of canonical elements.
 *
 * @throws ShapeError if nextFreeNode has a limb above 0xffff, or passes 2^40
 */
export function decodeTopNode(spec: TreeSpec, node: NodeBytes): TopNode {
  const { bytes, offset } = node;
  const nextFreeNode = decodeIndex(spec, node, {
    name: 'nextFreeNode',
    skip: 0,
    limit: nextFreeNodeLimit,
  });
  const end = offset + spec.widths.topNode;
  return Object.freeze({ nextFreeNode, subTreeRoot: bytes.subarray(end - blockWidth, end) });
}
