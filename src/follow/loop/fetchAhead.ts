/** Fetches what will be asked for next while the last answer is still worked on. */

/** @returns a fetch of one number, that also begins those after it, up to a limit */
export function fetchAhead<T>(
  width: number,
  fetch: (number: number) => Promise<T>,
): (number: number, limit: number) => Promise<T> {
  const pending = new Map<number, Promise<T>>();
  return (number, limit) => {
    for (const other of pending.keys()) {
      if (other < number || other > number + width) pending.delete(other);
    }
    for (let next = number; next === number || next <= Math.min(limit, number + width); next++) {
      if (pending.has(next)) continue;
      const answer = fetch(next);
      // It may fail before it is awaited, and its error is reported only then.
      answer.catch(() => {});
      pending.set(next, answer);
    }
    const answer = pending.get(number) as Promise<T>;
    pending.delete(number);
    return answer;
  };
}
