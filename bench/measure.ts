/** Interleaved timing: on a busy machine only the ratio of two things timed side by side means anything. */

/** Takes one sample: what one call costs, in microseconds of processor time. */
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

/** Processor time of this process so far, of all its threads. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function cost(work: () => unknown, calls: number): number {
  const start = processorTime();
  for (let i = 0; i < calls; i++) work();
  return (processorTime() - start) / calls;
}

/**
 * Samples a function by processor time, garbage collection and compilation included: the wall clock would count
 * whatever else the machine does, and count it more for long calls than for short ones.
 */
export function timed(work: () => unknown, sampleMs = 30): Sampler {
  // Warm first: what is compared is the optimised code of both sides.
  const until = performance.now() + 400;
  let calls = 0;
  const start = processorTime();
  while (calls < 3 || performance.now() < until) {
    work();
    calls++;
  }
  const perSample = Math.max(1, Math.round((1000 * sampleMs * calls) / (processorTime() - start)));
  return () => {
    // The competitor before has had the caches.
    work();
    return cost(work, perSample);
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
