/**
 * Readings: what is to be read of a store, step by step. Readings that run side by side take each
 * step together, in one call of the store, so that the number of calls depends on how far one thing
 * follows from another and not on how many things are read. They are generators, not promises:
 * which requests go together follows from the code alone.
 */
// @ts-nocheck

import { TreeError } from './errors.js';
import { type Meter, readsPerTurn } from './meter.js';
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

/** Reads ranges in one step. */
export function* readRanges(ranges: readonly Range[]): Reading<readonly (readonly Entry[])[]> {
  if (ranges.length === 0) return [];
  const answer = yield { keys: [], ranges };
  return answer.ranges;
}

/** Reads one range in one step. */
export function* readRange(range: Range): Reading<readonly Entry[]> {
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

/** Asks for nothing but a turn of others: no step, and no call of the store. */
const noRequest: ReadRequest = { keys: [], ranges: [] };
const noAnswer: ReadAnswer = { values: [], ranges: [] };

const isTurn = ({ keys, ranges }: ReadRequest): boolean => keys.length === 0 && ranges.length === 0;

/** Keys and ranges, asked and answered, that readings side by side go through in one turn. */
const workPerTurn = 4096;

/** The requests of several readings as one. */
function mergeRequests(open: readonly Open[]): ReadRequest {
  const keys: Uint8Array[] = [];
  const ranges: Range[] = [];
  for (const { request } of open) {
    for (const key of request.keys) keys.push(key);
    for (const range of request.ranges) ranges.push(range);
  }
  return { keys, ranges };
}

/** Cuts the answer to merged requests into one for each. */
function splitAnswer({ values, ranges }: ReadAnswer, open: readonly Open[]): ReadAnswer[] {
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
  // Nothing is asked before the first step: each reading begins as if it came out of a turn.
  let open: Open[] = readings.map((reading, index) => ({ index, reading, request: noRequest }));
  let answers: readonly ReadAnswer[] = [];
  for (;;) {
    const still: Open[] = [];
    let work = 0;
    for (const [i, { index, reading }] of open.entries()) {
      const answer = answers.at(i) ?? noAnswer;
      const step = reading.next(answer);
      work += answer.values.length + answer.ranges.length;
      if (step.done) results[index] = step.value;
      else {
        const request = step.value;
        still.push({ index, reading, request });
        work += request.keys.length + request.ranges.length;
      }
      if (work < workPerTurn) continue;
      work = 0;
      yield noRequest;
    }
    open = still.some(({ request }) => isTurn(request)) ? yield* afterTurns(still, results) : still;
    const [last] = open;
    if (last && open.length === 1) results[last.index] = yield* finish(last);
    if (open.length < 2) return results as Results<T>;
    answers = splitAnswer(yield mergeRequests(open), open);
  }
}

/** Has the last reading that is not over go on by itself. */
function* finish({ reading, request }: Open): Reading<unknown> {
  let step = reading.next(yield request);
  while (!step.done) step = reading.next(yield step.value);
  return step.value;
}

/** Has readings that ask for turns of others go on until all ask for something. */
function* afterTurns(open: Open[], results: unknown[]): Reading<Open[]> {
  let all = open;
  while (all.some(({ request }) => isTurn(request))) {
    yield noRequest;
    all = all.flatMap((one) => {
      if (!isTurn(one.request)) return [one];
      const step = one.reading.next(noAnswer);
      if (!step.done) return [{ ...one, request: step.value }];
      results[one.index] = step.value;
      return [];
    });
  }
  return all;
}

/** Whether a store may be asked for all of a request at once: no more than is read in one turn. */
function isShort({ keys, ranges }: ReadRequest): boolean {
  let entries = keys.length;
  for (const { limit } of ranges) entries += limit;
  return entries <= readsPerTurn;
}

/** Asks a store for what a reading needs next. */
async function ask(
  reader: StoreReader,
  request: ReadRequest,
  pause: (() => Promise<void>) | undefined,
): Promise<ReadAnswer> {
  const { keys, ranges } = request;
  const answer = await reader.read(request, pause);
  if (answer.values.length !== keys.length || answer.ranges.length !== ranges.length) {
    throw new TreeError('STORE_FAILED', 'the store did not answer all keys and ranges asked');
  }
  return answer;
}

/**
 * Carries out a reading, one call of the store a step.
 *
 * @param meter counts what is read, and gives others a turn in a long reading
 */
export async function perform<T>(
  reader: StoreReader,
  reading: Reading<T>,
  meter?: Meter,
): Promise<T> {
  const pause = meter && (() => meter.pause());
  let step = reading.next();
  while (!step.done) {
    const request = step.value;
    if (isTurn(request)) {
      await pause?.();
      step = reading.next(noAnswer);
      continue;
    }
    meter?.countRequest(request);
    if (meter?.isDue) await meter.pause();
    const answer =
      reader.read.now && isShort(request)
        ? reader.read.now(request)
        : await ask(reader, request, pause);
    meter?.countAnswer(answer);
    step = reading.next(answer);
  }
  return step.value;
}
