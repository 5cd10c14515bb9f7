/** Records are put into the order of their keys, and those of one key stay as they came. */
import { describe, expect, test } from 'vitest';
import { type Keys, sortRecords } from '../../../../src/tree/load/sortRecords.js';
import { randomOf } from '../../../support/blocks.js';

function sorted(keys: Keys, starts: readonly number[]): number[] {
  const run = Uint32Array.from(starts);
  sortRecords(keys, run);
  return [...run];
}

test('keys of one width', () => {
  const bytes = Uint8Array.of(3, 9, 1, 8, 2, 7, 1, 6);
  const starts = [0, 2, 4, 6];
  expect(sorted({ bytes, ahead: 0, width: 1 }, starts)).toEqual([2, 6, 4, 0]);
  expect(sorted({ bytes, ahead: 0, width: 2 }, starts)).toEqual([6, 2, 4, 0]);
  expect(sorted({ bytes, ahead: 1, width: 1 }, starts)).toEqual([6, 4, 2, 0]);
});

test('records whose keys are all the same', () => {
  const starts = Array.from({ length: 1000 }, (_, i) => 9 * i);
  const bytes = new Uint8Array(9000).fill(7);
  expect(sorted({ bytes, ahead: 0, width: 9 }, starts)).toEqual(starts);
});

describe.each([3, 15, 16, 17, 40, 3000])('%d records', (count) => {
  // Few values for each byte, so that keys share some bytes at their beginning, at their end and between; and all keys.
  test.each([1, 2, 256])('with bytes below %d, beside Array.sort', (values) => {
    const random = randomOf(count + values);
    // The first byte of a key says its kind, and each kind has its width.
    const widths = [1, 3, 4, 5, 9, 30];
    const records = Array.from({ length: count }, (_, i) => {
      const kind = random(widths.length);
      const width = widths[kind] as number;
      const key = Array.from({ length: width }, (_value, at) => (at === 0 ? kind : random(values)));
      return { key: Buffer.from(key), record: Buffer.from([width, 99, ...key, i & 255]) };
    });
    let end = 0;
    const starts = records.map(({ record }) => {
      end += record.length;
      return end - record.length;
    });
    const expected = records
      .map(({ key }, i) => ({ key, start: starts[i] as number }))
      .sort((a, b) => Buffer.compare(a.key, b.key) || a.start - b.start)
      .map(({ start }) => start);
    const bytes = Buffer.concat(records.map(({ record }) => record));
    expect(sorted({ bytes, ahead: 2, width: undefined }, starts)).toEqual(expected);
  });
});
