/** How many calls of a store a proof and a block take: as many as they follow from one another, however large they are. */
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/index.js';
import {
  type AccountChange,
  memoryStore,
  openStateTree,
  type StateTree,
  type Store,
} from '../../../src/tree/index.js';
import { orderKey } from '../../../src/tree/layout/layout.js';
import { digits } from '../../support/reference.js';
import { patience } from '../../support/runs.js';
import { counted, entriesOf, far, type Seen } from '../../support/stores.js';

const word = (value: number): Hex => `0x${digits(BigInt(value))}`;
const addressOf = (value: number): Hex => `0x${digits(BigInt(value), 20)}`;
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

const contract = addressOf(1);
const plain = (value: number, nonce = 1): AccountChange => ({
  address: addressOf(value),
  account: { nonce, balance: value },
});
const withSlots = (value: number, keys: readonly number[], slot: number): AccountChange => ({
  ...plain(value),
  storage: keys.map((key) => ({ key: word(key), value: word(slot) })),
});

/** Calls that some work takes. */
async function callsOf(seen: Seen, work: () => Promise<unknown>): Promise<number> {
  seen.calls = 0;
  await work();
  return seen.calls;
}

/** Blocks after which every entry of the older ones has been changed, and some leaves have come and others gone. */
async function grown(inner: Store): Promise<{ tree: StateTree; seen: Seen }> {
  const { store, seen } = counted(inner);
  const tree = await openStateTree({ store });
  const accounts = numbers(2, 200).map((value) => plain(value));
  await tree.applyBlock({ number: 1, changes: [...accounts, withSlots(1, numbers(0, 300), 5)] });
  await tree.applyBlock({ number: 2, changes: [withSlots(1, numbers(300, 20), 5)] });
  const later = accounts.map((account, i) =>
    i % 10 === 0
      ? { ...account, account: null }
      : { ...account, account: { nonce: 2, balance: 2 } },
  );
  await tree.applyBlock({ number: 3, changes: [...later, withSlots(1, numbers(0, 320), 6)] });
  await tree.applyBlock({ number: 4, changes: [withSlots(1, numbers(100, 5), 0), plain(900)] });
  return { tree, seen };
}

describe('a proof', () => {
  const slotsAsked = [0, 1, 10, 100];
  /** Slots that are there, that are not, and that came or went since. */
  const kinds: [string, (count: number) => Hex[]][] = [
    ['present', (count) => numbers(0, count).map(word)],
    ['absent', (count) => numbers(5000, count).map(word)],
    ['mixed', (count) => numbers(100 - count / 2, count).map((key) => word(Math.floor(3.3 * key)))],
  ];
  const addresses: [string, Hex][] = [
    ['of a contract', contract],
    ['of an absent account', addressOf(5000)],
    ['of an account that went', addressOf(2)],
  ];

  test.each(addresses)(
    '%s takes a snapshot and at most three reads of a store over a network',
    async (_, address) => {
      const { tree, seen } = await grown(far(memoryStore()));
      for (const block of [undefined, 4, 3, 2, 1]) {
        for (const [kind, keysOf] of kinds) {
          for (const count of slotsAsked) {
            const calls = await callsOf(seen, () => tree.getProof(address, keysOf(count), block));
            expect(calls, `${count} ${kind} slots at block ${block}`).toBeLessThanOrEqual(4);
          }
        }
      }
      expect(seen.held).toBe(0);
    },
    patience,
  );

  test.each(addresses)(
    '%s takes a bounded number of calls of a local store',
    async (_, address) => {
      const { tree, seen } = await grown(memoryStore());
      for (const block of [undefined, 4, 3, 2, 1]) {
        for (const [kind, keysOf] of kinds) {
          const calls: number[] = [];
          for (const count of slotsAsked) {
            calls.push(await callsOf(seen, () => tree.getProof(address, keysOf(count), block)));
          }
          const most = block === undefined || block === 4 ? 6 : 10;
          expect(Math.max(...calls), `${kind} slots at block ${block}`).toBeLessThanOrEqual(most);
        }
      }
    },
    patience,
  );

  test('of a local store looks beside absent slots no further than now if no key came or went since', async () => {
    const { store, seen } = counted(memoryStore());
    const tree = await openStateTree({ store });
    await tree.applyBlock({ number: 1, changes: [withSlots(1, numbers(0, 300), 5)] });
    await tree.applyBlock({ number: 2, changes: [withSlots(1, numbers(0, 300), 6)] });
    const asked = numbers(5000, 100).map(word);
    const [kind] = orderKey(0, new Uint8Array(0));
    /** Entries that are asked for beside slots at a block, range by range. */
    async function limitsAt(block: number): Promise<number[]> {
      seen.ranges = [];
      await tree.getProof(contract, asked, block);
      return seen.ranges.filter(({ from }) => from[0] === kind).map(({ limit }) => limit);
    }
    // One entry before each slot, and one behind.
    const now = new Array(200).fill(1);
    expect(await limitsAt(2)).toEqual(now);
    expect(await limitsAt(1)).toEqual(now);
    await tree.applyBlock({ number: 3, changes: [withSlots(1, [400], 6)] });
    expect(Math.max(...(await limitsAt(1)))).toBeGreaterThan(1);
  });

  test('is the same from both', async () => {
    const [near, distant] = [await grown(memoryStore()), await grown(far(memoryStore()))];
    for (const block of [undefined, 4, 3, 2, 1]) {
      for (const [, keysOf] of kinds) {
        for (const [, address] of addresses) {
          const proof = await near.tree.getProof(address, keysOf(100), block);
          expect(await distant.tree.getProof(address, keysOf(100), block)).toEqual(proof);
        }
      }
    }
  }, 60_000);

  test('takes no more once another process has applied a block', async () => {
    const shared = far(memoryStore());
    const { tree: writer } = await grown(shared);
    const { store, seen } = counted(shared);
    const reader = await openStateTree({ store });
    const keys = numbers(0, 10).map(word);
    const before = await reader.getProof(contract, keys, 1);
    await writer.applyBlock({ number: 5, changes: [plain(901)] });
    const again = async () => expect(await reader.getProof(contract, keys, 1)).toEqual(before);
    expect(await callsOf(seen, again)).toBeLessThanOrEqual(4);
  });

  test('without paths takes no more', async () => {
    const { tree, seen } = await grown(far(memoryStore()));
    for (const block of [undefined, 4, 1]) {
      for (const count of [0, 1, 100, 1000]) {
        const read = () => tree.read(contract, numbers(0, count).map(word), block);
        expect(await callsOf(seen, read)).toBeLessThanOrEqual(4);
      }
    }
  });
});

