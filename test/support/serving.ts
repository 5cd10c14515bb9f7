/** `l2proof serve` as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll } from 'vitest';
import type { Hex } from '../../src/index.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import { newFolder } from './folder.js';
import { openWorld, world } from './service.js';

/** The command, as built. */
export const main = resolve('dist/cli/main.js');

/** No keys and no endpoint but those that a test names. */
export const bareEnv = { ...process.env, L2PROOF_KEYS: '', L2PROOF_L1: '' };

export interface Serving {
  readonly child: ChildProcess;
  readonly port: number;
  /** All that it wrote. */
  output(): string;
}

/** A store with the world, which the processes of a test file serve; each of them ends with its test. */
export function serveStore() {
  const path = join(newFolder(), 'state');
  const own = { path, stateRoot: '0x' as Hex };
  beforeAll(async () => {
    const tree = await openWorld(lmdbStore({ path }));
    own.stateRoot = await tree.stateRoot(world.finality);
    await tree.close();
  });

  let running: ChildProcess | undefined;
  afterEach(() => {
    running?.kill('SIGKILL');
    running = undefined;
  });

  /** Starts the command and waits until it listens. */
  async function start(
    args: readonly string[],
    { env = {}, store = path }: { env?: object; store?: string } = {},
  ): Promise<Serving> {
    const command = [main, 'serve', '--store', store, '--port', '0', ...args];
    const child = spawn(process.execPath, command, { env: { ...bareEnv, ...env } });
    running = child;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output += data;
      });
    }
    const port = await new Promise<number>((found, fail) => {
      child.stdout.on('data', () => {
        const line = output.split('\n').find((one) => one.includes('"listening"'));
        if (line?.endsWith('}')) found(JSON.parse(line).port);
      });
      child.on('exit', () => fail(new Error(output)));
    });
    return { child, port, output: () => output };
  }
  return { own, start };
}
