/** The laws of the store contract: our stores keep them, and a store that breaks one is found out. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import {
  type Batch,
  type Entry,
  type Look,
  memoryStore,
  type Range,
  type ReadAnswer,
  type ReadRequest,
  type Store,
  type StoreReader,
  type StoreSnapshot,
  storeLaws,
  TreeError,
} from '../../../../src/tree/index.js';
import { newFolder } from '../../../support/folder.js';
import { patience } from '../../../support/runs.js';
import { entriesOf, looking, valueOf } from '../../../support/stores.js';

const home = newFolder();
let count = 0;

/** One place in memory that many open, as processes open a file; the last to come is the writer. */
function sharedPlace({ fenced }: { fenced: boolean }): () => Promise<Store> {
  const place = memoryStore();
  let writers = 0;
  return async () => {
    writers++;
    const number = writers;
    let isOpen = true;
    const checkOpen = () => {
      if (!isOpen) throw new TreeError('CLOSED', 'the store is closed');
    };
    return {
      async read(request, pause) {
        checkOpen();
        return place.read(request, pause);
      },
      async write(batch) {
        checkOpen();
        if (fenced && number !== writers)
          throw new TreeError('OTHER_WRITER', 'another one has come');
        await place.write(batch);
      },
      async snapshot() {
        checkOpen();
        return place.snapshot();
      },
      async close() {
        isOpen = false;
      },
    };
  };
}

const samePath = join(home, 'same');
const stores: [string, () => Promise<Store>][] = [
  ['in memory', async () => memoryStore()],
  ['in LMDB, a new one each time', async () => lmdbStore({ path: join(home, `${++count}`) })],
  ['in LMDB, the same each time', async () => lmdbStore({ path: samePath })],
  ['in memory that can be looked at', async () => looking(memoryStore())],
  ['in a place that others open', sharedPlace({ fenced: true })],
];

describe.each(stores)('a store %s', (_, open) => {
  test.each(storeLaws(open))(
    'keeps the law: $name',
    ({ check }) => expect(check()).resolves.toBeUndefined(),
    patience,
  );
});

test('laws have names of their own', () => {
  const names = storeLaws(async () => memoryStore()).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(18);
});

type Read = StoreReader['read'];

/** A store whose reads, in and outside snapshots, are changed. */
const withReads = (change: (read: Read) => Read, inner: Store = memoryStore()): Store => ({
  ...inner,
  read: change(inner.read),
  async snapshot() {
    const snapshot = await inner.snapshot();
    return { ...snapshot, read: change(snapshot.read) };
  },
});

const answered = (change: (answer: ReadAnswer, request: ReadRequest) => ReadAnswer) =>
  withReads((read) => async (request, pause) => change(await read(request, pause), request));
const ranged = (change: (entries: readonly Entry[], range: Range) => readonly Entry[]) =>
  answered(({ values, ranges }, request) => ({
    values,
    ranges: ranges.map((entries, i) => entries && change(entries, request.ranges[i] as Range)),
  }));

/** A store that is asked for all entries, and cuts the ranges by itself. */
function ordered(
  compare: (a: Uint8Array, b: Uint8Array) => number,
  { first = 0, last = -1 }: { first?: number; last?: number } = {},
): Store {
  return withReads((read) => async (request, pause) => {
    const whole = { from: new Uint8Array(0), to: undefined, limit: 1e9, reverse: false };
    const all = await read({ keys: request.keys, ranges: [whole] }, pause);
    const entries = [...(all.ranges[0] as Entry[])].sort((a, b) => compare(a.key, b.key));
    return {
      values: all.values,
      ranges: request.ranges.map(({ from, to, limit, reverse }) => {
        const inside = entries.filter(
          ({ key }) => compare(key, from) >= first && (!to || compare(key, to) <= last),
        );
        return (reverse ? inside.reverse() : inside).slice(0, limit);
      }),
    };
  });
}

const written = (change: (batch: Batch) => Batch): Store => {
  const inner = memoryStore();
  return { ...inner, write: (batch) => inner.write(change(batch)) };
};

