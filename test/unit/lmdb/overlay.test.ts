/** The log of a store in LMDB, and what lies over the other entries until those of the log reach their places. */
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lmdbStore } from '../../../src/lmdb/index.js';
import { recordsIn, toChunks } from '../../../src/lmdb/log.js';
import {
  type Batch,
  memoryStore,
  openStateTree,
  type StoreSnapshot,
} from '../../../src/tree/index.js';
import { randomOf } from '../../support/blocks.js';
import { newFolder } from '../../support/folder.js';
import { startChild } from '../../support/processes.js';
import { patience } from '../../support/runs.js';
import { entriesOf, rangeOf, textsOf, valueOf } from '../../support/stores.js';

const { open } = createRequire(import.meta.url)('lmdb') as typeof import('lmdb');

const home = newFolder();
let count = 0;
const freshPath = () => join(home, `store${++count}`);

const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;

/** Keys in the databases of a store that nobody has open. */
async function keysIn(path: string): Promise<{ entries: number; log: number }> {
  const root = open({ path, noSubdir: false, readOnly: true });
  const keys = (name: string) => root.openDB(name, binary).getKeysCount();
  const found = { entries: keys('entries'), log: keys('log') };
  await root.close();
  return found;
}

/** A key among `limit`. */
const keyOf = (index: number) => Uint8Array.of(index >> 8, index & 255);
const filled = (length: number, seed: number) => new Uint8Array(length).fill(seed);

/** Entries next to each other from a key on. */
const run = (first: number, entries: number, length: number, seed: number): Batch => ({
  puts: Array.from({ length: entries }, (_, i) => ({
    key: keyOf(first + i),
    value: filled(length, seed),
  })),
  deletes: [],
});

test('short entries of a batch go to the log, long ones and large batches to their places', async () => {
  const path = freshPath();
  const write = async (batch: Batch) => {
    const store = lmdbStore({ path });
    await store.write(batch);
    await store.close();
    return keysIn(path);
  };
  // 10 values of 500 bytes take two chunks of a page; beside them stands the head.
  expect(await write(run(0, 10, 500, 1))).toEqual({ entries: 0, log: 3 });
  expect(await write(run(20, 1, 3000, 1))).toEqual({ entries: 1, log: 3 });
  // More than 128 KiB: all that is in the log reaches its place with it.
  expect(await write(run(5, 1200, 110, 2))).toEqual({ entries: 1205, log: 1 });
  expect(await write(run(0, 1, 10, 3))).toEqual({ entries: 1205, log: 2 });
});

test(
  'a log that is full is emptied, and every reader goes on',
  async () => {
    const path = freshPath();
    const store = lmdbStore({ path });
    const reader = lmdbStore({ path, readOnly: true });
    const plain = memoryStore();
    const sizes: number[] = [];
    // 120 KiB each: the log holds 8 MiB.
    for (let i = 0; i < 144; i++) {
      const batch = run(50 * i, 150, 800, i + 1);
      await Promise.all([store.write(batch), plain.write(batch)]);
      if (i % 24 === 23) expect(await textsOf(reader)).toEqual(await textsOf(plain));
      const { ranges } = await reader.read({
        keys: [],
        ranges: [{ from: keyOf(0), to: undefined, limit: 1, reverse: true }],
      });
      expect([...(ranges[0]?.[0]?.key ?? [])]).toEqual([...keyOf(50 * i + 149)]);
      const root = open({ path, noSubdir: false, readOnly: true });
      sizes.push(root.openDB('log', binary).getKeysCount());
      await root.close();
    }
    await Promise.all([store.close(), reader.close()]);
    // It grows by 30 chunks a batch up to 2048 and the head, and begins again.
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2049);
    expect(sizes.filter((size) => size === 1)).toHaveLength(2);
  },
  patience,
);

