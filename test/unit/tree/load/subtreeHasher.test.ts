/** Trees that are hashed many at a time have the roots, and the packs, of trees that are hashed node by node. */
import { describe, expect, test } from 'vitest';
import { ownSpecOf } from '../../../../src/codec/spec.js';
import { SubtreeHasher } from '../../../../src/tree/load/subtreeHasher.js';
import { createEmptyTree } from '../../../../src/tree/nodes/emptyTree.js';
import { families } from '../../../support/runs.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** A digest of a leaf that is canonical in both families; every seventh leaf is empty. */
function digestOf(tree: number, index: number): Buffer {
  const digest = Buffer.alloc(32);
  if (index % 7 !== 6)
    for (const at of [2, 6, 10, 14]) digest.writeUInt16BE(tree * 1000 + index + 1, at);
  return digest;
}

describe.each(families)('a forest, %s', (family) => {
  const spec = ownSpecOf(family);
  const { hasher } = spec;
  const empty = createEmptyTree(spec);
  const node = (left: Uint8Array, right: Uint8Array) => Buffer.concat([left, right]);

  /** Node by node: the root, and what each pack holds. */
  function treeOf(tree: number, nextFreeNode: number) {
    let nodes: Uint8Array[] = Array.from({ length: nextFreeNode }, (_, i) => digestOf(tree, i));
    let none: Uint8Array = new Uint8Array(32);
    const packs = new Map<string, string>();
    for (let height = 1; height <= 40; height++) {
      const parents: Uint8Array[] = [];
      const level = Math.floor((height - 1) / 4);
      for (let i = 0; i < nodes.length; i += 2) {
        const preimage = node(nodes[i] as Uint8Array, nodes[i + 1] ?? none);
        // A pack spans the nodes of four heights; those above the last that is needed are left out.
        const key = `${level}/${Math.floor(i / 2 / 2 ** (3 - ((height - 1) % 4)))}`;
        if (level === 0 || 16 ** level < nextFreeNode) {
          packs.set(key, (packs.get(key) ?? '') + hex(preimage));
        }
        parents.push(hasher.hash(preimage));
      }
      nodes = parents;
      none = hasher.hash(node(none, none));
    }
    return { root: hex(nodes[0] as Uint8Array), packs };
  }

  const sizes = [3, 2, 16, 17, 5, 256, 257, 40, 15, 4099, 8];

  test.each([
    ['at once', Number.POSITIVE_INFINITY, 1],
    ['now and then', 100, 1],
    ['leaf by leaf', 1, 1],
    ['once many packs wait', 64, 8],
  ])('hashed %s', (_, every, least) => {
    const packs = new Map<number, Map<string, string>>();
    const order: string[] = [];
    const forest = new SubtreeHasher(empty, (tree, { level, index }, heights) => {
      const own = packs.get(tree) ?? new Map<string, string>();
      packs.set(tree, own);
      expect(own.has(`${level}/${index}`)).toBe(false);
      own.set(`${level}/${index}`, heights.map(hex).join(''));
      order.push([level, tree, index].map((n) => String(n).padStart(6, '0')).join('/'));
    });
    const roots = new Map<number, string>();
    const take = (at: number) => {
      for (const { tree, nextFreeNode, subTreeRoot } of forest.hash(at)) {
        expect(nextFreeNode).toBe(sizes[tree]);
        expect(roots.has(tree)).toBe(false);
        roots.set(tree, hex(subTreeRoot));
      }
    };
    let added = 0;
    for (const [tree, nextFreeNode] of sizes.entries()) {
      for (let from = 0; from < nextFreeNode; ) {
        const to = Math.min(nextFreeNode, from + Math.min(every, 1000));
        const some = Array.from({ length: to - from }, (_, i) => digestOf(tree, from + i));
        forest.add({ tree, nextFreeNode }, from, Buffer.concat(some));
        added += to - from;
        from = to;
        if (added % Math.min(every, 1000) === 0 && every !== Number.POSITIVE_INFINITY) take(least);
      }
    }
    take(1);
    take(1);
    for (const [tree, nextFreeNode] of sizes.entries()) {
      const expected = treeOf(tree, nextFreeNode);
      expect(roots.get(tree)).toBe(expected.root);
      expect(packs.get(tree)).toEqual(expected.packs);
    }
    // Of each level in the order of trees and positions, as a spool wants them.
    for (let level = 0; level < 10; level++) {
      const own = order.filter((one) => one.startsWith(String(level).padStart(6, '0')));
      expect(own).toEqual([...own].sort());
    }
  });
});