/** A plain map of objects: what it is given, and what it gives, are its own bytes. */
function aliasing({ given, answers }: { given: boolean; answers: boolean }): Store {
  const kept = new Map<string, Entry>();
  const copy = (bytes: Uint8Array) => bytes.slice();
  const inner = memoryStore();
  const own = (entry: Entry) => kept.get(Buffer.from(entry.key).toString('hex')) as Entry;
  const read: Read = async (request, pause) => {
    const answer = await inner.read(request, pause);
    const shown = ({ value }: Entry) => (answers ? value : copy(value));
    return {
      values: answer.values.map(
        (value, i) => value && shown(own({ key: request.keys[i] as Uint8Array, value })),
      ),
      ranges: answer.ranges.map((entries) =>
        entries?.map((entry) => ({ key: entry.key, value: shown(own(entry)) })),
      ),
    };
  };
  return {
    ...inner,
    read,
    async write(batch) {
      await inner.write(batch);
      for (const { key, value } of batch.puts) {
        const name = Buffer.from(key).toString('hex');
        kept.set(name, { key, value: given ? value : copy(value) });
      }
    },
    async snapshot() {
      return { ...(await inner.snapshot()), read };
    },
  };
}

const names = {
  keys: 'a key has its own value, and a key without an entry has none',
  values: 'a value has any length and any bytes',
  answers: 'answers stand in the order asked, one for each member of the request',
  order: 'keys sort byte by byte as unsigned numbers, a prefix before what it begins',
  bounds: 'a range holds its lower bound and what follows, and ends before its upper bound',
  empty:
    'an empty lower bound is the beginning, no upper bound the end, and nothing lies below an empty one',
  limits:
    'a range gives as many entries as its limit, from the end that is asked, and fewer only if it holds no more',
  requests: 'a request has any size',
  pauses: 'what a pause throws ends the call and comes out as it is, if the store pauses',
  batches: 'a batch puts, replaces and deletes, and leaves everything else',
  sizes: 'a batch has any size',
  atomicity: 'a batch takes effect as a whole, for every read meanwhile',
  visibility: 'a write that has resolved is seen by all reads that begin afterwards',
  isolation: 'a snapshot stays as it was at its first read, whatever is written',
  looks: 'a look is of one moment, and lasts until a write',
  releases: 'snapshots are moments of their own, and are released in any order',
  bytes: 'a change to the bytes of a batch or an answer changes nothing in the store',
  fencing: 'a writer whose place another one has taken writes no more',
  closing: 'calls that come after the end fail',
} as const;

const compare = Buffer.compare;
const text = (key: Uint8Array) => Buffer.from(key).toString('latin1');
const rest =
  (limit: number) =>
  <T>(list: readonly T[]) =>
    list.slice(0, limit);

