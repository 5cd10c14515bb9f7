/** One moment of an index: what it holds, and how long others wait for it. */
import { expect, test } from 'vitest';
import { Changes } from '../../../../src/indexer/layout/changes.js';
import { allRecords, blockBytes } from '../../../../src/indexer/layout/layout.js';
import { openSizedIndex } from '../../../../src/indexer/openIndex.js';
import { atMoment } from '../../../../src/indexer/sealed/moment.js';
import { sealed } from '../../../../src/indexer/sealed/sealedStore.js';
import { readRecords } from '../../../../src/indexer/segments/readRecords.js';
import { defaultSizes } from '../../../../src/indexer/segments/sizes.js';
import { memoryStore, type Store } from '../../../../src/tree/index.js';
import { turnsDuring } from '../../../support/turnsDuring.js';

async function newStore(): Promise<Store> {
  const store = memoryStore();
  await openSizedIndex({ store, chainId: 1 }, defaultSizes);
  return store;
}

test('however many lists an answer takes, others have their turn', async () => {
  const store = await newStore();
  const turns = await turnsDuring(() =>
    atMoment(store, async (moment) => {
      for (let i = 0; i < 80; i++) await readRecords(moment, allRecords, () => true);
    }),
  );
  expect(turns).toBeGreaterThanOrEqual(9);
});

test('others have their turn between the pages of a long list', async () => {
  const store = sealed(memoryStore());
  const sizes = { loose: 1, page: 60, fanIn: 4, step: 100 };
  const index = await openSizedIndex({ store, chainId: 1 }, sizes);
  const changes = new Changes();
  for (let id = 0; id < 80; id++) {
    changes.key('token').part(blockBytes(id)).part(new Uint8Array(40)).put(blockBytes(0));
  }
  const mark = { hash: `0x${'11'.repeat(32)}` as const, time: 7 };
  await index.apply({ to: 0, mark, changes, isFinal: true });
  let count = 0;
  const turns = await turnsDuring(() =>
    atMoment(store, (moment) => readRecords(moment, allRecords, () => ++count > 0)),
  );
  expect(count).toBe(80);
  expect(turns).toBeGreaterThanOrEqual(9);
});

test('ends with the work, also with one that fails', async () => {
  const inner = await newStore();
  let open = 0;
  const counted: Store = {
    ...inner,
    async snapshot() {
      const { read, release } = await inner.snapshot();
      open++;
      return {
        read,
        release() {
          open--;
          return release();
        },
      };
    },
  };
  const store = sealed(counted);
  expect(await atMoment(store, async ({ head }) => [head.newest, open])).toEqual([-1, 1]);
  expect(open).toBe(0);
  const failed = new Error('the work failed');
  await expect(atMoment(store, () => Promise.reject(failed))).rejects.toBe(failed);
  expect(open).toBe(0);
});
