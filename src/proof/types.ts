/** Parsed proofs: what an answer of the right shape says. Nothing here is proven yet. */
import type { AccountValue } from '../codec/account.js';
import type { LeafOpening, TopNode } from '../codec/node.js';
import type { HashFamily } from '../hash/index.js';

/** One leaf and the path above it: the 42 nodes of `proofRelatedNodes`. */
export interface Path {
  /** Below 2^40; bit h tells on which side the path lies at height h (1: right). */
  readonly leafIndex: bigint;
  /** The content of node 0. */
  readonly top: TopNode;
  /** The content of node 41. */
  readonly leaf: LeafOpening;
  /**
   * All nodes back to back, top down: top node, 39 sibling preimages, sibling leaf, leaf opening. A view: its buffer may
   * hold other paths too.
   */
  readonly nodes: Uint8Array;
  /** Bytes of the sibling leaf in `nodes`: a leaf opening's width, or 32 if that leaf is empty. */
  readonly siblingLeafWidth: number;
  /** Location of the nodes in the answer, for errors. */
  readonly at: string;
}

/** A key with a leaf. */
export interface ExistenceProof {
  /** Tells the two kinds of proof apart. */
  readonly kind: 'existence';
  /** 192 bytes of an account, 32 of a slot. */
  readonly value: Uint8Array;
  /** The leaf of the key, and its path. */
  readonly path: Path;
}

/** A key between two leaves. The neighbours' values are not kept: they prove nothing. */
export interface NonExistenceProof {
  /** Tells the two kinds of proof apart. */
  readonly kind: 'nonExistence';
  /** The leaf with the next smaller hKey, and its path. */
  readonly left: Path;
  /** The leaf with the next larger hKey, and its path. */
  readonly right: Path;
}

/** The proof of an account, or that there is none. */
export type AccountProof = {
  /** The address that the answer gives, 20 bytes. */
  readonly key: Uint8Array;
} & (
  | (ExistenceProof & {
      /** The fields of the account, read from the 192 bytes of `value`. */
      readonly account: AccountValue;
    })
  | NonExistenceProof
);

/** The proof of a slot, or that it is not set. */
export type SlotProof = {
  /** The slot key that the answer gives, 32 bytes. */
  readonly key: Uint8Array;
} & (ExistenceProof | NonExistenceProof);

/** A whole `l2_getProof` result of the right shape, frozen; it holds no reference to its input. */
export interface ParsedProof {
  /** The family that the widths and elements were checked for. */
  readonly hash: HashFamily;
  /** Proof of the account. */
  readonly accountProof: AccountProof;
  /** In the order answered; null if the server answered nothing for a key. */
  readonly storageProofs: readonly (SlotProof | null)[];
}
