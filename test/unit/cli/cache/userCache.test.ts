/** The user's cache folder: its place, whole texts in it, and kills while one is written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { cachedText, cacheFolder } from '../../../../src/cli/cache/userCache.js';
import { isWhole } from '../../../support/cacheText.js';
import { newFolder } from '../../../support/folder.js';
import { scriptOf } from '../../../support/processes.js';
import { patience } from '../../../support/runs.js';

afterEach(() => vi.unstubAllEnvs());

test.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', {}, '/home/ada/.cache/l2proof'],
  ['linux', { XDG_CACHE_HOME: '/tmp/cache' }, '/tmp/cache/l2proof'],
  ['linux', { XDG_CACHE_HOME: 'cache' }, '/home/ada/.cache/l2proof'],
  ['linux', { XDG_CACHE_HOME: '' }, '/home/ada/.cache/l2proof'],
  ['darwin', { XDG_CACHE_HOME: '/tmp/cache' }, '/home/ada/Library/Caches/l2proof'],
  ['win32', { LOCALAPPDATA: '/local', XDG_CACHE_HOME: '/tmp/cache' }, '/local/l2proof'],
  ['win32', {}, '/home/ada/AppData/Local/l2proof'],
])('on %s with %j it is %s', (platform, env, folder) => {
  expect(cacheFolder({ platform, env, homedir: () => '/home/ada' })).toBe(folder);
});

/** A text in a folder of its own. */
function open(home = newFolder()) {
  vi.stubEnv('XDG_CACHE_HOME', home);
  const failures: unknown[] = [];
  const cached = cachedText('state.txt', (error) => failures.push(error));
  return { cached, failures, folder: join(home, 'l2proof') };
}

test('a text is kept, and replaced', async () => {
  const { cached, failures, folder } = open();
  expect(await cached.get()).toBeUndefined();
  await cached.set('one');
  await cached.set('two');
  expect(await cached.get()).toBe('two');
  expect(readdirSync(folder)).toEqual(['state.txt']);
  expect([folder, join(folder, 'state.txt')].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o600,
  ]);
  expect(failures).toEqual([]);
});

test('texts that are set at once are each whole, and leave nothing beside the last', async () => {
  const { cached, failures, folder } = open();
  const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(100_000));
  await Promise.all(texts.map((text) => cached.set(text)));
  expect(texts).toContain(await cached.get());
  expect(readdirSync(folder)).toEqual(['state.txt']);
  expect(failures).toEqual([]);
});

test('what killed processes left is removed, once it is old', async () => {
  const { cached, folder } = open();
  mkdirSync(folder);
  const names = ['state.txt.1.part', 'state.txt.2.part', 'other.txt.1.part', 'state.txt.1.kept'];
  for (const name of names) writeFileSync(join(folder, name), '');
  for (const name of names.filter((name) => name !== 'state.txt.2.part')) {
    utimesSync(join(folder, name), 1, 1);
  }
  await cached.set('text');
  expect(readdirSync(folder).sort()).toEqual(
    [...names.slice(1), 'state.txt'].sort((a, b) => (a < b ? -1 : 1)),
  );
});

test('a failure is told once, and never thrown', async () => {
  const home = join(newFolder(), 'file');
  writeFileSync(home, '');
  const { cached, failures } = open(home);
  expect(await cached.get()).toBeUndefined();
  await cached.set('text');
  expect(failures).toEqual([expect.objectContaining({ code: 'ENOTDIR' })]);
});

test('what is no file, or larger than any text, is not read', async () => {
  const { cached, failures, folder } = open();
  mkdirSync(join(folder, 'state.txt'), { recursive: true });
  expect(await cached.get()).toBeUndefined();
  await cached.set('text');
  expect(readdirSync(folder)).toEqual(['state.txt']);
  expect(failures).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/is no file of at most/) }),
  ]);
});

/** Kills processes that write, one after the other. @returns the texts that they left, and the names of all files */
async function killWriters(count: number) {
  const home = newFolder();
  const file = join(home, 'l2proof', 'state.txt');
  const script = scriptOf('test/support/cacheChild.ts');
  const texts = new Set<string>();
  for (let i = 0; i < count; i++) {
    const child = spawn(process.execPath, [script, String(1000 * i)], {
      env: { ...process.env, XDG_CACHE_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    // Each fourth one is killed around its first write.
    if (i % 4 > 0) await once(child.stdout, 'data');
    else await sleep(35);
    await sleep(Math.random() * 5);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8');
    expect(isWhole(text)).toBe(true);
    texts.add(text);
  }
  return { texts, names: readdirSync(join(home, 'l2proof')) };
}

test(
  'killed 200 times while they write, processes leave a whole text or none',
  async () => {
    const lanes = await Promise.all([killWriters(100), killWriters(100)]);
    for (const { texts, names } of lanes) {
      // Most had written before, and some were killed in the middle.
      expect(texts.size).toBeGreaterThan(50);
      expect(names.filter((name) => name.endsWith('.part')).length).toBeGreaterThan(0);
    }
  },
  patience,
);
