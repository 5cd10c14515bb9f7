/** Leaves of one kind that are hashed together, in columns: no object stands for a leaf. */
import type { ValueBlocks } from '../../codec/family.js';
import type { TreeSpec } from '../../codec/spec.js';
import { copyInto } from '../../codec/word.js';
import { blockWidth } from '../../hash/family.js';
import { headIndex, type Leaf, tailIndex } from '../nodes/leaves.js';

/** The index of a leaf, and those of its neighbours in the list. */
export interface LeafLinks {
  readonly index: number;
  readonly prev: number;
  readonly next: number;
}

/** A tree that is loaded leaf by leaf. */
export interface TreeHead {
  readonly tree: number;
  readonly nextFreeNode: number;
  /** Index of the first leaf of the list behind the head; the tail's if there is none. */
  readonly first: number;
  /** Index of the last one before the tail; the head's if there is none. */
  readonly last: number;
}

/** Kinds of rows. */
const kinds = { hole: 0, sentinel: 1, leaf: 2 } as const;

/** Rows for all leaf indices in turn, those of empty leaves too. */
export class LeafBatch {
  readonly capacity: number;
  readonly #spec: TreeSpec;
  readonly #blocks: ValueBlocks;
  readonly #valueWidth: number;
  #count = 0;
  readonly #trees: TreeHead[] = [];
  readonly #kinds: Uint8Array;
  readonly #indices: Float64Array;
  readonly #prevs: Float64Array;
  readonly #nexts: Float64Array;
  readonly #hKeys: Uint8Array;
  readonly #values: Uint8Array;
  /** Inputs of the hash, used again each time: new ones would be more garbage than all else. */
  readonly #blocksToHash: Uint8Array;
  readonly #openings: Uint8Array;

  constructor(
    spec: TreeSpec,
    { blocks, valueWidth, capacity }: { blocks: ValueBlocks; valueWidth: number; capacity: number },
  ) {
    this.#spec = spec;
    this.#blocks = blocks;
    this.#valueWidth = valueWidth;
    this.capacity = capacity;
    this.#kinds = new Uint8Array(capacity);
    this.#indices = new Float64Array(capacity);
    this.#prevs = new Float64Array(capacity);
    this.#nexts = new Float64Array(capacity);
    this.#hKeys = new Uint8Array(blockWidth * capacity);
    this.#values = new Uint8Array(valueWidth * capacity);
    this.#blocksToHash = new Uint8Array(blocks.width * capacity);
    this.#openings = new Uint8Array(spec.widths.leafOpening * capacity);
  }

  get count(): number {
    return this.#count;
  }

  addHole(tree: TreeHead, index: number): void {
    this.#add(tree, { index, prev: 0, next: 0 }, kinds.hole);
  }

  /** Adds head and tail of a tree. */
  addHead(tree: TreeHead): void {
    const head = { index: headIndex, prev: headIndex, next: tree.first };
    this.#hKeys.fill(0, blockWidth * this.#count, blockWidth * (this.#count + 1));
    this.#add(tree, head, kinds.sentinel);
  }

  addTail(tree: TreeHead): void {
    const tail = { index: tailIndex, prev: tree.last, next: tailIndex };
    this.#hKeys.set(this.#spec.tailHKey, blockWidth * this.#count);
    this.#add(tree, tail, kinds.sentinel);
  }

  /** @returns the bytes into which the value is to be written */
  addLeaf(tree: TreeHead, links: LeafLinks, hKey: Uint8Array): Uint8Array {
    this.#hKeys.set(hKey, blockWidth * this.#count);
    const value = this.value(this.#count);
    this.#add(tree, links, kinds.leaf);
    return value;
  }

  treeOf(row: number): TreeHead {
    return this.#trees[row] as TreeHead;
  }

  indexOf(row: number): number {
    return this.#indices[row] as number;
  }

  isLeaf(row: number): boolean {
    return this.#kinds[row] === kinds.leaf;
  }

  isHole(row: number): boolean {
    return this.#kinds[row] === kinds.hole;
  }

  /** The value of a row, to read or to write. */
  value(row: number): Uint8Array {
    return this.#values.subarray(this.#valueWidth * row, this.#valueWidth * (row + 1));
  }

  hKey(row: number): Uint8Array {
    return this.#hKeys.subarray(blockWidth * row, blockWidth * (row + 1));
  }

  clear(): void {
    this.#count = 0;
    this.#trees.length = 0;
  }

  /** Hashes of the values of leaves, back to back. */
  #hashValues(): Uint8Array {
    const { width, write } = this.#blocks;
    const blocks = this.#blocksToHash.fill(0);
    let at = 0;
    for (let row = 0; row < this.#count; row++) {
      if (!this.isLeaf(row)) continue;
      write(this.value(row), blocks, at);
      at += width;
    }
    return this.#spec.hasher.hashEach(blocks.subarray(0, at), width);
  }

  /**
   * Hashes all leaves.
   *
   * @param onLeaf is given each, in views that the caller may not keep; undefined: nobody wants them
   * @returns 32 bytes a row; zero for an empty leaf
   * @throws RangeError if an hKey or a word of a value is not canonical
   */
  hash(onLeaf: ((row: number, leaf: Leaf) => void) | undefined): Uint8Array {
    const { integer, widths, hasher } = this.#spec;
    const hValues = this.#hashValues();
    const openings = this.#openings.fill(0);
    const [hKeyAt, hValueAt] = [2 * integer.width, 2 * integer.width + blockWidth];
    let at = 0;
    let hashed = 0;
    for (let row = 0; row < this.#count; row++) {
      if (this.isHole(row)) continue;
      const [prev, next] = [this.#prevs[row] as number, this.#nexts[row] as number];
      integer.write(prev, openings, at);
      integer.write(next, openings, at + integer.width);
      const hKey = { from: blockWidth * row, to: blockWidth * (row + 1), at: at + hKeyAt };
      copyInto(this.#hKeys, hKey, openings);
      if (this.isLeaf(row)) {
        const hValue = { from: hashed, to: hashed + blockWidth, at: at + hValueAt };
        copyInto(hValues, hValue, openings);
        hashed = hValue.to;
      }
      if (onLeaf) {
        const hValue = openings.subarray(at + hValueAt, at + hValueAt + blockWidth);
        const value = this.isLeaf(row) ? this.value(row) : hValue;
        onLeaf(row, { prev, next, hKey: this.hKey(row), hValue, value });
      }
      at += widths.leafOpening;
    }
    return this.#spreadDigests(hasher.hashEach(openings.subarray(0, at), widths.leafOpening));
  }

  /** Puts zeros between digests, for empty leaves. */
  #spreadDigests(digests: Uint8Array): Uint8Array {
    if (digests.length === blockWidth * this.#count) return digests;
    const all = new Uint8Array(blockWidth * this.#count);
    let from = 0;
    for (let row = 0; row < this.#count; row++) {
      if (this.isHole(row)) continue;
      copyInto(digests, { from, to: from + blockWidth, at: blockWidth * row }, all);
      from += blockWidth;
    }
    return all;
  }

  #add(tree: TreeHead, { index, prev, next }: LeafLinks, kind: number): void {
    const row = this.#count++;
    this.#trees[row] = tree;
    this.#kinds[row] = kind;
    this.#indices[row] = index;
    this.#prevs[row] = prev;
    this.#nexts[row] = next;
  }
}
