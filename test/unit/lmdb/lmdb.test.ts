/** The store in LMDB: as the one in memory, kept on disk, for one writer and many readers. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HashFamily } from '../../../src/index.js';
import { lmdbStore } from '../../../src/lmdb/index.js';
import {
  memoryStore,
  openStateTree,
  type Store,
  type StoreReader,
  TreeError,
} from '../../../src/tree/index.js';
import { addresses, changesOf, randomOf, slots } from '../../support/blocks.js';
import { newFolder } from '../../support/folder.js';
import { toHex } from '../../support/hex.js';
import { rootOfLeaves } from '../../support/leaves.js';
import { scriptOf, startChild } from '../../support/processes.js';
import { families, patience, runsOf } from '../../support/runs.js';
import { entriesOf, rangeOf, valueOf } from '../../support/stores.js';

const { open } = createRequire(import.meta.url)('lmdb') as typeof import('lmdb');

const home = newFolder();
let count = 0;
/** A folder that is not there yet; with a dot, which LMDB takes for a file's. */
const freshPath = () => join(home, `store.${++count}`, 'state');

const bytes = (...values: number[]) => Uint8Array.from(values);
const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(TreeError);
    return (error as TreeError).code;
  }
  return 'none';
};

/** A state of some blocks. */
async function fill(path: string, blocks: number, hash: HashFamily = 'poseidon2') {
  const tree = await openStateTree({ store: lmdbStore({ path }), hash });
  let stateRoot = await tree.stateRoot();
  for (let number = 1; number <= blocks; number++) {
    ({ stateRoot } = await tree.applyBlock({ number, changes: changesOf(number) }));
  }
  await tree.close();
  return stateRoot;
}