/** Stores that break a law, and the law. */
const broken: [string, keyof typeof names, () => Promise<Store>][] = [
  [
    'takes a prefix of a key for the key',
    'keys',
    async () =>
      withReads(
        (read) => (request, pause) =>
          read({ ...request, keys: request.keys.map((key) => key.subarray(0, 2)) }, pause),
      ),
  ],
  [
    'has an empty value for a key without an entry',
    'keys',
    async () =>
      answered(({ values, ranges }) => ({
        values: values.map((value) => value ?? new Uint8Array(0)),
        ranges,
      })),
  ],
  [
    'takes an empty value for none',
    'values',
    async () =>
      answered(({ values, ranges }) => ({
        values: values.map((value) => (value?.length ? value : undefined)),
        ranges,
      })),
  ],
  [
    'cuts values at 64 KiB',
    'values',
    async () =>
      written(({ puts, deletes }) => ({
        puts: puts.map(({ key, value }) => ({ key, value: value.subarray(0, 65_536) })),
        deletes,
      })),
  ],
  [
    'keeps values as text',
    'values',
    async () =>
      written(({ puts, deletes }) => ({
        puts: puts.map(({ key, value }) => ({
          key,
          value: Buffer.from(Buffer.from(value).toString()),
        })),
        deletes,
      })),
  ],
  [
    'answers keys in their own order',
    'answers',
    async () =>
      withReads(
        (read) => (request, pause) =>
          read({ ...request, keys: [...request.keys].sort(compare) }, pause),
      ),
  ],
  [
    'answers a key once that is asked twice',
    'answers',
    async () =>
      withReads((read) => (request, pause) => {
        const distinct = new Map(request.keys.map((key) => [text(key), key]));
        return read({ ...request, keys: [...distinct.values()] }, pause);
      }),
  ],
  [
    'answers ranges in the order of their bounds',
    'answers',
    async () =>
      withReads(
        (read) => (request, pause) =>
          read(
            { ...request, ranges: [...request.ranges].sort((a, b) => compare(a.from, b.from)) },
            pause,
          ),
      ),
  ],
  [
    'sorts short keys first',
    'order',
    async () => ordered((a, b) => a.length - b.length || compare(a, b)),
  ],
  [
    'sorts bytes as signed numbers',
    'order',
    async () =>
      ordered((a, b) =>
        Buffer.compare(
          a.map((x) => x ^ 128),
          b.map((x) => x ^ 128),
        ),
      ),
  ],
  [
    'sorts keys as words of a language',
    'order',
    async () => ordered((a, b) => text(a).localeCompare(text(b), 'en') || compare(a, b)),
  ],
  ['holds the upper bound in a range', 'bounds', async () => ordered(compare, { last: 0 })],
  ['leaves the lower bound out of a range', 'bounds', async () => ordered(compare, { first: 1 })],
  [
    'takes an empty upper bound for none',
    'empty',
    async () =>
      withReads(
        (read) => (request, pause) =>
          read(
            {
              ...request,
              ranges: request.ranges.map((one) =>
                one.to?.length === 0 ? { ...one, to: undefined } : one,
              ),
            },
            pause,
          ),
      ),
  ],
  [
    'takes no upper bound for an empty one',
    'empty',
    async () => ranged((entries, { to }) => (to ? entries : [])),
  ],
  [
    'swaps bounds in the wrong order',
    'empty',
    async () =>
      withReads(
        (read) => (request, pause) =>
          read(
            {
              ...request,
              ranges: request.ranges.map((one) =>
                one.to && one.to.length > 0 && compare(one.from, one.to) > 0
                  ? { ...one, from: one.to, to: one.from }
                  : one,
              ),
            },
            pause,
          ),
      ),
  ],
  ['gives a page of at most three entries', 'limits', async () => ranged(rest(3))],
  [
    'turns a range round after it has cut it',
    'limits',
    async () =>
      withReads((read) => async (request, pause) => {
        const { values, ranges } = await read(
          { ...request, ranges: request.ranges.map((one) => ({ ...one, reverse: false })) },
          pause,
        );
        return {
          values,
          ranges: ranges.map((entries, i) =>
            request.ranges[i]?.reverse && entries ? [...entries].reverse() : entries,
          ),
        };
      }),
  ],
  [
    'takes no more than 1,000 keys',
    'requests',
    async () => answered(({ values, ranges }) => ({ values: rest(1000)(values), ranges })),
  ],
  [
    'refuses more than 1,000 ranges',
    'requests',
    async () =>
      answered((answer) => {
        if (answer.ranges.length > 1000) throw new Error('too many parameters');
        return answer;
      }),
  ],
  [
    'answers what it has when a pause throws',
    'pauses',
    async () =>
      withReads(
        (read) => (request, pause) =>
          read(request, pause).catch(() => ({ values: [], ranges: [] })),
      ),
  ],
  [
    'has an error of its own when a pause throws',
    'pauses',
    async () =>
      withReads(
        (read) => (request, pause) =>
          read(request, pause).catch((cause) => {
            throw new Error('cannot read', { cause });
          }),
      ),
  ],
  [
    'keeps the first value of a key',
    'batches',
    async () => {
      const inner = memoryStore();
      return {
        ...inner,
        async write({ puts, deletes }) {
          const { values } = await inner.read({ keys: puts.map(({ key }) => key), ranges: [] });
          await inner.write({ puts: puts.filter((_, i) => values[i] === undefined), deletes });
        },
      };
    },
  ],
  [
    'fails to delete what is not there',
    'batches',
    async () => {
      const inner = memoryStore();
      return {
        ...inner,
        async write(batch) {
          const { values } = await inner.read({ keys: batch.deletes, ranges: [] });
          if (values.includes(undefined)) throw new Error('not found');
          await inner.write(batch);
        },
      };
    },
  ],
  ['deletes nothing', 'batches', async () => written(({ puts }) => ({ puts, deletes: [] }))],
  [
    'takes no more than 10,000 entries of a batch',
    'sizes',
    async () => written(({ puts, deletes }) => ({ puts: rest(10_000)(puts), deletes })),
  ],
  [
    'shows a batch entry by entry',
    'atomicity',
    async () => {
      const inner = memoryStore();
      return {
        ...inner,
        async write({ puts, deletes }) {
          await inner.write({ puts: puts.slice(0, 100), deletes });
          await new Promise((done) => setTimeout(done, 5));
          await inner.write({ puts: puts.slice(100), deletes: [] });
        },
      };
    },
  ],
  [
    'resolves before it has written',
    'visibility',
    async () => {
      const inner = memoryStore();
      return {
        ...inner,
        async write(batch) {
          setTimeout(() => inner.write(batch).catch(() => {}), 5);
        },
      };
    },
  ],
  [
    'takes snapshots of what was there a batch ago',
    'visibility',
    async () => {
      const inner = memoryStore();
      let before = await inner.snapshot();
      return {
        ...inner,
        async write(batch) {
          before = await inner.snapshot();
          await inner.write(batch);
        },
        snapshot: async () => before,
      };
    },
  ],
  [
    'reads the newest state in a snapshot',
    'isolation',
    async () => {
      const inner = memoryStore();
      return { ...inner, snapshot: async () => ({ read: inner.read, release() {} }) };
    },
  ],
  [
    'reads the newest state in a look',
    'looks',
    async () => {
      const inner = memoryStore();
      return { ...inner, look: () => ({ read: inner.read }) };
    },
  ],
  [
    'gives a look the version that was read last, and compares it with nothing',
    'looks',
    async () => {
      const inner = looking(memoryStore());
      const look = () => {
        const { version } = inner.look?.() as Look;
        let one: Look | undefined;
        return {
          version,
          async read(request: ReadRequest) {
            one ??= inner.look?.() as Look;
            return (await one.read(request)) ?? inner.look?.().read(request);
          },
        };
      };
      return { ...inner, look };
    },
  ],
  [
    'has looks that are over after a read',
    'looks',
    async () => {
      const inner = memoryStore();
      const look = () => {
        let reads = 0;
        return {
          read: async (request: ReadRequest) => (reads++ === 0 ? inner.read(request) : undefined),
        };
      };
      return { ...inner, look };
    },
  ],
  [
    'can be looked at after its end',
    'closing',
    async () => ({ ...memoryStore(), look: () => ({ read: memoryStore().read }) }),
  ],
  [
    'has one snapshot for all',
    'releases',
    async () => {
      const inner = memoryStore();
      let only: StoreSnapshot | undefined;
      return {
        ...inner,
        async snapshot() {
          only ??= await inner.snapshot();
          return {
            read: only.read,
            release() {
              only = undefined;
            },
          };
        },
      };
    },
  ],
  [
    'ends all snapshots with one',
    'releases',
    async () => {
      const inner = memoryStore();
      let ended = 0;
      return {
        ...inner,
        async snapshot() {
          const snapshot = await inner.snapshot();
          const born = ended;
          return {
            async read(request, pause) {
              if (ended > born) throw new Error('no such transaction');
              return snapshot.read(request, pause);
            },
            release() {
              ended++;
            },
          };
        },
      };
    },
  ],
  [
    'keeps the bytes that it is given',
    'bytes',
    async () => aliasing({ given: true, answers: false }),
  ],
  ['gives its own bytes', 'bytes', async () => aliasing({ given: false, answers: true })],
  ['has two writers that take turns', 'fencing', sharedPlace({ fenced: false })],
  [
    'cannot be opened twice, and does not say why',
    'fencing',
    (() => {
      let isOpen = false;
      return async () => {
        if (isOpen) throw new Error('EBUSY');
        isOpen = true;
        const inner = memoryStore();
        return {
          ...inner,
          async close() {
            isOpen = false;
            await inner.close();
          },
        };
      };
    })(),
  ],
  ['goes on after its end', 'closing', async () => ({ ...memoryStore(), close: async () => {} })],
];

