/** How many requests are worked on at once, and whose they are. */

interface Semaphore {
  /** Takes a place for a request of a key. @returns false if no place is free for it */
  take(keyIndex: number): boolean;
  leave(keyIndex: number): void;
}

/**
 * Places for requests. If there are several keys, one takes at most as many as it leaves free: however much it asks for,
 * the others find places.
 *
 * @param tell is told how many are taken, whenever that changes
 */
export function createSemaphore(
  count: number,
  keyCount: number,
  tell: (taken: number) => void = () => {},
): Semaphore {
  const takenBy = new Array<number>(keyCount).fill(0);
  let taken = 0;
  const add = (keyIndex: number, change: number) => {
    takenBy[keyIndex] = (takenBy[keyIndex] as number) + change;
    taken += change;
    tell(taken);
  };
  return {
    take(keyIndex) {
      const free = count - taken;
      const isShared = keyCount > 1;
      if (free <= 0 || (isShared && (takenBy[keyIndex] as number) >= free)) return false;
      add(keyIndex, 1);
      return true;
    },
    leave: (keyIndex) => add(keyIndex, -1),
  };
}
