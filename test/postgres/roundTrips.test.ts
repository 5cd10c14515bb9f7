/** Round trips to the server: few for each proof and each block, however many keys they have. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../src/index.js';
import { postgresStore } from '../../src/postgres/index.js';
import {
  type AccountChange,
  openStateTree,
  type StateTree,
  type Store,
} from '../../src/tree/index.js';
import { digits } from '../support/reference.js';
import { patience } from '../support/runs.js';
import { openWire, type Wire } from './proxy.js';
import { bytes, newSchema, url } from './schemas.js';

const word = (value: number): Hex => `0x${digits(BigInt(value))}`;
const addressOf = (value: number): Hex => `0x${digits(BigInt(value), 20)}`;
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
const plain = (value: number, nonce = 1): AccountChange => ({
  address: addressOf(value),
  account: { nonce, balance: value },
});
const withSlots = (keys: readonly number[], slot: number): AccountChange => ({
  ...plain(1),
  storage: keys.map((key) => ({ key: word(key), value: word(slot) })),
});

let wire: Wire;
let store: Store;
let tree: StateTree;
beforeAll(async () => {
  wire = await openWire(url, { delay: 20 });
  store = await postgresStore({ connectionString: wire.url, schema: newSchema() });
  tree = await openStateTree({ store, keepFinal: 2 });
  await tree.applyBlock({
    number: 1,
    changes: [...numbers(2, 300).map((value) => plain(value)), withSlots(numbers(0, 300), 5)],
  });
  await tree.finalize(1);
  await tree.applyBlock({ number: 2, changes: [withSlots(numbers(250, 60), 6)] });
}, patience);
afterAll(async () => {
  await tree.close();
  await wire.close();
});

/** Round trips of some work. */
async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  wire.trips = 0;
  await work();
  return wire.trips;
}

test('the wire counts what waits for an answer', async () => {
  expect(await tripsOf(() => store.read({ keys: [bytes(1)], ranges: [] }))).toBe(1);
  const twice = async () => {
    await store.read({ keys: [bytes(1)], ranges: [] });
    await store.read({ keys: [bytes(1)], ranges: [] });
  };
  expect(await tripsOf(twice)).toBe(2);
  const batch = { puts: [{ key: bytes(255, 1), value: bytes(2) }], deletes: [] };
  expect(await tripsOf(() => store.write(batch))).toBe(1);
  await store.write({ puts: [], deletes: [bytes(255, 1)] });
});

test.each([
  ['an account', addressOf(7)],
  ['a contract', addressOf(1)],
  ['nobody', addressOf(5000)],
])('a proof of %s takes at most four, with any number of slots', async (_, address) => {
  for (const block of [undefined, 2, 1]) {
    for (const count of [0, 1, 100]) {
      const keys = numbers(200, count).map((key) => word(3 * key));
      const trips = await tripsOf(() => tree.getProof(address, keys, block));
      expect(trips, `${count} slots at block ${block}`).toBeLessThanOrEqual(4);
    }
  }
});

let number = 2;

/** Blocks of each size: new accounts, other values of old ones, slots. */
function* blocks(): Generator<{ number: number; changes: AccountChange[] }> {
  for (const size of [1, 10, 100, 1000]) {
    for (const changesAt of [
      (block: number) => numbers(10_000 * block, size).map((value) => plain(value)),
      (block: number) => numbers(2, size).map((value) => plain(value, block)),
      (block: number) => [withSlots(numbers(0, size), block)],
    ]) {
      number++;
      yield { number, changes: changesAt(number) };
    }
  }
}

test(
  'a block takes at most eight whatever its size, named final included',
  async () => {
    for (const block of blocks()) {
      const apply = async () => {
        await tree.applyBlock(block);
        await tree.finalize(block.number);
      };
      const trips = await tripsOf(apply);
      expect(trips, `${block.changes.length} changes`).toBeLessThanOrEqual(8);
    }
  },
  patience,
);

test(
  'also if it is named final as it is applied, and blocks that are not final go with it',
  async () => {
    for (const block of blocks()) {
      const trips = await tripsOf(() => tree.applyBlock(block));
      expect(trips, `${block.changes.length} changes`).toBeLessThanOrEqual(5);
      number++;
      const final = { ...block, number, finalBlock: number };
      expect(await tripsOf(() => tree.applyBlock(final))).toBeLessThanOrEqual(8);
    }
  },
  patience,
);

test('a batch takes one, whatever its size', async () => {
  const puts = numbers(0, 30_000).map((i) => ({
    key: bytes(254, i >> 8, i & 255),
    value: new Uint8Array(300).fill(i),
  }));
  // Several statements.
  wire.statements = 0;
  expect(await tripsOf(() => store.write({ puts, deletes: [] }))).toBe(1);
  expect(wire.statements).toBeGreaterThan(6);
  expect(await tripsOf(() => store.write({ puts: [], deletes: puts.map(({ key }) => key) }))).toBe(
    1,
  );
});
