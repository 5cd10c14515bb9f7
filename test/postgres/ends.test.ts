/** A command that fails, or is told to end, ends: with the exit code that a supervisor needs, and without its lease. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { genesisLines } from '../../src/follow/index.js';
import { postgresStore } from '../../src/postgres/index.js';
import { openStateTree } from '../../src/tree/index.js';
import { type Anvil, startAnvil } from '../support/anvil.js';
import { genesisAddresses, genesisOf, life } from '../support/chain.js';
import { newFolder } from '../support/folder.js';
import { type Postgres, startPostgres } from '../support/postgres.js';
import { patience } from '../support/runs.js';
import { until } from '../support/until.js';
import { endLease, newDatabase } from './schemas.js';

const main = resolve('dist/cli/main.js');

interface Run {
  readonly child: ChildProcess;
  said(): string;
  /** Its exit code, and the signal that ended it. */
  readonly end: Promise<unknown[]>;
}

function start(...args: string[]): Run {
  const child = spawn(process.execPath, [main, ...args]);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  return { child, said: () => text, end: once(child, 'exit') };
}

let node: Anvil;
let genesis: string;
beforeAll(async () => {
  node = await startAnvil('--hardfork', 'shanghai');
  genesis = join(newFolder(), 'genesis.jsonl');
  const lines = [...genesisLines(await genesisOf(node, genesisAddresses))];
  writeFileSync(genesis, lines.map((line) => `${line}\n`).join(''));
}, patience);
afterAll(() => node.close());

const follow = (store: string): string[] => [
  ...['follow', '--store', store, '--l2', node.url, '--fork', 'shanghai'],
  ...['--genesis', genesis],
];

/** All commands that open a store, with a store that is there. */
const commands = (store: string): string[][] => [
  ['load', '--store', store, genesis],
  follow(store),
  ['serve', '--store', store, '--finality', 'store', '--port', '0'],
  ['snapshot', 'export', '--store', store, '--out', '-'],
  ['snapshot', 'import', genesis, '--store', store, '--root', `0x${'1'.repeat(64)}`],
  ['migrate', '--store', store],
];

/** A store of another family: the first read of each command finds it. */
async function otherFamily(): Promise<string> {
  const url = await newDatabase();
  const store = await postgresStore({ connectionString: url });
  const tree = await openStateTree({ hash: 'mimc', store });
  await tree.applyBlock({ number: 0, changes: [] });
  await tree.close();
  return url;
}

const isFree = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT until < now() AS free FROM l2proof.writer');
  await client.end();
  return rows[0].free;
};

test(
  'a first read that finds another family ends each command, and its lease',
  async () => {
    const url = await otherFamily();
    for (const args of commands(url).filter(([name]) => name !== 'migrate')) {
      const run = start(...args);
      await until(
        () => /the store holds/.test(run.said()) || run.child.exitCode !== null,
        'it fails',
      );
      const failed = performance.now();
      const [code] = await run.end;
      expect([args[0], args[1], code]).toEqual([args[0], args[1], 3]);
      // Idle connections alone would keep it for ten seconds, and the renewal of a lease for ever.
      expect(performance.now() - failed).toBeLessThan(5000);
      expect(await isFree(url)).toBe(true);
    }
  },
  2 * patience,
);

test(
  'a first read that takes too long, or is refused, ends each command with its code, and its lease',
  async () => {
    const url = await otherFamily();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE l2proof.entry IN ACCESS EXCLUSIVE MODE');
    const slow = `${url}?statement_timeout=300`;
    for (const args of commands(slow).filter(([, action]) => action !== 'import')) {
      const run = start(...args);
      await until(() => run.said() !== '' || run.child.exitCode !== null, 'it fails');
      const failed = performance.now();
      const [code] = await run.end;
      expect([args[0], args[1], code]).toEqual([args[0], args[1], 4]);
      expect(performance.now() - failed).toBeLessThan(5000);
      expect(await isFree(url)).toBe(true);
    }
    await client.query('ROLLBACK');
    await client.end();
  },
  2 * patience,
);

test(
  'a lease that another one holds, a user who is refused and a missing database have their codes',
  async () => {
    const url = await newDatabase();
    const holder = await postgresStore({ connectionString: url });
    const missing = new URL(url);
    missing.pathname = 'nothing';
    for (const [store, code, words] of [
      [url, 4, /has the store open to write to it/],
      [missing.href, 3, /there is no such database/],
      [`${url}?sslmode=verify-full`, 3, /the server has no TLS/],
      ['postgres://user@127.0.0.1:1/db', 4, /ECONNREFUSED/],
    ] as const) {
      for (const args of [follow(store), ['load', '--store', store, genesis]]) {
        const run = start(...args);
        expect([store, args[0], (await run.end)[0]]).toEqual([store, args[0], code]);
        expect(run.said()).toMatch(words);
      }
    }
    await holder.close();
  },
  2 * patience,
);

