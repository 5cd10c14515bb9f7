/** Work that ends with its owner. */

export interface Lifetime {
  /** Whether it has ended. */
  readonly isOver: boolean;
  /**
   * Does work. Each piece of work has a signal of its own: one shared signal would collect a listener for each request,
   * and Node warns of that.
   *
   * @param outer aborts this work alone
   * @throws the reason of the end, if the owner has ended; the reason of `outer`
   */
  run<T>(work: (signal: AbortSignal) => Promise<T>, outer?: AbortSignal): Promise<T>;
  /** Aborts the work under way. */
  end(reason: Error): void;
}

export function createLifetime(): Lifetime {
  const running = new Set<AbortController>();
  let ended: Error | undefined;
  return {
    get isOver() {
      return ended !== undefined;
    },
    async run(work, outer) {
      if (ended) throw ended;
      outer?.throwIfAborted();
      const controller = new AbortController();
      const abort = () => controller.abort(outer?.reason);
      outer?.addEventListener('abort', abort);
      running.add(controller);
      try {
        return await work(controller.signal);
      } finally {
        outer?.removeEventListener('abort', abort);
        running.delete(controller);
      }
    },
    end(reason) {
      ended ??= reason;
      for (const controller of running) controller.abort(reason);
    },
  };
}
