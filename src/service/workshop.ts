/** The work of requests: a bounded number at once, in small pieces, in turn, and only as long as the client waits. */
import type { Deadline } from '../rpc/deadline.js';
import type { ServiceLimits } from './limits.js';
import type { Pause } from './method.js';
import type { ServiceMetrics } from './metrics.js';
import { createPlaces } from './places.js';
import { createQueue } from './queue.js';
import { clientGone, codes, overloaded, Refusal } from './refusal.js';

/** A request whose work is to be done. */
export interface Order {
  /** Whether the client went away. */
  readonly isGone: () => boolean;
  readonly clock: Deadline;
  /** Place of the key. */
  readonly lane: number;
  /** Units of cost. */
  readonly cost: number;
}

export interface Workshop {
  /**
   * Does the work of a request. It holds a place until it has ended, even if its client has gone.
   *
   * @param work awaits its pause before each piece
   * @throws Refusal if there is no place, time is up or the client went away; what the work throws
   */
  run<T>(order: Order, work: (pause: Pause) => Promise<T>): Promise<T>;
  /** Says that a connection has come: others may wait behind it. */
  noteConnection(): void;
}

/** @param lanes how many keys there are */
export function createWorkshop(
  { concurrent, time }: Pick<ServiceLimits, 'concurrent' | 'time'>,
  lanes: number,
  metrics: ServiceMetrics | undefined,
): Workshop {
  const places = createPlaces(concurrent, lanes, (taken) => metrics?.running(taken));
  const queue = createQueue();
  const late = () =>
    new Refusal(codes.internalError, `no answer within ${time} ms`, { status: 504 });

  async function carryOut<T>(
    { isGone, clock, lane, cost }: Order,
    work: (pause: Pause) => Promise<T>,
  ): Promise<T> {
    if (!places.take(lane)) throw overloaded('too many requests at once');
    const turns = queue.enter(lane, cost);
    let pieces = 0;
    try {
      return await work(async () => {
        await turns.next();
        pieces += 1;
        // Work that is late, or whose client has gone, ends here.
        if (clock.isLate) throw late();
        // A Request makes its signal when that is first read, which costs as much as all the rest of a light request.
        if (pieces > 1 && isGone()) throw clientGone();
      });
    } finally {
      places.leave(lane);
      turns.leave();
    }
  }

  return {
    run: (order, work) => order.clock.race(carryOut(order, work), late),
    noteConnection: queue.noteConnection,
  };
}
