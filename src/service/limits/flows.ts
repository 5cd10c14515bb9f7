/** Who waits for a piece of work, by flow, and whose turn is next. */

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

/** The requests of one API key, or of one kind that needs none: a flow, as fair queueing has it. */
interface Flow {
  readonly waiting: Waiting[];
  /** Whether the next piece is of the request that came first, whatever it costs. */
  isByAge: boolean;
}

/**
 * The place of the next request of a flow. The one that costs least and the one that came first take turns: light
 * requests overtake heavy ones, and heavy ones still come to an end. Among equal ones the first that came is finished
 * first: a piece of each in turn would end them all at the same late time, when nobody waits for them any more.
 */
function nextOf({ waiting, isByAge }: Flow): number {
  let at = 0;
  waiting.forEach((one, i) => {
    const best = waiting[at] as Waiting;
    const isEqual = isByAge || one.weight === best.weight;
    if (isEqual ? one.arrival < best.arrival : one.weight < best.weight) at = i;
  });
  return at;
}

interface WaitingFlows {
  /** Flows that have waiting requests. */
  readonly size: number;
  add(flow: number, waiting: Waiting): void;
  /**
   * Takes the next request out of the flow that had its last piece longest ago; of those that had none, of the one that
   * came first.
   *
   * @returns undefined if nobody waits, or the next request costs more
   */
  take(maxCost: number): Waiting | undefined;
}

export function createFlows(): WaitingFlows {
  const flows = new Map<number, Flow>();
  /** Pieces that were taken before the last one of a flow. */
  const served = new Map<number, number>();
  let taken = 0;

  function nextFlow(): [number, Flow] | undefined {
    let next: [number, Flow] | undefined;
    let least = Infinity;
    for (const entry of flows) {
      const last = served.get(entry[0]) ?? -1;
      if (last >= least) continue;
      least = last;
      next = entry;
    }
    return next;
  }

  return {
    get size() {
      return flows.size;
    },
    add(number, waiting) {
      const flow = flows.get(number) ?? { waiting: [], isByAge: false };
      flow.waiting.push(waiting);
      flows.set(number, flow);
    },
    take(maxCost) {
      const next = nextFlow();
      if (next === undefined) return undefined;
      const [number, flow] = next;
      const at = nextOf(flow);
      const waiting = flow.waiting[at] as Waiting;
      if (waiting.cost > maxCost) return undefined;
      flow.waiting.splice(at, 1);
      flow.isByAge = !flow.isByAge;
      served.set(number, taken);
      taken += 1;
      if (flow.waiting.length === 0) flows.delete(number);
      return waiting;
    },
  };
}
