/** Entries that wait for their turn: what goes in comes out, in one order and in bounded batches, wherever pieces end. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderScratch } from '../../../../src/lmdb/index.js';
import { mergeSpills } from '../../../../src/tree/load/mergeSpills.js';
import { SpillFile } from '../../../../src/tree/load/spillFile.js';
import { memoryScratch, type Scratch } from '../../../../src/tree/store/scratch.js';
import { randomOf } from '../../../support/blocks.js';
import { newFolder } from '../../../support/folder.js';

/** Ascending keys of some widths, one a prefix of the next now and then; values up to the longest. */
function entriesOf(seed: number, count: number, longest: number) {
  const random = randomOf(seed);
  const keys = new Set<string>();
  while (keys.size < count) {
    const key = Buffer.alloc(1 + random(40), seed);
    for (let at = 1; at < key.length; at++) key[at] = random(256);
    keys.add(key.toString('hex'));
  }
  // Hex sorts as bytes do, a prefix first.
  return [...keys].sort().map((key) => ({
    key,
    value: Buffer.alloc(random(longest), random(256)).toString('hex'),
  }));
}

type TextEntry = ReturnType<typeof entriesOf>[number];

async function spoolOf(scratch: Scratch, entries: readonly TextEntry[], drainEvery: number) {
  const spool = new SpillFile(scratch);
  for (const [i, { key, value }] of entries.entries()) {
    spool.add(Buffer.from(key, 'hex'), Buffer.from(value, 'hex'));
    if (i % drainEvery === 0) await spool.drain();
  }
  return spool;
}

async function readAll(spills: readonly SpillFile[]) {
  const entries: TextEntry[] = [];
  const batches: { entries: number; bytes: number }[] = [];
  for await (const batch of mergeSpills(spills)) {
    let bytes = 0;
    for (const { key, value } of batch) {
      entries.push({
        key: Buffer.from(key).toString('hex'),
        value: Buffer.from(value).toString('hex'),
      });
      bytes += key.length + value.length;
    }
    batches.push({ entries: batch.length, bytes });
  }
  return { entries, batches };
}

const scratches: [string, () => Scratch][] = [
  ['memory', memoryScratch],
  ['files', () => folderScratch(join(newFolder(), 'temporary'))],
];

describe.each(scratches)('spill files, %s', (_, open) => {
  test.each([
    ['none', 0, 10],
    ['one', 1, 10],
    ['few', 100, 200],
    ['many', 20_000, 300],
    ['long ones', 200, 2 ** 16],
  ])('%s', async (_, count, longest) => {
    const scratch = open();
    const all = [1, 2, 3, 4].map((seed) => entriesOf(seed, count, longest));
    const spills: SpillFile[] = [];
    for (const [i, entries] of all.entries()) {
      spills.push(
        await spoolOf(scratch, entries, [1, 100, 1000, Number.POSITIVE_INFINITY][i] ?? 1),
      );
    }
    const length = (one: TextEntry) => 3 + (one.key.length + one.value.length) / 2;
    for (const [i, entries] of all.entries()) {
      expect(spills[i]?.length).toBe(entries.reduce((sum, one) => sum + length(one), 0));
    }
    const { entries, batches } = await readAll(spills);
    expect(entries).toEqual(all.flat());
    for (const batch of batches) {
      expect(batch.entries).toBeLessThanOrEqual(2 ** 13);
      expect(batch.bytes).toBeLessThanOrEqual(2 ** 21 + 2 ** 17);
    }
    // And not much smaller: each is flushed by itself.
    expect(batches.filter((one) => one.entries < 2 ** 13 && one.bytes < 2 ** 21).length).toBe(
      count === 0 ? 0 : 1,
    );
    await scratch.close();
  });

  test('that alternate', async () => {
    const scratch = open();
    const entries = entriesOf(9, 9000, 100);
    const spills = await Promise.all(
      [0, 1, 2].map((part) =>
        spoolOf(
          scratch,
          entries.filter((_, i) => i % 3 === part),
          10,
        ),
      ),
    );
    expect((await readAll(spills)).entries).toEqual(entries);
    await scratch.close();
  });
});

test('their files go as they are read to the end', async () => {
  const kept = new Set<number>();
  const memory = memoryScratch();
  let made = 0;
  const scratch: Scratch = {
    async create() {
      const file = await memory.create();
      const number = made++;
      kept.add(number);
      const deleted = () => {
        kept.delete(number);
        return file.delete();
      };
      return { ...file, delete: deleted };
    },
    close: () => memory.close(),
  };
  const spills = [
    await spoolOf(scratch, entriesOf(1, 5000, 200), 10),
    await spoolOf(scratch, entriesOf(2, 5000, 200), 10),
  ];
  expect(kept.size).toBe(2);
  await readAll(spills);
  expect([...kept]).toEqual([]);
  expect(made).toBe(2);
  await scratch.close();
});
