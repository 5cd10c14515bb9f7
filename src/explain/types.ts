/** What an explanation says: plain data. Bytes are hex in lower case, numbers are decimal digits. */
import type { Hex } from '../bytes.js';
import type { VerificationCode } from '../errors.js';
import type { HashFamily } from '../hash/family.js';
import type { AccountJson } from '../verify/json.js';
import type { VerifiedSlot } from '../verify/result.js';

/** The word of the verifier. */
export type Verdict =
  | {
      /** The answer proves the state that follows. */
      readonly verified: true;
      /** null: proven not to exist. */
      readonly account: AccountJson | null;
      /** One per storage key asked, in the same order. */
      readonly storage: readonly VerifiedSlot[];
    }
  | {
      /** The answer proves nothing. */
      readonly verified: false;
      /** The law that it breaks; null if it is malformed, and no proof at all. */
      readonly code: VerificationCode | null;
      /** Location in the answer; `` for the whole. */
      readonly path: string;
      /** What is wrong, in a sentence. */
      readonly reason: string;
      /** The message of the error: path, reason and code. */
      readonly message: string;
    };

/** One step from a leaf to the root: the node on the path, and its sibling. */
export interface Level {
  /** Height above the leaves: 0 to 39. */
  readonly level: number;
  /** Digest of the node on the path; null if it cannot be computed. */
  readonly node: Hex | null;
  /** Digest of its sibling; zeros if that is an empty leaf; null if it could not be read. */
  readonly sibling: Hex | null;
  /** Side of the sibling; null if the leaf index could not be read. */
  readonly siblingSide: 'left' | 'right' | null;
  /** Whether no leaf lies below the sibling. */
  readonly siblingIsEmpty: boolean;
}

/** A leaf as its opening says it. */
export interface Leaf {
  /** Leaf index of the neighbour with the next smaller hKey. */
  readonly prev: string;
  /** Leaf index of the neighbour with the next larger hKey. */
  readonly next: string;
  /** Hash of the leaf's key, 32 bytes. */
  readonly hKey: Hex;
  /** Hash of the leaf's value, 32 bytes. */
  readonly hValue: Hex;
}

/** The node above the sub-tree, whose digest is the root. */
export interface TopNode {
  /** Index that the next insertion takes. */
  readonly nextFreeNode: string;
  /** As the node says it, 32 bytes. */
  readonly subTreeRoot: Hex;
  /** Digest of the node, 32 bytes. */
  readonly root: Hex;
}

/** One leaf, and its path to the root. What could not be read or computed is null. */
export interface PathExplanation {
  /** Location of its nodes in the answer, or of its leaf in a compact proof. */
  readonly at: string;
  /** Index of the leaf, below 2^40. */
  readonly leafIndex: string | null;
  /** The content of the leaf. */
  readonly leaf: Leaf | null;
  /** From the leaf up, 40 of them. */
  readonly levels: readonly Level[];
  /** Computed from the leaf and all siblings, 32 bytes. */
  readonly subTreeRoot: Hex | null;
  /** The node above; in a compact proof its sub-tree root is the one computed. */
  readonly top: TopNode | null;
}

/** One key that was asked for, and what the answer shows of it. */
export interface KeyExplanation {
  /** Location in the answer, for example `storageProofs[0]`. */
  readonly at: string;
  /** The tree: the one of all accounts, or the one of the account's storage. */
  readonly tree: 'account' | 'storage';
  /** The key that was asked for: 20 bytes of an account, 32 of a slot. */
  readonly key: Hex;
  /** The same as the tree sorts it: its hash, 32 bytes. */
  readonly hKey: Hex;
  /** The key that the answer names; null if it names none. */
  readonly answeredKey: Hex | null;
  /** The root that the paths must lead to: of the claim, or the storage root that the answer gives the account. */
  readonly root: Hex | null;
  /**
   * What it shows, if it holds: `present`, the key's own leaf; `absent`, two neighbours with the key between them; `empty`,
   * nothing was answered, because no leaf can be there; `nothing`, there is no proof to look at.
   */
  readonly shows: 'present' | 'absent' | 'empty' | 'nothing';
  /** The value of the leaf, 192 bytes of an account, 32 of a slot; null if none is shown. */
  readonly value: Hex | null;
  /** Hash of the value, 32 bytes. */
  readonly hValue: Hex | null;
  /** The fields in the value of an account. */
  readonly account: AccountJson | null;
  /** The key's own leaf. */
  readonly own: PathExplanation | null;
  /** The neighbour with the next smaller hKey. */
  readonly left: PathExplanation | null;
  /** The neighbour with the next larger hKey. */
  readonly right: PathExplanation | null;
}

