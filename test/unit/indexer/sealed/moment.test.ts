/** One moment of an index: what it holds, and how long others wait for it. */
import { expect, test } from 'vitest';
import { allRecords } from '../../../../src/indexer/layout/layout.js';
import { openSizedIndex } from '../../../../src/indexer/openIndex.js';
import { atMoment } from '../../../../src/indexer/sealed/moment.js';
import { sealed } from '../../../../src/indexer/sealed/sealedStore.js';
import { readRecords } from '../../../../src/indexer/segments/readRecords.js';
import { defaultSizes } from '../../../../src/indexer/segments/sizes.js';
import { memoryStore, type Store } from '../../../../src/tree/index.js';

async function newStore(): Promise<Store> {
  const store = memoryStore();
  await openSizedIndex({ store, chainId: 1 }, defaultSizes);
  return store;
}

test('however many lists an answer takes, others have their turn', async () => {
  const store = await newStore();
  let turns = 0;
  let isDone = false;
  const tick = () => {
    turns++;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  await atMoment(store, async (moment) => {
    for (let i = 0; i < 80; i++) await readRecords(moment, allRecords, () => true);
  });
  isDone = true;
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
