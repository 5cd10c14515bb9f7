/**
 * Readings: what is to be read of a store, step by step. Readings that run side by side take each
 * step together, in one call of the store, so that the number of calls depends on how far one thing
 * follows from another and not on how many things are read. They are generators, not promises:
 * which requests go together follows from the code alone.
 */
import { TreeError } from './errors.js';
import type { Entry, Range, ReadAnswer, ReadRequest, StoreReader } from './store.js';

/** Yields what it needs next, is given the answer to it, and returns what came of it all. */
export type Reading<T> = Generator<ReadRequest, T, ReadAnswer>;

/** What is known without a read. */
// biome-ignore lint/correctness/useYield: it takes no step
export function* known<T>(value: T): Reading<T> {
  return value;
}

/** Reads the values of keys in one step; undefined for a key without an entry. */
export function* readValues(
  keys: readonly Uint8Array[],
): Reading<readonly (Uint8Array | undefined)[]> {
  if (keys.length === 0) return [];
  const { values } = yield { keys, ranges: [] };
  return values;
}

/** Reads the value of one key. */
export function* readValue(key: Uint8Array): Reading<Uint8Array | undefined> {
  const [value] = yield* readValues([key]);
  return value;
}

/** A range that is needed whatever else there is. */
export type NeededRange = Omit<Range, 'unless'>;

/** Reads ranges in one step. */
export function* readRanges(
  ranges: readonly NeededRange[],
): Reading<readonly (readonly Entry[])[]> {
  if (ranges.length === 0) return [];
  // Named even though it is undefined: a member left out would be the prototype's.
  const request = { keys: [], ranges: ranges.map((range) => ({ ...range, unless: undefined })) };
  const answer = yield request;
  return answer.ranges as readonly (readonly Entry[])[];
}

/** Reads one range in one step. */
export function* readRange(range: NeededRange): Reading<readonly Entry[]> {
  const [entries = []] = yield* readRanges([range]);
  return entries;
}

type Results<T extends readonly Reading<unknown>[]> = {
  -readonly [P in keyof T]: T[P] extends Reading<infer R> ? R : never;
};

/** A reading that is not over, and what it asks for next. */
interface Open {
  readonly index: number;
  readonly reading: Reading<unknown>;
  readonly request: ReadRequest;
}

/** The requests of several readings as one. */
function mergeRequests(open: readonly Open[]): ReadRequest {
  if (open.length === 1) return (open[0] as Open).request;
  const keys: Uint8Array[] = [];
  const ranges: Range[] = [];
  for (const { request } of open) {
    for (const range of request.ranges) {
      const { unless } = range;
      const isMoved = unless !== undefined && keys.length > 0;
      ranges.push(isMoved ? { ...range, unless: keys.length + unless } : range);
    }
    for (const key of request.keys) keys.push(key);
  }
  return { keys, ranges };
}

/** Cuts the answer to merged requests into one for each. */
function splitAnswer(whole: ReadAnswer, open: readonly Open[]): ReadAnswer[] {
  if (open.length === 1) return [whole];
  const { values, ranges } = whole;
  let value = 0;
  let range = 0;
  return open.map(({ request }) => {
    const answer = {
      values: values.slice(value, value + request.keys.length),
      ranges: ranges.slice(range, range + request.ranges.length),
    };
    value += request.keys.length;
    range += request.ranges.length;
    return answer;
  });
}

/**
 * Readings side by side: each of their steps is one step. Within a step they go on in the order in
 * which they are given; if one throws, none goes on.
 *
 * @returns what each returned, in the same order
 */
export function* readAll<T extends readonly Reading<unknown>[] | []>(
  readings: T,
): Reading<Results<T>> {
  const results: unknown[] = new Array(readings.length).fill(undefined);
  let open: Open[] = [];
  const take = (
    index: number,
    reading: Reading<unknown>,
    step: ReturnType<typeof reading.next>,
  ) => {
    if (step.done) results[index] = step.value;
    else open.push({ index, reading, request: step.value });
  };
  for (const [index, reading] of readings.entries()) take(index, reading, reading.next());
  while (open.length > 0) {
    const before = open;
    const answer = yield mergeRequests(before);
    const answers = splitAnswer(answer, before);
    open = [];
    for (const [i, { index, reading }] of before.entries()) {
      take(index, reading, reading.next(answers[i] as ReadAnswer));
    }
  }
  return results as Results<T>;
}

/** Whether there is an answer to everything that must be answered. */
const isWhole = ({ keys, ranges }: ReadRequest, answer: ReadAnswer): boolean =>
  answer.values.length === keys.length &&
  answer.ranges.length === ranges.length &&
  ranges.every(({ unless }, i) => unless !== undefined || answer.ranges[i] !== undefined);

/** Carries out a reading, one call of the store a step. */
export async function perform<T>(reader: StoreReader, reading: Reading<T>): Promise<T> {
  let step = reading.next();
  while (!step.done) {
    const answer = await reader.read(step.value);
    if (!isWhole(step.value, answer)) {
      throw new TreeError('STORE_FAILED', 'the store did not answer all keys and ranges asked');
    }
    step = reading.next(answer);
  }
  return step.value;
}
