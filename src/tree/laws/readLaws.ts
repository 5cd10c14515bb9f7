/** The laws of every store's answers. */
import type { Entry } from '../store/store.js';
import { byteArray, type Law, range, toEntry } from './lawTrial.js';

/** In the order that a store must give them: unsigned, a prefix first, letters as the numbers that they are. */
const sorted: Entry[] = [
  toEntry(0),
  toEntry(0, 0),
  toEntry(0, 0, 1),
  toEntry(0, 255),
  toEntry(1),
  toEntry(0x41, 0x62),
  toEntry(0x42),
  toEntry(0x61),
  toEntry(127, 255),
  toEntry(128),
  toEntry(128, 0),
  toEntry(0xc3, 0xa9),
  toEntry(0xe9),
  toEntry(255),
  toEntry(255, 0),
  toEntry(255, 255),
  toEntry(...new Array<number>(64).fill(255)),
];

/** Sorted entries to be written in another order. */
const mixed: Entry[] = sorted.map((_, i) => sorted[(i * 7) % sorted.length] as Entry);

const keysKept: Law = {
  name: 'a key has its own value, and a key without an entry has none',
  async check(trial) {
    await trial.write({ puts: mixed });
    const keys = sorted.map(({ key }) => key);
    const expected = sorted.map(({ value }) => value);
    await trial.values('the values of all keys', { keys, expected });
    const absent = [
      byteArray(0, 1),
      byteArray(0, 0, 0),
      byteArray(2),
      byteArray(254),
      byteArray(255, 0, 0),
    ];
    await trial.values('the values of keys without an entry', {
      keys: absent,
      expected: absent.map(() => undefined),
    });
  },
};

const valuesKept: Law = {
  name: 'a value has any length and any bytes',
  async check(trial) {
    const lengths = [0, 1, 31, 32, 255, 256, 4096, 70_000, 1 << 20];
    const puts = lengths.map((length, i) => ({
      key: byteArray(i),
      value: Uint8Array.from({ length }, (_, j) => (j * 31 + (j >> 8) + i) & 255),
    }));
    await trial.write({ puts });
    const keys = puts.map(({ key }) => key);
    const expected = puts.map(({ value }) => value);
    await trial.values('the values', { keys, expected });
    await trial.entries('the entries', { of: {}, expected: puts });
  },
};

const orderOfAnswers: Law = {
  name: 'answers stand in the order asked, one for each member of the request',
  async check(trial) {
    const [a, b, c] = [toEntry(1), toEntry(2), toEntry(3)];
    await trial.write({ puts: [b, c, a] });
    const keys = [c.key, a.key, byteArray(9), c.key, b.key];
    const ranges = [
      { from: c.key },
      { from: byteArray(9) },
      { to: c.key },
      { from: b.key },
      { to: c.key },
    ];
    const answer = await trial.store.read({ keys, ranges: ranges.map(range) });
    trial.same('the values', {
      got: answer.values,
      expected: [c.value, a.value, undefined, c.value, b.value],
    });
    trial.same('the ranges', { got: answer.ranges, expected: [[c], [], [a, b], [b, c], [a, b]] });
    const none = await trial.store.read({ keys: [], ranges: [] });
    trial.same('an empty request', { got: [none.values, none.ranges], expected: [[], []] });
  },
};

const keyOrder: Law = {
  name: 'keys sort byte by byte as unsigned numbers, a prefix before what it begins',
  async check(trial) {
    await trial.write({ puts: mixed });
    await trial.entries('all entries', { of: {}, expected: sorted });
    await trial.entries('all entries from the other end', {
      of: { reverse: true },
      expected: [...sorted].reverse(),
    });
  },
};

