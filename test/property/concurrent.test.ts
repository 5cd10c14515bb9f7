/** A few pieces at once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapConcurrently, yieldToEventLoop } from '../../src/concurrent.js';

test('each item is mapped once, in its place, and never more at once than the limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 8 }),
      async (items, limit) => {
        let running = 0;
        let most = 0;
        const results = await mapConcurrently(items, limit, async (turns, i) => {
          running += 1;
          most = Math.max(most, running);
          for (let turn = 0; turn < turns; turn++) await yieldToEventLoop();
          running -= 1;
          return [turns, i];
        });
        expect(results).toEqual(items.map((turns, i) => [turns, i]));
        expect(most).toBe(Math.min(limit, items.length));
      },
    ),
  );
});

test('nothing is begun after one has failed', async () => {
  const begun: number[] = [];
  const mapped = mapConcurrently([0, 1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    await yieldToEventLoop();
    if (item === 1) throw new RangeError('one');
    await yieldToEventLoop();
  });
  await expect(mapped).rejects.toThrow('one');
  for (let turn = 0; turn < 5; turn++) await yieldToEventLoop();
  expect(begun).toEqual([0, 1]);
});