describe('the store', () => {
  const byte = fc.constantFrom(0, 1, 127, 255);
  const key = fc
    .uint8Array({ minLength: 1, maxLength: 3 })
    .chain(() =>
      fc.array(byte, { minLength: 1, maxLength: 3 }).map((values) => Uint8Array.from(values)),
    );
  const batch = fc
    .uniqueArray(fc.tuple(key, fc.option(fc.uint8Array({ maxLength: 40 }))), {
      selector: ([one]) => toHex(one),
      maxLength: 12,
    })
    .map((changes) => ({
      puts: changes.flatMap(([one, value]) => (value ? [{ key: one, value }] : [])),
      deletes: changes.flatMap(([one, value]) => (value ? [] : [one])),
    }));

  const shown = async (reader: StoreReader, keys: readonly Uint8Array[]) => {
    const text = (value?: Uint8Array) => value && toHex(value);
    const ranges = [bytes(), ...keys].flatMap((from) =>
      [bytes(), undefined, ...keys].flatMap((to) =>
        [1, 2, 50].flatMap((limit) =>
          [false, true].map(async (reverse) =>
            (await rangeOf(reader, from, to, { limit, reverse })).map(({ key, value }) => [
              toHex(key),
              toHex(value),
            ]),
          ),
        ),
      ),
    );
    return {
      all: (await entriesOf(reader)).map(({ key, value }) => [toHex(key), toHex(value)]),
      many: (await reader.read({ keys, ranges: [] })).values.map(text),
      each: await Promise.all(keys.map(async (one) => text(await valueOf(reader, one)))),
      ranges: await Promise.all(ranges),
    };
  };

  test('gives ranges as plain sorting and cutting does', () =>
    fc.assert(
      fc.asyncProperty(batch, fc.array(key, { maxLength: 4 }), async ({ puts }, keys) => {
        const sorted = [...puts].sort((a, b) => Buffer.compare(a.key, b.key));
        for (const store of [memoryStore(), lmdbStore({ path: freshPath() })]) {
          await store.write({ puts, deletes: [] });
          for (const from of [bytes(), ...keys]) {
            for (const to of [undefined, bytes(), ...keys]) {
              const inside = sorted.filter(
                (one) =>
                  Buffer.compare(one.key, from) >= 0 && (!to || Buffer.compare(one.key, to) < 0),
              );
              for (const limit of [1, 3, 100]) {
                const names = async (reverse: boolean) =>
                  (await rangeOf(store, from, to, { limit, reverse })).map((one) => toHex(one.key));
                const hex = inside.map((one) => toHex(one.key));
                expect(await names(false)).toEqual(hex.slice(0, limit));
                expect(await names(true)).toEqual(hex.reverse().slice(0, limit));
              }
            }
          }
          await store.close();
        }
      }),
      { numRuns: Math.ceil(runsOf().numRuns / 4) },
    ));

  test(
    'answers as the store in memory does, now and in every snapshot',
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(batch, { maxLength: 8 }),
          fc.array(key),
          async (batches, keys) => {
            const stores = [memoryStore(), lmdbStore({ path: freshPath() })] as const;
            const snapshots: [unknown, Awaited<ReturnType<Store['snapshot']>>][] = [];
            for (const one of batches) {
              for (const store of stores) await store.write(one);
              const expected = await shown(stores[0], keys);
              expect(await shown(stores[1], keys)).toEqual(expected);
              snapshots.push([expected, await stores[1].snapshot()]);
            }
            for (const [expected, snapshot] of snapshots) {
              expect(await shown(snapshot, keys)).toEqual(expected);
              snapshot.release();
            }
            await stores[1].close();
          },
        ),
        { numRuns: Math.ceil(runsOf().numRuns / 4) },
      ),
    patience,
  );

  test('keeps values of any length, and copies what it is given', async () => {
    const store = lmdbStore({ path: freshPath() });
    const value = new Uint8Array(5_000_000).fill(7);
    const writing = store.write({ puts: [{ key: bytes(1), value }], deletes: [] });
    value.fill(8);
    await writing;
    const kept = (await valueOf(store, bytes(1))) as Uint8Array;
    expect(kept.length).toBe(5_000_000);
    expect(kept.every((one) => one === 7)).toBe(true);
    await store.close();
  });

  test('batches that are written at once keep their values, one round after the other', async () => {
    const store = lmdbStore({ path: freshPath() });
    const random = randomOf(71);
    for (let round = 0; round < 30; round++) {
      const batches = Array.from({ length: 1 + random(4) }, (_, i) =>
        Array.from({ length: 1 + random(6) }, (_, j) => ({
          key: bytes(round, i, j),
          value: new Uint8Array(random(9000)).fill(1 + random(255)),
        })),
      );
      await Promise.all(batches.map((puts) => store.write({ puts, deletes: [] })));
      const puts = batches.flat();
      const { values } = await store.read({ keys: puts.map(({ key }) => key), ranges: [] });
      expect(values.map((value) => toHex(value as Uint8Array))).toEqual(
        puts.map(({ value }) => toHex(value)),
      );
    }
    await store.close();
  });

  test('takes nothing of a batch with a key that is empty or too long', async () => {
    const path = freshPath();
    const store = lmdbStore({ path });
    const put = (key: Uint8Array, length = 1) => ({ key, value: new Uint8Array(length) });
    const long = new Uint8Array(64).fill(9);
    await store.write({ puts: [put(bytes(1)), put(long)], deletes: [] });
    const other = put(bytes(2), 3000);
    for (const length of [0, 65, 256, 3000]) {
      const bad = new Uint8Array(length).fill(9);
      for (const batch of [
        { puts: [other, put(bad)], deletes: [bytes(1)] },
        { puts: [other, put(bad, 3000)], deletes: [bytes(1)] },
        { puts: [other], deletes: [bytes(1), bad] },
      ]) {
        await expect(store.write(batch)).rejects.toThrow(/has \d+ bytes; .*\(STORE_FAILED\)/);
      }
      await store.write({ puts: [put(bytes(1), length)], deletes: [] });
      const found = (await entriesOf(store)).map(({ key, value }) => [key.length, value.length]);
      expect(found).toEqual([
        [1, length],
        [64, 1],
      ]);
    }
    await store.close();
  });

  test('says that it is closed, and so does a snapshot that was released', async () => {
    const store = lmdbStore({ path: freshPath() });
    await store.write({ puts: [{ key: bytes(1), value: bytes(2) }], deletes: [] });
    const [early, late] = [await store.snapshot(), await store.snapshot()];
    early.release();
    early.release();
    expect(await codeOf(() => valueOf(early, bytes(1)))).toBe('CLOSED');
    expect(await valueOf(late, bytes(1))).toEqual(Uint8Array.of(2));
    const writing = store.write({ puts: [{ key: bytes(2), value: bytes(2) }], deletes: [] });
    await Promise.all([store.close(), store.close(), writing]);
    late.release();
    expect(await codeOf(() => rangeOf(late, bytes(), undefined, { limit: 1 }))).toBe('CLOSED');
    expect(await codeOf(() => valueOf(store, bytes(1)))).toBe('CLOSED');
    expect(await codeOf(() => store.snapshot())).toBe('CLOSED');
    expect(await codeOf(() => store.write({ puts: [], deletes: [] }))).toBe('CLOSED');
  });

  test(
    'refuses more snapshots than it has room for, and goes on once some are released',
    async () => {
      const store = lmdbStore({ path: freshPath() });
      const held: Awaited<ReturnType<Store['snapshot']>>[] = [];
      const write = (value: number) =>
        store.write({ puts: [{ key: bytes(1), value: bytes(value) }], deletes: [] });
      const take = async () => {
        for (let i = 0; i < 1000; i++) {
          await write(i & 255);
          held.push(await store.snapshot());
        }
      };
      await expect(take()).rejects.toThrow(/too many snapshots .*\(STORE_FAILED\)/);
      expect(await valueOf(held[3] as StoreReader, bytes(1))).toEqual(Uint8Array.of(3));
      // What is held needs no other place: a range is read as a key is.
      for (const [i, one] of held.entries()) {
        const found = await rangeOf(one, bytes(0), undefined, { limit: 2, reverse: i % 2 === 0 });
        expect(found.map(({ value }) => value[0])).toEqual([i & 255]);
      }
      for (const one of held) one.release();
      await write(9);
      expect(await valueOf(await store.snapshot(), bytes(1))).toEqual(Uint8Array.of(9));
      await store.close();
    },
    patience,
  );
});

