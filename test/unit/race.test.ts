/** A wait that a signal ends. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { race, untilAborted } from '../../src/race.js';

const never = new Promise<never>(() => {});
const reason = new Error('enough');

test('gives what the promise gives, and lets go of the signal', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
  await expect(untilAborted(Promise.reject(reason), signal)).rejects.toBe(reason);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  expect(await untilAborted(Promise.resolve(8), undefined)).toBe(8);
});

test('ends with the reason of the signal, before and during the wait', async () => {
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

test('stops listening once, however it ends', async () => {
  let stops = 0;
  const listen = (end: (reason: unknown) => void, isOver: boolean) => {
    if (isOver) end(reason);
    return () => {
      stops += 1;
    };
  };
  await race(Promise.resolve(), (end) => listen(end, false));
  await expect(race(never, (end) => listen(end, true))).rejects.toBe(reason);
  expect(stops).toBe(2);
});
