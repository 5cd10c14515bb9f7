import { expect, test } from 'vitest';
import { slotOfHash } from '../../../../src/history/verify/blockHashes.js';
import { hashSlot } from '../../../../src/page/format/blockHashes.js';

test('the slot of a block is that by which the history proves it, while the state holds its hash', () => {
  for (const number of [1, 8190, 8191, 8192, 20_000]) {
    expect(hashSlot(BigInt(number), number + 1)).toBe(slotOfHash(number));
    expect(hashSlot(BigInt(number), number + 8191)).toBe(slotOfHash(number));
    expect(hashSlot(BigInt(number), number + 8192)).toBeUndefined();
    expect(hashSlot(BigInt(number), number)).toBeUndefined();
    expect(hashSlot(BigInt(number), number - 1)).toBeUndefined();
  }
});
