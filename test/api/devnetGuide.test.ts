/** The guide to the devnet, in a project that has the package from its tarball: its command, its program, what they print. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Command, endCommands, startCommand } from '../support/commands.js';
import { newProject, serverCommand, writeProgram } from '../support/installed.js';
import {
  blocksOf,
  type CodeBlock,
  commandOf,
  countsOf,
  like,
  type Program,
  programsOf,
  shellOf,
} from '../support/pages.js';
import { patience } from '../support/runs.js';
import { until } from '../support/until.js';

const page = 'docs/devnet.md';
const [overview] = blocksOf(page).filter(({ language }) => language === 'text');
const [program] = programsOf(page) as [Program];

let project: string;
let devnet: Command;
/** Of the package that the page installs. */
let command: string;
beforeAll(async () => {
  project = await newProject();
  command = await serverCommand();
}, patience);
afterAll(endCommands);

/** A command of the page. */
const start = (line: string) => startCommand(commandOf(line, command)[1], { cwd: project });

test(
  'it prints where everything is, and a program of yours asks it',
  async () => {
    expect(countsOf(page)).toEqual({ sh: 2, text: 7, ts: 1 });
    const [, line] = shellOf(page, 'npm install') as [string, string];
    const [first] = shellOf(page, 'npx l2proof devnet\n') as [string];
    expect(line).toBe(`${first} --once`);
    devnet = start(first);
    const ends = /^Contracts on L2:\n( {2}.*\n)+/m;
    await until(() => ends.test(devnet.said.text), 'the devnet is up');
    const [said = ''] = devnet.said.text.split(/\n\n/);
    // Folders for temporary files have names of their own.
    const shown = (text: string) => text.replace(/\S+(?=\/network)/, '').trim();
    expect(shown(said)).toMatch(like(shown((overview as CodeBlock).code)));
    const urlOf = (name: string) =>
      new RegExp(`^ {2}${name} +(\\S+)`, 'm').exec(said)?.[1] as string;
    writeProgram(project, 'devnet', program.code);
    const env = { L1_URL: urlOf('L1'), PROOFS_URL: urlOf('proofs'), NETWORK: urlOf('network') };
    const options = { cwd: project, encoding: 'utf8' as const, env: { ...process.env, ...env } };
    const printed = execFileSync(process.execPath, ['devnet.js'], options).trim();
    expect(printed).toMatch(like(program.prints));
    devnet.child.kill('SIGINT');
    expect(await devnet.ended).toBe(0);
  },
  patience,
);

test(
  'its commands print what the page shows',
  async () => {
    const [, line] = shellOf(page, 'npm install') as [string, string];
    const shown = start(line);
    expect(await shown.ended, shown.said.text).toBe(0);
    const outputs = shown.said.text.split(/^\$ .*$/m).slice(1);
    const texts = blocksOf(page).filter(({ language }) => language === 'text');
    const [fetched, called, decoded, held] = texts.slice(1, 5).map(({ code }) => code.trim()) as [
      string,
      string,
      string,
      string,
    ];
    const of = (i: number) => (outputs[i] as string).replace(/^=> [^]*/m, '').trim();
    expect(of(0)).toMatch(like(fetched));
    expect(of(2)).toBe(called);
    expect(of(3).slice(of(3).indexOf('3. Swap'))).toMatch(like(decoded));
    expect(of(4)).toMatch(like(held));
  },
  patience,
);

test('the README begins with it', () => {
  const [install, first] = shellOf('README.md', 'l2proof-server') as [string, string];
  expect(shellOf(page, 'npm install')).toEqual([install, first]);
  expect(readFileSync('README.md', 'utf8')).toContain('(docs/devnet.md)');
});
