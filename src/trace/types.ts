/** Parsed traces: what a state manager's answer of the right shape says. Nothing here is proven yet. */
import type { LeafOpening, TopNode } from '../codec/node.js';

/** A path in a tree: the hashes beside it. */
export interface SiblingPath {
  /** Below 2^40. */
  readonly leafIndex: bigint;
  /** 40 digests back to back, lowest first. */
  readonly siblings: Uint8Array;
  /** Location of the path among the traces, for errors. */
  readonly at: string;
}

/** A leaf of the tree as the trace found it, and its path. */
export interface TracedLeaf {
  readonly leaf: LeafOpening;
  readonly path: SiblingPath;
  /** Location of the opening among the traces, for errors. */
  readonly at: string;
}

/**
 * The statement of a trace about a key. No trace says which leaves are new or what they hold: the verifier builds them.
 */
export type Statement =
  | { readonly kind: 'read'; readonly own: TracedLeaf; readonly value: Uint8Array }
  | { readonly kind: 'readZero'; readonly left: TracedLeaf; readonly right: TracedLeaf }
  | {
      readonly kind: 'insert';
      readonly left: TracedLeaf;
      /** Path of the new leaf. */
      readonly newPath: SiblingPath;
      readonly right: TracedLeaf;
      readonly value: Uint8Array;
    }
  | {
      readonly kind: 'update';
      readonly own: TracedLeaf;
      readonly oldValue: Uint8Array;
      readonly newValue: Uint8Array;
    }
  | {
      readonly kind: 'delete';
      readonly left: TracedLeaf;
      readonly own: TracedLeaf;
      readonly right: TracedLeaf;
      readonly oldValue: Uint8Array;
    };

/** How keys and values of one kind of tree are read and hashed. */
export interface TreeKind {
  readonly keyWidth: number;
  readonly valueWidth: number;
  /** The preimage of the hKey. */
  keyBlocks(key: Uint8Array): Uint8Array;
  /** The preimage of the hValue. */
  valueBlocks(value: Uint8Array): Uint8Array;
  /** Refuses bytes that no leaf of this kind of tree holds. @throws ShapeError */
  checkValue(value: Uint8Array, at: string): void;
  /** The root of the storage tree in an account value; undefined if the values are no accounts. */
  readonly storageRootOf: ((value: Uint8Array) => Uint8Array) | undefined;
}

/** One access to one key of one tree. */
export interface Trace {
  /** Names the tree: {@link worldLocation}, or the address of the storage tree's owner in lower case. */
  readonly location: string;
  readonly kind: TreeKind;
  readonly key: Uint8Array;
  /** The tree as it was; the next free node of an insertion may be -1 until `checkIndices` has seen it. */
  readonly before: TopNode;
  /** The tree as it is afterwards; the same object if nothing changes. */
  readonly after: TopNode;
  readonly statement: Statement;
  /** Location of the trace, for errors. */
  readonly at: string;
}

/** Location of the tree of all accounts. */
export const worldLocation = '0x';
