/** The file of a store: how long it is, and what becomes of it when readers die and when it is cut. */
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lmdbStore } from '../../../src/lmdb/index.js';
import { openStateTree, type Store, type StoreReader } from '../../../src/tree/index.js';
import { changesOf, randomOf } from '../../support/blocks.js';
import { newFolder } from '../../support/folder.js';
import { startChild } from '../../support/processes.js';
import { patience } from '../../support/runs.js';
import { entriesOf } from '../../support/stores.js';

const { open } = createRequire(import.meta.url)('lmdb') as typeof import('lmdb');

const home = newFolder();

const fileOf = (path: string) => join(path, 'data.mdb');
const sizeOf = (path: string) => statSync(fileOf(path)).size;

/** Length that the newest of the two meta pages asks for: the offsets are those of LMDB's headers. */
function fullLength(path: string): number {
  const file = readFileSync(fileOf(path));
  const pageSize = file.readUInt32LE(48);
  const metas = [0, pageSize].map((at) => ({
    pages: Number(file.readBigUInt64LE(at + 144)) + 1,
    transaction: file.readBigUInt64LE(at + 152),
  }));
  const newest = metas.sort((a, b) => Number(b.transaction - a.transaction))[0];
  return pageSize * (newest?.pages ?? 0);
}

async function digestOf(reader: StoreReader): Promise<string> {
  const digest = createHash('sha256');
  const entries = await entriesOf(reader);
  for (const { key, value } of entries) digest.update(key).update(value);
  return `${entries.length}-${digest.digest('hex')}`;
}

/** Writes batches of random entries over a thousand keys, some of them long, and checks the length after each. */
async function writeTo(store: Store, path: string, count: number): Promise<void> {
  const random = randomOf(count);
  for (let i = 0; i < count; i++) {
    const keys = new Set(Array.from({ length: 100 }, () => random(1000)));
    const puts = [...keys].map((key) => ({
      key: Uint8Array.of(key >> 8, key & 255),
      value: new Uint8Array(random(20) === 0 ? 9000 : 300).fill(i),
    }));
    await store.write({ puts, deletes: [] });
    expect(sizeOf(path)).toBeGreaterThanOrEqual(fullLength(path));
  }
}

async function writeBatches(path: string, count: number): Promise<string> {
  const store = lmdbStore({ path });
  await writeTo(store, path, count);
  const digest = await digestOf(store);
  await store.close();
  expect(sizeOf(path)).toBeGreaterThanOrEqual(fullLength(path));
  return digest;
}

test(
  'a reader that is killed costs the file at most as much again',
  async () => {
    const [control, path] = [join(home, 'control'), join(home, 'killed')];
    // The writers stay: one that opens a store looks for readers that are gone by itself.
    for (const one of [control, path]) {
      const store = lmdbStore({ path: one });
      await writeTo(store, one, 10);
      if (one === path) {
        const child = startChild('keep', one);
        await child.next('kept');
        child.process.kill('SIGKILL');
        await child.end;
      }
      await writeTo(store, one, 150);
      await store.close();
    }
    expect(sizeOf(path)).toBeLessThanOrEqual(2 * sizeOf(control));
  },
  patience,
);

test(
  'a snapshot that another process holds stays as it is, however much the file grows meanwhile',
  async () => {
    const path = join(home, 'grows');
    const first = await writeBatches(path, 3);
    const before = sizeOf(path);
    const child = startChild('keep', path);
    expect(await child.next('kept')).toBe(`kept ${first}`);
    const last = await writeBatches(path, 60);
    expect(sizeOf(path)).toBeGreaterThan(4 * before);
    child.process.stdin.end('\n');
    expect(await child.next('now')).toBe(`now ${last}`);
    expect(await child.next('kept')).toBe(`kept ${first}`);
    expect(await child.end).toMatchObject({ code: 0, signal: null });
  },
  patience,
);

test('a whole file that lacks trailing pages, as earlier releases left them, is opened and filled up', async () => {
  const path = join(home, 'short');
  const digest = await writeBatches(path, 3);
  // Long values that come and go in one transaction are never written.
  const root = open({ path, noSubdir: false, overlappingSync: false });
  const entries = root.openDB<Uint8Array, Uint8Array>('entries', {
    encoding: 'binary',
    keyEncoding: 'binary',
  });
  root.transactionSync(() => {
    const keys = Array.from({ length: 500 }, (_, i) => Uint8Array.of(200, i >> 8, i & 255));
    for (const key of keys) entries.putSync(key, new Uint8Array(9000));
    for (const key of keys) entries.removeSync(key);
  });
  await root.close();
  expect(sizeOf(path)).toBeLessThan(fullLength(path) - 100_000);

  const reader = lmdbStore({ path, readOnly: true });
  expect(await digestOf(reader)).toBe(digest);
  await reader.close();
  const store = lmdbStore({ path });
  expect(await digestOf(store)).toBe(digest);
  expect(sizeOf(path)).toBeGreaterThanOrEqual(fullLength(path));
  await store.close();
});

/** A store of blocks, of which some were taken back: it has free pages, at its end, too. */
async function writeBlocks(path: string): Promise<void> {
  const tree = await openStateTree({ store: lmdbStore({ path }), keepFinal: 2 });
  for (let number = 1; number <= 40; number++) {
    await tree.applyBlock({ number, changes: changesOf(number) });
    if (number % 5 === 0) await tree.finalize(number - 2);
    if (number % 7 === 0) await tree.revert(number - 1);
    if (number % 7 === 0) await tree.applyBlock({ number, changes: changesOf(number) });
  }
  await tree.revert(38);
  await tree.close();
}

test(
  'a file that is cut anywhere is damaged, or holds all that it held',
  async () => {
    const path = join(home, 'whole');
    await writeBlocks(path);
    const store = lmdbStore({ path, readOnly: true });
    const whole = `is ${await digestOf(store)}`;
    await store.close();
    const size = sizeOf(path);
    const random = randomOf(size);
    const pages = size / 4096;
    // Anywhere from the first bytes that tell what the file is; at the ends of pages; and close to the end, as often.
    const cuts = Array.from({ length: 200 }, (_, i) => {
      if (i % 4 === 0) return 32 + random(size - 32);
      if (i % 4 === 1) return 4096 * (1 + random(pages - 1));
      return size - 1 - random(4096 * 20);
    });
    const child = startChild('open', path);
    let damaged = 0;
    for (const cut of cuts) {
      const copy = join(home, 'cut');
      rmSync(copy, { recursive: true, force: true });
      cpSync(path, copy, { recursive: true });
      truncateSync(fileOf(copy), cut);
      child.process.stdin.write(`${copy}\n`);
      for (const _ of ['read-only', 'to write']) {
        const line = await child.next('is');
        expect([whole, 'is DAMAGED'], `cut at ${cut} of ${size}`).toContain(line);
        if (line !== whole) damaged++;
      }
    }
    child.process.stdin.end();
    expect(await child.end).toMatchObject({ code: 0, signal: null });
    expect(damaged).toBeGreaterThan(100);
  },
  patience,
);
