/** Work that several requests wait for at once: done once, in the turns of all of them, as long as one of them waits. */
import type { AnswerContext } from './method.js';

/** A request that waits. */
interface Waiter {
  readonly context: AnswerContext;
  readonly fail: (error: unknown) => void;
}

interface Running<T> {
  /** Whose turn it is next stands first. */
  readonly waiters: Waiter[];
  result: Promise<T>;
}

export class SharedTurns<T> {
  readonly #running = new Map<string, Running<T>>();

  /**
   * Begins the work, or joins the same that is under way.
   *
   * @param context of the request. If its pause throws, the request ends with that, and the work only if nobody else waits
   * @param work is given a pause that is one of those who wait, and charges the one whose turn it is
   * @throws what the work or the request's own pause throws
   */
  run(
    key: string,
    context: AnswerContext,
    work: (context: AnswerContext) => Promise<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiter = { context, fail: reject };
      const joined = this.#running.get(key);
      joined?.waiters.push(waiter);
      const { result } = joined ?? this.#begin(key, waiter, work);
      result.then(resolve, reject);
    });
  }

  #begin(
    key: string,
    first: Waiter,
    work: (context: AnswerContext) => Promise<T>,
  ): Pick<Running<T>, 'result'> {
    const waiters = [first];
    let payer = first;
    const end = () => this.#running.delete(key);
    /** @returns whether it stood in line */
    function leave(one: Waiter): boolean {
      const at = waiters.indexOf(one);
      if (at >= 0) waiters.splice(at, 1);
      return at >= 0;
    }
    const pause = async () => {
      for (let next = waiters.shift(); next !== undefined; next = waiters.shift()) {
        // It stays in line meanwhile: pieces of the work that run side by side each wait for a turn.
        waiters.push(next);
        try {
          await next.context.pause();
        } catch (error) {
          leave(next);
          next.fail(error);
          continue;
        }
        // Behind those who have come meanwhile.
        if (leave(next)) waiters.push(next);
        payer = next;
        return;
      }
      // Who asks from now on begins anew.
      end();
      throw new Error('nobody waits for this work any more');
    };
    const charge = (units: number) => payer.context.charge(units);
    const running: Running<T> = { waiters, result: new Promise(() => {}) };
    this.#running.set(key, running);
    running.result = work({ pause, charge }).finally(() => {
      if (this.#running.get(key) === running) end();
    });
    return running;
  }
}
