/** The guide to the explorer: its command, its settings and its program, in a project that has the package from its tarball. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands, usageOf } from '../../src/cli/help/usage.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import { startHttp } from '../support/http.js';
import { newProject, serverCommand, writeProgram } from '../support/installed.js';
import { pageNames } from '../support/page.js';
import { blocksOf, commandOf, countsOf, programsOf, shellOf } from '../support/pages.js';
import { patience } from '../support/runs.js';
import { openWorld } from '../support/service.js';

const page = 'docs/page.md';
const [program] = programsOf(page);
const [settings] = blocksOf(page).filter(({ language }) => language === 'json');

let project: string;
let command: string;
beforeAll(async () => {
  project = await newProject();
  command = await serverCommand();
  const tree = await openWorld(lmdbStore({ path: join(project, 'state') }));
  await tree.close();
  writeFileSync(join(project, 'page.json'), settings?.code as string);
  writeProgram(project, 'compare', program?.code as string);
}, patience);
let end = async (): Promise<void> => {};
afterAll(() => end());

/** What the program prints about a page. */
async function compare(url: string): Promise<string> {
  const env = { ...process.env, PAGE: url };
  const run = promisify(execFile);
  return (await run(process.execPath, ['compare.js'], { cwd: project, env })).stdout.trim();
}

test(
  'the command serves the page of the installed package with the settings, and the program compares it',
  async () => {
    expect(countsOf(page)).toEqual({ text: 2, sh: 1, json: 1, nginx: 1, ts: 1 });
    const [line] = shellOf(page, '--page') as [string];
    const child = spawn(...commandOf(`${line} --port 0`, command), { cwd: project });
    end = async () => {
      child.kill();
      await once(child, 'exit');
    };
    const [said] = await once(child.stdout, 'data');
    const url = `http://127.0.0.1:${JSON.parse(String(said)).port}/`;
    const published = await (await fetch(`${url}page.json`)).json();
    expect(published).toEqual(JSON.parse(settings?.code as string));
    expect(await compare(url)).toBe(program?.prints);
  },
  patience,
);

test('another file is named', async () => {
  const other = pageNames().find((name) => name.endsWith('.js')) as string;
  const server = await startHttp((request, response) => {
    const name = (request.url as string).slice(1);
    const bytes = readFileSync(join('dist/page', name));
    response.end(name === other ? `${bytes} ` : bytes);
  });
  try {
    expect(await compare(`${server.url}/`)).toBe(`[ '${other}' ]`);
  } finally {
    await server.close();
  }
});

test('the help says who reads the settings', () => {
  const serve = commands.find((name) => name === 'serve') as (typeof commands)[number];
  expect(usageOf(serve).replace(/\s+/g, ' ')).toContain('Every reader gets all of it, keys too.');
});