describe.each(families)('a state of %s', (family) => {
  test(
    'is the same on disk and in memory, whatever is applied, named final or taken back, and opened again',
    async () => {
      const path = freshPath();
      const inMemory = await openStateTree({ hash: family, keepFinal: 3 });
      const reopen = () =>
        openStateTree({ hash: family, keepFinal: 3, store: lmdbStore({ path }) });
      let onDisk = await reopen();
      const random = randomOf(1);
      for (let number = 1; number <= (family === 'mimc' ? 12 : 60); number++) {
        const block = { number, changes: changesOf(number) };
        const { stateRoot } = await inMemory.applyBlock(block);
        expect(await onDisk.applyBlock(block)).toEqual({ number, stateRoot });
        const back = Math.max(1, number - random(4));
        const isFree = back > ((await inMemory.finalBlock()) ?? 0);
        for (const tree of [inMemory, onDisk]) {
          if (isFree && number % 4 === 0) await tree.finalize(back);
          else if (isFree && number % 5 === 0) await tree.revert(back);
        }
        if (number % 7 === 0) {
          await onDisk.close();
          onDisk = await reopen();
        }
        const held = [undefined, await inMemory.finalBlock(), await inMemory.oldestBlock()];
        for (const at of held) {
          const address = addresses[random(addresses.length)] as `0x${string}`;
          const proof = await inMemory.getProof(address, slots, at);
          const same = await onDisk.getProof(address, slots, at);
          expect(JSON.stringify(same)).toBe(JSON.stringify(proof));
        }
      }
      await onDisk.close();
      const store = lmdbStore({ path });
      expect(await rootOfLeaves(store, family)).toBe(await inMemory.stateRoot());
      await store.close();
    },
    patience,
  );
});

