/** The work of requests: a bounded number at once, in small pieces, in turn, and only as long as the client waits. */
import type { Deadline } from '../../deadline.js';
import { clientGone, codes, HttpError, overloaded } from '../http/httpError.js';
import type { ServiceLimits } from '../limits/limits.js';
import type { Queue } from '../limits/queue.js';
import { createSemaphore } from '../limits/semaphore.js';
import type { ServiceMetrics } from '../watch/metrics.js';
import type { Pause } from './method.js';

/** Whose work is to be done, and until when. */
export interface Client {
  /** Whether the client went away. */
  readonly isGone: () => boolean;
  readonly clock: Deadline;
  /** Which key it is: its index in the key ring. */
  readonly keyIndex: number;
}

/** A request whose work is to be done. */
interface Order extends Client {
  /** Units of cost. */
  readonly cost: number;
}

export interface Scheduler {
  /**
   * Does the work of a request. It holds a place until it has ended, even if its client has gone.
   *
   * @param work awaits its pause before each piece
   * @throws HttpError if there is no place, time is up or the client went away; any error of the work
   */
  run<T>(order: Order, work: (pause: Pause) => Promise<T>): Promise<T>;
}

interface SchedulerOptions {
  readonly limits: Pick<ServiceLimits, 'concurrent' | 'time'>;
  /** How many keys there are. */
  readonly keyCount: number;
  /** The one queue of the service: work of all routes is done in its turns. */
  readonly queue: Queue;
  /** Cost up to which the pieces of a request are short ones of the queue; default none are. */
  readonly shortCost?: number;
  /** Told how many places are taken; default nobody. */
  readonly metrics?: ServiceMetrics | undefined;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { limits, keyCount, queue, shortCost = 0, metrics } = options;
  const { concurrent, time } = limits;
  const semaphore = createSemaphore(concurrent, keyCount, (taken) => metrics?.running(taken));
  const late = () =>
    new HttpError(codes.internalError, `no answer within ${time} ms`, { status: 504 });

  async function carryOut<T>(
    { isGone, clock, keyIndex, cost }: Order,
    work: (pause: Pause) => Promise<T>,
  ): Promise<T> {
    if (!semaphore.take(keyIndex)) throw overloaded('too many requests at once');
    const turns = queue.enter(keyIndex, cost, cost <= shortCost);
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
      semaphore.leave(keyIndex);
      turns.leave();
    }
  }

  return { run: (order, work) => order.clock.race(carryOut(order, work), late) };
}

/** Characters of a body that are read for a unit of cost: a call with 30 storage keys has half as many. */
const unitLength = 4096;

/** Units of cost that reading a body takes, whatever is in it. */
export const readingCost = (text: string): number =>
  Math.max(1, Math.ceil(text.length / unitLength));

/** Characters that a unit of cost takes at least: a storage key has 70, and a call without one has 45. */
const fewestCharacters = 45;

/**
 * What the calls of a body cost at most, before it is read. If it were less than the cost of a body that was read, all
 * others would be read before that one is answered.
 */
export const guessedCost = (text: string): number => Math.ceil(text.length / fewestCharacters);

/**
 * Reads a body: at once if it is short, as that of most calls. A long one takes as long as several answers do, so it is
 * read in a turn, even if it is then refused.
 *
 * @throws HttpError as {@link Scheduler.run}; any error of reading
 */
export function readInTurn<T>(
  scheduler: Scheduler,
  client: Client,
  text: string,
  read: () => T,
): T | Promise<T> {
  const cost = readingCost(text);
  if (cost === 1) return read();
  return scheduler.run({ cost, ...client }, async (pause) => {
    await pause();
    return read();
  });
}
