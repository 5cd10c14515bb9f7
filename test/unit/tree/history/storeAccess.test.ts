/**
 * A tree whose writer another one has followed says so, whatever it finds in the store; and what
 * many answers need is read once.
 */
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/index.js';
import {
  memoryStore,
  openStateTree,
  type Read,
  type Store,
  TreeError,
} from '../../../../src/tree/index.js';
import { allDiffs } from '../../../../src/tree/layout/layout.js';
import { changesOf } from '../../../support/blocks.js';
import { entriesOf } from '../../../support/stores.js';

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

test('trees on one store write in turns, and none undoes what the other has written', async () => {
  const store = memoryStore();
  const [first, second] = [await openStateTree({ store }), await openStateTree({ store })];
  const alone = await openStateTree();
  for (const tree of [first, alone]) await tree.applyBlock({ number: 1, changes: changesOf(1) });
  const answers = [
    refusal(first.applyBlock({ number: 2, changes: changesOf(2) })),
    refusal(second.applyBlock({ number: 2, changes: changesOf(3) })),
  ];
  expect(await Promise.all(answers)).toEqual(['none', 'BLOCK_ORDER']);
  // The one that was refused builds on what the other has written, and answers for blocks before it.
  await second.applyBlock({ number: 3, changes: changesOf(3) });
  await first.applyBlock({ number: 4, changes: changesOf(4) });
  for (const number of [2, 3, 4]) await alone.applyBlock({ number, changes: changesOf(number) });
  for (const { address } of [1, 2, 3, 4].flatMap(changesOf)) {
    for (const block of [1, 2, 3, 4]) {
      const expected = await alone.getProof(address, [], block);
      expect(await first.getProof(address, [], block)).toEqual(expected);
      expect(await second.getProof(address, [], block)).toEqual(expected);
    }
  }
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

describe('many that ask for an older block at once', () => {
  const address: Hex = `0x${'11'.repeat(20)}`;
  const blockOf = (number: number) => ({
    number,
    changes: [{ address, account: { nonce: number, balance: 1 } }],
  });

  /** A store at hand whose answers come later, with the steps that were read. */
  async function opened() {
    const inner = memoryStore();
    const writer = await openStateTree({ store: inner });
    for (const number of [1, 2, 3]) await writer.applyBlock(blockOf(number));
    const seen = { steps: 0, fails: false };
    const later =
      (read: Read): Read =>
      async (request, pause) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (request.ranges.some(({ from }) => from[0] === allDiffs[0])) {
          seen.steps++;
          if (seen.fails) throw new TreeError('STORE_FAILED', 'the disk is gone');
        }
        return read(request, pause);
      };
    const store: Store = {
      ...inner,
      read: later(inner.read),
      async snapshot() {
        const snapshot = await inner.snapshot();
        return { ...snapshot, read: later(snapshot.read) };
      },
    };
    return { writer, reader: await openStateTree({ store }), seen };
  }

  const many = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: 20 }, work));

  test('wait for one reading of what changed since', async () => {
    const { writer, reader, seen } = await opened();
    const expected = await writer.getProof(address, [], 1);
    for (const answer of await many(() => reader.getProof(address, [], 1))) {
      expect(answer).toEqual(expected);
    }
    expect(seen.steps).toBe(1);
    expect(await reader.read(address, [], 2)).toEqual(await writer.read(address, [], 2));
    expect(seen.steps).toBe(1);
  });

  test('are each told what is wrong', async () => {
    const { reader, seen } = await opened();
    seen.fails = true;
    expect(new Set(await many(() => refusal(reader.getProof(address, [], 1))))).toEqual(
      new Set(['STORE_FAILED']),
    );
    expect(await refusal(reader.getProof(address, [], 9))).toBe('BLOCK_MISSING');
    seen.fails = false;
    await reader.getProof(address, [], 1);
  });

  test('are answered before the store ends', async () => {
    const { reader } = await opened();
    const answers = many(() => reader.getProof(address, [], 1));
    const closing = reader.close();
    expect(await refusal(reader.getProof(address, [], 1))).toBe('CLOSED');
    expect(await answers).toHaveLength(20);
    await closing;
  });
});
