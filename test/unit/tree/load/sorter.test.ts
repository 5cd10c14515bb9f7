/** Sorting of more records than fit memory: against the engine's own sort, with runs, ties and long common beginnings. */
import { describe, expect, test } from 'vitest';
import { ownSpecOf } from '../../../../src/codec/spec.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { checkChanges } from '../../../../src/tree/apply/changes.js';
import { AccountSorter, accountIn, slotIn } from '../../../../src/tree/load/accountSorter.js';
import { MergeHeap } from '../../../../src/tree/load/mergeHeap.js';
import { RecordReader } from '../../../../src/tree/load/records.js';
import { Sorter } from '../../../../src/tree/load/sorter.js';
import { memoryScratch, type Scratch } from '../../../../src/tree/store/scratch.js';
import { randomOf } from '../../../support/blocks.js';
import { newFolder } from '../../../support/folder.js';

type Shape = 'random' | 'few keys' | 'alike' | 'ascending' | 'descending';

/** Keys of 10 bytes with a record's number behind them. */
function recordsOf(shape: Shape, count: number, width: number): Buffer[] {
  const random = randomOf(count);
  return Array.from({ length: count }, (_, i) => {
    const record = Buffer.alloc(width);
    if (shape === 'random') for (let at = 0; at < 10; at++) record[at] = random(256);
    else if (shape === 'few keys') record[9] = random(5);
    else if (shape === 'alike') record.writeUInt32BE(random(count), 6);
    else record.writeUInt32BE(shape === 'ascending' ? i : count - i, 2);
    record.writeUInt32BE(i, 10);
    return record;
  });
}

const keyOf = (record: Uint8Array) => Buffer.from(record).toString('hex', 0, 10);

/** The same with the engine's sort, as text. */
const sortedKeys = (records: readonly Uint8Array[]) => records.map(keyOf).sort();

async function readAll(sorter: Sorter, width: number): Promise<Buffer[]> {
  const reader = new RecordReader(sorter.pages(), width);
  const all: Buffer[] = [];
  while (reader.isReady || (await reader.fill())) all.push(Buffer.from(reader.take()));
  return all;
}

/** Sorts with a drain after every so many records. */
async function sort(scratch: Scratch, records: readonly Buffer[], drainEvery: number) {
  const width = records[0]?.length ?? 14;
  const sorter = new Sorter(scratch, { width, keyWidth: 10 });
  for (const [i, record] of records.entries()) {
    const at = sorter.reserve();
    expect(sorter.bytes.subarray(at, at + width).every((byte) => byte === 0)).toBe(true);
    sorter.bytes.set(record, at);
    if (i % drainEvery === 0) await sorter.drain();
  }
  return readAll(sorter, width);
}

const shapes: Shape[] = ['random', 'few keys', 'alike', 'ascending', 'descending'];

describe.each(shapes)('records, %s', (shape) => {
  test.each([0, 1, 2, 24, 25, 3000])('%i in memory', async (count) => {
    const records = recordsOf(shape, count, 14);
    const sorted = await sort(memoryScratch(), records, 100);
    expect(sorted.map(keyOf)).toEqual(sortedKeys(records));
    // Each record came through whole, and once.
    const text = (one: Uint8Array) => Buffer.from(one).toString('hex');
    expect(sorted.map(text).sort()).toEqual(records.map(text).sort());
  });

  test('in several runs, in files that are gone afterwards', async () => {
    // 16 MiB a run: records of 4 KiB make one of 4096.
    const records = recordsOf(shape, 9000, 4096);
    const store = lmdbStore({ path: newFolder() });
    const scratch = (await store.scratch?.()) as Scratch;
    const sorted = await sort(scratch, records, 50);
    expect(sorted.map(keyOf)).toEqual(sortedKeys(records));
    expect(new Set(sorted.map((record) => record.readUInt32BE(10))).size).toBe(9000);
    await scratch.close();
    await store.close();
  });
});

test('records that came in without a drain make runs all the same', async () => {
  const records = recordsOf('random', 9000, 4096);
  const sorted = await sort(memoryScratch(), records, Number.POSITIVE_INFINITY);
  expect(sorted.map(keyOf)).toEqual(sortedKeys(records));
});

test('a heap gives the least of its sources', () => {
  const random = randomOf(3);
  const sources = Array.from({ length: 13 }, () =>
    Array.from({ length: 1 + random(20) }, () => random(1000)).sort((a, b) => a - b),
  );
  const expected = sources.flat().sort((a, b) => a - b);
  const heap = new MergeHeap(sources, (a, b) => (a[0] as number) < (b[0] as number));
  const merged: number[] = [];
  for (let least = heap.least; least; least = heap.least) {
    merged.push(least.shift() as number);
    if (least.length > 0) heap.settle();
    else heap.remove();
  }
  expect(merged).toEqual(expected);
  expect(new MergeHeap<number>([], () => false).least).toBeUndefined();
});

test('a file in memory is read from anywhere', async () => {
  const file = await memoryScratch().create();
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 251));
  for (let at = 0; at < 1000; at += 77) await file.append(bytes.subarray(at, at + 77));
  for (const [from, to] of [
    [0, 1000],
    [76, 78],
    [77, 77],
    [500, 999],
  ] as const) {
    const into = Buffer.alloc(to - from);
    await file.read(from, into);
    expect(into).toEqual(bytes.subarray(from, to));
  }
});

test('accounts come back by hKey, each with its slots by theirs', async () => {
  const spec = ownSpecOf('poseidon2');
  const sorter = new AccountSorter(spec, memoryScratch());
  const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}` as const;
  const changes = checkChanges(
    spec,
    Array.from({ length: 50 }, (_, i) => ({
      address: `0x${(i + 1).toString(16).padStart(40, '0')}` as const,
      account: { nonce: i, balance: 7n },
      storage: Array.from({ length: i % 4 }, (_, j) => ({ key: word(j), value: word(j) })),
    })),
  );
  for (const change of changes) sorter.add(change);
  // A slot of zero is not kept.
  const counts = Array.from({ length: 50 }, (_, i) => Math.max(0, (i % 4) - 1));
  expect([sorter.accounts, sorter.slots]).toEqual([50, counts.reduce((sum, n) => sum + n, 0)]);
  const [accounts, slots] = [sorter.readAccounts(), sorter.readSlots()];
  let before = '';
  while (accounts.isReady || (await accounts.fill())) {
    const { hKey, address, slots: count, value } = accountIn(accounts.take());
    const key = Buffer.from(hKey).toString('hex');
    expect(key > before).toBe(true);
    before = key;
    const number = (address[19] as number) - 1;
    expect(value[31]).toBe(number);
    expect(value[63]).toBe(7);
    expect(count).toBe(counts[number]);
    let slotBefore = '';
    for (let i = 0; i < count; i++) {
      if (!slots.isReady) await slots.fill();
      const slot = slotIn(slots.take());
      const slotKey = Buffer.from(slot.hKey).toString('hex');
      expect(slotKey > slotBefore).toBe(true);
      slotBefore = slotKey;
      expect(slot.value[31]).toBeGreaterThan(0);
    }
  }
  expect(slots.isReady || (await slots.fill())).toBe(false);
});
