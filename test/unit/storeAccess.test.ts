/** A tree whose writer another one has followed says so, whatever it finds in the store. */
import { expect, test } from 'vitest';
import { memoryStore, openStateTree, type Store, TreeError } from '../../src/tree/index.js';
import { changesOf } from '../support/blocks.js';
import { entriesOf } from '../support/stores.js';

/** Stores that share their entries: each takes the place of the writer before it. */
function sharedStore(): () => Store {
  const inner = memoryStore();
  let newest = 0;
  return () => {
    const number = ++newest;
    return {
      ...inner,
      async write(batch) {
        if (number !== newest) throw new TreeError('OTHER_WRITER', 'another one has come');
        await inner.write(batch);
      },
      async close() {},
    };
  };
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    ({ code }) => code,
  );

test('a refusal of what the next writer has written is OTHER_WRITER, and nothing is written', async () => {
  const open = sharedStore();
  const first = await openStateTree({ store: open(), keepFinal: 1 });
  await first.applyBlock({ number: 1, changes: changesOf(1) });
  expect(await refusal(first.applyBlock({ number: 1, changes: changesOf(1) }))).toBe('BLOCK_ORDER');

  const store = open();
  const second = await openStateTree({ store, keepFinal: 1 });
  for (const number of [2, 3]) {
    await second.applyBlock({ number, changes: changesOf(number) });
    await second.finalize(number);
  }
  const before = await entriesOf(store);
  const block = { number: 2, changes: changesOf(2) };
  expect(await refusal(first.applyBlock(block))).toBe('OTHER_WRITER');
  expect(await refusal(first.finalize(1))).toBe('OTHER_WRITER');
  expect(await refusal(first.revert(1))).toBe('OTHER_WRITER');
  const load = await first.openLoad();
  expect(await refusal(load.finish({ number: 9 }))).toBe('OTHER_WRITER');
  expect(await entriesOf(store)).toEqual(before);
  // What it asks for is refused as before to the writer at work.
  expect(await refusal(second.applyBlock(block))).toBe('BLOCK_ORDER');
  expect(await refusal(second.finalize(2))).toBe('BLOCK_MISSING');
});

test('a tree that may only read says why a block is refused', async () => {
  const store = memoryStore();
  const tree = await openStateTree({ store });
  await tree.applyBlock({ number: 1, changes: changesOf(1) });
  const write = () => Promise.reject(new TreeError('READ_ONLY', 'it is read only'));
  const reader = await openStateTree({ store: { ...store, write } });
  expect(await refusal(reader.applyBlock({ number: 1, changes: [] }))).toBe('BLOCK_ORDER');
  expect(await refusal(reader.applyBlock({ number: 2, changes: [] }))).toBe('READ_ONLY');
});

test('a store that fails is not asked again', async () => {
  const inner = memoryStore();
  let writes = 0;
  const store: Store = {
    ...inner,
    async write(batch) {
      writes++;
      if (writes > 1) throw new TreeError('STORE_FULL', 'there is no room');
      await inner.write(batch);
    },
  };
  const tree = await openStateTree({ store });
  const load = await tree.openLoad();
  expect(await refusal(load.finish({ number: 1 }))).toBe('STORE_FULL');
  // Its mark when it was opened, and the one write that failed.
  expect(writes).toBe(2);
});