/** Any change of a store with few keys, long and short values. */
function randomBatch(random: (limit: number) => number): Batch {
  const kinds = new Map<number, number>();
  const entries = random(8) === 0 ? 1500 : random(30);
  for (let i = 0; i < entries; i++) kinds.set(random(400), random(5));
  const puts = [...kinds].flatMap(([index, kind]) => {
    const length = [0, 30, 1999 + random(3), 5000][kind];
    return length === undefined ? [] : [{ key: keyOf(index), value: filled(length, random(256)) }];
  });
  const deletes = [...kinds].filter(([, kind]) => kind === 4).map(([index]) => keyOf(index));
  return { puts, deletes };
}

test.each([1, 2, 3])(
  'whatever went to the log, the store answers as one in memory does (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const path = freshPath();
    const plain = memoryStore();
    let store = lmdbStore({ path });
    const reader = lmdbStore({ path, readOnly: true });
    let held: { snapshot: StoreSnapshot; texts: string[] }[] = [];
    for (let round = 0; round < 60; round++) {
      const batch = randomBatch(random);
      await Promise.all([store.write(batch), plain.write(batch)]);
      const texts = await textsOf(plain);
      const one = round % 2 ? reader : store;
      expect(await textsOf(one)).toEqual(texts);
      const [low, high] = [random(400), random(400)].map(keyOf) as [Uint8Array, Uint8Array];
      const bounds = { limit: 1 + random(40), reverse: random(2) === 1 };
      const ranges = [one, plain].map((from) => rangeOf(from, low, high, bounds));
      const [mine, expected] = await Promise.all(ranges);
      expect(mine?.map(({ key }) => [...key])).toEqual(expected?.map(({ key }) => [...key]));
      const now = one.read.now?.({ keys: [low], ranges: [] }).values[0];
      expect(now && Buffer.from(now)).toEqual(
        await valueOf(plain, low).then((value) => value && Buffer.from(value)),
      );
      held.push({ snapshot: await one.snapshot(), texts });
      if (round % 20 < 19) continue;
      for (const { snapshot, texts: then } of held) {
        expect(await textsOf(snapshot)).toEqual(then);
        await snapshot.release();
      }
      held = [];
      await store.close();
      store = lmdbStore({ path });
    }
    await Promise.all([store.close(), reader.close()]);
  },
  patience,
);

test('what a reader is given is its own', async () => {
  const store = lmdbStore({ path: freshPath() });
  await store.write(run(0, 3, 8, 7));
  for (const read of [
    async () => valueOf(store, keyOf(1)),
    async () => store.read.now?.({ keys: [keyOf(1)], ranges: [] }).values[0],
    async () => (await entriesOf(store))[1]?.value,
  ]) {
    const value = (await read()) as Uint8Array;
    expect([...value]).toEqual([...filled(8, 7)]);
    value.fill(9);
  }
  await store.close();
});

test('batches that are written side by side take effect in their order', async () => {
  const path = freshPath();
  const store = lmdbStore({ path });
  const batches = Array.from({ length: 20 }, (_, i) => run(i, i === 10 ? 1500 : 40, 900, i));
  await Promise.all(batches.map((batch) => store.write(batch)));
  const plain = memoryStore();
  for (const batch of batches) await plain.write(batch);
  expect(await textsOf(store)).toEqual(await textsOf(plain));
  await store.close();
});

/** Changes a store behind its back. */
async function edit(path: string, work: (log: import('lmdb').Database) => void): Promise<void> {
  const root = open({ path, noSubdir: false });
  const log = root.openDB('log', binary);
  root.transactionSync(() => work(log));
  await root.close();
}

