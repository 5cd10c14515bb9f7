/** What naming a block final reads: it does not grow with the blocks that are kept. */
import { expect, test } from 'vitest';
import { memoryStore, openStateTree, type Store } from '../../../../src/tree/index.js';
import { changesOf } from '../../../support/blocks.js';
import { counted, entriesOf } from '../../../support/stores.js';

async function finals(store: Store): Promise<number[]> {
  const entries = await entriesOf(store);
  return entries
    .filter(({ key }) => key[0] === 0x46)
    .map(({ key }) => Buffer.from(key).readUIntBE(1, 6));
}

/** Reads of one more block that is named final. */
async function readsOf(seen: { reads: number }, work: () => Promise<void>): Promise<number> {
  seen.reads = 0;
  await work();
  return seen.reads;
}

const change = (number: number) => ({
  number,
  changes: [{ address: `0x${'11'.repeat(20)}` as const, account: { nonce: number, balance: 1 } }],
});

test('the thousandth block takes as many reads as the tenth, below the bound and at it', async () => {
  const { store, seen } = counted(memoryStore());
  const reads: number[] = [];
  const tree = await openStateTree({ store, keepFinal: 500 });
  for (let number = 1; number <= 1000; number++) {
    await tree.applyBlock(change(number));
    reads[number] = await readsOf(seen, () => tree.finalize(number));
  }
  expect(reads[400]).toBe(reads[10]);
  expect(reads[1000]).toBe(reads[510]);
  expect(reads[1000]).toBeLessThan(20);
  expect(await finals(store)).toEqual(Array.from({ length: 500 }, (_, i) => 501 + i));
});

test('a store of an earlier release, which has no counts, is counted once', async () => {
  const { store, seen } = counted(memoryStore());
  const tree = await openStateTree({ store, keepFinal: 300 });
  for (let number = 1; number <= 300; number++) {
    await tree.applyBlock(change(number));
    await tree.finalize(number);
  }
  const entries = await entriesOf(store);
  const puts = entries
    .filter(({ key }) => key[0] === 0x46)
    .map(({ key }) => ({ key, value: new Uint8Array(0) }));
  await store.write({ puts, deletes: [] });
  await tree.applyBlock(change(301));
  expect(await readsOf(seen, () => tree.finalize(301))).toBeGreaterThan(300);
  expect(await finals(store)).toEqual(Array.from({ length: 300 }, (_, i) => 2 + i));
  await tree.applyBlock(change(302));
  expect(await readsOf(seen, () => tree.finalize(302))).toBeLessThan(20);
  expect(await finals(store)).toEqual(Array.from({ length: 300 }, (_, i) => 3 + i));
});

test('fewer or more final blocks than before are kept as soon as the next one is named', async () => {
  const store = memoryStore();
  let number = 0;
  for (const [keepFinal, count, kept] of [
    [10, 12, 10],
    [3, 1, 3],
    [5, 1, 4],
    [5, 4, 5],
    [1, 1, 1],
  ] as const) {
    const tree = await openStateTree({ store, keepFinal });
    for (let i = 0; i < count; i++) {
      number++;
      await tree.applyBlock({ number, changes: changesOf(number) });
      await tree.finalize(number);
    }
    expect(await finals(store)).toEqual(
      Array.from({ length: kept }, (_, i) => number - kept + 1 + i),
    );
    for (const block of await finals(store))
      await tree.getProof(`0x${'00'.repeat(19)}01`, [], block);
  }
});
