/** A bound on time holds whenever it is asked. */
import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startDeadline, untilAborted } from '../../src/deadline.js';

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

const reason = new Error('enough');

test('a wait that a signal ends gives what the promise gives, and lets go of the signal', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
  await expect(untilAborted(Promise.reject(reason), signal)).rejects.toBe(reason);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  expect(await untilAborted(Promise.resolve(8), undefined)).toBe(8);
});

test('it ends with the reason of the signal, before and during the wait', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const waits = [1, 2].map(() => untilAborted(never, signal));
  expect(getEventListeners(signal, 'abort')).toHaveLength(2);
  controller.abort(reason);
  for (const wait of waits) await expect(wait).rejects.toBe(reason);
  // What is there already comes too late, too; and nobody hears that it fails.
  await expect(untilAborted(Promise.resolve(7), signal)).rejects.toBe(reason);
  await expect(untilAborted(Promise.reject(new Error('other')), signal)).rejects.toBe(reason);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
