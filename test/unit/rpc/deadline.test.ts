/** A bound on time holds whenever it is asked. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startDeadline } from '../../../src/rpc/deadline.js';

const never = new Promise<never>(() => {});
const late = () => new Error('late');

test('a race is lost when time is up, and at once if it begins later', async () => {
  const deadline = startDeadline(5);
  await expect(deadline.race(never, late)).rejects.toThrow('late');
  await sleep(10);
  expect(deadline.isLate).toBe(true);
  await expect(deadline.race(never, late)).rejects.toThrow('late');
  expect(deadline.signal.aborted).toBe(true);
});

test("the caller's reason ends a race, also if the caller gave up before", async () => {
  const caller = new AbortController();
  const deadline = startDeadline(60_000, caller.signal);
  const race = deadline.race(never, late);
  caller.abort('enough');
  await expect(race).rejects.toBe('enough');
  deadline.stop();
  const another = startDeadline(60_000, caller.signal);
  await expect(another.race(never, late)).rejects.toBe('enough');
  expect(another.signal.reason).toBe('enough');
  another.stop();
});

test('a promise that settles in time wins', async () => {
  const deadline = startDeadline(60_000);
  await expect(deadline.race(Promise.resolve(7), late)).resolves.toBe(7);
  expect([deadline.isLate, deadline.signal.aborted]).toEqual([false, false]);
  deadline.stop();
});