/**
 * The laws, in about the order in which the verifier compares them:
 *
 * - `FORM` the answer has the form of a proof
 * - `FAMILY` its nodes have the widths of the hash family
 * - `SLOT_COUNT` one entry per storage key asked
 * - `KEY` the entry names the key asked
 * - `HKEY`, `HVALUE` the leaf is of this key, and of this value
 * - `NOT_HEAD`, `NOT_TAIL` the key is not the head or the tail of the list
 * - `LEFT_BELOW`, `RIGHT_ABOVE` the key lies between its neighbours
 * - `LEFT_NEXT`, `RIGHT_PREV` the neighbours name each other
 * - `INDEX` the leaf lies below the next free node
 * - `ROOT` the top node is the preimage of the root
 * - `SUB_TREE_ROOT` the path leads from the leaf to the top node
 * - `NO_SLOT` an absent account has no slots
 * - `PRISTINE` a slot without a proof is in an empty tree
 * - `TREE_ROOT` the leaves and siblings of a compact proof lead to the root
 * - `LEAF_PLACE`, `LEAF_NEEDED`, `STORAGE_NEEDED` a compact proof holds nothing that was not asked for
 */
export type LawId =
  | ('FORM' | 'FAMILY' | 'SLOT_COUNT' | 'KEY' | 'HKEY' | 'HVALUE' | 'NOT_HEAD' | 'NOT_TAIL')
  | ('LEFT_BELOW' | 'RIGHT_ABOVE' | 'LEFT_NEXT' | 'RIGHT_PREV' | 'INDEX' | 'ROOT' | 'TREE_ROOT')
  | ('SUB_TREE_ROOT' | 'NO_SLOT' | 'PRISTINE' | 'LEAF_PLACE' | 'LEAF_NEEDED' | 'STORAGE_NEEDED');

/** Where in the explanation a law looks. */
export interface Place {
  /** Index in `proofs`; null if it is about the whole answer. */
  readonly proof: number | null;
  /** The path of that proof; null if it is about none. */
  readonly path: 'own' | 'left' | 'right' | null;
  /** Height of the node or sibling above the leaves, 0 to 39; 40 for the sub-tree root; null if it is about none. */
  readonly level: number | null;
  /** The figure, for example `hKey`, `next`, `leafIndex`, `nextFreeNode`; null if it is about all of the place. */
  readonly field: string | null;
}

/** One comparison. */
export interface Law {
  /** Its name. */
  readonly id: LawId;
  /** The same in a sentence. */
  readonly text: string;
  /** The code of the refusal if it does not hold; null for `FORM`, whose refusal is a ShapeError. */
  readonly code: VerificationCode | null;
  /** Location in the answer, as the error has it. */
  readonly at: string;
  /** The same place in the explanation. */
  readonly place: Place;
  /** How the left side must be to the right one; null if the law compares no two figures. */
  readonly relation: 'equal' | 'unequal' | 'below' | null;
  /** Hex, decimal digits or a word; null if it could not be read, or there is none. */
  readonly left: string | null;
  /** The same of the other side. */
  readonly right: string | null;
  /** null if a side could not be read. */
  readonly holds: boolean | null;
  /** Whether the verifier came as far as this law. */
  readonly reached: boolean;
}

/** What an answer says, what of it was compared, and what came of it. */
export interface Explanation {
  /** `result`, as `l2_getProof` answers it; or `compact`. */
  readonly form: 'result' | 'compact';
  /** What was asked. */
  readonly claim: {
    /** The trusted root, 32 bytes. */
    readonly stateRoot: Hex;
    /** 20 bytes. */
    readonly address: Hex;
    /** 32 bytes each. */
    readonly storageKeys: readonly Hex[];
    /** Family of the root. */
    readonly hash: HashFamily;
  };
  /** The word of the verifier, which alone counts. */
  readonly verdict: Verdict;
  /** The account, and then each slot that was asked, in order. */
  readonly proofs: readonly KeyExplanation[];
  /** In the order in which the verifier compares: those before the first that does not hold, hold. */
  readonly laws: readonly Law[];
  /**
   * Whether the laws lead to the verdict: if not, this explanation is wrong (a bug, or the answer changed while it was read),
   * and the verdict is right.
   */
  readonly agrees: boolean;
}
