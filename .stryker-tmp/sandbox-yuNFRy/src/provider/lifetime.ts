/** Work that ends with its owner. */
// @ts-nocheck


export interface Lifetime {
  /** Whether it has ended. */
  readonly isOver: boolean;
  /**
   * Does work. Each has a signal of its own, because one that all shared would gather a listener for each request, of
   * which Node warns.
   *
   * @throws the reason of the end, if it has ended before
   */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts what is under way. */
  end(reason: Error): void;
}

export function createLifetime(): Lifetime {
  const running = new Set<AbortController>();
  let ended: Error | undefined;
  return {
    get isOver() {
      return ended !== undefined;
    },
    async run(work) {
      if (ended) throw ended;
      const controller = new AbortController();
      running.add(controller);
      try {
        return await work(controller.signal);
      } finally {
        running.delete(controller);
      }
    },
    end(reason) {
      ended ??= reason;
      for (const controller of running) controller.abort(reason);
    },
  };
}
