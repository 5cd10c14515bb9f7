/** Writes compact proofs as `docs/compact.md` lays them out, field by field, so that a forger may write any of them otherwise. */
// @ts-nocheck

import { type Digits, digits } from '../support/reference.js';
import type { ReferenceTree } from '../support/referenceTree.js';

export interface LeafParts {
  index: bigint;
  prev: bigint;
  next: bigint;
  place: bigint;
  /** A value, or hKey and hValue. */
  content: Digits;
}

export interface TreeParts {
  nextFreeNode: bigint;
  leaves: LeafParts[];
  siblings: Digits[];
}

/** A number in its shortest form, or with as many bytes more as are asked. */
export function number(value: bigint, more = 0): Digits {
  const bytes: bigint[] = [];
  for (let rest = value; bytes.length === 0 || rest > 0n; rest /= 128n) bytes.push(rest % 128n);
  for (let i = 0; i < more; i++) bytes.push(0n);
  return bytes.map((byte, i) => digits(i < bytes.length - 1 ? byte + 128n : byte, 1)).join('');
}

export function leaf({ index, prev, next, place, content }: LeafParts, before: bigint): Digits {
  return number(place) + number(index - before) + number(prev) + number(next) + content;
}

export function tree({ nextFreeNode, leaves, siblings }: TreeParts): Digits {
  const written = leaves.map((each, i) => leaf(each, leaves[i - 1]?.index ?? 0n));
  return [number(nextFreeNode), number(BigInt(leaves.length)), ...written, ...siblings].join('');
}

export const proof = (trees: readonly TreeParts[]): Digits => `01${trees.map(tree).join('')}`;

/** The siblings of section 6 above some leaves. */
export function siblingsOf(source: ReferenceTree, leaves: readonly LeafParts[]): Digits[] {
  const siblings: Digits[] = [];
  for (let height = 0; height < 40; height++) {
    const span = 1n << BigInt(height);
    const way = [...new Set(leaves.map(({ index }) => index / span))];
    for (const node of way) {
      const sibling = node ^ 1n;
      if (way.includes(sibling) || sibling * span >= source.nextFreeNode) continue;
      siblings.push(source.node(height, sibling));
    }
  }
  return siblings;
}

const byIndex = (a: LeafParts, b: LeafParts) => (a.index < b.index ? -1 : 1);

/** A leaf as a neighbour. */
export function neighbour(source: ReferenceTree, index: bigint): LeafParts {
  const { prev, next, hKey, hValue } = source.leaf(index);
  return { index, prev, next, place: 0n, content: hKey + hValue };
}

/** A leaf as that of a key. */
export function own(source: ReferenceTree, index: bigint, place: bigint): LeafParts {
  const { prev, next, value } = source.leaf(index);
  return { index, prev, next, place, content: value };
}

/** A tree with these leaves, and the siblings that they need. */
export function withLeaves(source: ReferenceTree, leaves: readonly LeafParts[]): TreeParts {
  const sorted = [...leaves].sort(byIndex);
  return {
    nextFreeNode: source.nextFreeNode,
    leaves: sorted,
    siblings: siblingsOf(source, sorted),
  };
}

/** The tree that proves or disproves some hKeys, at places 1, 2, ... */
export function treeOf(source: ReferenceTree, hKeys: readonly Digits[]): TreeParts {
  const leaves = new Map<bigint, LeafParts>();
  const found = hKeys.map((hKey) => source.indexOf(hKey));
  for (const [i, hKey] of hKeys.entries()) {
    if (found[i] !== undefined) continue;
    for (const index of source.neighbours(hKey)) leaves.set(index, neighbour(source, index));
  }
  for (const [i, index] of found.entries()) {
    if (index !== undefined) leaves.set(index, own(source, index, BigInt(i + 1)));
  }
  return withLeaves(source, [...leaves.values()]);
}
