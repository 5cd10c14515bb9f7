/** What is read once for all answers at one version of a store: never that of another one, and no more than a bound. */
import { expect, test } from 'vitest';
import { Changes } from '../../../../src/indexer/layout/changes.js';
import { blockBytes, within } from '../../../../src/indexer/layout/layout.js';
import { openSizedIndex } from '../../../../src/indexer/openIndex.js';
import { atMoment } from '../../../../src/indexer/sealed/moment.js';
import { sealed } from '../../../../src/indexer/sealed/sealedStore.js';
import { VersionReads } from '../../../../src/indexer/sealed/versionReads.js';
import { readRecords } from '../../../../src/indexer/segments/readRecords.js';
import { defaultSizes } from '../../../../src/indexer/segments/sizes.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { memoryStore, type Store } from '../../../../src/tree/index.js';
import { newFolder } from '../../../support/folder.js';
import { far } from '../../../support/stores.js';

const mark = { hash: `0x${'11'.repeat(32)}` as const, time: 7 };
const wallet = new Uint8Array(20).fill(7);

function ids(...values: readonly number[]): Changes {
  const changes = new Changes();
  for (const id of values) {
    changes.key('token').part(wallet).byte(2).part(blockBytes(id)).put(blockBytes(0));
  }
  return changes;
}

async function idsIn(store: Store, bounds = within('token', wallet)): Promise<number[]> {
  const found: number[] = [];
  const visit = ({ key }: { key: Uint8Array }) => found.push(key.at(-1) as number) > 0;
  await atMoment(store, (moment) => readRecords(moment, bounds, visit));
  return found;
}

/** Stores whose snapshots name a version, and one whose snapshots do not. */
const stores: [string, () => Store][] = [
  ['in memory', memoryStore],
  ['in LMDB', () => lmdbStore({ path: newFolder() })],
  ['that names no version', () => withoutVersion(memoryStore())],
];

function withoutVersion(inner: Store): Store {
  return {
    ...far(inner),
    async snapshot() {
      const { read, release } = await inner.snapshot();
      return { read, release };
    },
  };
}

test.each(stores)(
  'an index %s shows what was written last, also in the place of a block',
  async (_, open) => {
    const store = sealed(open());
    const index = await openSizedIndex({ store, chainId: 1 }, defaultSizes);
    expect(await idsIn(store)).toEqual([]);
    const apply = (block: number, changes: Changes) =>
      index.apply({ to: block, mark, changes, isFinal: false });
    await apply(0, ids(1, 2));
    expect(await idsIn(store)).toEqual([1, 2]);
    await apply(1, ids(3));
    expect(await idsIn(store)).toEqual([1, 2, 3]);
    // The same number of blocks, by another one.
    await index.revert(0);
    await apply(1, ids(4));
    expect(await idsIn(store)).toEqual([1, 2, 4]);
    expect(await atMoment(store, async ({ head }) => head.newest)).toBe(1);
    await index.revert(0);
    expect(await atMoment(store, async ({ head }) => head.newest)).toBe(0);
    await index.close();
  },
);

test('a moment that began before a write, and one behind it, each read their own', async () => {
  const store = sealed(memoryStore());
  const index = await openSizedIndex({ store, chainId: 1 }, defaultSizes);
  await index.apply({ to: 0, mark, changes: ids(1), isFinal: false });
  const found: number[][] = [];
  await atMoment(store, async (moment) => {
    await index.apply({ to: 1, mark, changes: ids(2), isFinal: false });
    found.push(await idsIn(store));
    const own: number[] = [];
    const visit = ({ key }: { key: Uint8Array }) => own.push(key.at(-1) as number) > 0;
    await readRecords(moment, within('token', wallet), visit);
    found.push(own, await idsIn(store));
  });
  expect(found).toEqual([[1, 2], [1], [1, 2]]);
});

test('what was read at a version is not read again', async () => {
  const inner = memoryStore();
  let asked = 0;
  const store = sealed({
    ...inner,
    async snapshot() {
      const snapshot = await inner.snapshot();
      const read: Store['read'] = (...given) => {
        asked++;
        return snapshot.read(...given);
      };
      return { version: snapshot.version, read, release: () => snapshot.release() };
    },
  });
  const index = await openSizedIndex({ store, chainId: 1 }, defaultSizes);
  const countOf = async () => {
    asked = 0;
    await idsIn(store);
    return asked;
  };
  for (const block of [0, 1, 2]) {
    await index.apply({ to: block, mark, changes: ids(block), isFinal: false });
    // Its head; the loose records and their sums.
    expect(await countOf()).toBe(2);
    expect(await countOf()).toBe(0);
  }
  await index.close();
});

test('no more is held than a bound', async () => {
  const store = sealed(memoryStore());
  const index = await openSizedIndex({ store, chainId: 1 }, defaultSizes);
  const changes = new Changes();
  for (let id = 0; id < 20_000; id++) {
    changes.key('token').part(wallet).byte(2).part(blockBytes(id)).put(blockBytes(0));
  }
  await index.apply({ to: 0, mark, changes, isFinal: false });
  const snapshot = await store.snapshot();
  let asked = 0;
  const reader = {
    read: (...given: Parameters<typeof snapshot.read>) => {
      asked++;
      return snapshot.read(...given);
    },
  };
  const reads = new VersionReads(1);
  const countOf = async (work: () => Promise<unknown>) => {
    asked = 0;
    await work();
    return asked;
  };
  // More than may be held: read each time.
  const many = () => reads.counted(reader, within('token', wallet));
  expect(await many()).toHaveLength(20_000);
  expect(await countOf(many)).toBeGreaterThan(1);
  const group = (i: number) => reads.counted(reader, within('token', blockBytes(2 ** 32 * i)));
  await group(1);
  expect(await countOf(() => group(1))).toBe(0);
  // One of them is the wallet's, and is not held.
  for (let i = 2; i < 3 + 16_384; i++) await group(i);
  expect(await countOf(() => group(1))).toBe(1);
  await index.close();
});
