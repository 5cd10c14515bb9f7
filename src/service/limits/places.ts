/** How many requests are worked on at once, and whose they are. */

interface Places {
  /** Takes one of the places for a lane. @returns false if no place is free for it */
  take(lane: number): boolean;
  leave(lane: number): void;
}

/**
 * Places for requests. If there are several lanes, one takes at most as many as it leaves free: however much it asks for,
 * the others find places.
 *
 * @param tell is told how many are taken, whenever that changes
 */
export function createPlaces(
  count: number,
  lanes: number,
  tell: (taken: number) => void = () => {},
): Places {
  const takenBy = new Array<number>(lanes).fill(0);
  let taken = 0;
  const add = (lane: number, change: number) => {
    takenBy[lane] = (takenBy[lane] as number) + change;
    taken += change;
    tell(taken);
  };
  return {
    take(lane) {
      const free = count - taken;
      const isShared = lanes > 1;
      if (free <= 0 || (isShared && (takenBy[lane] as number) >= free)) return false;
      add(lane, 1);
      return true;
    },
    leave: (lane) => add(lane, -1),
  };
}
