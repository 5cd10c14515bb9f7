/** The least of several sorted sources, again and again, for merges. */
export class MergeHeap<T> {
  readonly #sources: T[] = [];
  readonly #isBelow: (a: T, b: T) => boolean;

  /** @param isBelow compares sources by what they give next */
  constructor(sources: readonly T[], isBelow: (a: T, b: T) => boolean) {
    this.#isBelow = isBelow;
    this.#sources = [...sources];
    for (let at = Math.floor(sources.length / 2) - 1; at >= 0; at--) this.#sink(at);
  }

  /** The source that gives the least next; undefined if no source is left. */
  get least(): T | undefined {
    return this.#sources.at(0);
  }

  /** The source that gives the least of all others; undefined if there is none. */
  get second(): T | undefined {
    const [, a, b] = this.#sources;
    return a !== undefined && b !== undefined && this.#isBelow(b, a) ? b : a;
  }

  /** Finds the least again once the source in front has gone on. */
  settle(): void {
    this.#sink(0);
  }

  /** Takes the source in front out. */
  remove(): void {
    const last = this.#sources.pop();
    if (last === undefined || this.#sources.length === 0) return;
    this.#sources[0] = last;
    this.#sink(0);
  }

  #sink(from: number): void {
    const sources = this.#sources;
    const source = sources[from] as T;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= sources.length) break;
      const right = child + 1;
      if (right < sources.length && this.#isBelow(sources[right] as T, sources[child] as T)) {
        child = right;
      }
      if (!this.#isBelow(sources[child] as T, source)) break;
      sources[at] = sources[child] as T;
      at = child;
    }
    sources[at] = source;
  }
}
