/** Whose turn it is: work is done in small pieces, a few a turn of the event loop, round robin over lanes. */
import { onNextTurn } from '../../concurrent.js';

/** The turns of one piece of work after the other. */
interface Turns {
  /** Ends a piece, and waits until it is this lane's turn again. */
  next(): Promise<void>;
  /** Ends the last piece. */
  leave(): void;
}

export interface Queue {
  /** @param cost units of work, before the first piece */
  enter(lane: number, cost: number): Turns;
  /**
   * Does what takes a short time, whoever asks for it: one a turn of the event loop. Answered as fast as they come, those
   * of 64 connections would fill each turn, and a light request would wait for all of them.
   */
  pace<T>(lane: number, work: () => T): Promise<T>;
  /**
   * Says that a connection has come. Node takes one a turn of the event loop, so hundreds that have come at once would
   * each wait for the pieces of a turn.
   */
  noteConnection(): void;
}

/** Lanes of those who have no key: they do not wait for each other's kind. */
export const freeLanes = { routes: -1, keyedRoutes: -2, refusals: -3 } as const;

/** Ms that pieces may take in a turn of the event loop: the last one to begin may take longer. */
const slice = 3;

/**
 * Ms for which lanes that took turns are taken to go on so. Meanwhile a lane has one piece a turn: whoever asks next is
 * read after one piece of each other lane, not after all that fit in a turn.
 */
const sharedFor = 1000;

/**
 * A request of up to this cost is done in one short piece. What costs more begins a turn: the answers to those before it
 * are sent at the end of theirs, and must not wait for a long piece.
 */
const lightCost = 8;

/**
 * Turns without a piece, one after the other, as long as connections come: those take about as long together as the
 * pieces of a turn do, so that neither holds the other up.
 */
const maxSpared = 16;

/** Turns in which the next connection may come: the first of several processes hands one over when another is taken. */
const turnsBetween = 4;

interface Waiting {
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

/**
 * Makes a queue in which each lane has one piece done while every other lane that waits has one. So a light request
 * waits for one piece of each other lane, however much those have asked for.
 *
 * A piece that waits for input or output does not hold the others up: the next turn goes on without it.
 */
export function createQueue(): Queue {
  /** Lanes with waiting requests, in the order of their next pieces. */
  const lanes = new Map<number, Lane>();
  let isScheduled = false;
  let turnEnd = 0;
  /** Pieces that this turn may still begin. */
  let left = 0;
  /** The lane that came last, and until when another one may come. */
  let lastLane: number | undefined;
  let sharedUntil = 0;
  /** In how many turns from now on the next connection may come. */
  let coming = 0;
  let spared = 0;
  let arrived = 0;

  function schedule(): void {
    if (!isScheduled) onNextTurn(turn);
    isScheduled = true;
  }

  function turn(): void {
    isScheduled = false;
    if (coming > 0 && spared < maxSpared) {
      coming -= 1;
      spared += 1;
      schedule();
      return;
    }
    spared = 0;
    const now = performance.now();
    turnEnd = now + slice;
    left = now < sharedUntil ? lanes.size : Infinity;
    begin(Infinity);
  }

  /** Begins the next piece, unless its request costs too much. */
  function begin(maxCost: number): void {
    const [first] = lanes;
    if (first === undefined) return;
    const [number, lane] = first;
    const at = nextOf(lane);
    if ((lane.waiting[at] as Waiting).cost > maxCost) return;
    const [next] = lane.waiting.splice(at, 1);
    lane.isByAge = !lane.isByAge;
    left -= 1;
    lanes.delete(number);
    if (lane.waiting.length > 0) lanes.set(number, lane);
    // In case that the piece does not end in this turn.
    schedule();
    next?.start();
  }

  function end(): void {
    if (left > 0 && performance.now() < turnEnd) begin(lightCost);
  }

  function enter(number: number, cost: number): Turns {
    const arrival = arrived;
    arrived += 1;
    if (lastLane !== undefined && number !== lastLane) sharedUntil = performance.now() + sharedFor;
    lastLane = number;
    let pieces = 0;
    return {
      next: () =>
        new Promise((start) => {
          const lane = lanes.get(number) ?? { waiting: [], isByAge: false };
          lane.waiting.push({ cost, weight: Math.max(cost, pieces), arrival, start });
          lanes.set(number, lane);
          schedule();
          // The first piece ends no other. To begin it here would answer requests one by one as they are read, and
          // not together at the end of a turn.
          if (pieces > 0) end();
          pieces += 1;
        }),
      leave: end,
    };
  }

  return {
    enter,
    async pace(number, work) {
      const turns = enter(number, lightCost + 1);
      await turns.next();
      try {
        return work();
      } finally {
        turns.leave();
      }
    },
    noteConnection() {
      coming = turnsBetween;
    },
  };
}
