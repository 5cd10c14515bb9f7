/** Records in segments are those that were written last, through merges that are broken off anywhere. */
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { Changes } from '../../../../src/indexer/layout/changes.js';
import {
  allRecords,
  blockBytes,
  type KeyBounds,
  kinds,
  within,
} from '../../../../src/indexer/layout/layout.js';
import { pageOf } from '../../../../src/indexer/layout/page.js';
import { Records } from '../../../../src/indexer/layout/record.js';
import { openSizedIndex } from '../../../../src/indexer/openIndex.js';
import {
  emptyHead,
  headEntries,
  readHead,
  type Segment,
} from '../../../../src/indexer/sealed/head.js';
import { atMoment } from '../../../../src/indexer/sealed/moment.js';
import { sealed } from '../../../../src/indexer/sealed/sealedStore.js';
import { readRecords } from '../../../../src/indexer/segments/readRecords.js';
import { Segments } from '../../../../src/indexer/segments/segments.js';
import { defaultSizes, type Sizes } from '../../../../src/indexer/segments/sizes.js';
import { type Entry, memoryStore, type Store } from '../../../../src/tree/index.js';
import { randomOf } from '../../../support/blocks.js';
import { fromHex, toHex } from '../../../support/hex.js';
import { patience } from '../../../support/runs.js';
import { entriesOf } from '../../../support/stores.js';
import { turnsDuring } from '../../../support/turnsDuring.js';

const wallets = [0, 1, 0x80, 0xff].map((byte) => new Uint8Array(20).fill(byte));
const mark = { hash: `0x${'11'.repeat(32)}` as const, time: 7 };

/** Begins a record of a wallet's token. */
const tokenOf = (changes: Changes, wallet: number, id: number): Changes =>
  changes
    .key('token')
    .part(wallets[wallet] as Uint8Array)
    .byte(2)
    .ofContract(0)
    .part(blockBytes(id));

/** What an index should hold of tokens: a map of them, by key. */
type Model = Map<string, string>;

/** Random blocks, and the same in a model. */
function someChanges(random: (limit: number) => number, block: number, model: Model): Changes {
  const changes = new Changes();
  const contract = changes.contract(`0x${'ab'.repeat(20)}`);
  for (let i = random(40); i >= 0; i--) {
    const wallet = wallets[random(wallets.length)] as Uint8Array;
    const id = new Uint8Array(32).fill(random(3), 0, 30).fill(random(20), 31);
    const name = `0x74${toHex(wallet).slice(2)}020000000000${toHex(id).slice(2)}`;
    changes.key('token').part(wallet).byte(2).ofContract(contract).part(id);
    if (random(3) === 0) {
      changes.delete(blockBytes(block));
      model.delete(name);
    } else {
      changes.put(blockBytes(block));
      model.set(name, toHex(blockBytes(block)));
    }
  }
  return changes;
}

async function tokensIn(
  store: Store,
  bounds: { from: Uint8Array; to: Uint8Array },
  isReverse = false,
) {
  const found: [string, string][] = [];
  const visit = ({ key, value }: Entry) => {
    if (key[0] === kinds.token) found.push([toHex(key), toHex(value.subarray(1))]);
    return true;
  };
  await atMoment(store, (moment) => readRecords(moment, bounds, visit, { isReverse }));
  return found;
}

const sorted = (model: Model) => [...model].sort(([a], [b]) => (a < b ? -1 : 1));

async function expectHeld(store: Store, model: Model): Promise<void> {
  const all = sorted(model);
  expect(await tokensIn(store, allRecords)).toEqual(all);
  expect(await tokensIn(store, allRecords, true)).toEqual([...all].reverse());
  for (const [i, [first]] of all.entries()) {
    if (i % 9 !== all.length % 9) continue;
    // Bounds that lie on records: what begins at one, or ends before another.
    const [from, to] = [fromHex(first as Hex), fromHex((all[i + 4] ?? ['0x7b'])[0] as Hex)];
    const part = all.slice(i, i + 4);
    expect(await tokensIn(store, { from, to })).toEqual(part);
    expect(await tokensIn(store, { from, to }, true)).toEqual(part.reverse());
  }
  for (const wallet of wallets) {
    const prefix = `0x74${toHex(wallet).slice(2)}`;
    const ofWallet = all.filter(([key]) => key.startsWith(prefix));
    expect(await tokensIn(store, within('token', wallet))).toEqual(ofWallet);
    expect(await tokensIn(store, within('token', wallet), true)).toEqual(ofWallet.reverse());
  }
}

