/** A list outside the heap holds what an array does, over each growth of its room. */
import { expect, test } from 'vitest';
import { NumberList } from '../../../../src/indexer/layout/numberList.js';

const greatest = 2 ** 32 - 1;

test('numbers come as they were pushed, over each growth of the room', () => {
  const list = new NumberList();
  expect([list.length, [...list.all]]).toEqual([0, []]);
  const expected: number[] = [];
  for (let i = 0; i < 5000; i++) {
    const number = [0, i, greatest - i, greatest][i % 4] as number;
    list.push(number);
    expected.push(number);
    if ([1023, 1024, 1025, 2048, 2049].includes(list.length)) {
      expect([...list.all]).toEqual(expected);
    }
  }
  expect(list.length).toBe(5000);
  expect([...list.all]).toEqual(expected);
});

test.each([0, 1, 1023, 1024, 1025])(
  'behind %i numbers, others come each by so much greater',
  (held) => {
    for (const count of [0, 1, 1023, 1024, 1025, 5000]) {
      const list = new NumberList();
      const expected = Array.from({ length: held }, (_, i) => 7 * i);
      for (const number of expected) list.push(number);
      const others = Uint32Array.from({ length: count }, (_, i) => 3 * i);
      list.append(others, 100);
      expected.push(...[...others].map((number) => number + 100));
      expect([...list.all]).toEqual(expected);
      // What was appended is a copy, and the list goes on behind it.
      others.fill(1);
      list.push(greatest);
      expect([...list.all]).toEqual([...expected, greatest]);
    }
  },
);

test('what is cut is gone, and others take its place', () => {
  const list = new NumberList();
  for (let i = 0; i < 3000; i++) list.push(i);
  list.cut(1500);
  expect([...list.all]).toEqual(Array.from({ length: 1500 }, (_, i) => i));
  list.append(Uint32Array.of(5, 6), 1);
  expect([...list.all.subarray(1499)]).toEqual([1499, 6, 7]);
  list.cut(0);
  list.push(9);
  expect([...list.all]).toEqual([9]);
});
