/** The height that L1 has finalized never goes down, and outlives an endpoint that fails. */
import { expect, test } from 'vitest';
import { fixedFinality, rememberedFinality } from '../../../../src/anchor/common/finality.js';

test('a fixed height is a block number', async () => {
  expect(await fixedFinality(7)()).toBe(7);
  for (const height of [-1, 0.5, Number.NaN, 2 ** 53]) {
    expect(() => fixedFinality(height)).toThrow('"height" expected a block number');
  }
});

test('an older height and a failure leave the last one, and the failure is told', async () => {
  const answers: (number | Error)[] = [new Error('first'), 5, 3, new Error('later'), 9];
  const told: unknown[] = [];
  const finality = rememberedFinality({
    maxAge: 0,
    onError: (error) => told.push(error),
    async ask() {
      const answer = answers.shift();
      if (typeof answer === 'number') return answer;
      throw answer;
    },
  });
  await expect(finality()).rejects.toThrow('first');
  expect(told).toEqual([]);
  expect([await finality(), await finality(), await finality(), await finality()]).toEqual([
    ...[5, 5, 5, 9],
  ]);
  expect(told).toEqual([new Error('later')]);
});

test('within its age a height is asked for once, for all', async () => {
  let times = 0;
  const ask = async () => ++times;
  const finality = rememberedFinality({ ask, maxAge: 3_600_000, onError: () => {} });
  expect(await Promise.all([finality(), finality(), finality()])).toEqual([1, 1, 1]);
  expect(await finality()).toBe(1);
});