describe('one writer', () => {
  test('a second one is refused, in this process and in another, until the first has closed', async () => {
    const path = freshPath();
    const first = lmdbStore({ path });
    expect(() => lmdbStore({ path })).toThrow(/this process .*\(OTHER_WRITER\)/);
    const child = startChild('hold', path);
    const { code, stderr } = await child.end;
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`process ${process.pid} .*OTHER_WRITER`));
    await first.close();
    await lmdbStore({ path }).close();
  });

  test('in a process that reads already, it is told to come first, and can come once that is closed', async () => {
    const path = freshPath();
    const entry = { key: bytes(1), value: bytes(2) };
    const before = lmdbStore({ path });
    await before.write({ puts: [entry], deletes: [] });
    await before.close();
    const reader = lmdbStore({ path, readOnly: true });
    for (let i = 0; i < 2; i++) {
      expect(() => lmdbStore({ path: `${path}/.` })).toThrow(/to read only; close .*STORE_FAILED/);
      expect(await valueOf(reader, entry.key)).toEqual(entry.value);
    }
    await reader.close();
    const writer = lmdbStore({ path });
    const beside = lmdbStore({ path, readOnly: true });
    await writer.close();
    const next = lmdbStore({ path });
    await next.write({ puts: [{ key: entry.key, value: bytes(3) }], deletes: [] });
    expect(await valueOf(beside, entry.key)).toEqual(Uint8Array.of(3));
    await Promise.all([next.close(), beside.close()]);
  });

  test('one that was killed leaves the store to the next; one that is stopped does not', async () => {
    const path = freshPath();
    const child = startChild('hold', path);
    await child.next('open');
    child.process.kill('SIGSTOP');
    expect(() => lmdbStore({ path })).toThrow(/OTHER_WRITER/);
    child.process.kill('SIGKILL');
    await child.end;
    await lmdbStore({ path }).close();
  });

  test('one that was taken for dead writes no more', async () => {
    const path = freshPath();
    const store = lmdbStore({ path });
    const tree = await openStateTree({ store });
    const { stateRoot } = await tree.applyBlock({ number: 1, changes: changesOf(1) });
    // As a process in another container does, which cannot see this one.
    const root = open({ path, noSubdir: false, overlappingSync: false });
    const writers = root.openDB<string, string>('writers', {
      encoding: 'string',
      useVersions: true,
    });
    const { version = 0 } = writers.getEntry('writer') ?? {};
    await writers.put('writer', '{"pid":1,"place":"elsewhere","start":""}', version + 1);
    expect(await codeOf(() => tree.applyBlock({ number: 2, changes: changesOf(2) }))).toBe(
      'OTHER_WRITER',
    );
    expect(await tree.stateRoot()).toBe(stateRoot);
    expect(await tree.newestBlock()).toBe(1);
    await root.close();
    await tree.close();
    const next = await openStateTree({ store: lmdbStore({ path }) });
    expect(await next.stateRoot()).toBe(stateRoot);
    await next.close();
  });
});

test(
  'many processes read what the writer has written, and none of them writes',
  async () => {
    const path = freshPath();
    await fill(path, 1);
    const readers = [1, 2, 3].map(() => startChild('read', path));
    await Promise.all(readers.map((reader) => reader.next('open')));
    const tree = await openStateTree({ store: lmdbStore({ path }) });
    const beside = await openStateTree({ store: lmdbStore({ path, readOnly: true }) });
    for (let number = 2; number <= 20; number++) {
      const { stateRoot } = await tree.applyBlock({ number, changes: changesOf(number) });
      for (const reader of readers) reader.process.stdin.write('\n');
      for (const reader of readers) {
        expect(await reader.next('newest')).toBe(`newest ${number} ${stateRoot}`);
      }
      expect(await beside.stateRoot()).toBe(stateRoot);
    }
    expect(await codeOf(() => beside.applyBlock({ number: 21, changes: [] }))).toBe('READ_ONLY');
    await beside.close();
    // The writer's own files are still open.
    await tree.applyBlock({ number: 21, changes: [] });
    await tree.close();
    for (const reader of readers) reader.process.stdin.end();
    for (const reader of readers) expect(await reader.end).toMatchObject({ code: 0, stderr: '' });
  },
  patience,
);

