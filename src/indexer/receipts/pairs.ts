/** Logs of two kinds that say one thing: the second of a pair is told apart, in whichever order they come. */
export class Pairs {
  /** By what they say: logs of the first kind less those of the other. */
  readonly #open = new Map<string, number>();

  /** Forgets all logs so far. */
  clear(): void {
    // A map that is cleared makes room anew, even if it is empty; most transactions have no such logs.
    if (this.#open.size > 0) this.#open.clear();
  }

  /** Adds a log. @returns whether it says again what an earlier one of the other kind said */
  isRepeated(said: string, isFirstKind: boolean): boolean {
    const step = isFirstKind ? 1 : -1;
    const open = this.#open.get(said) ?? 0;
    this.#open.set(said, open + step);
    return open * step < 0;
  }
}
