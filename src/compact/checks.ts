/** Calls of a path verifier on L1, and the checks that their caller must make besides. */
import type { Hex } from '../bytes.js';
import type { HashFamily } from '../hash/index.js';

/** A call of the path verifier. */
export interface CalldataCall {
  /** For example `verifyProof(bytes[],uint256,bytes32)`. */
  readonly signature: string;
  /** The arguments in their order: bytes as hex, numbers as bigints. */
  readonly args: readonly (Hex | bigint | readonly Hex[])[];
  /** The call, encoded. */
  readonly data: Hex;
  /** Its purpose, for people. */
  readonly text: string;
}

/** A value that a check compares. All are unsigned big-endian numbers. */
export type CalldataValue =
  /** A constant. */
  | {
      /** Tells the kinds of values apart. */
      readonly from: 'constant';
      /** 32 bytes. */
      readonly value: Hex;
    }
  /** The word that a call returns. */
  | {
      /** Tells the kinds of values apart. */
      readonly from: 'result';
      /** Index of the call in `calls`, from 0. */
      readonly call: number;
    }
  /** An argument of a call that is no bytes. */
  | {
      /** Tells the kinds of values apart. */
      readonly from: 'argument';
      /** Index of the call in `calls`, from 0. */
      readonly call: number;
      /** Index of the argument in `args`, from 0. */
      readonly argument: number;
    }
  /** Bytes `start` to `end` (exclusive) of an argument of a call; of `bytes[]`, of one element. */
  | {
      /** Tells the kinds of values apart. */
      readonly from: 'bytes';
      /** Index of the call in `calls`, from 0. */
      readonly call: number;
      /** Index of the argument in `args`, from 0. */
      readonly argument: number;
      /** Index of the element, from 0; undefined if the argument is `bytes`. */
      readonly element: number | undefined;
      /** The first byte, from 0. */
      readonly start: number;
      /** The byte behind the last. */
      readonly end: number;
      /** Two bytes of the number in each four, whose other two must be zero. */
      readonly limbs: boolean;
    };

/** The subject of a check. Each stands for a way to cheat that the contract does not see. */
export type CalldataCheckName =
  /** The key that is hashed is the one that the statement is about: this address, or this slot. */
  | 'STATEMENT'
  /** The path leads to the root: the contract's own answer. */
  | 'PATH'
  /** The root of the account's path is the trusted one. */
  | 'STATE_ROOT'
  /** The root of a slot's path is the one in the proven account. */
  | 'STORAGE_ROOT'
  /** Node 0 is the preimage of the root; the contract reads half of it. */
  | 'TOP_NODE'
  /** No node is of another kind: a leaf is no inner node. */
  | 'WIDTHS'
  /** No element is written as x + p, which hashes like x. */
  | 'CANONICAL'
  /** The leaf lies below the next free node, and that not beyond the tree. */
  | 'INDEX'
  /** The leaf is the key's. */
  | 'KEY'
  /** The leaf holds the value. */
  | 'VALUE'
  /** Numbers stay in their range. */
  | 'RANGE'
  /** The key is not the head or the tail of the list. */
  | 'HEAD_OR_TAIL'
  /** The two leaves name each other. */
  | 'NEIGHBOURS'
  /** The key lies strictly between the two leaves. */
  | 'BETWEEN';

/** One check; all must hold. */
export type CalldataCheck = {
  /** What it is about. */
  readonly name: CalldataCheckName;
  /** The same for people, in a sentence. */
  readonly text: string;
} & (
  | {
      /** Both values are the same number. */
      readonly kind: 'equal';
      /** The one value. */
      readonly left: CalldataValue;
      /** The other value. */
      readonly right: CalldataValue;
    }
  | {
      /** The left value is less than the right one. */
      readonly kind: 'below';
      /** The lesser value. */
      readonly left: CalldataValue;
      /** The greater value. */
      readonly right: CalldataValue;
    }
  /** All field elements in the bytes `start` to `end` of an argument, or in all its elements, are below `modulus`. */
  | {
      /** Field elements are canonical. */
      readonly kind: 'canonical';
      /** Index of the call in `calls`, from 0. */
      readonly call: number;
      /** Index of the argument in `args`, from 0. */
      readonly argument: number;
      /** The first byte, from 0. */
      readonly start: number;
      /** The byte behind the last; undefined: the end of the bytes. */
      readonly end: number | undefined;
      /** Bytes of a field element. */
      readonly width: number;
      /** Order of the field, big-endian. */
      readonly modulus: Hex;
    }
  /** The elements of an argument have these widths; of the one with two, the smaller is zero bytes, the larger not. */
  | {
      /** Elements have the widths of their places. */
      readonly kind: 'widths';
      /** Index of the call in `calls`, from 0. */
      readonly call: number;
      /** Index of the argument in `args`, from 0. */
      readonly argument: number;
      /** Widths in bytes that each element may have, in their order. */
      readonly widths: readonly (readonly number[])[];
    }
);

/** The result of {@link toCalldata}. */
export interface Calldata {
  /** The family of the root. */
  readonly hash: HashFamily;
  /** To be made in this order; the checks name them by their index. */
  readonly calls: readonly CalldataCall[];
  /** All must hold. */
  readonly checks: readonly CalldataCheck[];
}
