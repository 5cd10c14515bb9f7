/** Who waits for a piece of work, by lane, and whose turn is next. */

/** A request that waits for its next piece. */
export interface Waiting {
  /** Units. */
  readonly cost: number;
  /** The cost, or the pieces that were done so far if those are more: a request that says too little is found out. */
  readonly weight: number;
  /** How many requests came before it. */
  readonly arrival: number;
  readonly start: () => void;
}

interface Lane {
  readonly waiting: Waiting[];
  /** Whether the next piece is of the request that came first, whatever it costs. */
  isByAge: boolean;
}

/**
 * The place of the next request of a lane. The one that costs least and the one that came first take turns: light
 * requests overtake heavy ones, and heavy ones still come to an end. Among equal ones the first that came is finished
 * first: a piece of each in turn would end them all at the same late time, when nobody waits for them any more.
 */
function nextOf({ waiting, isByAge }: Lane): number {
  let at = 0;
  waiting.forEach((one, i) => {
    const best = waiting[at] as Waiting;
    const isEqual = isByAge || one.weight === best.weight;
    if (isEqual ? one.arrival < best.arrival : one.weight < best.weight) at = i;
  });
  return at;
}

export interface Lanes {
  /** Lanes with waiting requests. */
  readonly size: number;
  add(lane: number, waiting: Waiting): void;
  /**
   * Takes the next request out of the lane that had its last piece longest ago; of those that had none, of the one that
   * came first.
   *
   * @returns undefined if nobody waits, or the next request costs more
   */
  take(maxCost: number): Waiting | undefined;
}

export function createLanes(): Lanes {
  const lanes = new Map<number, Lane>();
  /** Pieces that were taken before the last one of a lane. */
  const served = new Map<number, number>();
  let taken = 0;

  function nextLane(): [number, Lane] | undefined {
    let next: [number, Lane] | undefined;
    let least = Infinity;
    for (const entry of lanes) {
      const last = served.get(entry[0]) ?? -1;
      if (last >= least) continue;
      least = last;
      next = entry;
    }
    return next;
  }

  return {
    get size() {
      return lanes.size;
    },
    add(number, waiting) {
      const lane = lanes.get(number) ?? { waiting: [], isByAge: false };
      lane.waiting.push(waiting);
      lanes.set(number, lane);
    },
    take(maxCost) {
      const next = nextLane();
      if (next === undefined) return undefined;
      const [number, lane] = next;
      const at = nextOf(lane);
      const waiting = lane.waiting[at] as Waiting;
      if (waiting.cost > maxCost) return undefined;
      lane.waiting.splice(at, 1);
      lane.isByAge = !lane.isByAge;
      served.set(number, taken);
      taken += 1;
      if (lane.waiting.length === 0) lanes.delete(number);
      return waiting;
    },
  };
}
