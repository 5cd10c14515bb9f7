/** Places for work, which is begun in the order of asking. */

/** Waits for a place. @returns gives it back @throws the reason of the signal */
export type EnterSlot = (signal: AbortSignal) => Promise<() => void>;

export function createSlots(count: number): EnterSlot {
  let free = count;
  /** Those who wait, in order. */
  const waiting = new Set<() => void>();

  function leave(): void {
    free += 1;
    const [first] = waiting;
    first?.();
  }

  return (signal) =>
    new Promise((resolve, reject) => {
      const enter = () => {
        free -= 1;
        stop();
        resolve(leave);
      };
      const abort = () => {
        stop();
        reject(signal.reason);
      };
      const stop = () => {
        waiting.delete(enter);
        signal.removeEventListener('abort', abort);
      };
      if (signal.aborted) return abort();
      if (free > 0) return enter();
      waiting.add(enter);
      signal.addEventListener('abort', abort);
    });
}
