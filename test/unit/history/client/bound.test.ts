/** Which hashes of blocks in a state are known to be bound, by the blocks whose hashes L1 has. */
import { expect, test } from 'vitest';
import { AnchorError, type AnchoredRoot } from '../../../../src/anchor/index.js';
import { openBound } from '../../../../src/history/client/bound.js';

const { signal } = new AbortController();

/** L1 has hashes of blocks 100 and 200, and roots of 50 and 90. */
function boundAfterMigration() {
  const asked: number[] = [];
  const isBound = openBound(async (before) => {
    asked.push(before);
    const l2BlockNumber = [200, 100, 90, 50].find((end) => end < before);
    if (l2BlockNumber === undefined) throw new AnchorError('NOT_PROVABLE', 'none');
    return { kind: l2BlockNumber >= 100 ? 'header' : 'tree', l2BlockNumber } as AnchoredRoot;
  });
  return { asked, isBound };
}

test('from the first block whose hash L1 has, and asked for as seldom as can be', async () => {
  const { asked, isBound } = boundAfterMigration();
  const results: boolean[] = [];
  for (const number of [250, 200, 199, 100, 99, 98, 20, 101]) {
    results.push(await isBound(number, signal));
  }
  expect(results).toEqual([true, true, true, true, false, false, false, true]);
  expect(asked).toEqual([251, 200, 100]);
});

test('none if L1 names nothing, does not answer, or nobody can be asked', async () => {
  const { isBound } = boundAfterMigration();
  expect(await isBound(10, signal)).toBe(false);
  expect(await openBound(undefined)(300, signal)).toBe(false);
  const later = openBound(async () => ({ kind: 'header', l2BlockNumber: 9 }) as AnchoredRoot);
  expect(await later(8, signal)).toBe(false);
});

test('a false proof is told, and so is the end of the question', async () => {
  const forged = openBound(async () => {
    throw new TypeError('forged');
  });
  await expect(forged(300, signal)).rejects.toThrow('forged');
  const controller = new AbortController();
  const reason = new Error('over');
  const ended = openBound(async () => {
    controller.abort(reason);
    throw new AnchorError('NOT_PROVABLE', 'none');
  });
  await expect(ended(300, controller.signal)).rejects.toBe(reason);
  // Nothing was learned of it.
  await expect(ended(300, controller.signal)).rejects.toBe(reason);
});
