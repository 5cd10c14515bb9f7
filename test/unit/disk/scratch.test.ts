/** Temporary files of a load, in a folder. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { makeFolder, missingFolders, readFailure } from '../../../src/disk/folder.js';
import { folderScratch, temporaryScratch } from '../../../src/disk/scratch.js';
import { newFolder } from '../../support/folder.js';

const bytes = (length: number, from: number) => Uint8Array.from({ length }, (_, i) => from + i);

test('a file gives back any piece of what was added', async () => {
  const path = join(newFolder(), 'of', 'its', 'own');
  const scratch = folderScratch(path);
  const [file, other] = [await scratch.create(), await scratch.create()];
  const given = bytes(5, 1);
  await file.append(given);
  given.fill(0);
  await other.append(bytes(3, 100));
  await file.append(bytes(4, 6));
  for (const [offset, expected] of [
    [0, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [4, [5, 6, 7]],
    [9, []],
  ] as const) {
    const into = new Uint8Array(expected.length);
    await file.read(offset, into);
    expect([...into]).toEqual(expected);
  }
  // Whatever ends the process, the system removes them.
  expect(readdirSync(path)).toEqual([]);
  await file.delete();
  await scratch.close();
  expect(existsSync(path)).toBe(false);
});

test('a file that is shorter than what is asked of it, or deleted, is told', async () => {
  const scratch = folderScratch(join(newFolder(), 'temporary'));
  const file = await scratch.create();
  await file.append(bytes(3, 1));
  const asked = () => file.read(1, new Uint8Array(3));
  const isCut = { code: 'STORE_FAILED', message: expect.stringContaining('was cut') };
  await expect(asked()).rejects.toMatchObject(isCut);
  await file.delete();
  const isGone = { code: 'STORE_FAILED', message: expect.stringMatching(/^cannot read /) };
  await expect(asked()).rejects.toMatchObject(isGone);
  await scratch.close();
});

/** The files of a folder that this process holds open, removed ones too. */
const openIn = (folder: string): string[] =>
  readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        // It was closed meanwhile, as that of the list itself.
        return '';
      }
    })
    .filter((path) => path.startsWith(folder));

test('a file takes room until it is deleted, or all are closed', async () => {
  const path = join(newFolder(), 'temporary');
  const scratch = folderScratch(path);
  const file = await scratch.create();
  await scratch.create();
  expect(openIn(path)).toHaveLength(2);
  await file.delete();
  expect(openIn(path)).toHaveLength(1);
  await scratch.close();
  expect(openIn(path)).toEqual([]);
});

test('what an earlier process left in the folder is removed', async () => {
  const path = join(newFolder(), 'temporary');
  mkdirSync(path);
  writeFileSync(join(path, '0'), 'left');
  const scratch = folderScratch(path);
  expect(readdirSync(path)).toEqual([]);
  await scratch.close();
});

/** What is thrown for a file in the place of a folder. */
const isBlocked = expect.objectContaining({
  code: 'STORE_FAILED',
  message: expect.stringMatching(/^cannot \w+ a temporary file: E/),
});

/** Does something while the system's folder for temporary files is another. */
async function inFolder(folder: string, work: () => Promise<void>): Promise<void> {
  vi.stubEnv('TMPDIR', folder);
  await work().finally(() => vi.unstubAllEnvs());
}

test('a place that takes no files is told, by the kind of failure', async () => {
  const blocked = join(newFolder(), 'file');
  writeFileSync(blocked, '');
  expect(() => folderScratch(join(blocked, 'in'))).toThrow(isBlocked);
  await inFolder(blocked, () => expect(temporaryScratch().create()).rejects.toEqual(isBlocked));
});

test('without a place of its own it is in the folder of the system, and leaves nothing there', async () => {
  const folder = newFolder();
  await inFolder(folder, async () => {
    const scratch = temporaryScratch();
    const file = await scratch.create();
    await file.append(bytes(3, 7));
    const into = new Uint8Array(2);
    await file.read(1, into);
    expect([...into]).toEqual([8, 9]);
    expect(readdirSync(folder)).toEqual([]);
    await scratch.close();
  });
});

describe('the folder of a store', () => {
  test('is made step by step, beside what is there or comes meanwhile', () => {
    const home = newFolder();
    const inner = join(home, 'a', 'b', 'c');
    expect(missingFolders(inner)).toEqual([join(home, 'a'), join(home, 'a', 'b'), inner]);
    makeFolder(inner);
    makeFolder(inner);
    expect(missingFolders(inner)).toEqual([]);
    // A name that leads nowhere is there, though nothing is found behind it: as if another process had made it.
    symlinkSync(join(home, 'nowhere'), join(home, 'link'));
    expect(() => makeFolder(join(home, 'link'))).not.toThrow();
  });

  test('fails where the system has none to make it in', () => {
    expect(() => makeFolder('/proc/nope/state')).toThrow(/ENOENT/);
  });

  test('a file is read, or the system says why not', () => {
    const file = join(newFolder(), 'file');
    expect(readFailure(file)).toBe('ENOENT');
    writeFileSync(file, 'x');
    expect(readFailure(file)).toBeUndefined();
  });
});
