/** The laws of every store on batches, snapshots, other writers and closing. */
import { yieldToEventLoop } from '../../concurrent.js';
import type { Entry, Look, Store, StoreReader } from '../store/store.js';
import { byteArray, type Law, range, type Trial, toEntry } from './lawTrial.js';

const batches: Law = {
  name: 'a batch puts, replaces and deletes, and leaves everything else',
  async check(trial) {
    const [a, b, c, d] = [toEntry(1), toEntry(1, 1), toEntry(2), toEntry(3)];
    await trial.write({});
    await trial.entries('an empty batch', { of: {}, expected: [] });
    await trial.write({ puts: [c, a, b] });
    const other = { key: a.key, value: byteArray(9, 9) };
    await trial.write({ puts: [d, other], deletes: [c.key, byteArray(7)] });
    await trial.entries('what is left', { of: {}, expected: [other, b, d] });
    await trial.write({ deletes: [a.key, d.key] });
    await trial.write({ puts: [a] });
    await trial.entries('an entry that came back', { of: {}, expected: [a, b] });
  },
};

/** Entries that all have the same value. */
const generation = (count: number, value: number): Entry[] =>
  Array.from({ length: count }, (_, i) => ({
    key: byteArray(i >> 8, i & 255),
    value: byteArray(value),
  }));

const largeBatches: Law = {
  name: 'a batch has any size',
  async check(trial) {
    const count = 20_000;
    const puts = generation(count, 1);
    await trial.write({ puts });
    await trial.entries('all entries', { of: { limit: 2 * count }, expected: puts });
    await trial.write({ deletes: puts.slice(1).map(({ key }) => key) });
    await trial.entries('what is left', { of: {}, expected: puts.slice(0, 1) });
  },
};

/** Fails unless all values of an answer are the same. */
async function checkWhole(trial: Trial, reader: StoreReader, count: number): Promise<void> {
  const keys = generation(count, 0).map(({ key }) => key);
  const { values } = await reader.read({ keys, ranges: [] });
  trial.same('a value that is read while a batch is written', {
    got: values,
    expected: values.map(() => values[0]),
  });
}

const atomicity: Law = {
  name: 'a batch takes effect as a whole, for every read meanwhile',
  async check(trial) {
    const count = 300;
    await trial.write({ puts: generation(count, 0) });
    for (let value = 1; value <= 10; value++) {
      let isWritten = false;
      const writing = trial.write({ puts: generation(count, value) }).finally(() => {
        isWritten = true;
      });
      // If the write fails, the error is thrown below, once the reads are over.
      writing.catch(() => {});
      do {
        const snapshot = await trial.store.snapshot();
        await checkWhole(trial, snapshot, count);
        await checkWhole(trial, trial.store, count);
        await snapshot.release();
        await yieldToEventLoop();
      } while (!isWritten);
      await writing;
    }
  },
};

const visibility: Law = {
  name: 'a write that has resolved is seen by all reads that begin afterwards',
  async check(trial) {
    const key = byteArray(1);
    for (let i = 0; i < 50; i++) {
      const value = byteArray(i);
      await trial.write({ puts: [{ key, value }] });
      await trial.values('the value just written', { keys: [key], expected: [value] });
      const reader = await trial.store.snapshot();
      await trial.values('the value in a snapshot taken afterwards', {
        keys: [key],
        expected: [value],
        reader,
      });
      await reader.release();
    }
  },
};

const isolation: Law = {
  name: 'a snapshot stays as it was at its first read, whatever is written',
  async check(trial) {
    const [a, b, c] = [toEntry(1), toEntry(2), toEntry(3)];
    await trial.write({ puts: [a, b] });
    const reader = await trial.store.snapshot();
    await trial.values('the first read', { keys: [a.key], expected: [a.value], reader });
    await trial.write({ puts: [c, { key: a.key, value: byteArray() }], deletes: [b.key] });
    await trial.values('the values of the snapshot', {
      keys: [a.key, b.key, c.key],
      expected: [a.value, b.value, undefined],
      reader,
    });
    await trial.entries('the entries of the snapshot', { of: {}, expected: [a, b], reader });
    await reader.release();
  },
};

