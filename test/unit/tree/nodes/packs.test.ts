import { describe, expect, test } from 'vitest';
import { packKey } from '../../../../src/tree/layout/layout.js';
import {
  findLowest,
  fullLowest,
  lowestIn,
  nodeIn,
  nodeOffset,
  packLength,
  packLevels,
  packOf,
  packsIn,
} from '../../../../src/tree/nodes/packs.js';

/** The used nodes of a tree, counted one by one: those that span a leaf below the next free one. */
function usedNodes(nextFreeNode: number): { height: number; index: number }[] {
  const used = [];
  for (let height = 1; height <= 12; height++) {
    for (let index = 0; index * 2 ** height < nextFreeNode; index++) used.push({ height, index });
  }
  return used;
}

describe('packs of nodes', () => {
  test('a full pack has 15 nodes, and one of a few leaves four or five', () => {
    expect(packLength(fullLowest)).toBe(960);
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((lowest) => packLength(lowest) / 64)).toEqual([
      4, 5, 7, 8, 11, 12, 14, 15,
    ]);
    expect(lowestIn({ level: 0, index: 0 }, 2)).toBe(1);
    expect(lowestIn({ level: 0, index: 0 }, 3)).toBe(2);
  });

  test('a tree has levels up to the first pack that spans it', () => {
    const levels = [2, 16, 17, 256, 257, 10 ** 6, 2 ** 36 + 1, 2 ** 40].map(packLevels);
    expect(levels).toEqual([1, 1, 2, 2, 3, 5, 10, 10]);
  });

  test.each([2, 3, 16, 17, 31, 32, 33, 100, 255, 256, 257, 1000, 4097])(
    'each used node of a tree of %i leaves has a place of its own in its pack',
    (nextFreeNode) => {
      const packs = new Map<string, Set<number>>();
      for (const position of usedNodes(nextFreeNode)) {
        const pack = packOf(position);
        const bytes = new Uint8Array(packLength(lowestIn(pack, nextFreeNode)));
        const node = nodeIn(bytes, position);
        expect(node?.length).toBe(64);
        const name = `${pack.level} ${pack.index}`;
        const taken = packs.get(name) ?? new Set();
        expect(taken.has(node?.byteOffset as number)).toBe(false);
        packs.set(name, taken.add(node?.byteOffset as number));
      }
      for (const [name, taken] of packs) {
        const [level, index] = name.split(' ').map(Number) as [number, number];
        expect(index).toBeLessThan(packsIn(level, nextFreeNode));
        expect(64 * taken.size).toBe(packLength(lowestIn({ level, index }, nextFreeNode)));
      }
    },
  );

  test('nodes stand lowest height first, from left to right', () => {
    // Nodes of the heights 5 to 8 above leaves 512 to 767, of which those below 640 are used.
    const nextFreeNode = 640;
    const pack = { level: 1, index: 2 };
    expect(lowestIn(pack, nextFreeNode)).toBe(4);
    const bytes = new Uint8Array(packLength(4));
    const offset = (height: number, index: number) => nodeIn(bytes, { height, index })?.byteOffset;
    expect([16, 17, 18, 19].map((index) => offset(5, index))).toEqual([0, 64, 128, 192]);
    expect(offset(5, 20)).toBeUndefined();
    expect([8, 9, 10].map((index) => offset(6, index))).toEqual([256, 320, undefined]);
    expect([4, 5].map((index) => offset(7, index))).toEqual([384, undefined]);
    expect(offset(8, 2)).toBe(448);
    expect(nodeOffset(4, 3, 0)).toBe(448);
  });

  test('a length that no pack has is refused', () => {
    expect(findLowest(new Uint8Array(960))).toBe(8);
    for (const length of [0, 63, 64, 192, 576, 959, 1024]) {
      expect(() => findLowest(new Uint8Array(length))).toThrow('pack');
    }
  });

  test('keys sort by tree, level and index', () => {
    expect(packKey(3, { level: 2, index: 258 })).toEqual(
      Uint8Array.from([0x50, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 2]),
    );
  });
});
