import { expect, test } from 'vitest';
import { createRate } from '../../../../src/cli/print/rate.js';

/** A rate, and how the time goes on. */
function openRate() {
  let time = 5000;
  const rate = createRate(() => time);
  const after = (ms: number, count: number) => {
    time += ms;
    rate.note(count);
    return rate.perSecond();
  };
  return { rate, after };
}

test('a rate is told after a second, and is that of the last ten', () => {
  const { rate, after } = openRate();
  expect(rate.perSecond()).toBeUndefined();
  expect(after(0, 100)).toBeUndefined();
  expect(after(999, 1000)).toBeUndefined();
  expect(after(1, 200)).toBeUndefined();
  expect(after(1000, 1200)).toBe(1000);
  // Then a third as fast: after the window, nothing is left of the time before.
  for (let second = 1; second <= 8; second++) after(1000, 1200 + 300 * second);
  expect(after(1000, 3900)).toBe(370);
  expect(after(1000, 4200)).toBe(300);
});

test('however seldom it moves, the last step counts', () => {
  const { after } = openRate();
  after(0, 7);
  expect(after(60_000, 13)).toBe(0.1);
  expect(after(60_000, 25)).toBe(0.2);
});

test('what is taken back, and another thing, begin anew', () => {
  const { rate, after } = openRate();
  after(0, 100);
  after(2000, 120);
  expect(after(1000, 90)).toBeUndefined();
  expect(after(2000, 100)).toBe(5);
  rate.reset();
  expect(rate.perSecond()).toBeUndefined();
  after(0, 0);
  expect(after(4000, 4)).toBe(1);
});

test('it keeps no more than it needs', () => {
  const { after } = openRate();
  let last: number | undefined;
  for (let i = 0; i < 100_000; i++) last = after(10, i);
  expect(last).toBeCloseTo(100, 6);
});
