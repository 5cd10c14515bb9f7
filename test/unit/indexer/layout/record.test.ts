/** Records are copied whole, and nothing beside them, wherever they lie. */
import { expect, test } from 'vitest';
import {
  compareRecordKeys,
  compareRecords,
  copyRecord,
  Records,
} from '../../../../src/indexer/layout/record.js';
import { randomOf } from '../../../support/blocks.js';
import { toHex } from '../../../support/hex.js';

/** Bytes in the middle of more memory. */
const partOf = (length: number, random: (limit: number) => number): Uint8Array => {
  const from = random(9);
  const memory = Uint8Array.from({ length: from + length + random(9) }, () => random(256));
  return memory.subarray(from, from + length);
};

test.each([
  { of: 'a short array', source: 0, target: 200 },
  { of: 'an array to a short one', source: 200, target: 0 },
  { of: 'an array', source: 200, target: 200 },
])('a record of $of', ({ source, target }) => {
  const random = randomOf(source + 3 * target);
  for (let round = 0; round < 300; round++) {
    const [key, value] = [7 + random(9), 7 + random(9)];
    const [at, offset] = [random(5), random(5)];
    const width = 2 + key + value;
    const from = partOf(at + width + source, random);
    from.set([key, value], at);
    const to = partOf(offset + width + target, random);
    const expected = to.slice();
    expected.set(from.subarray(at, at + width), offset);
    const all = new Uint8Array(to.buffer).slice();
    expect(copyRecord(new Records(from), at, new Records(to), offset)).toBe(offset + width);
    expect(toHex(to)).toBe(toHex(expected));
    all.set(expected, to.byteOffset);
    expect(toHex(new Uint8Array(to.buffer))).toBe(toHex(all));
  }
});

test.each([
  { of: 'long arrays', rest: 200 },
  { of: 'arrays that end with the record', rest: 0 },
])('keys are compared by words as by bytes, in $of', ({ rest }) => {
  const random = randomOf(90 + rest);
  const signs = { '-1': 0, '0': 0, '1': 0 };
  for (let round = 0; round < 3000; round++) {
    const shared = Uint8Array.from({ length: 80 }, () => random(256));
    const positions = [0, 1].map(() => {
      const [key, value] = [7 + random(58), random(9)];
      const at = random(70);
      const bytes = partOf(at + 2 + key + value + rest, random);
      bytes.set([key, value], at);
      bytes.set(shared.subarray(0, key), at + 2);
      // Any byte behind the first ones, also its highest bit.
      if (random(3) > 0) bytes[at + 2 + 4 + random(key - 4)] = random(256);
      return { records: new Records(bytes), at };
    });
    const [a, b] = positions as [(typeof positions)[0], (typeof positions)[0]];
    const known = random(5);
    const expected = compareRecordKeys(a.records.bytes, a.at, b.records.bytes, b.at, known);
    const sign = Math.sign(compareRecords(a.records, a.at, b.records, b.at, known));
    // A key that is the beginning of the other one stands in no index: any answer does, but no error.
    if (Number.isNaN(expected)) continue;
    expect(sign).toBe(Math.sign(expected));
    signs[String(sign) as keyof typeof signs]++;
  }
  for (const count of Object.values(signs)) expect(count).toBeGreaterThan(100);
});
