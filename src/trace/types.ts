/** Parsed traces: what a state manager says once its shape is known to be right. Nothing here is proven yet. */
import type { LeafOpening } from '../codec/node.js';

/** A place in a tree: the hashes beside its path. */
export interface Place {
  /** Below 2^40. */
  readonly leafIndex: bigint;
  /** 40 digests back to back, lowest first. */
  readonly siblings: Uint8Array;
  /** Where it stands among the traces, for errors. */
  readonly at: string;
}

/** A leaf of the tree as the trace found it, and where it lies. */
export interface PlacedLeaf {
  readonly leaf: LeafOpening;
  readonly place: Place;
  /** Where the opening stands among the traces, for errors. */
  readonly at: string;
}

/** What a trace says of a key. Which leaves are new, and what they hold, no trace says: the verifier builds them. */
export type Statement =
  | { readonly kind: 'read'; readonly own: PlacedLeaf; readonly value: Uint8Array }
  | { readonly kind: 'readZero'; readonly left: PlacedLeaf; readonly right: PlacedLeaf }
  | {
      readonly kind: 'insert';
      readonly left: PlacedLeaf;
      readonly place: Place;
      readonly right: PlacedLeaf;
      readonly value: Uint8Array;
    }
  | {
      readonly kind: 'update';
      readonly own: PlacedLeaf;
      readonly oldValue: Uint8Array;
      readonly newValue: Uint8Array;
    }
  | {
      readonly kind: 'delete';
      readonly left: PlacedLeaf;
      readonly own: PlacedLeaf;
      readonly right: PlacedLeaf;
      readonly oldValue: Uint8Array;
    };

/** A tree at one moment. Its root is the hash of both. */
export interface TreeState {
  /** Index that the next insertion takes, at most 2^40. */
  readonly nextFreeNode: bigint;
  /** 32 bytes. */
  readonly subTreeRoot: Uint8Array;
}

/** How keys and values of one kind of tree are read and hashed. */
export interface TreeKind {
  readonly keyWidth: number;
  readonly valueWidth: number;
  encodeKey(key: Uint8Array): Uint8Array;
  encodeValue(value: Uint8Array): Uint8Array;
  /** Refuses a value that shows by itself that it is none. @throws ShapeError */
  checkValue(value: Uint8Array, at: string): void;
  /** Of a tree whose values are accounts: the root of the storage tree in one. */
  readonly storageRootOf?: (value: Uint8Array) => Uint8Array;
}

/** One access to one key of one tree. */
export interface Trace {
  /** `0x` of the tree of all accounts, else the owner's address in lower case. */
  readonly tree: string;
  readonly kind: TreeKind;
  readonly key: Uint8Array;
  /** The tree as it was; of an insertion its next free node may be -1 until `checkIndices` has seen it. */
  readonly before: TreeState;
  /** The tree as it is afterwards; the same object where nothing changes. */
  readonly after: TreeState;
  readonly statement: Statement;
  /** Where the trace stands, for errors. */
  readonly at: string;
}

/** Name of the tree of all accounts. */
export const worldTree = '0x';
