/** A bound on how long something may take, whether or not it heeds a signal. */

/** Ends what takes too long. */
export interface Deadline {
  /** Whether time is up. */
  readonly isLate: boolean;
  /** Aborted when time is up or the caller gives up. Made when it is first asked for: most requests need none. */
  readonly signal: AbortSignal;
  /**
   * The promise, or a rejection: with what `late` returns as soon as time is up, with the reason of the caller's signal
   * as soon as that is aborted. One race runs at a time.
   */
  race<T>(promise: Promise<T>, late: () => Error): Promise<T>;
  /** Lets go of the timer and of the caller's signal. */
  stop(): void;
}

/** Of a class: to make an object with getters of its own takes five times as long. */
class Clock implements Deadline {
  readonly #end: number;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #given: AbortSignal | undefined;
  #controller: AbortController | undefined;
  #isOver = false;
  #ring: () => void = () => {};

  constructor(time: number, given: AbortSignal | undefined) {
    this.#end = performance.now() + time;
    this.#timer = setTimeout(this.#endRace, time);
    this.#given = given;
    if (given?.aborted) this.#isOver = true;
    given?.addEventListener('abort', this.#endRace);
  }

  readonly #endRace = (): void => {
    this.#isOver = true;
    this.#controller?.abort(this.#given?.reason);
    this.#ring();
  };

  get isLate(): boolean {
    return performance.now() >= this.#end;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort(this.#given?.reason);
    return this.#controller.signal;
  }

  race<T>(promise: Promise<T>, late: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#ring = () => reject(this.#given?.aborted ? this.#given.reason : late());
      promise.then(resolve, reject);
      if (this.#isOver) this.#ring();
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
    // It holds on to the promise that was raced, and so to a whole answer, for as long as this object lives.
    this.#ring = () => {};
    this.#given?.removeEventListener('abort', this.#endRace);
  }
}

/**
 * Starts the clock.
 *
 * A listener of our own takes the place of `AbortSignal.any` and `AbortSignal.timeout`: both hold on to a caller's
 * long-lived signal until it is collected.
 *
 * @param time ms
 * @param signal the caller's
 */
export const startDeadline = (time: number, signal?: AbortSignal): Deadline =>
  new Clock(time, signal);
