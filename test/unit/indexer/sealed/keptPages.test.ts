/** Pages that are kept: what need not be read again, and that no answer is of a page that has changed. */
import { expect, test } from 'vitest';
import type { openIndex } from '../../../../src/indexer/index.js';
import { Changes } from '../../../../src/indexer/layout/changes.js';
import { blockBytes, kinds, within } from '../../../../src/indexer/layout/layout.js';
import { pageOf, type SegmentPage } from '../../../../src/indexer/layout/page.js';
import { openSizedIndex } from '../../../../src/indexer/openIndex.js';
import { emptyHead, readHead, type Segment } from '../../../../src/indexer/sealed/head.js';
import { KeptPages, KeptSegment } from '../../../../src/indexer/sealed/keptPages.js';
import { atMoment } from '../../../../src/indexer/sealed/moment.js';
import { sealed } from '../../../../src/indexer/sealed/sealedStore.js';
import { encodePage } from '../../../../src/indexer/segments/pages.js';
import { readRecords } from '../../../../src/indexer/segments/readRecords.js';
import { memoryStore, type Store } from '../../../../src/tree/index.js';
import { randomOf } from '../../../support/blocks.js';
import { toHex } from '../../../support/hex.js';
import { counted, entriesOf, far } from '../../../support/stores.js';

const mark = { hash: `0x${'11'.repeat(32)}` as const, time: 7 };
const wallet = new Uint8Array(20).fill(7);
const sizes = { loose: 1, page: 120, fanIn: 3, step: 4 };

/** Applies a block in which a wallet gets some ids. */
async function give(
  index: Awaited<ReturnType<typeof openIndex>>,
  { block, ids }: { block: number; ids: readonly number[] },
): Promise<void> {
  const changes = new Changes();
  for (const id of ids) {
    changes.key('token').part(wallet).byte(2).ofContract(0).part(blockBytes(id));
    changes.put(blockBytes(block));
  }
  await index.apply({ to: block, mark, changes, isFinal: true });
}

async function idsIn(store: Store, from = 0, isReverse = false): Promise<number[]> {
  const ids: number[] = [];
  const bounds = within('token', wallet);
  const start = within('token', wallet, Uint8Array.of(2, 0, 0, 0, 0, 0), blockBytes(from)).from;
  await atMoment(store, (moment) =>
    readRecords(
      moment,
      isReverse ? { from: bounds.from, to: start } : { from: start, to: bounds.to },
      ({ key }) => ids.push(Number(toHex(key).slice(-12).padStart(14, '0x'))) < 8,
      { isReverse },
    ),
  );
  return ids;
}

const pageRanges = ({ ranges }: { ranges: { from: Uint8Array }[] }): number =>
  ranges.splice(0).filter(({ from }) => from[0] === kinds.page).length;

/** An index of two segments, in which every id stands once. */
async function twoSegments(inner: Store, page: number) {
  const store = sealed(inner);
  const index = await openSizedIndex({ store, chainId: 1 }, { ...sizes, page });
  await give(index, { block: 1, ids: [1, 3, 5, 7, 9, 11, 13, 15, 17, 19] });
  await give(index, { block: 2, ids: [2, 4, 6, 8, 10, 12, 14, 16, 18, 20] });
  await index.finalize(2);
  await give(index, { block: 3, ids: [] });
  expect((await readHead(store)).segments).toHaveLength(2);
  return { store, index };
}

test.each([8000, 150])(
  'who reads on, or reads the same again, reads no page of %i bytes twice',
  async (page) => {
    const { store: inner, seen } = counted(memoryStore());
    const { store, index } = await twoSegments(inner, page);
    for (const isReverse of [false, true]) {
      const [start, next] = isReverse ? [21, 13] : [0, 9];
      const first = await idsIn(store, start, isReverse);
      expect(first).toEqual(
        isReverse ? [20, 19, 18, 17, 16, 15, 14, 13] : [1, 2, 3, 4, 5, 6, 7, 8],
      );
      pageRanges(seen);
      expect(await idsIn(store, start, isReverse)).toEqual(first);
      expect(pageRanges(seen)).toBe(0);
      const second = await idsIn(store, next, isReverse);
      expect(second).toEqual(
        isReverse ? [12, 11, 10, 9, 8, 7, 6, 5] : [9, 10, 11, 12, 13, 14, 15, 16],
      );
      pageRanges(seen);
      expect(await idsIn(store, next, isReverse)).toEqual(second);
      expect(pageRanges(seen)).toBe(0);
    }
    await index.close();
  },
);

