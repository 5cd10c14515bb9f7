/** How fast something counts up, as of late. */

/** Ms that a rate looks back, at least, once it can. */
const window = 10_000;
/** Ms between two counts that are kept, and before a rate is told. */
const spacing = 1000;

export interface Rate {
  /** Takes note of a count. */
  note(count: number): void;
  /** Undefined if it cannot be told yet. */
  perSecond(): number | undefined;
  /** Begins again, with another thing that is counted. */
  reset(): void;
}

/** @param now tells the time in ms */
export function createRate(now: () => number = () => performance.now()): Rate {
  /** Counts, the oldest first: a dozen at most. */
  let marks: { readonly at: number; readonly count: number }[] = [];
  let newest = 0;
  return {
    note(count) {
      // Blocks that are taken back are counted anew.
      if (count < newest) marks = [];
      newest = count;
      const at = now();
      const last = marks.at(-1);
      if (last === undefined || at - last.at >= spacing) marks.push({ at, count });
      while (marks[1] !== undefined && at - marks[1].at >= window) marks.shift();
    },
    perSecond() {
      const first = marks[0];
      const time = first === undefined ? 0 : now() - first.at;
      if (first === undefined || time < spacing) return undefined;
      return (1000 * (newest - first.count)) / time;
    },
    reset() {
      marks = [];
      newest = 0;
    },
  };
}
