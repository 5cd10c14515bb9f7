/** Whose turn it is: work is done in small pieces, a few a turn of the event loop, round robin over flows. */
import { onNextTurn } from '../../concurrent.js';
import { createFlows, type Waiting, type Wave } from './flows.js';
import { createPace } from './pace.js';

/** The turns of one piece of work after the other. */
interface Turns {
  /** Ends a piece, and waits until it is this flow's turn again. */
  next(): Promise<void>;
  /** Ends the last piece. */
  leave(): void;
}

export interface Queue {
  /**
   * @param cost units of work, before the first piece
   * @param isShort whether a piece takes a small part of a slice: some such begin together, and what they need hashed is
   *   hashed side by side; default false
   */
  enter(flow: number, cost: number, isShort?: boolean): Turns;
  /**
   * Does what takes a short time, whoever asks for it: one a turn of the event loop. Answered as fast as they come, those
   * of 64 connections would fill each turn, and a light request would wait for all of them.
   *
   * @param isUnpaid whether it is an answer that nobody pays for: of a flow, there are one or two a ms at most
   */
  pace<T>(flow: number, isUnpaid: boolean, work: () => T): Promise<T>;
  /**
   * Says that a connection has come. Node takes one a turn of the event loop, so hundreds that have come at once would
   * each wait for the pieces of a turn.
   */
  noteConnection(): void;
}

/** Flows of those who have no key: they do not wait for each other's kind. */
export const freeFlows = { routes: -1, keyedRoutes: -2, refusals: -3 } as const;

/**
 * Answers a second of a flow that nobody pays for: of those without a key, so many that a probe is answered within half a
 * second while all connections ask; of a key's refusals fewer, for a body may have been read. Given as fast as they are
 * asked for, they would keep a core busy, and an operating system lets a client that was answered wait for some ms until
 * it takes that core from this process.
 */
const mostUnpaid = { free: 2000, ofKey: 1000 };

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

const anyFits = () => true;
const isLight = ({ cost }: Waiting) => cost <= lightCost;

/** Short pieces that begin together: one for each lane of a hash. */
const together = 4;

/**
 * Turns without a piece, one after the other, as long as connections come: those take about as long together as the
 * pieces of a turn do, so that neither holds the other up.
 */
const maxSpared = 16;

/** Turns in which the next connection may come: the first of several processes hands one over when another is taken. */
const turnsBetween = 4;

function createPaced(enter: Queue['enter']): Queue['pace'] {
  const free = createPace(mostUnpaid.free);
  const ofKey = createPace(mostUnpaid.ofKey);
  return async (flow, isUnpaid, work) => {
    if (isUnpaid) await (flow < 0 ? free : ofKey)(String(flow));
    const turns = enter(flow, lightCost + 1);
    await turns.next();
    try {
      return work();
    } finally {
      turns.leave();
    }
  };
}

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
    begin(anyFits);
  }

  /** Begins the next piece if it fits; if it is short, some others with it. */
  function begin(fits: (waiting: Waiting) => boolean): void {
    const begun = flows.begin(fits, Math.min(left, together));
    left -= begun;
    // In case that the pieces do not end in this turn.
    if (begun > 0) schedule();
  }

  /** Ends a piece. The next one begins when those that began with it have ended, too. */
  function end(wave: Wave): void {
    wave.open -= 1;
    if (wave.open === 0 && left > 0 && performance.now() < turnEnd) begin(isLight);
  }

  function enter(number: number, cost: number, isShort = false): Turns {
    const arrival = arrived;
    arrived += 1;
    if (lastFlow !== undefined && number !== lastFlow) sharedUntil = performance.now() + sharedFor;
    lastFlow = number;
    let pieces = 0;
    /** That of the piece under way. */
    let wave: Wave | undefined;
    const endPiece = () => {
      const own = wave;
      // Before the next one begins, which may be of the same request.
      wave = undefined;
      if (own !== undefined) end(own);
    };
    return {
      next: () =>
        new Promise((resolve) => {
          const start = (own: Wave) => {
            wave = own;
            resolve();
          };
          const weight = Math.max(cost, pieces);
          flows.add(number, { cost, isShort, weight, arrival, start });
          schedule();
          // The first piece ends no other. To begin it here would answer requests one by one as they are read, and
          // not together at the end of a turn.
          endPiece();
          pieces += 1;
        }),
      leave: endPiece,
    };
  }

  return {
    enter,
    pace: createPaced(enter),
    noteConnection() {
      coming = turnsBetween;
    },
  };
}