test(
  'a follower whose lease was taken over ends, though no block comes',
  async () => {
    const url = await newDatabase();
    const run = start(...follow(url));
    await until(async () => (await isFree(url).catch(() => true)) === false, 'it has the lease');
    await until(() => /no root has confirmed/.test(run.said()), 'it follows');
    await endLease('l2proof', url);
    expect((await run.end)[0]).toBe(4);
    expect(run.said()).toMatch(/another one has taken the store over/);
  },
  patience,
);

test(
  'a follower goes on over restarts of its database, and ends beside one that is frozen',
  async () => {
    let server: Postgres | undefined = await startPostgres();
    let run: Run | undefined;
    try {
      run = start(...follow(server.url));
      const { said, child, end } = run;
      const client = async (text: string) => {
        const one = new pg.Client({ connectionString: (server as Postgres).url });
        await one.connect();
        const { rows } = await one.query(text);
        await one.end();
        return rows;
      };
      await until(() => /no root has confirmed/.test(said()), 'it follows');
      for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
        const before = said().length;
        await server.end(signal);
        // A block that cannot be written.
        await node.mine(...(life[0] as Parameters<typeof node.mine>));
        await until(
          () => said().slice(before).includes('opening the store again'),
          `it has noticed: ${said()}`,
        );
        await server.start();
      }
      const head = Number(await node.call('eth_blockNumber'));
      const newest = async (): Promise<number> => {
        const reader = await postgresStore({
          connectionString: (server as Postgres).url,
          readOnly: true,
        });
        const tree = await openStateTree({ store: reader });
        const block = Number((await tree.newestBlock()) ?? -1);
        await tree.close();
        return block;
      };
      await until(async () => (await newest()) === head, 'it has caught up', 2 * 60_000);
      const pids = await client('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
      for (const { pid } of pids) process.kill(pid, 'SIGSTOP');
      try {
        child.kill('SIGTERM');
        const told = performance.now();
        expect(await end).toEqual([0, null]);
        expect(performance.now() - told).toBeLessThan(20_000);
      } finally {
        for (const { pid } of pids) process.kill(pid, 'SIGCONT');
      }
    } finally {
      run?.child.kill('SIGKILL');
      await server.close();
      server = undefined;
    }
  },
  4 * patience,
);

test(
  'a database that freezes beside each command: SIGTERM ends it within ten seconds',
  async () => {
    const server = await startPostgres();
    try {
      const stopped: number[] = [];
      /** Stops all processes of the server that the test has started. */
      const freeze = async () => {
        const client = new pg.Client({ connectionString: server.url });
        await client.connect();
        const text = 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()';
        const { rows } = await client.query(text);
        await client.end();
        for (const { pid } of rows) stopped.push(pid);
        stopped.push(server.process());
        for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      };
      const wake = () => {
        // A process of the server may have ended meanwhile.
        for (const pid of stopped.splice(0)) {
          try {
            process.kill(pid, 'SIGCONT');
          } catch {}
        }
      };
      const state = await postgresStore({ connectionString: server.url });
      const tree = await openStateTree({ store: state });
      await tree.applyBlock({ number: 0, changes: [] });
      await tree.finalize(0);
      await tree.close();
      const url = server.url;
      const load = ['load', '--store', url, '-'];
      const serve = commands(url).find(([name]) => name === 'serve') as string[];
      const frozen = { load: [null, 'SIGTERM'], serve: [0, null] } as const;
      for (const [args, ready] of [
        [load, () => isFree(url).then((free) => !free)],
        [serve, (run: Run) => /listening/.test(run.said())],
      ] as const) {
        const run = start(...args);
        await until(async () => ready(run), `${args[0]} is under way: ${run.said()}`);
        await freeze();
        try {
          run.child.kill('SIGTERM');
          const told = performance.now();
          expect([args[0], await run.end]).toEqual([
            args[0],
            frozen[args[0] as keyof typeof frozen],
          ]);
          expect(performance.now() - told).toBeLessThan(20_000);
          expect(run.said()).not.toMatch(/report it|[Uu]nhandled/);
        } finally {
          wake();
          run.child.kill('SIGKILL');
        }
        await endLease('l2proof', url);
      }
      // Before it has opened its store, too.
      await freeze();
      const exporting = ['snapshot', 'export', '--store', url, '--out', '-'];
      const following = start(...follow(url));
      const runs = [following, ...[load, serve, exporting].map((args) => start(...args))];
      try {
        await new Promise((done) => setTimeout(done, 3000));
        for (const { child } of runs) child.kill('SIGTERM');
        const told = performance.now();
        for (const { end, said } of runs) {
          await end;
          expect(said()).not.toMatch(/report it|[Uu]nhandled/);
        }
        // The signal counts, and not that the store could not be opened.
        expect(await following.end).toEqual([0, null]);
        expect(performance.now() - told).toBeLessThan(20_000);
      } finally {
        wake();
        for (const { child } of runs) child.kill('SIGKILL');
      }
    } finally {
      await server.close();
    }
  },
  2 * patience,
);
