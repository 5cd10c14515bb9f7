/** Records are copied whole, and nothing beside them, wherever they lie. */
import { expect, test } from 'vitest';
import { copyRecord, Records } from '../../../../src/indexer/layout/record.js';
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
