/** The sorted map against the package sorted-btree, which does the same in another way. */
import fc from 'fast-check';
import sortedBTree from 'sorted-btree';
import { expect, test } from 'vitest';
import { SortedMap } from '../../src/tree/store/sortedMap.js';
import { runsOf } from '../support/runs.js';

type Tree = sortedBTree.default<string, number>;
const BTree = sortedBTree.default ?? (sortedBTree as unknown as typeof sortedBTree.default);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const pairOf = (entry?: { key: Uint8Array; value: number }) =>
  entry && ([hex(entry.key), entry.value] as const);

/** Checks all that can be asked about one key. @param limits of entries in a range */
function check(map: SortedMap<number>, tree: Tree, key: string, limits = [1, 2, 1000]): void {
  const bytes = fromHex(key);
  expect(map.get(bytes)).toBe(tree.get(key));
  expect(pairOf(map.below(bytes))).toEqual(tree.nextLowerPair(key));
  checkRanges(map, tree, key, limits);
}

/** Ranges from a key on, to below it, and from both ends, against all entries in order. */
function checkRanges(map: SortedMap<number>, tree: Tree, key: string, limits: number[]): void {
  const all = tree.toArray() as [string, number][];
  const none = new Uint8Array(0);
  const bytes = fromHex(key);
  const up = all.filter(([name]) => name >= key);
  const down = all.filter(([name]) => name < key).reverse();
  for (const limit of limits) {
    const cut = (pairs: [string, number][]) => pairs.slice(0, limit);
    const read = (from: Uint8Array, to: Uint8Array | undefined, reverse: boolean) =>
      map.range({ from, to, limit, reverse }).map(pairOf);
    expect(read(bytes, undefined, false)).toEqual(cut(up));
    expect(read(none, bytes, true)).toEqual(cut(down));
    expect(read(none, bytes, false)).toEqual(cut([...down].reverse()));
    expect(read(bytes, undefined, true)).toEqual(cut([...up].reverse()));
  }
}

/** Short keys of few bytes, so that they meet and begin one another. */
const key = fc
  .array(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), { maxLength: 4 })
  .map((bytes) => hex(Uint8Array.from(bytes)));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('set' as const), key }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clone' as const), key }) },
);

test('any run of changes, with clones that go on by themselves', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.infiniteStream(fc.nat(9)),
      (steps, choices) => {
        const pairs = [
          { map: new SortedMap<number>(), tree: new BTree<string, number>(undefined, compare) },
        ];
        let value = 0;
        for (const { do: action, key: text } of steps) {
          const { map, tree } = pairs[(choices.next().value as number) % pairs.length] as {
            map: SortedMap<number>;
            tree: Tree;
          };
          if (action === 'clone') pairs.push({ map: map.clone(), tree: tree.clone() });
          else if (action === 'set') {
            map.set(fromHex(text), ++value);
            tree.set(text, value);
          } else {
            map.delete(fromHex(text));
            tree.delete(text);
          }
          for (const each of pairs) check(each.map, each.tree, text);
        }
      },
    ),
    runsOf(),
  );
});

test('more entries than a run holds, up, down and at random, then all of them deleted', () => {
  const count = 3000;
  const keyOf = (i: number) => i.toString(16).padStart(8, '0');
  // 1009 has no divisor in common with 3000, so that its multiples are all of them.
  const orders = [
    (i: number) => i,
    (i: number) => count - 1 - i,
    (i: number) => (i * 1009) % count,
  ];
  // A range over several runs from every tenth key on, so that some begin in each run.
  const limitsAt = (i: number) => (i % 70 === 0 ? [1, 2, 1000] : [1, 2]);
  for (const order of orders) {
    const map = new SortedMap<number>();
    const tree = new BTree<string, number>(undefined, compare);
    for (let i = 0; i < count; i++) {
      map.set(fromHex(keyOf(order(i))), i);
      tree.set(keyOf(order(i)), i);
    }
    const [mapBefore, treeBefore] = [map.clone(), tree.clone()];
    for (let i = 0; i < count; i += 7) check(map, tree, keyOf(i), limitsAt(i));
    for (let i = 0; i < count; i++) {
      map.delete(fromHex(keyOf(order(i))));
      tree.delete(keyOf(order(i)));
      if (i % 100 === 0) check(map, tree, keyOf(order(i)));
    }
    check(map, tree, '');
    for (let i = 0; i < count; i += 7) check(mapBefore, treeBefore, keyOf(i), limitsAt(i));
  }
});
