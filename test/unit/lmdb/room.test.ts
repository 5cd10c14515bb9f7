/** A disk that fills up while a store is written: LMDB itself never meets a write that the system refuses. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRoom, roomOf } from '../../../src/lmdb/room.js';
import { newFolder } from '../../support/folder.js';
import { patience } from '../../support/runs.js';

const disk = newFolder();
const mount = (size: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]).status === 0;
const unmount = () => execFileSync('umount', ['-l', disk]);
const canMount = mount('1m');
if (canMount) unmount();

/** Writes batches of entries of a length to a store until one fails; says how, closes, and ends. */
const fill = `
  import { lmdbStore } from './dist/lmdb/index.js';
  const [path, count, length] = process.argv.slice(1).map((text, i) => (i === 0 ? text : Number(text)));
  const store = lmdbStore({ path });
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647);
  for (let written = 0; ; written++) {
    const puts = Array.from({ length: count }, () => ({
      key: Uint8Array.from({ length: 40 }, random),
      value: new Uint8Array(length).fill(random()),
    }));
    try {
      await store.write({ puts, deletes: [] });
    } catch ({ code }) {
      console.log(code, written > 0);
      break;
    }
  }
  await store.close();
  console.log('closed');`;

test.skipIf(!canMount).each([
  // Few and many, short ones for the log and long ones with pages of their own.
  [1, 100],
  [5, 97],
  [5, 1500],
  [5, 9000],
  [300, 60],
  [1, 60_000],
])(
  '%i entries of %i bytes a batch: refused before LMDB is asked, and the process goes on',
  (count, length) => {
    for (const size of ['3m', '5m']) {
      expect(mount(size)).toBe(true);
      try {
        const args = ['--input-type=module', '-e', fill, join(disk, 'state'), count, length];
        const { status, stdout, stderr } = spawnSync(process.execPath, args.map(String), {
          encoding: 'utf8',
        });
        expect({ status, stdout, stderr }).toEqual({
          status: 0,
          stdout: 'STORE_FULL true\nclosed\n',
          stderr: '',
        });
      } finally {
        unmount();
      }
    }
  },
  patience,
);

test.skipIf(!canMount)('a disk without a bound has room, one with a bound what is free', () => {
  expect(mount('0')).toBe(true);
  try {
    expect(createRoom(disk).error(2 ** 40)).toBeUndefined();
  } finally {
    unmount();
  }
  expect(mount('1m')).toBe(true);
  try {
    const room = createRoom(disk);
    expect(room.error(2 ** 20)).toBeUndefined();
    expect(room.error(2 ** 20 + 1)).toMatchObject({ message: expect.stringMatching(/^ENOSPC/) });
    writeFileSync(join(disk, 'filler'), new Uint8Array(4096));
    expect(room.error(2 ** 20)).toMatchObject({ message: expect.stringMatching(/^ENOSPC/) });
  } finally {
    unmount();
  }
});

test('what a batch may need: the pages that it touches, as far as there are any, and its own bytes', () => {
  const folder = newFolder();
  const batch = { bytes: 16_000, entries: 100 };
  const own = 65_536 + 33_000;
  expect(roomOf(batch, folder)).toBe(own);
  writeFileSync(join(folder, 'data.mdb'), new Uint8Array(160_000));
  expect(roomOf(batch, folder)).toBe(own + 170_000);
  writeFileSync(join(folder, 'data.mdb'), new Uint8Array(10_000_000));
  expect(roomOf(batch, folder)).toBe(own + (819_200 * 17) / 16);
});