test('a log that has lost a part is damaged', async () => {
  const path = freshPath();
  const write = async () => {
    const store = lmdbStore({ path });
    await store.write(run(0, 10, 500, 1)).finally(() => store.close());
  };
  await write();
  const first = Uint8Array.of(0, 0, 0, 0, 0, 0);
  let chunk: Uint8Array = new Uint8Array(0);
  await edit(path, (log) => {
    chunk = Uint8Array.from(log.get(first as never));
    log.putSync(first as never, chunk.subarray(0, 700) as never);
  });
  const damaged = { name: 'TreeError', code: 'DAMAGED' };
  const reader = lmdbStore({ path, readOnly: true });
  await expect(entriesOf(reader)).rejects.toMatchObject(damaged);
  await reader.close();
  await edit(path, (log) => void log.removeSync(first as never));
  await expect(write()).rejects.toMatchObject(damaged);
  await edit(path, (log) => void log.putSync(first as never, chunk as never));
  await write();
});

test('a log whose head is lost, or names other chunks than there are, is damaged', async () => {
  const path = freshPath();
  const read = async () => {
    const store = lmdbStore({ path, readOnly: true });
    return entriesOf(store).finally(() => store.close());
  };
  const store = lmdbStore({ path });
  for (const first of [0, 5, 10]) await store.write(run(first, 5, 100, 1));
  await store.close();
  expect(await read()).toHaveLength(15);
  const key = Uint8Array.of(0xff) as never;
  const headOf = (first: number, end: number) =>
    Uint8Array.of(0, 0, 0, 0, 0, first, 0, 0, 0, 0, 0, end) as never;
  for (const head of [undefined, headOf(3, 0), headOf(1, 3), headOf(0, 2), headOf(3, 3)]) {
    await edit(path, (log) => void (head ? log.putSync(key, head) : log.removeSync(key)));
    await expect(read()).rejects.toMatchObject({ name: 'TreeError', code: 'DAMAGED' });
  }
  await edit(path, (log) => void log.putSync(key, headOf(0, 3)));
  expect(await read()).toHaveLength(15);
});

test('records come out of chunks as they went in', () => {
  const puts = [run(0, 3, 0, 1), run(9, 5, 1999, 2)].flatMap((batch) => [...batch.puts]);
  const chunks = toChunks(puts, [keyOf(7)]) as Uint8Array[];
  expect(chunks.map(({ length }) => length)).toEqual([4072, 4072, 1896]);
  const records = [...recordsIn(Buffer.concat(chunks))];
  expect(records.map(({ key }) => [...key])).toEqual(
    [...puts.map(({ key }) => key), keyOf(7)].map((key) => [...key]),
  );
  expect(records.map(({ value }) => value?.length)).toEqual([
    0,
    0,
    0,
    ...Array(5).fill(1999),
    undefined,
  ]);
  expect(toChunks(run(0, 1100, 1000, 1).puts, [])).toBeUndefined();
});

test('a store of the release before has no log: it gets one, and readers that were there go on', async () => {
  const path = freshPath();
  cpSync('test/fixtures/store-v3', path, { recursive: true });
  // In another process: within one, LMDB has the files open once, and cannot add to what is read.
  const reader = startChild('read', path);
  await reader.next('open');
  const seen = () => {
    reader.process.stdin.write('\n');
    return reader.next('newest');
  };
  const root = '0x4ba2a2742b2b787a6152d8484b9454417584b8b31e368f534c4694075cd47983';
  expect(await seen()).toBe(`newest 4 ${root}`);
  const tree = await openStateTree({ store: lmdbStore({ path }), keepFinal: 8 });
  expect(await seen()).toBe(`newest 4 ${root}`);
  const address = `0x${'00'.repeat(19)}15` as const;
  const account = { nonce: 9, balance: 9n };
  const { stateRoot } = await tree.applyBlock({
    number: 5,
    changes: [{ address, account }],
    finalBlock: 4,
  });
  expect(await seen()).toBe(`newest 5 ${stateRoot}`);
  expect(await tree.read(address)).toMatchObject({ account: { nonce: 9n, balance: 9n } });
  expect(await tree.read(address, [], 4)).toMatchObject({ account: { nonce: 4n, balance: 4n } });
  await tree.close();
  reader.process.stdin.end();
  expect(await reader.end).toMatchObject({ code: 0, stderr: '' });
  expect((await keysIn(path)).log).toBeGreaterThan(1);
});