describe('a block', () => {
  const sizes = [1, 100, 1000];
  const blocks: [string, (size: number) => AccountChange[]][] = [
    ['of new accounts', (size) => numbers(10_000, size).map((value) => plain(value))],
    ['of accounts that change', (size) => numbers(2, size).map((value) => plain(value, 7))],
    [
      'of accounts that go',
      (size) => numbers(2, size).map((value) => ({ ...plain(value), account: null })),
    ],
    ['of new slots', (size) => [withSlots(1, numbers(10_000, size), 5)]],
    ['of slots that change', (size) => [withSlots(1, numbers(0, size), 9)]],
    ['of slots that go', (size) => [withSlots(1, numbers(0, size), 0)]],
    [
      'of contracts, old, new and created again',
      (size) =>
        numbers(1, size).map((value) => ({
          ...withSlots(value, [1, 2, 3], value),
          recreated: value % 3 === 0,
        })),
    ],
  ];

  test.each(blocks)(
    '%s takes five calls of a store over a network, and three more when it is named final',
    async (_, changesOf) => {
      for (const size of sizes) {
        for (const [inner, most] of [
          [far(memoryStore()), 5],
          [memoryStore(), 7],
        ] as const) {
          const { store, seen } = counted(inner);
          const tree = await openStateTree({ store, keepFinal: 2 });
          const accounts = numbers(2, 1000).map((value) => plain(value));
          const first = [...accounts, withSlots(1, numbers(0, 1000), 5)];
          expect(
            await callsOf(seen, () => tree.applyBlock({ number: 1, changes: first })),
          ).toBeLessThanOrEqual(most);
          for (const number of [1, 2, 3]) {
            if (number > 1) await tree.applyBlock({ number, changes: [] });
            await tree.finalize(number);
          }
          const apply = () => tree.applyBlock({ number: 4, changes: changesOf(size) });
          const hash: Hex = `0x${'ab'.repeat(32)}`;
          expect(await callsOf(seen, apply), `${size}`).toBeLessThanOrEqual(most);
          const next = { number: 5, changes: changesOf(size), hash, headerRoot: hash };
          expect(await callsOf(seen, () => tree.applyBlock(next))).toBeLessThanOrEqual(most);
          // With the oldest final block a block goes whose accounts nobody destroyed.
          expect(await callsOf(seen, () => tree.finalize(4)), `${size}`).toBeLessThanOrEqual(3);
        }
      }
    },
    patience,
  );

  test('that becomes final as it is applied takes one write, and leaves what two calls leave', async () => {
    for (const keepFinal of [1, 2, 5]) {
      const [one, two] = [counted(far(memoryStore())), counted(far(memoryStore()))];
      const [joint, apart] = await Promise.all(
        [one, two].map(({ store }) => openStateTree({ store, keepFinal })),
      );
      if (!joint || !apart) throw new Error('no trees');
      for (let number = 1; number <= 12; number++) {
        // Sometimes blocks lie between two that are final, and sometimes an earlier one becomes so.
        const finalBlock = [number, number, undefined, undefined, number - 1][number % 5];
        const changes = [
          withSlots(number % 3, numbers(number, 5), number),
          { ...plain((number + 1) % 3), account: null },
        ];
        const block = { number, changes };
        const apply = () => joint.applyBlock({ ...block, ...(finalBlock && { finalBlock }) });
        // One more for what is joined if blocks lie between.
        expect(await callsOf(one.seen, apply)).toBeLessThanOrEqual(finalBlock ? 8 : 5);
        await apart.applyBlock(block);
        if (finalBlock !== undefined) await apart.finalize(finalBlock);
        expect(await entriesOf(one.store)).toEqual(await entriesOf(two.store));
      }
    }
  });

  test('that would make a block final which is not held leaves nothing', async () => {
    const store = memoryStore();
    const tree = await openStateTree({ store });
    await tree.applyBlock({ number: 1, changes: [plain(1)] });
    const before = await entriesOf(store);
    for (const finalBlock of [0, 3]) {
      const applied = tree.applyBlock({ number: 2, changes: [plain(2)], finalBlock });
      await expect(applied).rejects.toMatchObject({ code: 'BLOCK_MISSING' });
    }
    expect(await entriesOf(store)).toEqual(before);
  });

  test('is taken back in three calls, with others', async () => {
    const { store, seen } = counted(memoryStore());
    const tree = await openStateTree({ store });
    for (let number = 1; number <= 30; number++) {
      await tree.applyBlock({ number, changes: numbers(number, 100).map((value) => plain(value)) });
    }
    expect(await callsOf(seen, () => tree.revert(2))).toBeLessThanOrEqual(3);
    expect(await tree.newestBlock()).toBe(2);
  });

  test('that is named final takes more only for the entries of destroyed storage, in pages', async () => {
    const { store, seen } = counted(memoryStore());
    const tree = await openStateTree({ store, keepFinal: 1 });
    await tree.applyBlock({ number: 1, changes: [withSlots(1, numbers(0, 2000), 5)] });
    await tree.finalize(1);
    await tree.applyBlock({ number: 2, changes: [{ ...plain(1), account: null }] });
    const before = seen.reads;
    const calls = await callsOf(seen, () => tree.finalize(2));
    // Leaves, order and packs of nodes, side by side, 512 entries a page.
    expect(calls).toBeLessThanOrEqual(3 + Math.ceil(2002 / 512) + 1);
    expect(seen.reads - before).toBeGreaterThan(2 * 2000);
  });
});

