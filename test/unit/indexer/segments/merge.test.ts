/** Records of several sources as one list, held against a plain map, whatever is to be waited for. */
import { expect, test } from 'vitest';
import { signedIn } from '../../../../src/indexer/layout/combine.js';
import { kinds } from '../../../../src/indexer/layout/layout.js';
import { type Page, pageOf } from '../../../../src/indexer/layout/page.js';
import { bodyIn, PageRecord, type Records } from '../../../../src/indexer/layout/record.js';
import { merge } from '../../../../src/indexer/segments/merge.js';
import { encodePage, PageCursor } from '../../../../src/indexer/segments/pages.js';
import type { Entry } from '../../../../src/tree/index.js';
import { randomOf } from '../../../support/blocks.js';
import { toHex } from '../../../support/hex.js';

type Random = (limit: number) => number;

/** A key, and what a source says of it: a mark, or a number that adds to those of other sources. */
type Said = Map<string, number>;

const entryOf = (name: string, said: number): Entry => ({
  key: Uint8Array.from(Buffer.from(name, 'hex')),
  value: Uint8Array.of(1, 0, 0, 0, 0, 0, 9, said),
});

const edgeBytes = [0, 1, 0x7f, 0x80, 0xff];

/** Keys of two kinds, one of which adds; most differ from others in one or two bytes, any of them. */
function keysOf(random: Random): () => string {
  const length = 7 + random(4);
  const places = Array.from({ length: 2 }, () => 1 + random(length - 1));
  return () => {
    const key = Buffer.alloc(length);
    key[0] = random(2) === 0 ? kinds.sum : kinds.token;
    for (const place of places) key[place] = edgeBytes[random(edgeBytes.length)] as number;
    return key.toString('hex');
  };
}

function someSource(random: Random, someKey: () => string): Said {
  const said: Said = new Map();
  for (let i = random(40); i > 0; i--) said.set(someKey(), 1 + random(9));
  return said;
}

/** A page as a store may give it: a part of more memory. */
function pageIn(entries: readonly Entry[], random: Random): Page {
  const page = encodePage(entries);
  const from = random(9);
  const memory = new Uint8Array(from + page.length + random(9)).fill(0xee);
  memory.set(page, from);
  return pageOf(memory.subarray(from, from + page.length));
}

const inOrder = (names: Iterable<string>, isReverse: boolean): string[] => {
  const sorted = [...names].sort();
  return isReverse ? sorted.reverse() : sorted;
};

/** Pages of a source, some of which are waited for. */
function cursorOf(said: Said, random: Random, isReverse: boolean): PageCursor {
  const entries = inOrder(said.keys(), false).map((name) => entryOf(name, said.get(name) ?? 0));
  const pages: Page[] = [];
  while (entries.length > 0) pages.push(pageIn(entries.splice(0, 1 + random(9)), random));
  const next = () => (isReverse ? pages.pop() : pages.shift());
  const source = { next: () => (random(2) === 0 ? next() : Promise.resolve().then(next)) };
  return new PageCursor(source, isReverse);
}

const nameAt = ({ records, at }: PageCursor): string =>
  toHex(new PageRecord(records.bytes, at).key).slice(2);

/** What the sources say together: of a kind that adds their sum, of another the first one's. */
function together(sources: readonly Said[]): Said {
  const all: Said = new Map();
  for (const source of sources) {
    for (const [name, said] of source) {
      const known = all.get(name);
      const isSum = Number.parseInt(name.slice(0, 2), 16) === kinds.sum;
      if (known === undefined) all.set(name, said);
      else if (isSum) all.set(name, known + said);
    }
  }
  return all;
}

test.each([
  { order: 'from the first', isReverse: false },
  { order: 'from the last', isReverse: true },
])('$order, up to any record', async ({ isReverse }) => {
  const random = randomOf(isReverse ? 71 : 72);
  let stops = 0;
  for (let round = 0; round < 1500; round++) {
    const someKey = keysOf(random);
    const sources = Array.from({ length: 1 + random(6) }, () => someSource(random, someKey));
    const all = together(sources);
    const names = inOrder(all.keys(), isReverse);
    const most = 1 + random(names.length + 3);
    const cursors = sources.map((source) => cursorOf(source, random, isReverse));
    const found: [string, number][] = [];
    const visitor = {
      visit({ bytes }: Records, at: number) {
        const { key, value } = new PageRecord(bytes, at);
        found.push([toHex(key).slice(2), Number(signedIn(bodyIn(value)))]);
        const goesOn = found.length < most;
        return random(2) === 0 ? goesOn : Promise.resolve(goesOn);
      },
    };
    await merge(cursors, visitor, isReverse);
    expect(found).toEqual(names.slice(0, most).map((name) => [name, all.get(name)]));
    // Each source stands at the first of its records that was not visited.
    const left = names.slice(most);
    const isLeft = new Set(left);
    for (const [i, source] of sources.entries()) {
      const cursor = cursors[i] as PageCursor;
      const own = inOrder(source.keys(), isReverse).find((name) => isLeft.has(name));
      expect(cursor.isAtEnd ? undefined : nameAt(cursor)).toBe(own);
    }
    if (left.length > 0) stops++;
  }
  expect(stops).toBeGreaterThan(500);
});

test('a key that a damaged page has ten thousand times is one record', async () => {
  const entries = Array.from({ length: 10_000 }, () => entryOf('74000000000001', 7));
  const pages = [pageOf(encodePage(entries))];
  let count = 0;
  const visitor = { visit: () => ++count > 0 };
  await merge([new PageCursor({ next: () => pages.shift() })], visitor);
  expect(count).toBe(1);
});