describe('a store that', () => {
  test.each(broken)('%s breaks the law of %s', async (_, law, open) => {
    const checks = storeLaws(open);
    const { check } = checks.find(({ name }) => name === names[law]) as (typeof checks)[number];
    await expect(check()).rejects.toMatchObject({ name: 'TreeError', code: 'LAW_BROKEN' });
    await expect(check()).rejects.toThrow(`the store breaks the law "${names[law]}": `);
  });

  test('every law is broken by one of them', () => {
    const found = new Set(broken.map(([, law]) => names[law]));
    expect([...found].sort()).toEqual(
      storeLaws(async () => memoryStore())
        .map(({ name }) => name)
        .sort(),
    );
  });

  test('holds something is left as it is, and says so', async () => {
    const inner = memoryStore();
    const store = { ...inner, close: async () => {} };
    const key = Uint8Array.of(1);
    await inner.write({ puts: [{ key, value: key }], deletes: [] });
    for (const { check } of storeLaws(async () => store)) {
      await expect(check()).rejects.toMatchObject({ code: 'WRONG_STORE' });
    }
    expect(await valueOf(inner, key)).toEqual(key);
  });

  test('keeps the laws is empty afterwards', async () => {
    const open = sharedPlace({ fenced: true });
    for (const { check } of storeLaws(open)) await check();
    expect(await entriesOf(await open())).toEqual([]);
  });

  test('cannot be opened says so by itself', async () => {
    const gone = new Error('no such host');
    const [law] = storeLaws(() => Promise.reject(gone));
    await expect(law?.check()).rejects.toBe(gone);
  });
});