describe('what is no store of this state is refused, and left as it is', () => {
  const opened = (path: string, hash: HashFamily = 'poseidon2', readOnly = false) =>
    codeOf(async () => {
      const store = lmdbStore({ path, readOnly });
      try {
        await openStateTree({ store, hash });
      } finally {
        await store.close();
      }
    });

  test('another family, another version', async () => {
    const path = freshPath();
    await fill(path, 2, 'mimc');
    expect(await opened(path)).toBe('WRONG_STORE');
    expect(await opened(path, 'mimc')).toBe('none');
    const store = lmdbStore({ path });
    const [mark] = (await entriesOf(store)).filter(({ key }) => key[0] === 0x4d);
    const value = Buffer.from(
      Buffer.from(mark?.value ?? [])
        .toString()
        .replace(/version \d+/, 'version 9'),
    );
    await store.write({ puts: [{ key: mark?.key as Uint8Array, value }], deletes: [] });
    await store.close();
    expect(await opened(path, 'mimc')).toBe('WRONG_STORE');
  });

  test("another program's data", async () => {
    const path = freshPath();
    const root = open({ path, noSubdir: false });
    await root.put('theirs', 1);
    await root.close();
    const before = readFileSync(join(path, 'data.mdb'));
    expect(await opened(path)).toBe('WRONG_STORE');
    expect(await opened(path, 'poseidon2', true)).toBe('WRONG_STORE');
    expect(readFileSync(join(path, 'data.mdb')).equals(before)).toBe(true);
  });

  test('files that LMDB did not write, or not all of', async () => {
    const written = freshPath();
    await fill(written, 30);
    const random = randomOf(7);
    const file = readFileSync(join(written, 'data.mdb'));
    const files: [Uint8Array, string][] = [
      [Uint8Array.from({ length: 100_000 }, () => random(256)), 'WRONG_STORE'],
      [new Uint8Array(20_000), 'WRONG_STORE'],
      [bytes(1, 2, 3), 'WRONG_STORE'],
      [file.subarray(0, 20), 'WRONG_STORE'],
      [file.subarray(0, 100), 'DAMAGED'],
      [file.subarray(0, 5000), 'DAMAGED'],
      [file.subarray(0, file.length / 2), 'DAMAGED'],
      [bytes(), 'none'],
    ];
    for (const [content, code] of files) {
      const path = freshPath();
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, 'data.mdb'), content);
      expect(await opened(path)).toBe(code);
    }
    // The format that LMDB had before: its header is shorter.
    const older = Uint8Array.from(file);
    older.copyWithin(16, 24, 2000);
    const path = freshPath();
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'data.mdb'), older);
    expect(await opened(path)).toBe('WRONG_STORE');
  });

  test('a file, a path below one, nothing to read', async () => {
    const file = join(home, 'file');
    writeFileSync(file, 'text');
    expect(await opened(file)).toBe('WRONG_STORE');
    expect(await opened(join(file, 'below'))).toBe('STORE_FAILED');
    const path = freshPath();
    expect(await opened(path, 'poseidon2', true)).toBe('WRONG_STORE');
    expect(existsSync(path)).toBe(false);
  });

  test('a lock file that a writer left, or anything else in its place, does no harm', async () => {
    const path = freshPath();
    const stateRoot = await fill(path, 3);
    writeFileSync(
      join(path, 'lock.mdb'),
      Uint8Array.from({ length: 10_000 }, () => 77),
    );
    const tree = await openStateTree({ store: lmdbStore({ path }) });
    expect(await tree.stateRoot()).toBe(stateRoot);
    await tree.close();
  });
});

/** Whether a file system of a size can be mounted here, which takes the rights of root. */
const canMount = (() => {
  const probe = join(home, 'mount');
  mkdirSync(probe);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', probe]);
  if (status === 0) spawnSync('umount', ['-l', probe]);
  return status === 0;
})();