describe.each<[string, Sizes]>([
  ['of one record a page', { loose: 10, page: 120, fanIn: 2, step: 6 }],
  ['of a few', { loose: 20, page: 300, fanIn: 3, step: 11 }],
  ['that hold all at once', { loose: 1, page: 8000, fanIn: 4, step: 10_000 }],
])('segments %s', (_, sizes) => {
  test(
    'hold what was written last, after each step of each merge',
    async () => {
      const random = randomOf(41);
      const store = sealed(memoryStore());
      const index = await openSizedIndex({ store, chainId: 1 }, sizes);
      const segments = new Segments(store, sizes);
      const model: Model = new Map();
      let levels = 0;
      for (let block = 1; block < 22; block++) {
        const changes = someChanges(random, block, model);
        await index.apply({ to: block, mark, changes, isFinal: true });
        await expectHeld(store, model);
        // Some merges are left to the next block.
        while (random(4) > 0 && (await segments.mergeStep())) await expectHeld(store, model);
        const found = (await readHead(store)).segments;
        levels = Math.max(levels, ...found.map(({ level }) => level));
        // The index merges before it adds: what was loose, twice, and the block.
        for (const { level } of found) {
          const ofLevel = found.filter((other) => other.level === level && !other.isGrowing);
          expect(ofLevel.length).toBeLessThan(sizes.fanIn + 3);
        }
      }
      expect(levels).toBeGreaterThan(1);
      const pages = (await entriesOf(store)).filter(({ key }) => key[0] === kinds.page);
      expect(pages.length).toBeGreaterThan(0);
      for (const { value } of pages) expect(value.length).toBeLessThanOrEqual(sizes.page);
    },
    patience,
  );
});

test('what is gone is not kept once nothing older lies below', async () => {
  const sizes = { loose: 1, page: 8000, fanIn: 2, step: 100 };
  const store = sealed(memoryStore());
  const index = await openSizedIndex({ store, chainId: 1 }, sizes);
  for (const [block, isGone] of [false, true].entries()) {
    const changes = new Changes();
    for (let id = 0; id < 9; id++) {
      tokenOf(changes, 1, id);
      if (isGone) changes.delete(blockBytes(block));
      else changes.put(blockBytes(block));
    }
    await index.apply({ to: block, mark, changes, isFinal: true });
  }
  const pages = async () => (await entriesOf(store)).filter(({ key }) => key[0] === kinds.page);
  expect(await pages()).toHaveLength(2);
  const segments = new Segments(store, sizes);
  while (await segments.mergeStep());
  expect(await pages()).toHaveLength(0);
});

