/** When a question is asked again, and who shares its answer. */
import { afterEach, expect, test, vi } from 'vitest';
import { Poll } from '../../src/poll.js';

afterEach(() => vi.restoreAllMocks());

/** A question whose answers are the numbers from 1, and a clock that is set by hand. */
function pollOf(maxAge: number) {
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  let asked = 0;
  let failure: Error | undefined;
  const poll = new Poll(async () => {
    asked++;
    await Promise.resolve();
    if (failure) throw failure;
    return asked;
  }, maxAge);
  return {
    poll,
    at(now: number) {
      time = now;
    },
    fail(error: Error | undefined) {
      failure = error;
    },
  };
}

test('an answer is good for less than its age, and shared while it is asked for', async () => {
  const { poll, at } = pollOf(50);
  expect([poll.last, poll.isFresh]).toEqual([undefined, false]);
  expect(await Promise.all([poll.get(), poll.get(), poll.ask()])).toEqual([1, 1, 1]);
  at(49);
  expect(await poll.get()).toBe(1);
  at(50);
  expect([poll.last, poll.isFresh]).toEqual([1, false]);
  expect(await poll.get()).toBe(2);
  expect(await poll.ask()).toBe(3);
});

test('a failure goes to all who wait, and the next one asks again; the last answer stays known', async () => {
  const { poll, at, fail } = pollOf(50);
  await poll.get();
  at(60);
  const error = new Error('away');
  fail(error);
  const both = await Promise.allSettled([poll.get(), poll.get()]);
  expect(both.map((one) => one.status === 'rejected' && one.reason)).toEqual([error, error]);
  expect([poll.last, poll.isFresh]).toEqual([1, false]);
  fail(undefined);
  expect(await poll.get()).toBe(3);
});

test('what throws at once is asked again too', async () => {
  let asked = 0;
  const poll = new Poll(() => {
    asked++;
    throw new Error('at once');
  }, 50);
  await expect(poll.get()).rejects.toThrow('at once');
  await expect(poll.get()).rejects.toThrow('at once');
  expect(asked).toBe(2);
});

test('what the question needs is given by who asks', async () => {
  const poll = new Poll(async (name: string) => `hello ${name}`, 0);
  expect(await poll.get('one')).toBe('hello one');
  expect(await poll.get('other')).toBe('hello other');
});
