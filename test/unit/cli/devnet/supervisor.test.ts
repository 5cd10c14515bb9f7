/** The processes of a devnet end together: a supervisor of small programs, with the real keeper. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createSupervisor, type Supervisor } from '../../../../src/cli/devnet/supervisor.js';
import { newFolder } from '../../../support/folder.js';
import { processesWith } from '../../../support/processList.js';
import { until } from '../../../support/until.js';

const [main = '', keeperFile = ''] = ['main', 'keeper'].map((name) =>
  resolve(`dist/cli/${name}.js`),
);

function open(): { supervisor: Supervisor; folder: string } {
  const folder = join(newFolder(), 'devnet');
  mkdirSync(folder);
  writeFileSync(join(folder, 'state'), 'x');
  return { supervisor: createSupervisor({ main, keeperFile, folder }), folder };
}

/** A program that starts another one, as Anvil's does, says both numbers, and goes on. */
const parent = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  console.log('ready', process.pid, child.pid);
  setInterval(() => {}, 1000);`;

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Starts it. @returns the numbers of both processes */
async function startParent(supervisor: Supervisor): Promise<[number, number]> {
  const [, own, child] = await supervisor
    .start('a parent', ['-e', parent])
    .said(/ready (\d+) (\d+)/);
  return [Number(own), Number(child)];
}

const gone = (pids: readonly number[]) =>
  until(() => !pids.some(isThere), 'the processes have ended');

test('it ends them, those that they started, and its folder', async () => {
  const { supervisor, folder } = open();
  const pids = await startParent(supervisor);
  expect(pids.map(isThere)).toEqual([true, true]);
  await supervisor.stop();
  await gone(pids);
  expect(existsSync(folder)).toBe(false);
});

test('one that ends is a failure, with its last words', async () => {
  const { supervisor } = open();
  const pids = await startParent(supervisor);
  supervisor.start('the other', ['-e', "console.error('no port'); process.exitCode = 7"]);
  await expect(supervisor.failure).rejects.toMatchObject({
    exitCode: 4,
    message: 'the other ended (exit code 7), and the devnet with it: no port',
  });
  await supervisor.stop();
  await gone(pids);
});

test('a command that fails is one, too; one that ends well is not', async () => {
  const { supervisor } = open();
  await expect(supervisor.run(['version'])).resolves.toMatch(/^\d+\.\d+\.\d+\n$/);
  await expect(supervisor.run(['verify', 'nothing.json'])).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/^l2proof verify failed \(exit code 3\): --root /),
  });
  await supervisor.stop();
});

test('endpoints and keys of other runs do not reach them', async () => {
  const { supervisor } = open();
  process.env.L2PROOF_KEYS = 'another-key';
  try {
    const script = 'console.log(`keys ${process.env.L2PROOF_KEYS}`); setInterval(() => {}, 1000)';
    const [said] = await supervisor.start('a program', ['-e', script]).said(/^keys .*$/m);
    expect(said).toBe('keys undefined');
  } finally {
    delete process.env.L2PROOF_KEYS;
    await supervisor.stop();
  }
});

test('if the keeper is killed, that is a failure, and nothing is left all the same', async () => {
  const { supervisor, folder } = open();
  const pids = await startParent(supervisor);
  const [keeper] = processesWith(`keeper.js ${folder}`);
  process.kill(keeper as number, 'SIGKILL');
  await expect(supervisor.failure).rejects.toThrow('the keeper of the devnet ended');
  await supervisor.stop();
  await gone(pids);
  expect(existsSync(folder)).toBe(false);
});
