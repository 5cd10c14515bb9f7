/**
 * Readings: reads of a store, step by step. Readings that run side by side take each step together, in one call of the
 * store. The number of calls thus depends on how many steps follow from one another, not on how many things are read.
 * They are generators, not promises: which requests go together follows from the code alone.
 */
import { TreeError } from './errors.js';
import type { MaybePromise } from './maybePromise.js';
import { type ReadBudget, readsPerTurn } from './readBudget.js';
import type { Entry, Range, ReadAnswer, ReadRequest, StoreReader } from './store.js';

/** Yields the next request, is given its answer, and returns the result. */
export type Reading<T> = Generator<ReadRequest, T, ReadAnswer>;

/** A value that is known without a read. */
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

/** A reading that is not over, and its next request. */
interface Open {
  readonly index: number;
  readonly reading: Reading<unknown>;
  readonly request: ReadRequest;
}

/** Asks for nothing but a turn of others: no step, and no call of the store. */
interface Turn extends ReadRequest {
  /** Entries that were looked through in memory since the turn before. */
  readonly passed: number;
}

/** A turn after work in memory, which counts as if the entries had been read. */
export const turnAfter = (passed: number): Turn => ({ keys: [], ranges: [], passed });

const noAnswer: ReadAnswer = { values: [], ranges: [] };
const noRequest: Turn = turnAfter(0);

/** Whether a request asks for nothing but a turn of others. */
export const isTurn = (request: ReadRequest): request is Turn => Object.hasOwn(request, 'passed');

/**
 * Keys and ranges, asked and answered, that readings side by side go through in one turn: half a millisecond of the search
 * for the positions of slots in an older state.
 */
const workPerTurn = 128;

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
    yield turnAfter(all.reduce((sum, { request: one }) => sum + (isTurn(one) ? one.passed : 0), 0));
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

/** Asks a store for the next request of a reading. */
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

type Step<T> = IteratorResult<ReadRequest, T>;

/** A reading on its way. */
interface Performance<T> {
  readonly reader: StoreReader;
  readonly reading: Reading<T>;
  /** Counts the reads, and yields to the event loop in a long reading. */
  readonly budget: ReadBudget | undefined;
}

/** Takes steps as long as none has to wait. @returns the first that has to, or the end */
function goOn<T>({ reader, reading, budget }: Performance<T>, first: Step<T>): Step<T> {
  const { now } = reader.read;
  let step = first;
  while (now && !step.done) {
    const request = step.value;
    if (isTurn(request) || !isShort(request) || budget?.isDue(request)) break;
    budget?.countRequest(request);
    const answer = now(request);
    budget?.countAnswer(answer);
    step = reading.next(answer);
  }
  return step;
}

/** Carries out the rest of a reading, from a step on that has to wait. */
async function goOnLater<T>(performance: Performance<T>, first: Step<T>): Promise<T> {
  const { reader, reading, budget } = performance;
  const pause = budget && (() => budget.pause());
  let step = first;
  while (!step.done) {
    const request = step.value;
    if (isTurn(request)) {
      budget?.countPassed(request.passed);
      await pause?.();
      step = reading.next(noAnswer);
    } else if (budget?.isDue(request)) await budget.pause();
    else {
      budget?.countRequest(request);
      const answer = await ask(reader, request, pause);
      budget?.countAnswer(answer);
      step = reading.next(answer);
    }
    step = goOn(performance, step);
  }
  return step.value;
}

/**
 * Carries out a reading, one call of the store a step; at once if the store answers at once.
 *
 * @param budget counts the reads, and yields to the event loop in a long reading
 */
export function perform<T>(
  reader: StoreReader,
  reading: Reading<T>,
  budget?: ReadBudget,
): MaybePromise<T> {
  const performance = { reader, reading, budget };
  const step = goOn(performance, reading.next());
  return step.done ? step.value : goOnLater(performance, step);
}