describe('a store over a network', () => {
  test('may release a snapshot later: no answer waits for it, but the end does', async () => {
    const events: string[] = [];
    let release: () => void = () => {};
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      async snapshot() {
        const snapshot = await inner.snapshot();
        return {
          ...snapshot,
          async release() {
            await new Promise<void>((done) => {
              release = done;
            });
            events.push('released');
            throw new Error('the connection is gone');
          },
        };
      },
      async close() {
        events.push('closed');
        await inner.close();
      },
    };
    const tree = await openStateTree({ store });
    await tree.applyBlock({ number: 1, changes: [plain(1)] });
    await tree.getProof(addressOf(1));
    events.push('answered');
    const closing = tree.close();
    await new Promise((done) => setTimeout(done, 10));
    expect(events).toEqual(['answered']);
    release();
    await closing;
    expect(events).toEqual(['answered', 'released', 'closed']);
  });

  test.each([
    ['a value too few', { values: [], ranges: [[]] }],
    ['a range too few', { values: [undefined], ranges: [] }],
  ])('that answers with %s has failed', async (_, answer) => {
    const inner = memoryStore();
    const store: Store = { ...inner, read: async () => answer };
    await expect(openStateTree({ store })).rejects.toMatchObject({ code: 'STORE_FAILED' });
  });
});
