/** The commands on a store in PostgreSQL: load, follow, snapshot and serve, as in a folder. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { devNetwork } from '../../src/cli/devnet/network.js';
import { genesisLines } from '../../src/follow/index.js';
import { type Hex, verifyProof } from '../../src/index.js';
import { startAnvil } from '../support/anvil.js';
import { genesisAddresses, genesisOf, life } from '../support/chain.js';
import { openGuideDevnet } from '../support/devnet.js';
import { newFolder } from '../support/folder.js';
import { commandOf, shellOf } from '../support/pages.js';
import { patience } from '../support/runs.js';
import { until } from '../support/until.js';
import { endLease, newDatabase } from './schemas.js';

const main = resolve('dist/cli/main.js');
const run = (...args: string[]) =>
  spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', timeout: 60_000 });

/** What a command prints that ends well. */
function output(...args: string[]): string {
  const { status, stdout, stderr } = run(...args);
  expect({ args, status, stderr }).toMatchObject({ args, status: 0 });
  return stdout;
}

const rootIn = (text: string): Hex => /state root +(0x\w{64})/.exec(text)?.[1] as Hex;

const writeLines = (lines: readonly string[]): string => {
  const file = join(newFolder(), 'state.jsonl');
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
};

const address = '0x00000000000000000000000000000000000a11ce';

/** A state file of a genesis and some blocks. */
function stateFile(blocks: number): string {
  const genesis = { number: 0, alloc: { [address]: { nonce: 7, balance: '0x10' } } };
  const lines: unknown[] = [{ genesis }];
  for (let number = 1; number <= blocks; number++) {
    const account = { nonce: number, balance: '0x10' };
    lines.push({ block: { number, changes: [{ address, account }] } });
  }
  return writeLines(lines.map((line) => JSON.stringify(line)));
}

/** The account in what a server answers from a store, verified. */
async function servedAccount(url: string, stateRoot: Hex, of: Hex, finality = 'store') {
  const args = [main, 'serve', '--store', url, '--finality', finality, '--port', '0'];
  const serving = spawn(process.execPath, args);
  const [said] = await once(serving.stdout, 'data');
  const { port } = JSON.parse(String(said).split('\n')[0] as string);
  const response = await fetch(`http://127.0.0.1:${port}/v3/`, {
    method: 'POST',
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'l2_getProof',
      params: [of, [], 'latest'],
    }),
  });
  const { result } = (await response.json()) as { result: unknown };
  const { account } = verifyProof(result, { stateRoot, address: of, storageKeys: [] });
  serving.kill();
  expect(await once(serving, 'exit')).toEqual([0, null]);
  return account;
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
    const stateRoot = rootIn(again.stdout);
    // The same as in a folder.
    expect(rootIn(output('load', '--store', join(newFolder(), 'state'), file))).toBe(stateRoot);
    expect((await servedAccount(url, stateRoot, address))?.nonce).toBe(200n);
  },
  2 * patience,
);

test(
  'a snapshot moves a chain from a folder, which goes on alike in both places',
  async () => {
    const node = await startAnvil('--hardfork', 'shanghai');
    try {
      const folder = join(newFolder(), 'state');
      const url = await newDatabase();
      const genesis = writeLines([...genesisLines(await genesisOf(node, genesisAddresses))]);
      const half = Math.ceil(life.length / 2);
      for (const transactions of life.slice(0, half)) await node.mine(...transactions);
      const follow = (store: string) =>
        rootIn(
          output('follow', '--store', store, '--l2', node.url, '--fork', 'shanghai', '--once'),
        );
      output('load', '--store', folder, genesis);
      const stateRoot = follow(folder);

      const file = join(newFolder(), 'state.snapshot');
      const exported = (store: string, block: number): Buffer => {
        const args = ['--store', store, '--out', file, '--block', String(block)];
        output('snapshot', 'export', ...args);
        return readFileSync(file);
      };
      const bytes = exported(folder, half);
      const importInto = (root: string) =>
        run('snapshot', 'import', file, '--store', url, '--root', root);
      // Of another state: nothing of it is there, and the store takes the next one.
      const refused = importInto(`0x${'1'.repeat(64)}`);
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/^the snapshot/) });
      expect(importInto(stateRoot)).toMatchObject({ status: 0, stderr: '' });
      expect(exported(url, half).equals(bytes)).toBe(true);
      output('snapshot', 'verify', file, '--root', stateRoot);

      for (const transactions of life.slice(half)) await node.mine(...transactions);
      const newest = follow(folder);
      expect(newest).not.toBe(stateRoot);
      expect(follow(url)).toBe(newest);
      const after = exported(folder, life.length);
      expect(exported(url, life.length).equals(after)).toBe(true);
      const [sender] = genesisAddresses as [Hex];
      const served = await servedAccount(url, newest, sender, String(life.length));
      expect(served?.nonce).toBe(
        BigInt(await node.call('eth_getTransactionCount', sender, 'latest')),
      );
    } finally {
      await node.close();
    }
  },
  3 * patience,
);

