/**
 * The sorted list of a tree's leaves, or the part of it that some operations touch (docs/protocol.md section 1).
 * Indices are numbers here: all are below 2^40, which a number holds exactly. No 32-bit operator may touch one.
 */
import type { TreeSpec } from '../../codec/spec.js';
import { indexLimit } from '../../codec/word.js';
import { blockWidth } from '../../hash/family.js';
import { TreeError } from '../store/errors.js';

/** Leaf index of the head, and of the tail. */
export const headIndex = 0;
export const tailIndex = 1;

/** The next free node of a tree that holds head and tail only. */
export const firstFreeNode = 2;

/** The content of a leaf: the hashes of its key and value. */
export interface LeafContent {
  /** 32 bytes. */
  readonly hKey: Uint8Array;
  /** 32 bytes. */
  readonly hValue: Uint8Array;
  /** The value as proofs show it: 192 bytes of an account, 32 of a slot, of head and of tail. */
  readonly value: Uint8Array;
}

/** A leaf in the list. */
export interface Leaf extends LeafContent {
  readonly prev: number;
  readonly next: number;
}

/** Head and tail of an empty tree. */
export function emptyList(spec: TreeSpec): [head: Leaf, tail: Leaf] {
  const zero = new Uint8Array(blockWidth);
  const sentinel = { prev: headIndex, next: tailIndex, hValue: zero, value: zero };
  return [
    { ...sentinel, hKey: zero },
    { ...sentinel, hKey: spec.tailHKey },
  ];
}

/** A list that is changed in place; `changed` names the leaves that an operation wrote or deleted. */
export class LeafList {
  readonly changed = new Set<number>();
  nextFreeNode: number;
  readonly #leaves: Map<number, Leaf>;

  /** @param leaves the leaves to work on, by index; they become the list's own */
  constructor(leaves: Map<number, Leaf>, nextFreeNode: number) {
    this.#leaves = leaves;
    this.nextFreeNode = nextFreeNode;
  }

  /** The leaf at an index, or undefined if it is empty or was not given. */
  get(index: number): Leaf | undefined {
    return this.#leaves.get(index);
  }

  /** Puts a new leaf behind the one at `left`. @returns its index */
  insert(left: number, content: LeafContent): number {
    const index = this.nextFreeNode;
    if (index >= Number(indexLimit)) {
      throw new TreeError('TREE_FULL', 'all 2^40 leaf indices of the tree were given out');
    }
    const before = this.#leafAt(left);
    const after = this.#leafAt(before.next);
    this.#set(left, { ...before, next: index });
    this.#set(before.next, { ...after, prev: index });
    const { hKey, hValue, value } = content;
    // No spread: in Node 20, one with a member behind it takes thirty times as long.
    this.#set(index, { hKey, hValue, value, prev: left, next: before.next });
    this.nextFreeNode = index + 1;
    return index;
  }

  /** Gives the leaf at `index` another value. */
  update(index: number, { hValue, value }: Pick<LeafContent, 'hValue' | 'value'>): void {
    this.#set(index, { ...this.#leafAt(index), hValue, value });
  }

  /** Takes the leaf at `index` out; the next free node stays, so the index is never used again. */
  delete(index: number): void {
    const { prev, next } = this.#leafAt(index);
    this.#set(prev, { ...this.#leafAt(prev), next });
    this.#set(next, { ...this.#leafAt(next), prev });
    this.#leaves.delete(index);
    this.changed.add(index);
  }

  #leafAt(index: number): Leaf {
    const leaf = this.#leaves.get(index);
    if (leaf === undefined) {
      throw new TreeError('DAMAGED', `the list points at leaf ${index}, which is not there`);
    }
    return leaf;
  }

  #set(index: number, leaf: Leaf): void {
    this.#leaves.set(index, leaf);
    this.changed.add(index);
  }
}
