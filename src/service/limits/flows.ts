/** Who waits for a piece of work, by flow, and whose turn is next. */

/** Pieces that have begun together. */
export interface Wave {
  /** Those that have not ended. */
  open: number;
}

/** A request that waits for its next piece. */
export interface Waiting {
  /** Units. */
  readonly cost: number;
  /** Whether its pieces are so short that some may begin together. */
  readonly isShort: boolean;
  /** The cost, or the pieces that were done so far if those are more: a request that says too little is found out. */
  readonly weight: number;
  /** How many requests came before it. */
  readonly arrival: number;
  readonly start: (wave: Wave) => void;
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

const isShort = (waiting: Waiting) => waiting.isShort;

interface WaitingFlows {
  /** Flows that have waiting requests. */
  readonly size: number;
  add(flow: number, waiting: Waiting): void;
  /**
   * Begins the next piece: of the flow that had its last one longest ago; of those that had none, of the one that came
   * first. If it is short, those that come next begin with it as long as they are.
   *
   * @param fits whether the first may begin
   * @param most of pieces that begin together
   * @returns how many have begun; none if nobody waits, or the next request does not fit
   */
  begin(fits: (waiting: Waiting) => boolean, most: number): number;
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

  function take(fits: (waiting: Waiting) => boolean): Waiting | undefined {
    const next = nextFlow();
    if (next === undefined) return undefined;
    const [number, flow] = next;
    const at = nextOf(flow);
    const waiting = flow.waiting[at] as Waiting;
    if (!fits(waiting)) return undefined;
    flow.waiting.splice(at, 1);
    flow.isByAge = !flow.isByAge;
    served.set(number, taken);
    taken += 1;
    if (flow.waiting.length === 0) flows.delete(number);
    return waiting;
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
    begin(fits, most) {
      const wave = { open: 0 };
      let next = take(fits);
      while (next !== undefined) {
        wave.open += 1;
        next.start(wave);
        next = next.isShort && wave.open < most ? take(isShort) : undefined;
      }
      return wave.open;
    },
  };
}
