/** Work that shares the event loop: its next turn, and a few pieces at once. */

/** Calls back in a later turn of the event loop, after timers and input and output had theirs. */
export function onNextTurn(callback: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(callback);
  else setTimeout(callback, 0);
}

/** Lets others have a turn of the event loop, which async code that never waits for input or output does not. */
export const yieldToEventLoop = (): Promise<void> => new Promise(onNextTurn);

/**
 * Does something with each item, at most so many at once.
 *
 * @returns the results in order
 * @throws what the first that fails throws; no other is begun then
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const left = items.entries();
  let hasFailed = false;
  async function work(): Promise<void> {
    for (const [i, item] of left) {
      if (hasFailed) return;
      try {
        results[i] = await map(item, i);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