const bounds: Law = {
  name: 'a range holds its lower bound and what follows, and ends before its upper bound',
  async check(trial) {
    await trial.write({ puts: mixed });
    for (const [i, { key: from }] of sorted.entries()) {
      await trial.entries('what follows a key', { of: { from }, expected: sorted.slice(i) });
      for (const [j, { key: to }] of sorted.entries()) {
        const expected = sorted.slice(i, Math.max(i, j));
        await trial.entries('what lies between two keys', { of: { from, to }, expected });
        await trial.entries('what lies between two keys, from the other end', {
          of: { from, to, reverse: true },
          expected: [...expected].reverse(),
        });
      }
    }
  },
};

const emptyBounds: Law = {
  name: 'an empty lower bound is the beginning, no upper bound the end, and nothing lies below an empty one',
  async check(trial) {
    await trial.write({ puts: mixed });
    for (const reverse of [false, true]) {
      const all = reverse ? [...sorted].reverse() : sorted;
      await trial.entries('all entries', { of: { reverse }, expected: all });
      await trial.entries('what lies below an empty bound', {
        of: { to: byteArray(), reverse },
        expected: [],
      });
      await trial.entries('what lies between a key and an empty bound', {
        of: { from: byteArray(1), to: byteArray(), reverse },
        expected: [],
      });
      await trial.entries('what lies between bounds in the wrong order', {
        of: { from: byteArray(128), to: byteArray(1), reverse },
        expected: [],
      });
    }
  },
};

const limits: Law = {
  name: 'a range gives as many entries as its limit, from the end that is asked, and fewer only if it holds no more',
  async check(trial) {
    await trial.write({ puts: mixed });
    const inside = sorted.slice(2, -2);
    const [from, to] = [inside[0]?.key as Uint8Array, sorted.at(-2)?.key];
    for (const limit of [1, 2, inside.length - 1, inside.length, inside.length + 1]) {
      await trial.entries(`${limit} entries`, {
        of: { from, to, limit },
        expected: inside.slice(0, limit),
      });
      await trial.entries(`${limit} entries from the other end`, {
        of: { from, to, limit, reverse: true },
        expected: [...inside].reverse().slice(0, limit),
      });
    }
  },
};

const largeRequests: Law = {
  name: 'a request has any size',
  async check(trial) {
    const count = 5000;
    const keyOf = (i: number) => byteArray(7, i >> 8, i & 255);
    const all = Array.from({ length: count }, (_, i) => ({
      key: keyOf(i),
      value: byteArray(i & 255),
    }));
    await trial.write({ puts: all });
    const answer = await trial.store.read({
      keys: all.map(({ key }) => key),
      ranges: all.map(({ key }, i) =>
        range({ from: key, limit: 2, reverse: false, to: keyOf(i + 2) }),
      ),
    });
    trial.same(`the values of ${count} keys`, {
      got: answer.values,
      expected: all.map(({ value }) => value),
    });
    trial.same(`${count} ranges`, {
      got: answer.ranges,
      expected: all.map((_, i) => all.slice(i, i + 2)),
    });
    await trial.entries('a long range', { of: { limit: 2 * count }, expected: all });
  },
};

const pauses: Law = {
  name: 'what a pause throws ends the call and comes out as it is, if the store pauses',
  async check(trial) {
    const { key, value } = toEntry(1);
    await trial.write({ puts: [{ key, value }] });
    const keys = new Array<Uint8Array>(2000).fill(key);
    const end = new Error('the work was ended');
    let hasPaused = false;
    const call = trial.store.read({ keys, ranges: [] }, () => {
      hasPaused = true;
      return Promise.reject(end);
    });
    const outcome = await call.catch((error: unknown) => ({ error }));
    if (hasPaused) {
      trial.same('the error of a call whose pause throws', {
        got: 'error' in outcome && outcome.error === end ? 'that error' : 'something else',
        expected: 'that error',
      });
      return;
    }
    if ('error' in outcome) throw trial.broken('a long call fails', outcome.error);
    trial.same('the values', { got: outcome.values, expected: keys.map(() => value) });
  },
};

/** Laws of reads. */
export const readLaws: readonly Law[] = [
  keysKept,
  valuesKept,
  orderOfAnswers,
  keyOrder,
  bounds,
  emptyBounds,
  limits,
  largeRequests,
  pauses,
];