describe('a disk', () => {
  /** Roots that the blocks before one that failed have, and the state that is left. */
  async function checkKept(path: string, lines: readonly string[]) {
    const replay = await openStateTree();
    for (const line of lines.filter((one) => one.startsWith('done'))) {
      const [, text, root] = line.split(' ');
      const number = Number(text);
      const { stateRoot } = await replay.applyBlock({ number, changes: changesOf(number) });
      expect(root).toBe(stateRoot);
    }
    const store = lmdbStore({ path });
    expect(await rootOfLeaves(store, 'poseidon2')).toBe(await replay.stateRoot());
    await store.close();
  }

  test(
    'with a limit to the length of files: the block fails, the ones before it stay',
    async () => {
      const path = freshPath();
      const { stdout, status } = spawnSync(
        'bash',
        ['-c', `ulimit -f 600; exec "$@"`, '-', process.execPath].concat([
          scriptOf('test/support/lmdbChild.ts'),
          'fill',
          path,
        ]),
        { encoding: 'utf8' },
      );
      expect(status).toBe(0);
      const lines = stdout.trimEnd().split('\n');
      const [done, failed, kept] = lines.slice(-4);
      expect(failed).toMatch(/^failed STORE_FULL cannot write .*(EFBIG|File too large)/);
      expect(kept).toBe(done?.replace('done', 'kept'));
      await checkKept(path, lines);
      expect(readdirSync(path).sort()).toEqual(['data.mdb', 'lock.mdb']);
    },
    patience,
  );

  test.skipIf(!canMount)(
    'that is full: as before, and once there is room the block succeeds',
    async () => {
      const disk = join(home, 'full');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
      try {
        const [path, filler] = [join(disk, 'state'), join(disk, 'filler')];
        writeFileSync(filler, new Uint8Array(300_000));
        const child = startChild('fill', path, filler);
        expect(await child.end).toMatchObject({ code: 0 });
        const [done, failed, kept, again] = child.lines.slice(-5);
        expect(failed).toMatch(/^failed STORE_FULL cannot write .*ENOSPC/);
        expect(kept).toBe(done?.replace('done', 'kept'));
        expect(again).toMatch(/^done/);
        await checkKept(path, child.lines);
      } finally {
        execFileSync('umount', ['-l', disk]);
      }
    },
    patience,
  );

  test.skipIf(!canMount)('that is too full to begin with', async () => {
    const disk = join(home, 'none');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk]);
    try {
      // In a process of its own: LMDB would say itself that the disk is full, and then may end the process.
      const child = startChild('open');
      child.process.stdin.end(`${join(disk, 'state')}\n`);
      expect(await child.end).toMatchObject({ code: 0, stderr: '' });
      expect(child.lines.at(-1)).toBe('is STORE_FULL');
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });

  test.skipIf(!canMount)('that can only be read: no writer, any reader', async () => {
    const disk = join(home, 'read');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]);
    try {
      const path = join(disk, 'state');
      const stateRoot = await fill(path, 5);
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      expect(await codeOf(() => lmdbStore({ path }))).toBe('READ_ONLY');
      expect(await codeOf(() => lmdbStore({ path: join(disk, 'new') }))).toBe('READ_ONLY');
      const tree = await openStateTree({ store: lmdbStore({ path, readOnly: true }) });
      expect(await tree.stateRoot()).toBe(stateRoot);
      await tree.close();
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });
});

test('if lmdb is not installed, the error holds the line that installs it', () => {
  const folder = join(home, 'bare');
  mkdirSync(folder);
  // The package with those that the tree needs, and an empty folder in the place of lmdb: folders above this
  // one may have it.
  execFileSync('cp', ['-r', 'dist', 'package.json', folder]);
  mkdirSync(join(folder, 'node_modules', '@noble'), { recursive: true });
  mkdirSync(join(folder, 'node_modules', 'lmdb'));
  writeFileSync(join(folder, 'node_modules', 'lmdb', 'package.json'), '{"main":"none.js"}');
  for (const name of ['@noble/hashes', '@noble/curves']) {
    execFileSync('cp', ['-r', resolve('node_modules', name), join(folder, 'node_modules', name)]);
  }
  const script = `
    const { lmdbStore } = await import('./dist/lmdb/index.js');
    try { lmdbStore({ path: 'state' }); } catch (error) { console.log(error.name, error.message); }`;
  const args = ['--input-type=module', '-e', script];
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const output = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expect(output.trim()).toBe(
    `TreeError the store needs lmdb; run: npm install lmdb@${devDependencies.lmdb} (MISSING_PEER)`,
  );
});
