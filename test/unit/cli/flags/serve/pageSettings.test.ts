/** `l2proof serve --page` as a process of its own: what the explorer is told, and what is wrong with what it would be told. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../../support/folder.js';
import { pageNames } from '../../../../support/page.js';
import { bareEnv, main, serveStore } from '../../../../support/serving.js';

const { own, start } = serveStore();
const key = 'a-secret-api-key';
const final = ['--finality', '12'];

const text = async (port: number, path: string) =>
  (await fetch(`http://127.0.0.1:${port}${path}`)).text();
const settingsAt = async (port: number) => JSON.parse(await text(port, '/page.json'));

/** A file of settings. */
function fileOf(content: unknown): string {
  const file = join(newFolder(), 'page.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Why the command does not start. */
function refused(args: readonly string[], command = main): string {
  const all = [command, 'serve', '--store', own.path, '--port', '0', ...final, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, {
    encoding: 'utf8',
    env: bareEnv,
  });
  expect([args, status, stdout]).toEqual([args, 3, '']);
  return stderr;
}

describe('without a file, the explorer is told', () => {
  test('where an open server answers proofs, and nothing of its nodes', async () => {
    const node = [
      '--node',
      'http://127.0.0.1:1/node-secret',
      '--l1',
      'http://127.0.0.1:1/l1-secret',
    ];
    const { port, output } = await start([...final, '--page', ...node]);
    expect(await settingsAt(port)).toEqual({ proofs: '/v3/' });
    expect(await text(port, '/')).toBe(readFileSync('dist/page/index.html', 'utf8'));
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    // Static files are no requests for anyone's key.
    expect(output()).not.toMatch(/"request"|secret/);
  });

  test('no key, if the server asks for one', async () => {
    const { port } = await start([...final, '--page', '--key', key]);
    expect(await settingsAt(port)).toEqual({});
  });
});

test('several processes serve it, and publish the file as it is', async () => {
  const settings = {
    ...{ network: 'mainnet', l1: ['https://l1.example/KEY'], proofs: `/v3/${key}`, fork: 'prague' },
    data: { url: '/', key, chain: 'l2' },
  };
  const file = fileOf(settings);
  const args = ['--page', '--page-settings', file, '--key', key, '--processes', '2'];
  const { child, port } = await start([...final, ...args]);
  const names = pageNames();
  for (let i = 0; i < 4; i++) {
    // Each on a connection of its own, and so for each process in turn.
    const options = { headers: { connection: 'close' } };
    const found = await fetch(`http://127.0.0.1:${port}/page.json`, options);
    expect(await found.json()).toEqual(settings);
    const name = names[i] as string;
    const bytes = await (await fetch(`http://127.0.0.1:${port}/${name}`, options)).arrayBuffer();
    expect(readFileSync(join('dist/page', name)).equals(Buffer.from(bytes))).toBe(true);
  }
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('without --page there is no page, and no file of it is needed', async () => {
  const { port } = await start(final);
  for (const path of ['/', '/index.html', '/page.json', '/files.json']) {
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
  }
  expect(refused(['--page-settings', fileOf({})])).toMatch(/^--page-settings needs --page\n/);
});

test('what is wrong with the file ends it before it listens, and none of its URLs is shown', () => {
  const wrong: [unknown, string][] = [
    ['{', '--page-settings FILE: Expected property name'],
    [
      'null',
      '--page-settings FILE: expected an object { network, l1, proofs, data, fork }, got null',
    ],
    [{ l2: '/v3/' }, '--page-settings FILE: "l2" is unknown; did you mean "l1"?'],
    [{ l1: ['/x', 'http://secret'] }, '--page-settings FILE: "l1[1]" expected a URL: relative to'],
    ['[1]'.padEnd(70_000), 'FILE is longer than 65536 bytes'],
  ];
  for (const [content, said] of wrong) {
    const file = fileOf(content);
    const shown = said.replace('settings FILE', `settings "${file}"`).replace(/^FILE/, file);
    const message = refused(['--page', '--page-settings', file]);
    expect(message.slice(0, shown.length)).toBe(shown);
    expect(message).toMatch(/^[^\n]+\n$/);
    expect(message).not.toContain('secret');
  }
});

test('a file that is missing and a URL are named', () => {
  const folder = newFolder();
  expect(refused(['--page', '--page-settings', join(folder, 'none')])).toMatch(
    /^cannot read \S+none: there is no such file/,
  );
  expect(refused(['--page', '--page-settings', 'https://secret@x'])).toMatch(
    /^--page-settings expected the name of a file or folder, got a URL\n/,
  );
});

test('a file of the package that is changed or missing is named, and nothing is served', () => {
  const folder = newFolder();
  cpSync('dist', join(folder, 'dist'), { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const command = join(folder, 'dist/cli/main.js');
  const index = join(folder, 'dist/page/index.html');
  const advice = '; install the package again, or build its clone (WRONG_PAGE)\n';
  writeFileSync(index, readFileSync(index, 'utf8').replace('explorer', 'Explorer'));
  expect(refused(['--page'], command)).toBe(
    `the explorer of this package cannot be served: index.html is another file than the one that files.json names${advice}`,
  );
  rmSync(join(folder, 'dist/page'), { recursive: true });
  const missing = refused(['--page'], command);
  expect(missing).toContain('cannot be served: files.json cannot be read: ENOENT');
  expect(missing.endsWith(advice)).toBe(true);
});
