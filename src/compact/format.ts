/**
 * A compact proof as its bytes say it (`docs/compact.md`); nothing here is proven yet. The statement is not in the
 * bytes: root, address, keys and family always come from the claim.
 */
import { accountWidth } from '../codec/spec.js';
import { maxStorageKeys } from '../foreign/limits.js';
import { blockWidth } from '../hash/family.js';
import { treeDepth } from '../hash/geometry.js';
import type { Climb } from './climb.js';

/** First byte. JSON text begins with no such byte. */
export const compactVersion = 1;

/** Place of a leaf that proves no key by itself; keys are counted from 1. */
export const neighbourPlace = 0;

/** Leaves that one key can need: its own, or its two neighbours. */
export const leavesPerKey = 2;

/** Bytes of a neighbour's hKey and hValue. */
export const neighbourWidth: number = 2 * blockWidth;

/** A number takes at most six bytes: enough for 2^40, and far below 2^53. */
export const maxNumberWidth = 6;

/** No compact proof is longer: each leaf with four numbers, the larger value and a sibling at each height. */
export const maxCompactWidth: number =
  leavesPerKey *
  (maxStorageKeys + 1) *
  (6 * maxNumberWidth + accountWidth + treeDepth * blockWidth);

/** A leaf. Numbers are below 2^40. */
export interface CompactLeaf {
  readonly leafIndex: number;
  readonly prev: number;
  readonly next: number;
  /** {@link neighbourPlace}, or the place of the key that the leaf proves among the distinct keys of the claim. */
  readonly place: number;
  /** The value if it is a key's leaf, 192 or 32 bytes; hKey and hValue if it is a neighbour. */
  readonly content: Uint8Array;
  /** Location of a member, for errors. */
  readonly locate: (member: string) => string;
}

/** One tree. */
export interface CompactTree {
  /** At most 2^40. */
  readonly nextFreeNode: number;
  /** By ascending index, all below the next free node. */
  readonly leaves: readonly CompactLeaf[];
  /** How the leaves lead to the sub-tree root. */
  readonly climb: Climb;
  /** Digests of the siblings that the climb needs, 32 bytes each, lowest first and from left to right. */
  readonly siblings: Uint8Array;
  /** Location, for errors. */
  readonly at: string;
}

/** A whole compact proof. */
export interface CompactProof {
  readonly accountTree: CompactTree;
  /** undefined if it has no part for the storage. */
  readonly storageTree: CompactTree | undefined;
}
