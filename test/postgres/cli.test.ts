/** The commands on a store in PostgreSQL: load, follow and serve, as in a folder. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { verifyProof } from '../../src/index.js';
import { newFolder } from '../support/folder.js';
import { patience } from '../support/runs.js';
import { endLease, newDatabase } from './schemas.js';

const main = resolve('dist/cli/main.js');
const run = (...args: string[]) =>
  spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', timeout: 60_000 });

const address = '0x00000000000000000000000000000000000a11ce';

/** A state file of a genesis and some blocks. */
function stateFile(blocks: number): string {
  const genesis = { number: 0, alloc: { [address]: { nonce: 7, balance: '0x10' } } };
  const lines: unknown[] = [{ genesis }];
  for (let number = 1; number <= blocks; number++) {
    const account = { nonce: number, balance: '0x10' };
    lines.push({ block: { number, changes: [{ address, account }] } });
  }
  const file = join(newFolder(), 'state.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

test(
  'load writes it, also after it was killed, and serve answers from it',
  async () => {
    const url = await newDatabase();
    const file = stateFile(200);
    const loading = spawn(process.execPath, [main, 'load', '--store', url, file]);
    const ended = once(loading, 'exit');
    // Somewhere between its beginning and its end: it may be over on a fast machine.
    await new Promise((done) => setTimeout(done, 2000));
    loading.kill('SIGKILL');
    await ended;
    await endLease('l2proof', url);
    const again = run('load', '--store', url, file);
    expect(again).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/: block 200, final 200,/),
    });
    const [, stateRoot] = /state root (0x\w{64})/.exec(again.stdout) as unknown as [
      0,
      `0x${string}`,
    ];
    // The same as in a folder.
    const beside = run('load', '--store', join(newFolder(), 'state'), file);
    expect(beside.stdout).toContain(stateRoot);

    const args = [main, 'serve', '--store', url, '--finality', 'store', '--port', '0'];
    const serving = spawn(process.execPath, args);
    const [said] = await once(serving.stdout, 'data');
    const { port } = JSON.parse(String(said).split('\n')[0] as string);
    const response = await fetch(`http://127.0.0.1:${port}/v3/`, {
      method: 'POST',
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'l2_getProof',
        params: [address, [], 'latest'],
      }),
    });
    const { result } = (await response.json()) as { result: unknown };
    const { account } = verifyProof(result, { stateRoot, address, storageKeys: [] });
    expect(account?.nonce).toBe(200n);
    serving.kill();
    expect(await once(serving, 'exit')).toEqual([0, null]);
  },
  2 * patience,
);

test(
  'a URL that is none, and a server that is not there, are told in a line without the password',
  () => {
    for (const [url, message] of [
      ['postgres://user:hunter2@[x/db', /^--store expected postgres:/],
      ['postgres://user:hunter2@127.0.0.1:1/db', /the connection failed: ECONNREFUSED/],
    ] as const) {
      for (const command of [['load'], ['serve', '--finality', '1'], ['migrate']]) {
        const [name, ...more] = command as [string];
        const { status, stderr } = run(name, '--store', url, ...more);
        expect([command, status]).toEqual([command, 3]);
        expect(stderr).toMatch(message);
        expect(stderr).not.toContain('hunter2');
      }
    }
  },
  patience,
);
