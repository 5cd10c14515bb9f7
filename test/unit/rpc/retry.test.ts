/** Waiting leaves nothing behind, however it ends. */
import { getEventListeners } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { startDeadline } from '../../../src/deadline.js';
import { doubling, retry, wait } from '../../../src/rpc/retry.js';

afterEach(() => {
  vi.useRealTimers();
});

test('a wait that the signal ends has neither timer nor listener left', async () => {
  vi.useFakeTimers();
  const { signal, ...caller } = withSignal();
  const waiting = wait(60_000, signal);
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
  caller.abort('enough');
  await expect(waiting).rejects.toBe('enough');
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  await expect(async () => wait(1, signal)).rejects.toBe('enough');
});

test('a wait that ends by itself has no listener left', async () => {
  const { signal } = withSignal();
  await wait(1, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a deadline that is stopped has neither timer nor listener left', () => {
  vi.useFakeTimers();
  const { signal } = withSignal();
  const deadline = startDeadline(60_000, signal);
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
  deadline.stop();
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
});

test('work is tried again as often as the policy says, and then fails as it failed last', async () => {
  const asked: number[] = [];
  let tries = 0;
  const work = async () => {
    tries++;
    throw new Error(`try ${tries}`);
  };
  const policy = (_: unknown, attempt: number) => {
    asked.push(attempt);
    return attempt < 3 ? 0 : undefined;
  };
  await expect(retry(work, policy, undefined)).rejects.toThrow('try 3');
  expect(asked).toEqual([1, 2, 3]);
});

test('pauses double, up to the longest', () => {
  expect([1, 2, 3, 4, 5].map(doubling(250, 1500))).toEqual([250, 500, 1000, 1500, 1500]);
});

function withSignal() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason: unknown) => controller.abort(reason) };
}