const looks: Law = {
  name: 'a look is of one moment, and lasts until a write',
  async check(trial) {
    const { store } = trial;
    if (!store.look) return;
    const what = 'a read of a look';
    const keys = [byteArray(1), byteArray(2)];
    const read = async (look: Look) => (await look.read({ keys, ranges: [] }))?.values;
    for (let i = 0; i < 3; i++) {
      const expected = keys.map(() => byteArray(i));
      await trial.write({ puts: keys.map((key) => ({ key, value: byteArray(i) })) });
      // The first look may still be of the state before the write.
      await read(store.look());
      const held = store.look();
      for (const look of [held, held]) trial.same(what, { got: await read(look), expected });
      const named = store.look();
      await trial.write({ puts: [{ key: byteArray(1), value: byteArray(i, i) }] });
      for (const look of named.version === undefined ? [held] : [held, named]) {
        trial.same(what, { got: (await read(look)) ?? expected, expected });
      }
    }
  },
};

const releases: Law = {
  name: 'snapshots are moments of their own, and are released in any order',
  async check(trial) {
    const key = byteArray(1);
    const held: { reader: Awaited<ReturnType<Store['snapshot']>>; expected: Uint8Array[] }[] = [];
    const checkHeld = async () => {
      for (const { reader, expected } of held) {
        await trial.values('the value of a snapshot', { keys: [key], expected, reader });
      }
    };
    for (let i = 0; i < 6; i++) {
      await trial.write({ puts: [{ key, value: byteArray(i) }] });
      held.push({ reader: await trial.store.snapshot(), expected: [byteArray(i)] });
      await checkHeld();
    }
    for (const index of [3, 0, 3, 1, 0, 0]) {
      const [one] = held.splice(index, 1);
      await one?.reader.release();
      await checkHeld();
    }
    await trial.write({ puts: [{ key, value: byteArray(9) }] });
    await trial.values('the value of the store', { keys: [key], expected: [byteArray(9)] });
  },
};

const ownBytes: Law = {
  name: 'a change to the bytes of a batch or an answer changes nothing in the store',
  async check(trial) {
    const entry = toEntry(1, 2);
    const given = { key: entry.key.slice(), value: entry.value.slice() };
    await trial.write({ puts: [given] });
    given.key.fill(9);
    given.value.fill(9);
    const read = () => trial.store.read({ keys: [entry.key], ranges: [range({})] });
    const expected = [[entry.value], [[entry]]];
    const { values, ranges } = await read();
    trial.same('the entry after its batch was changed', { got: [values, ranges], expected });
    for (const bytes of [
      ...values,
      ...(ranges[0] ?? []).flatMap(({ key, value }) => [key, value]),
    ]) {
      bytes?.fill(8);
    }
    const again = await read();
    trial.same('the entry after an answer was changed', {
      got: [again.values, again.ranges],
      expected,
    });
  },
};

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** Opens the store beside itself. @returns undefined if that is refused, because a writer is at work */
async function openBeside(trial: Trial): Promise<Store | undefined> {
  try {
    return await trial.open();
  } catch (error) {
    if (codeOf(error) === 'OTHER_WRITER') return undefined;
    throw trial.broken('to open it a second time fails, but not with OTHER_WRITER', error);
  }
}

const fencing: Law = {
  name: 'a writer whose place another one has taken writes no more',
  async check(trial) {
    const [a, b, c] = [toEntry(1), toEntry(2), toEntry(3)];
    await trial.write({ puts: [a] });
    const second = await openBeside(trial);
    if (second === undefined) return;
    try {
      const { values } = await second.read({ keys: [a.key], ranges: [] });
      // The second store is another place, so this store cannot be opened twice.
      if (values[0] === undefined) return;
      await second.write({ puts: [b], deletes: [] });
      const error = await trial.fails('a write of the first writer', () =>
        trial.write({ puts: [c], deletes: [a.key] }),
      );
      trial.same('the code of that error', { got: codeOf(error), expected: 'OTHER_WRITER' });
      await trial.entries('the entries', { of: {}, expected: [a, b], reader: second });
      await second.write({ puts: [], deletes: [a.key, b.key] });
    } finally {
      await second.close();
    }
  },
};

const closing: Law = {
  name: 'calls that come after the end fail',
  async check(trial) {
    const { store } = trial;
    await store.close();
    await trial.fails('a read', () => store.read({ keys: [byteArray(1)], ranges: [] }));
    await trial.fails('a write', () => store.write({ puts: [toEntry(1)], deletes: [] }));
    await trial.fails('a snapshot', async () => {
      const snapshot = await store.snapshot();
      await snapshot.read({ keys: [byteArray(1)], ranges: [] });
    });
    if (!store.look) return;
    await trial.fails('a look', async () =>
      store.look?.().read({ keys: [byteArray(1)], ranges: [] }),
    );
  },
};

/** Laws of writes, of snapshots and of closing. */
export const writeLaws: readonly Law[] = [
  batches,
  largeBatches,
  atomicity,
  visibility,
  isolation,
  looks,
  releases,
  ownBytes,
  fencing,
  closing,
];