test('of a long reading, the first pages of each segment are kept', async () => {
  const { store, index } = await twoSegments(memoryStore(), 60);
  await atMoment(store, async (moment) => {
    const all = within('token', wallet);
    let count = 0;
    await readRecords(moment, all, () => ++count > 0);
    expect(count).toBe(20);
    const kept = moment.kept?.of(moment.head) ?? [];
    expect(kept.map((segment) => segment?.count)).toEqual([3, 3]);
  });
  await index.close();
});

test('nothing is kept of a store that may lose what it has committed', async () => {
  const inner = memoryStore();
  const { store, index } = await twoSegments(far(inner), 8000);
  expect(await atMoment(store, async ({ kept }) => kept)).toBeUndefined();
  // As a standby that takes over without the last commits, and is fed again.
  const before = await entriesOf(inner);
  await give(index, { block: 4, ids: [101, 102] });
  expect(await idsIn(store, 100)).toEqual([101, 102]);
  const now = await entriesOf(inner);
  await inner.write({ puts: [], deletes: now.map(({ key }) => key) });
  await inner.write({ puts: before, deletes: [] });
  const other = await openSizedIndex({ store: far(inner) }, { ...sizes, page: 8000 });
  await give(other, { block: 4, ids: [103, 104] });
  expect(await idsIn(store, 100)).toEqual([103, 104]);
  await index.close();
});

test('a page with which a reading begins is the right one, whatever else is kept', () => {
  const random = randomOf(5);
  const records = Array.from({ length: 60 }, (_, i) => ({
    key: Uint8Array.of(kinds.token, 2 * i + 1, 0, 0, 0, 0),
    value: Uint8Array.of(1, ...blockBytes(1)),
  }));
  let found = 0;
  for (let round = 0; round < 60; round++) {
    const pages: SegmentPage[] = [];
    for (let at = 0; at < records.length; ) {
      const some = records.slice(at, at + 1 + random(6));
      at += some.length;
      pages.push({ key: Uint8Array.of(0), number: pages.length, ...pageOf(encodePage(some)) });
    }
    const segment: Segment = {
      ...{ level: 0, sequence: 1, isGrowing: false },
      ...{ firstPage: 0, nextPage: pages.length },
    };
    const kept = new KeptSegment(segment, () => {});
    const share = 1 + random(4);
    const order = pages.filter(() => random(4) < share).sort(() => random(3) - 1);
    for (const page of order) kept.keep(page);
    for (const page of order) expect(kept.at(page.number)).toEqual(page);
    expect(kept.count).toBe(order.length);
    for (let bound = 0; bound <= 121; bound++) {
      for (const isReverse of [false, true]) {
        // Read from the end, what is not below the bound is unwanted.
        const isUnwanted = (bytes: Uint8Array, at: number) =>
          isReverse ? (bytes[at + 3] as number) >= bound : (bytes[at + 3] as number) < bound;
        const page = kept.startOf(isUnwanted, isReverse);
        if (page === undefined) continue;
        found++;
        const inTurn = isReverse ? [...pages].reverse() : pages;
        const place = inTurn.findIndex(({ number }) => number === page.number);
        const isUseless = ({ bytes, starts }: SegmentPage) =>
          starts.every((at) => isUnwanted(bytes, at));
        expect(inTurn.slice(0, place).every(isUseless)).toBe(true);
        expect(isUseless(page) && place < inTurn.length - 1).toBe(false);
      }
    }
    // With all of them kept, there is one for each bound.
    if (order.length < pages.length) continue;
    for (let bound = 0; bound <= 121; bound++) {
      const below = (bytes: Uint8Array, at: number) => (bytes[at + 3] as number) < bound;
      expect(kept.startOf(below, false)).toBeDefined();
      expect(kept.startOf((bytes, at) => !below(bytes, at), true)).toBeDefined();
    }
  }
  expect(found).toBeGreaterThan(1000);
});

