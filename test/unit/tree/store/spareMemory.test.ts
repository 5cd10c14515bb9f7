/** Memory that is used again belongs to one at a time, and not more of it is kept than a batch needs. */
import { expect, test } from 'vitest';
import { SpareMemory } from '../../../../src/tree/store/spareMemory.js';

test('what was given back is taken again', () => {
  const spare = new SpareMemory();
  const memory = spare.take(1000);
  spare.giveBack(memory);
  expect(spare.take(900)).toBe(memory);
});

test('nobody else has what is taken', () => {
  const spare = new SpareMemory();
  spare.giveBack(spare.take(1000));
  const [first, second] = [spare.take(1000), spare.take(1000)];
  expect(second.buffer).not.toBe(first.buffer);
  spare.giveBack(first);
  spare.giveBack(second);
  expect(spare.take(1000)).toBe(second);
  expect(spare.take(1000)).not.toBe(first);
});

test.each([0, 1, 999, 1000, 1001, 5000])('%d bytes have room', (length) => {
  const spare = new SpareMemory();
  spare.giveBack(spare.take(1000));
  expect(spare.take(length).length).toBeGreaterThanOrEqual(length);
});

test('memory of a very long batch is not kept', () => {
  const spare = new SpareMemory();
  const long = spare.take(9 * 2 ** 20);
  spare.giveBack(long);
  expect(spare.take(1)).not.toBe(long);
});
