/** What a block leaves of what it overwrote, and who reads it. */
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/index.js';
import { addRun, DiffRun, firstNaming } from '../../../../src/tree/history/diffRuns.js';
import { toDiffRecord } from '../../../../src/tree/history/diffs.js';
import { readAt } from '../../../../src/tree/history/pastValue.js';
import { VersionCache } from '../../../../src/tree/history/storeCache.js';
import {
  type AccountChange,
  memoryStore,
  openStateTree,
  type StateTree,
  type Store,
} from '../../../../src/tree/index.js';
import {
  type Changed,
  DiffTable,
  diffEntries,
  emptyBytes,
  oldIn,
} from '../../../../src/tree/layout/diffTable.js';
import {
  allDiffs,
  leafKey,
  orderKey,
  packKey,
  stamp,
  topNodeKey,
} from '../../../../src/tree/layout/layout.js';
import { perform } from '../../../../src/tree/store/reading.js';
import { randomOf } from '../../../support/blocks.js';
import { digits } from '../../../support/reference.js';
import { patience } from '../../../support/runs.js';
import { far, looking, valueOf, withAnswers } from '../../../support/stores.js';

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value % 251);
const word = (value: number): Hex => `0x${digits(BigInt(value))}`;
const address = (value: number): Hex => `0x${digits(BigInt(value), 20)}`;

/** What a block of changes at random leaves overwrites, sorted by key. */
function rowsOf(leaves: number): Changed[] {
  const rows: Changed[] = [];
  for (let i = 0; i < leaves; i++) {
    const old = i % 10 === 0 ? emptyBytes : stamp(i, bytes(268, i));
    rows.push({ key: leafKey(0, 7 * i), old });
  }
  for (let i = 0; i < leaves; i += 10) {
    const hKey = Uint8Array.from({ length: 32 }, (_, j) => (j === 0 ? i >> 8 : i & 255));
    rows.push({ key: orderKey(0, hKey), old: i % 20 === 0 ? emptyBytes : stamp(i, bytes(6, i)) });
  }
  for (let i = 0; i < 2 * leaves; i++) {
    rows.push({ key: packKey(0, { level: 0, index: 5 * i }), old: stamp(i, bytes(960, i)) });
  }
  rows.push({ key: topNodeKey(0), old: stamp(3, bytes(38, 3)) });
  return rows;
}

/** The keys of two leaves that have the same FNV-1a hash of 32 bits, found by trying. */
function twins(): [Uint8Array, Uint8Array] {
  const random = randomOf(3);
  const seen = new Map<number, Uint8Array>();
  for (;;) {
    const key = leafKey(random(2 ** 30), random(2 ** 30));
    let hash = 0x811c9dc5;
    for (const byte of key) hash = Math.imul(hash ^ byte, 0x01000193);
    const earlier = seen.get(hash);
    if (earlier && Buffer.compare(earlier, key) !== 0) return [earlier, key];
    seen.set(hash, key);
  }
}

describe('a diff', () => {
  test.each([1, 30, 300])('of %i leaves says what stood in each entry', (leaves) => {
    const rows = rowsOf(leaves);
    const entries = diffEntries(9, rows);
    const { tables, chunks } = toDiffRecord(9, entries);
    for (const { chunks: count } of tables) expect(count).toBe(chunks.length);
    const runs = [DiffRun.of({ block: 9, tables })];
    for (const { key, old } of rows) {
      const found = firstNaming(runs, 8, key)?.old;
      if (found === undefined) throw new Error('a key is lost');
      const value = found instanceof Uint8Array ? found : oldIn(chunks[found.chunk], found);
      expect(Buffer.compare(value, old)).toBe(0);
    }
    for (const key of [leafKey(0, 3), leafKey(1, 0), packKey(0, { level: 1, index: 0 })]) {
      expect(firstNaming(runs, 8, key)).toBeUndefined();
    }
    for (const { key } of rows) expect(firstNaming(runs, 9, key)).toBeUndefined();
    // With its header, each fits a page of LMDB.
    for (const { value } of entries) expect(value.length).toBeLessThanOrEqual(4096 - 24);
  });

  test('takes at most 25 bytes of memory a key', () => {
    const rows = rowsOf(1000);
    const { tables } = toDiffRecord(9, diffEntries(9, rows));
    const bytes = tables.reduce((sum, { size }) => sum + size, 0);
    expect(bytes / rows.length).toBeLessThanOrEqual(25);
  });

  test('of a block without changes names nothing', () => {
    const runs = [DiffRun.of(toDiffRecord(9, diffEntries(9, [])))];
    expect(firstNaming(runs, 8, leafKey(0, 3))).toBeUndefined();
  });

  test('that is cut or of another kind is refused', () => {
    const value = diffEntries(9, rowsOf(3))[0]?.value as Uint8Array;
    const other = value.slice();
    other[6] = 0x41;
    for (const bad of [value.subarray(0, -1), value.subarray(0, 9), emptyBytes, other]) {
      expect(() => new DiffTable(bad)).toThrow(expect.objectContaining({ code: 'DAMAGED' }));
    }
  });
});