const segment = (rest: Partial<Segment>): Segment => ({
  ...{ level: 0, sequence: 1, isGrowing: false, firstPage: 0, nextPage: 9 },
  ...rest,
});
const page = (number: number): SegmentPage => ({
  ...{ key: Uint8Array.of(number), number },
  ...pageOf(Uint8Array.of(1, 7, kinds.token, ...new Uint8Array(7))),
});
const keptOf = (kept: KeptPages, ...segments: Segment[]) => kept.of({ ...emptyHead, segments });

test('nothing is kept of a segment that a merge adds to or takes from', () => {
  const kept = new KeptPages();
  const [source, other] = [segment({}), segment({ level: 1, sequence: 3 })];
  const growing = segment({ level: 1, sequence: 4, isGrowing: true });
  const [, ofOther] = keptOf(kept, source, other);
  expect(ofOther).toBeInstanceOf(KeptSegment);
  const found = keptOf(kept, source, growing, other);
  expect(found.slice(0, 2)).toEqual([undefined, undefined]);
  expect(found[2]).toBe(ofOther);
});

test.each<[string, Partial<Segment>]>([
  ['with another number of pages', { nextPage: 10 }],
  ['without the first ones', { firstPage: 1 }],
  ['of another level', { level: 1 }],
  ['with another sequence', { sequence: 2 }],
])('nothing is kept for a segment %s', (_, rest) => {
  const kept = new KeptPages();
  keptOf(kept, segment({}))[0]?.keep(page(1));
  expect(keptOf(kept, segment({}))[0]?.count).toBe(1);
  expect(keptOf(kept, segment(rest))[0]?.count).toBe(0);
  // A head that did not name it has let it go.
  expect(keptOf(kept, segment({}))[0]?.count).toBe(0);
});

/** The same bytes, as a part of so much more memory. */
function partOf(bytes: Uint8Array, more: number): Uint8Array {
  const part = new Uint8Array(bytes.length + more).subarray(0, bytes.length);
  part.set(bytes);
  return part;
}

test('what is kept of a page holds no memory beyond it but the seal', () => {
  const [kept] = keptOf(new KeptPages(), segment({})) as [KeptSegment];
  const { key, bytes, ...rest } = page(0);
  const sealed = { ...rest, key, bytes: partOf(bytes, 4) };
  expect(kept.keep(sealed).bytes).toBe(sealed.bytes);
  const part = { ...rest, key: partOf(key, 5), bytes: partOf(bytes, 5) };
  const copy = kept.keep(part);
  expect(copy).toEqual(page(0));
  expect(copy.bytes.buffer.byteLength).toBe(bytes.length);
  expect(copy.key.buffer.byteLength).toBe(key.length);
});

test('no more pages are kept than a bound, however many read at once', () => {
  const kept = new KeptPages();
  const segments = [segment({}), segment({ sequence: 2 })];
  const [a, b] = keptOf(kept, ...segments) as [KeptSegment, KeptSegment];
  a.keep(page(0));
  for (let number = 1; number < 1024; number++) (number % 2 ? a : b).keep(page(number));
  expect(a.count + b.count).toBe(1024);
  b.keep(page(1024));
  expect(a.count + b.count).toBe(1);
  b.keep(page(1024));
  expect(b.count).toBe(1);
  // A reader that has waited keeps nothing of a segment that is gone.
  keptOf(kept, segments[0] as Segment);
  expect(b.count).toBe(0);
  expect(b.keep(page(3)).number).toBe(3);
  expect(b.count).toBe(0);
});