test(
  'the commands of the guide load, follow and serve',
  async () => {
    const url = await newDatabase();
    const world = await openGuideDevnet(devNetwork);
    try {
      const folder = newFolder();
      copyFileSync(world.genesis, join(folder, 'genesis.json'));
      const [exported, load, follow, serve] = shellOf('docs/operate.md', 'PGPASSWORD') as string[];
      const [, variable, password] = /^export (\w+)=(\w+)$/.exec(exported as string) as string[];
      // The server of these tests asks for no password, and takes any.
      const env = { ...process.env, [variable as string]: password };
      const argsOf = (line: string | undefined): string[] => {
        const there = (line as string)
          .replace('postgres://l2proof@db.internal/chain', url)
          .replace('http://127.0.0.1:8545', world.l2.url);
        return commandOf(there)[1];
      };
      for (const args of [argsOf(load), [...argsOf(follow), '--once']]) {
        const options = { cwd: folder, env, encoding: 'utf8' as const, timeout: 60_000 };
        const { status, stderr } = spawnSync(process.execPath, args, options);
        expect({ args, status, stderr }).toMatchObject({ args, status: 0 });
      }
      const serving = spawn(process.execPath, [...argsOf(serve), '--port', '0'], { env });
      const [said] = await once(serving.stdout, 'data');
      const { port } = JSON.parse(String(said).split('\n')[0] as string);
      const ready = await fetch(`http://127.0.0.1:${port}/ready`);
      expect(await ready.json()).toMatchObject({ ready: true });
      serving.kill();
      expect(await once(serving, 'exit')).toEqual([0, null]);
    } finally {
      await world.close();
    }
  },
  2 * patience,
);

test(
  'an invalid URL, and a server that is not there, are told in a line without the password',
  () => {
    for (const [url, code, message] of [
      ['postgres://user:hunter2@[x/db', 3, /^--store expected postgres:/],
      ['postgres://user:12#hunter2@h/db', 3, /^--store expected.*%23 for #/],
      ['postgres://user:12/hunter2@h/db', 3, /^--store expected.*%2F for/],
      ['postgres://user:12?hunter2@h/db', 3, /^--store expected.*%3F for/],
      [
        'postgres://user:hunter2@127.0.0.1:1/db?sslmode=foobar',
        3,
        /^--store expected sslmode to be one of disable, prefer, require, verify-ca, verify-full/,
      ],
      [
        'postgres://user:hunter2@127.0.0.1:1/db?sslmode=verify-full&sslrootcert=/nothing',
        3,
        /^--store expected sslrootcert to name a file that can be read: ENOENT/,
      ],
      // Nobody refused anything: the server may come back.
      ['postgres://user:hunter2@127.0.0.1:1/db', 4, /the connection failed: ECONNREFUSED/],
    ] as const) {
      for (const command of [
        ['load'],
        ['serve', '--finality', '1'],
        ['migrate'],
        ['snapshot', 'export', '--out', '-'],
        ['snapshot', 'import', '--root', `0x${'1'.repeat(64)}`],
      ]) {
        const { status, stderr } = run(...command, '--store', url);
        expect([command, status]).toEqual([command, code]);
        expect(stderr).toMatch(message);
        expect(stderr).not.toContain('hunter2');
      }
    }
  },
  2 * patience,
);

test(
  'status beside a writer, once it was killed, and of a database without a store',
  async () => {
    const url = await newDatabase();
    expect(run('status', '--store', url)).toMatchObject({
      ...{ status: 3, stdout: '' },
      stderr: expect.stringMatching(/holds no store.*\(WRONG_STORE\)\n$/),
    });
    const loaded = output('load', '--store', url, stateFile(5));
    // A load from a pipe that goes on holds the lease.
    const begin = Date.now();
    const loading = spawn(process.execPath, [main, 'load', '--store', url]);
    const factsOf = () => JSON.parse(output('status', '--store', url, '--json'));
    await until(() => factsOf().writer.pid === loading.pid, 'the load has the lease');
    const facts = factsOf();
    expect(facts).toMatchObject({
      ...{ kind: 'state', version: 3, hash: 'poseidon2', distrust: null, isLoading: false },
      newest: { number: 5, hash: null, stateRoot: rootIn(loaded) },
      writer: { name: expect.stringMatching(/^process \d+ on \S+$/), state: 'running' },
    });
    expect(facts.bytes).toBeGreaterThan(8192);
    expect(Date.parse(facts.writer.since)).toBeGreaterThanOrEqual(begin);
    loading.kill('SIGKILL');
    await once(loading, 'exit');
    await endLease('l2proof', url);
    expect(factsOf()).toEqual({ ...facts, writer: { ...facts.writer, state: 'ended' } });
    // A look has taken no lease: the next writer has it at once.
    expect(output('load', '--store', url, stateFile(5))).toContain('block 5');
  },
  patience,
);
