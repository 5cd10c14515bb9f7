/** Turns of the event loop: when they are due, and for how many at once. */
import { afterEach, expect, test, vi } from 'vitest';
import { createTurns } from '../../src/turns.js';

/** The clock is one for all files of tests: the last turn of a test was in its own time, and the next is taken in theirs. */
afterEach(async () => {
  vi.restoreAllMocks();
  vi.spyOn(performance, 'now').mockReturnValueOnce(Number.MAX_VALUE);
  await createTurns(() => {}).tick();
  vi.restoreAllMocks();
});

test('a turn is due after 20 ms of work since the last one, whoever took that', async () => {
  let time = performance.now() + 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  let checks = 0;
  const [one, other] = [createTurns(() => {}), createTurns(() => void checks++)];
  await one.tick();
  expect(other.tick()).toBeUndefined();
  time += 19.9;
  expect(other.tick()).toBeUndefined();
  expect(checks).toBe(0);
  time += 0.1;
  const turn = other.tick();
  expect(turn).toBeInstanceOf(Promise);
  await turn;
  expect(checks).toBe(1);
  expect(one.tick()).toBeUndefined();
});

test('the check ends the work of its own, and of nobody else', async () => {
  let time = performance.now() + 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  const ended = createTurns(() => {
    throw new Error('enough');
  });
  time += 30;
  const [first, second] = [ended.tick(), createTurns(() => {}).tick()];
  await expect(first).rejects.toThrow('enough');
  await second;
});

test('work side by side keeps the loop no longer than one', async () => {
  let time = performance.now() + 100_000;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  let beats = 0;
  let isOver = false;
  const beat = () => {
    beats += 1;
    if (!isOver) setImmediate(beat);
  };
  const seen: number[] = [];
  async function work() {
    const { tick } = createTurns(() => {});
    for (let i = 0; i < 5; i++) {
      time += 30;
      await tick();
      seen.push(beats);
    }
  }
  setImmediate(beat);
  await Promise.all([work(), work(), work(), work()]);
  isOver = true;
  expect(new Set(seen).size).toBe(20);
});
