/** Interleaved timing: on a busy machine only the ratio of two things timed side by side means anything. */

/** Takes one sample: what one call costs, in microseconds. */
export type Sampler = () => number;

/** Median and quartiles. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Samples of every competitor, round by round. */
export type Samples<Name extends string | number> = Readonly<Record<Name, readonly number[]>>;

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] as number;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/**
 * A ratio of medians. Its spread is that of the single rounds, in which both ran within moments of each other.
 */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Spread {
  const { low, high } = spreadOf(ours.map((sample, i) => sample / (theirs[i] as number)));
  return { median: spreadOf(ours).median / spreadOf(theirs).median, low, high };
}

function microseconds(work: () => unknown, calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) work();
  return (1000 * (performance.now() - start)) / calls;
}

/**
 * Samples a function in batches of calls, so that the clock's grain does not show.
 *
 * @param batches batches in one sample, which is their median
 */
export function timed(work: () => unknown, batches = 1, batchMs = 8): Sampler {
  // Warm first: what is compared is the optimised code of both sides.
  const until = performance.now() + 150;
  let once = microseconds(work, 1);
  while (performance.now() < until) once = Math.min(once, microseconds(work, 1));
  const calls = Math.max(1, Math.round((1000 * batchMs) / once));
  return () => {
    // The competitor before has had the caches.
    work();
    return spreadOf(Array.from({ length: batches }, () => microseconds(work, calls))).median;
  };
}

/** Runs all competitors in every round, each round starting with another one. */
export function interleave<Name extends string | number>(
  competitors: Readonly<Record<Name, Sampler>>,
  rounds = 21,
): Samples<Name> {
  const names = Object.keys(competitors) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >;
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length] as Name;
      samples[name].push(competitors[name]());
    }
  }
  return samples;
}