describe('diffs in a row', () => {
  /** A diff that overwrote some leaves; what stood in each was written before `block`. */
  function diffOf(block: number, keys: readonly Uint8Array[]): DiffRun {
    const rows = keys.map((key) => ({ key, old: stamp(block - 1, bytes(268, block)) }));
    const { tables } = toDiffRecord(block, diffEntries(block, rows));
    return DiffRun.of({ block, tables });
  }

  test('tell which is the first to name an entry, after each block', () => {
    const random = randomOf(5);
    const runs: DiffRun[] = [];
    const diffs: { block: number; leaves: number[] }[] = [];
    for (let i = 1; i <= 200; i++) {
      const most = i % 50 === 0 ? 400 : random(8);
      const leaves = [...new Set(Array.from({ length: most }, () => random(300)))];
      leaves.sort((a, b) => a - b);
      diffs.push({ block: 3 * i, leaves });
      addRun(
        runs,
        diffOf(
          3 * i,
          leaves.map((leaf) => leafKey(0, leaf)),
        ),
      );
    }
    expect(runs.length).toBeLessThan(12);
    expect(runs.flatMap((run) => run.diffs.map(({ block }) => block))).toEqual(
      diffs.map(({ block }) => block),
    );
    let none = 0;
    for (let i = 0; i < 5000; i++) {
      const [block, leaf] = [random(610), random(310)];
      const first = diffs.find((diff) => diff.block > block && diff.leaves.includes(leaf));
      if (first === undefined) none++;
      expect(firstNaming(runs, block, leafKey(0, leaf))?.block).toBe(first?.block);
    }
    expect(none).toBeGreaterThan(100);
  });

  test('are told apart if the hashes of their keys are equal', () => {
    const [one, other] = twins();
    const runs: DiffRun[] = [];
    for (const [i, key] of [other, one, other, one].entries()) addRun(runs, diffOf(i + 1, [key]));
    expect(runs.length).toBe(1);
    const blocksOf = (key: Uint8Array) =>
      [0, 1, 2, 3, 4].map((block) => firstNaming(runs, block, key)?.block);
    expect(blocksOf(other)).toEqual([1, 3, 3, undefined, undefined]);
    expect(blocksOf(one)).toEqual([2, 2, 4, 4, undefined]);
  });
});

test('what a tree has overwritten itself it need not read', async () => {
  let read = 0;
  const store = withAnswers(memoryStore(), ({ ranges }, answer) => {
    for (const [i, { from }] of ranges.entries()) {
      if (from[0] === allDiffs[0]) read += answer.ranges[i]?.length ?? 0;
    }
    return answer;
  });
  const writer = await openStateTree({ store });
  const changes = (balance: number) => [{ address: address(1), account: { nonce: 1, balance } }];
  for (const number of [1, 2, 3]) await writer.applyBlock({ number, changes: changes(number) });
  const atFirst = await writer.getProof(address(1), [], 1);
  expect(read).toBe(0);
  // Another store object: trees on the same one share what they know.
  const reader = await openStateTree({ store: { ...store } });
  expect(await reader.getProof(address(1), [], 1)).toEqual(atFirst);
  expect(read).toBeGreaterThan(0);
});

