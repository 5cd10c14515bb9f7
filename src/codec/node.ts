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

/** An integer from 0 to `limit`, exclusive, in the family's encoding. */
function decodeIndex(spec: TreeSpec, bytes: Uint8Array, limit: bigint, at: string): bigint {
  const index = spec.integer.decode(bytes);
  if (index === undefined) {
    throw new ShapeError(at, 'expected limbs of two bytes, got one above 0xffff');
  }
  if (index >= limit) throw new ShapeError(at, `expected an index below ${limit}, got ${index}`);
  return index;
}

/**
 * Reads a leaf opening of canonical elements.
 *
 * @param bytes `spec.widths.leafOpening` bytes
 * @throws ShapeError if a pointer has a limb above 0xffff, or reaches 2^40
 */
export function decodeLeafOpening(spec: TreeSpec, bytes: Uint8Array, at: string): LeafOpening {
  const width = spec.integer.width;
  return Object.freeze({
    prev: decodeIndex(spec, bytes.subarray(0, width), indexLimit, `${at}.prev`),
    next: decodeIndex(spec, bytes.subarray(width, 2 * width), indexLimit, `${at}.next`),
    hKey: bytes.subarray(2 * width, 2 * width + blockWidth),
    hValue: bytes.subarray(2 * width + blockWidth),
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

/**
 * Reads a top node of canonical elements.
 *
 * @param bytes `spec.widths.topNode` bytes
 * @throws ShapeError if nextFreeNode has a limb above 0xffff, or passes 2^40
 */
export function decodeTopNode(spec: TreeSpec, bytes: Uint8Array, at: string): TopNode {
  const width = spec.integer.width;
  return Object.freeze({
    // A full tree has 2^40 itself.
    nextFreeNode: decodeIndex(
      spec,
      bytes.subarray(0, width),
      indexLimit + 1n,
      `${at}.nextFreeNode`,
    ),
    subTreeRoot: bytes.subarray(width),
  });
}
