/** Whose turn it is: work is done in small pieces, a few a turn of the event loop, round robin over flows. */
import { onNextTurn } from '../../concurrent.js';
import { createFlows } from './flows.js';

/** The turns of one piece of work after the other. */
interface Turns {
  /** Ends a piece, and waits until it is this flow's turn again. */
  next(): Promise<void>;
  /** Ends the last piece. */
  leave(): void;
}

export interface Queue {
  /** @param cost units of work, before the first piece */
  enter(flow: number, cost: number): Turns;
  /**
   * Does what takes a short time, whoever asks for it: one a turn of the event loop. Answered as fast as they come, those
   * of 64 connections would fill each turn, and a light request would wait for all of them.
   */
  pace<T>(flow: number, work: () => T): Promise<T>;
  /**
   * Says that a connection has come. Node takes one a turn of the event loop, so hundreds that have come at once would
   * each wait for the pieces of a turn.
   */
  noteConnection(): void;
}

/** Flows of those who have no key: they do not wait for each other's kind. */
export const freeFlows = { routes: -1, keyedRoutes: -2, refusals: -3 } as const;

/** Ms that pieces may take in a turn of the event loop: the last one to begin may take longer. */
const slice = 3;

/**
 * Ms for which flows that took turns are taken to go on so. Meanwhile a flow has one piece a turn: whoever asks next is
 * read after one piece of each other flow, not after all that fit in a turn.
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

/**
 * Makes a queue in which the flow goes next that had its last piece longest ago: each has one done while every other that
 * waits has one. So a request of a flow that asks for little goes before all that others still want.
 *
 * A piece that waits for input or output does not hold the others up: the next turn goes on without it.
 */
export function createQueue(): Queue {
  const flows = createFlows();
  let isScheduled = false;
  let turnEnd = 0;
  /** Pieces that this turn may still begin. */
  let left = 0;
  /** The flow that came last, and until when another one may come. */
  let lastFlow: number | undefined;
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
    left = now < sharedUntil ? flows.size : Infinity;
    begin(Infinity);
  }

  /** Begins the next piece, unless its request costs too much. */
  function begin(maxCost: number): void {
    const next = flows.take(maxCost);
    if (next === undefined) return;
    left -= 1;
    // In case that the piece does not end in this turn.
    schedule();
    next.start();
  }

  function end(): void {
    if (left > 0 && performance.now() < turnEnd) begin(lightCost);
  }

  function enter(number: number, cost: number): Turns {
    const arrival = arrived;
    arrived += 1;
    if (lastFlow !== undefined && number !== lastFlow) sharedUntil = performance.now() + sharedFor;
    lastFlow = number;
    let pieces = 0;
    return {
      next: () =>
        new Promise((start) => {
          flows.add(number, { cost, weight: Math.max(cost, pieces), arrival, start });
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
