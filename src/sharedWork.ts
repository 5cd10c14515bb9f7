/** Work that several ask for at the same time, done once for all of them. */
import { untilAborted } from './deadline.js';

interface Running<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  /** Those who still wait for it. */
  asking: number;
}

export class SharedWork<K, T> {
  readonly #running = new Map<K, Running<T>>();

  /**
   * Begins the work, or joins the same that is under way.
   *
   * @param signal of the one who asks: it ends the waiting, and the work only if nobody else waits for it
   * @param work gets a signal that is aborted once nobody waits any more
   * @throws any error of the work; the reason of the signal once it is aborted
   */
  async run(
    key: K,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const joined = this.#running.get(key) ?? this.#begin(key, work);
    joined.asking += 1;
    try {
      return await untilAborted(joined.result, signal);
    } finally {
      joined.asking -= 1;
      if (joined.asking === 0) this.#end(key, joined);
    }
  }

  #begin(key: K, work: (signal: AbortSignal) => Promise<T>): Running<T> {
    const controller = new AbortController();
    const begun = { result: work(controller.signal), controller, asking: 0 };
    this.#running.set(key, begun);
    return begun;
  }

  /** Who asks afterwards begins anew: what is kept of a result is its owner's own. */
  #end(key: K, ended: Running<T>): void {
    this.#running.delete(key);
    ended.controller.abort();
  }
}