test('an old value in a chunk is found by who knows no diff yet', async () => {
  const store = memoryStore();
  const tree = await openStateTree({ store });
  const changes = (balance: number) => [{ address: address(1), account: { nonce: 1, balance } }];
  await tree.applyBlock({ number: 1, changes: changes(1) });
  const atFirst = await valueOf(store, leafKey(0, 2));
  await tree.applyBlock({ number: 2, changes: changes(2) });
  expect(await valueOf(store, leafKey(0, 2))).not.toEqual(atFirst);
  const point = { block: 1, readsAhead: false, cache: new VersionCache() };
  expect(await perform(store, readAt(point, [leafKey(0, 2)]))).toEqual([atFirst]);
});

/** A store of another process: it says nothing of versions. */
const unversioned = (inner: Store): Store => ({
  ...inner,
  async snapshot() {
    const { version, ...rest } = await inner.snapshot();
    return rest;
  },
});

const kinds: [string, (store: Store) => Store][] = [
  ['a local store', (store) => store],
  ['a store behind a network', far],
  ['a store without versions', unversioned],
  ['a store behind a network without versions', (store) => far(unversioned(store))],
  ['a store that can be looked at', looking],
];

describe.each(kinds)('in %s', (_, kind) => {
  const keys = [1, 2, 3, 4, 5, 6].map(word);
  const asked = [1, 2, 3, 4, 5, 6, 7, 8].map(address);

  const answers = (tree: StateTree, block: number) =>
    Promise.all(asked.map((one) => tree.getProof(one, keys, block)));

  test(
    'a reader sees each block held as it was, whatever is applied, taken back, joined or dropped meanwhile',
    async () => {
      const random = randomOf(11);
      const store = memoryStore();
      const writer = await openStateTree({ store: kind(store), keepFinal: 3 });
      const reader = await openStateTree({ store: kind(store), keepFinal: 3 });
      const change = (): AccountChange => {
        const account = random(6) === 0 ? null : { nonce: random(9), balance: random(99) };
        const storage = keys
          .filter(() => random(2) === 0)
          .map((key) => ({ key, value: word(random(3)) }));
        return {
          address: asked[random(asked.length)] as Hex,
          account,
          ...(account && { storage, recreated: random(7) === 0 }),
        };
      };
      /** By block, the answers when it was the newest. */
      const expected = new Map<number, string>();
      for (let i = 0; i < 60; i++) {
        const newest = (await writer.newestBlock()) ?? 0;
        const final = (await writer.finalBlock()) ?? -1;
        const move = random(10);
        if (move === 0 && newest > final + 1 && newest > 1) {
          const back = Math.max(final, newest - 1 - random(2), (await writer.oldestBlock()) ?? 0);
          await writer.revert(back);
          for (const block of expected.keys()) if (block > back) expected.delete(block);
        } else if (move < 4 && newest > final && newest > 0) {
          await writer.finalize(newest - random(Math.min(2, newest - final)));
        } else {
          const changes = [change(), change(), change()];
          const distinct = [...new Map(changes.map((one) => [one.address, one])).values()];
          // Now and then the block, or one before it, becomes final with it.
          const finalBlock = newest + 1 - random(Math.min(3, newest + 1 - final));
          const isFinal = random(4) === 0 && finalBlock > 0;
          const number = newest + 1;
          await writer.applyBlock({ number, changes: distinct, ...(isFinal && { finalBlock }) });
          if (isFinal) expect(await writer.finalBlock()).toBe(finalBlock);
          expected.set(newest + 1, JSON.stringify(await answers(writer, newest + 1)));
        }
        for (const [block, text] of expected) {
          if ((await reader.newestBlock(block)) !== block) {
            expected.delete(block);
            continue;
          }
          const isSame = JSON.stringify(await answers(reader, block)) === text;
          expect(isSame, `block ${block} after move ${i}`).toBe(true);
        }
      }
      expect(expected.size).toBeGreaterThan(2);
    },
    patience,
  );
});