test('a signal ends a merge between its steps, and another run goes on with it', async () => {
  const sizes = { loose: 1, page: 200, fanIn: 2, step: 3 };
  const store = sealed(memoryStore());
  const index = await openSizedIndex({ store, chainId: 1 }, sizes);
  const model: Model = new Map();
  const random = randomOf(42);
  const apply = (block: number, signal?: AbortSignal) => {
    const changes = someChanges(random, block, model);
    return index.apply({ to: block, mark, changes, isFinal: true }, signal);
  };
  await apply(1);
  await apply(2);
  const before = new Map(model);
  const reason = new Error('enough');
  await expect(apply(3, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect((await readHead(store)).segments.some(({ isGrowing }) => isGrowing)).toBe(true);
  await expectHeld(store, before);
  expect(await index.newestBlock()).toBe(2);
});

test('a step of a merge moves as many records as its size says', async () => {
  const sizes = { loose: 1, page: 150, fanIn: 2, step: 4 };
  const store = sealed(memoryStore());
  const index = await openSizedIndex({ store, chainId: 1 }, sizes);
  for (const block of [0, 1]) {
    const changes = new Changes();
    for (let id = 0; id < 5; id++) tokenOf(changes, block, id).put(blockBytes(block));
    await index.apply({ to: block, mark, changes, isFinal: true });
  }
  const moved = async () =>
    (await entriesOf(store))
      .filter(({ key }) => key[0] === kinds.page && key[1] === 1)
      .reduce((sum, { value }) => sum + pageOf(value).starts.length, 0);
  const segments = new Segments(store, sizes);
  const steps: number[] = [];
  while (await segments.mergeStep()) steps.push(await moved());
  expect(steps).toEqual([4, 8, 10]);
});

test('a page behind the last one that the head knows is no part of the segment', async () => {
  const sizes = { loose: 1, page: 150, fanIn: 4, step: 100 };
  const store = sealed(memoryStore());
  const index = await openSizedIndex({ store, chainId: 1 }, sizes);
  const changes = new Changes();
  for (let id = 0; id < 9; id++) tokenOf(changes, 1, id).put(blockBytes(0));
  await index.apply({ to: 0, mark, changes, isFinal: true });
  const all = await tokensIn(store, allRecords);
  expect(all).toHaveLength(9);
  const head = await readHead(store);
  const [segment] = head.segments as [Segment];
  const older = { ...head, segments: [{ ...segment, nextPage: segment.nextPage - 1 }] };
  await store.write({ puts: headEntries(older), deletes: [] });
  const from = fromHex((all.at(-1) as [Hex, string])[0]);
  const refusal = { name: 'IndexError', code: 'DAMAGED' };
  await expect(tokensIn(store, { ...allRecords, from })).rejects.toMatchObject(refusal);
});

test('a visitor is waited for, and ends the reading, also in a run of one source', async () => {
  const store = sealed(memoryStore());
  const sizes = { loose: 1, page: 8000, fanIn: 4, step: 100 };
  const index = await openSizedIndex({ store, chainId: 1 }, sizes);
  for (const block of [0, 1]) {
    const changes = new Changes();
    for (let id = 0; id < 20; id++) {
      tokenOf(changes, 1 + block, id).put(blockBytes(block));
    }
    await index.apply({ to: block, mark, changes, isFinal: true });
  }
  for (const isReverse of [false, true]) {
    for (const most of [1, 2, 3, 10, 19, 20, 21, 30]) {
      let seen = 0;
      let waiting = false;
      const visit = async () => {
        expect(waiting).toBe(false);
        waiting = true;
        await Promise.resolve();
        waiting = false;
        return ++seen < most;
      };
      await atMoment(store, (moment) => readRecords(moment, allRecords, visit, { isReverse }));
      expect(seen).toBe(most);
    }
  }
});

test('a page that is lost is missed by whoever begins at it, from either end', async () => {
  const inner = memoryStore();
  const sizes = { loose: 1, page: 120, fanIn: 4, step: 100 };
  const index = await openSizedIndex({ store: sealed(inner), chainId: 1 }, sizes);
  const changes = new Changes();
  for (let id = 0; id < 20; id++) {
    tokenOf(changes, 1, id).put(blockBytes(0));
  }
  await index.apply({ to: 0, mark, changes, isFinal: true });
  const all = await tokensIn(sealed(inner), allRecords);
  const pages = (await entriesOf(inner)).filter(({ key }) => key[0] === kinds.page);
  expect(pages.length).toBeGreaterThan(5);
  for (const { key, value } of pages) {
    await inner.write({ puts: [], deletes: [key] });
    let refused = 0;
    for (const [i, [bound]] of all.entries()) {
      for (const isReverse of [false, true]) {
        const at = fromHex(bound as Hex);
        const bounds = isReverse ? { ...allRecords, to: at } : { ...allRecords, from: at };
        const part = isReverse ? all.slice(0, i).reverse() : all.slice(i);
        // Two records, as a short answer has them.
        const read = atMoment(sealed({ ...inner }), async (moment) => {
          const found: string[] = [];
          const visit = (record: Entry) => found.push(toHex(record.key)) < 2;
          await readRecords(moment, bounds, visit, { isReverse });
          return found;
        });
        const found = await read.catch((error) => error.code);
        if (found === 'DAMAGED') refused++;
        else expect(found).toEqual(part.slice(0, 2).map(([name]) => name));
      }
    }
    expect(refused).toBeGreaterThan(1);
    await inner.write({ puts: [{ key, value }], deletes: [] });
  }
});

test.each<[string, (changes: Changes, id: number, block: number) => void]>([
  [
    'short keys',
    (changes, id, block) => {
      tokenOf(changes, 1, id).put(blockBytes(block));
    },
  ],
  [
    'keys that are longer than a page tells',
    (changes, id, block) => {
      changes.key('token').part(new Uint8Array(52)).part(blockBytes(id)).put(blockBytes(block));
    },
  ],
  [
    'a kind that adds',
    (changes, id, block) => {
      changes.key('sum').part(blockBytes(id)).value(blockBytes(block));
      changes.signed(Uint8Array.of(1), false).end();
    },
  ],
])('a page of %s as it was before a merge took from it does not count', async (_, write) => {
  const sizes = { loose: 1, page: 150, fanIn: 2, step: 3 };
  const inner = memoryStore();
  const store = sealed(inner);
  const index = await openSizedIndex({ store, chainId: 1 }, sizes);
  for (const block of [1, 2]) {
    const changes = new Changes();
    for (let id = 0; id < 12; id++) write(changes, id, block);
    await index.apply({ to: block, mark, changes, isFinal: true });
  }
  /** The first records behind a bound, or before one. */
  const readSome = (bounds: KeyBounds, isReverse: boolean, most: number, of = inner) =>
    atMoment(sealed({ ...of }), async (moment) => {
      const found: string[] = [];
      const visit = ({ key, value }: Entry) => found.push(`${toHex(key)} ${toHex(value)}`) < most;
      await readRecords(moment, bounds, visit, { isReverse });
      return found;
    });
  const pages = async () => (await entriesOf(inner)).filter(({ key }) => key[0] === kinds.page);
  const segments = new Segments(store, sizes);
  const all = await readSome(allRecords, false, 99);
  expect(all).toHaveLength(12);
  const outcomes = new Set<string>();
  for (let before = await pages(); await segments.mergeStep(); before = await pages()) {
    const now = new Map((await pages()).map(({ key, value }) => [toHex(key), toHex(value)]));
    const changed = before.filter(({ key, value }) => now.get(toHex(key)) !== toHex(value));
    for (const entry of changed) {
      const held = now.get(toHex(entry.key));
      await inner.write({ puts: [entry], deletes: [] });
      for (const [i, line] of all.entries()) {
        const at = fromHex(line.split(' ')[0] as Hex);
        for (const most of [1, 2, 3, 99]) {
          for (const isReverse of [false, true]) {
            const bounds = isReverse ? { ...allRecords, to: at } : { ...allRecords, from: at };
            const part = isReverse ? all.slice(0, i).reverse() : all.slice(i);
            const found = await readSome(bounds, isReverse, most).catch((error) => error.code);
            if (found !== 'DAMAGED') expect(found).toEqual(part.slice(0, most));
            outcomes.add(found === 'DAMAGED' ? 'refused' : 'same');
          }
        }
      }
      // A merge that goes on from there.
      const copy = memoryStore();
      await copy.write({ puts: await entriesOf(inner), deletes: [] });
      const merging = new Segments(sealed(copy), sizes);
      const goOn = async () => {
        while (await merging.mergeStep());
        return readSome(allRecords, false, 99, copy);
      };
      const found = await goOn().catch((error) => error.code);
      if (found !== 'DAMAGED') expect(found).toEqual(all);
      if (held === undefined) await inner.write({ puts: [], deletes: [entry.key] });
      else
        await inner.write({ puts: [{ key: entry.key, value: fromHex(held as Hex) }], deletes: [] });
    }
  }
  expect([...outcomes].sort()).toEqual(['refused', 'same']);
});

test.each([
  ['is cut short', (page: Uint8Array) => page.subarray(0, page.length - 1)],
  ['has a record without a key', (page: Uint8Array) => Uint8Array.of(0, 7, ...page)],
  ['has a value without a block', (page: Uint8Array) => Uint8Array.of(...page, 1, 1, 0x74, 0)],
])('a page that %s is refused', async (_, edit) => {
  const store = sealed(memoryStore());
  const index = await openSizedIndex(
    { store, chainId: 1 },
    { loose: 1, page: 8000, fanIn: 2, step: 3 },
  );
  const changes = someChanges(randomOf(43), 1, new Map());
  await index.apply({ to: 1, mark, changes, isFinal: true });
  const page = (await entriesOf(store)).find(({ key }) => key[0] === kinds.page);
  if (page === undefined) throw new Error('no page');
  await store.write({ puts: [{ key: page.key, value: edit(page.value) }], deletes: [] });
  const refusal = { name: 'IndexError', code: 'DAMAGED' };
  await expect(tokensIn(store, allRecords)).rejects.toMatchObject(refusal);
});

test(
  'tens of thousands of loose records are gathered, those behind the first part too',
  async () => {
    const store = sealed(memoryStore());
    const sizes = { loose: 10, page: 8000, fanIn: 4, step: 10_000 };
    const index = await openSizedIndex({ store, chainId: 1 }, sizes);
    const changes = new Changes();
    const count = 2 ** 15 + 9;
    for (let id = 0; id < count; id++) {
      tokenOf(changes, 1, id).put(blockBytes(0));
    }
    await index.apply({ to: 0, mark, changes, isFinal: false });
    const loose = async () =>
      (await entriesOf(store)).filter(({ key }) => key[0] === kinds.token).length;
    expect(await loose()).toBe(count);
    await index.finalize(0);
    await index.apply({ to: 1, mark, changes: new Changes(), isFinal: false });
    expect(await loose()).toBe(0);
    const found = await tokensIn(store, allRecords);
    expect(found.map(([key]) => Number(`0x${key.slice(-12)}`))).toEqual(
      Array.from({ length: count }, (_, id) => id),
    );
  },
  patience,
);

test('others have their turn after some thousand records of a merge', async () => {
  const store = sealed(memoryStore());
  const segments = new Segments(store, defaultSizes);
  const { fanIn, step } = defaultSizes;
  for (let i = 0; i < fanIn; i++) {
    const changes = new Changes();
    // As many in all as a step moves, and each segment has some of each part of them.
    for (let id = i; id < step; id += fanIn) tokenOf(changes, 0, id).put(blockBytes(7));
    const writer = segments.writer();
    for (const records of changes.byKind()) records.inOrder(writer);
    const head = i === 0 ? emptyHead : await readHead(store);
    const added = segments.add(head, writer.pages());
    await store.write({ puts: [...added.puts, ...headEntries(added.head)], deletes: [] });
  }
  const turns = await turnsDuring(async () => expect(await segments.mergeStep()).toBe(true));
  expect((await readHead(store)).segments).toHaveLength(1);
  expect(turns).toBeGreaterThanOrEqual(step / 8192 - 1);
  expect(await tokensIn(store, allRecords)).toHaveLength(step);
});

test('pages of a merge stay what they are until the store has them', async () => {
  const inner = sealed(memoryStore());
  const sizes = { loose: 1, page: 300, fanIn: 2, step: 6 };
  /** Set once there is something to merge. */
  let other: Segments | undefined;
  const store: Store = {
    ...inner,
    async write(batch) {
      // Somebody else writes pages in the meantime.
      const writer = other?.writer();
      const zeros = new Uint8Array(200);
      zeros.set([30, 168]);
      for (let i = 0; writer && i < 20; i++) writer.add(new Records(zeros), 0);
      await inner.write(batch);
    },
  };
  const segments = new Segments(store, sizes);
  for (let i = 0; i < 2; i++) {
    const changes = new Changes();
    for (let id = i; id < 40; id += 2) tokenOf(changes, 0, id).put(blockBytes(7));
    const writer = segments.writer();
    for (const records of changes.byKind()) records.inOrder(writer);
    const added = segments.add(i === 0 ? emptyHead : await readHead(inner), writer.pages());
    await store.write({ puts: [...added.puts, ...headEntries(added.head)], deletes: [] });
    writer.release();
  }
  const before = await tokensIn(inner, allRecords);
  expect(before).toHaveLength(40);
  other = segments;
  while (await segments.mergeStep());
  expect((await readHead(inner)).segments).toHaveLength(1);
  expect(await tokensIn(inner, allRecords)).toEqual(before);
});
