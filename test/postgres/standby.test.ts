/** A streaming replica of the server: it is read, late at times, and takes no writer. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Hex, verifyProof } from '../../src/index.js';
import { postgresStore } from '../../src/postgres/index.js';
import { openStateTree, type StateTree } from '../../src/tree/index.js';
import type { RpcAnswer } from '../support/answers.js';
import { newFolder } from '../support/folder.js';
import { type Postgres, startPostgres } from '../support/postgres.js';
import type { Wire } from '../support/runs.js';
import { patience } from '../support/runs.js';
import { until } from '../support/until.js';
import { newDatabase } from './schemas.js';

const address = '0x00000000000000000000000000000000000a11ce';
const main = 'dist/cli/main.js';

let source: string;
let standby: Postgres;
let tree: StateTree;

const apply = (number: number) =>
  tree.applyBlock({
    number,
    changes: [{ address, account: { nonce: BigInt(number), balance: 1n } }],
  });

/** Runs statements on the replica. */
async function onStandby(text: string, url = standby.url): Promise<Wire[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

/** The URL of the chain's database on the replica. */
function replica(): string {
  const own = new URL(standby.url);
  own.pathname = new URL(source).pathname;
  return own.href;
}

beforeAll(async () => {
  source = await newDatabase();
  tree = await openStateTree({ store: await postgresStore({ connectionString: source }) });
  for (const number of [0, 1, 2]) await apply(number);
  await tree.finalize(2);
  // As many connections as the primary has, at least.
  standby = await startPostgres(['max_connections=200'], source);
}, patience);
afterAll(async () => {
  await standby.close();
  await tree.close();
}, patience);

test(
  '`serve` answers from it, while it lags too, and goes on once it has caught up',
  async () => {
    const args = ['serve', '--store', replica(), '--finality', 'store', '--port', '0'];
    const serving = spawn(process.execPath, [main, ...args]);
    try {
      const [said] = await once(serving.stdout, 'data');
      const { port } = JSON.parse(String(said).split('\n')[0] as string);
      const ask = async (block: string): Promise<RpcAnswer> => {
        const params = [address, [], block];
        const response = await fetch(`http://127.0.0.1:${port}/v3/`, {
          method: 'POST',
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'l2_getProof', params }),
        });
        return response.json();
      };
      const nonceAt = async (block: number, tag = `0x${block}`) => {
        const answer = await ask(tag);
        expect(answer).toMatchObject({ result: {} });
        const { result } = answer;
        const stateRoot = (await tree.stateRoot(block)) as Hex;
        return verifyProof(result, { stateRoot, address, storageKeys: [] }).account?.nonce;
      };
      expect(await nonceAt(2, 'latest')).toBe(2n);
      await onStandby('SELECT pg_wal_replay_pause()');
      await apply(3);
      await tree.finalize(3);
      // What it has is right, and what it has not is told as such.
      expect(await nonceAt(2, 'latest')).toBe(2n);
      expect(await nonceAt(2)).toBe(2n);
      expect((await ask('0x3')).error).toEqual({
        code: -32600,
        message: expect.stringMatching(/finalized/i),
      });
      await onStandby('SELECT pg_wal_replay_resume()');
      await until(async () => (await ask('0x3')).result !== undefined, 'it has caught up');
      expect(await nonceAt(3)).toBe(3n);
    } finally {
      const ended = once(serving, 'exit');
      serving.kill();
      expect(await ended).toEqual([0, null]);
    }
  },
  patience,
);

test(
  'a writer is told READ_ONLY, as a library and as a command; a reader exports from it',
  async () => {
    const connectionString = replica();
    await expect(postgresStore({ connectionString })).rejects.toMatchObject({
      code: 'READ_ONLY',
      message: expect.stringMatching(/the database takes no writes.*SQLSTATE 25006/),
    });
    // Where there is no store yet, either.
    await expect(postgresStore({ connectionString, schema: 'another' })).rejects.toMatchObject({
      code: 'READ_ONLY',
    });
    const folder = newFolder();
    const file = join(folder, 'genesis.jsonl');
    writeFileSync(file, `${JSON.stringify({ genesis: { number: 0, alloc: {} } })}\n`);
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', timeout: 60_000 });
    const follow = ['follow', '--l2', 'http://127.0.0.1:1', '--fork', 'shanghai'];
    for (const args of [['load', file], [...follow, '--genesis', file], follow]) {
      const { status, stderr } = run(...args, '--store', connectionString);
      expect({ args, status, stderr }).toEqual({
        args,
        status: 3,
        stderr: expect.stringMatching(/the database takes no writes.*\(READ_ONLY\)\n$/),
      });
    }
    const out = join(folder, 'out');
    const exported = run('snapshot', 'export', '--store', connectionString, '--out', out);
    expect(exported).toMatchObject({ status: 0, stderr: '' });
  },
  patience,
);

test(
  'what it cancels to follow its primary is read once more, or told as such',
  async () => {
    await onStandby("ALTER SYSTEM SET max_standby_streaming_delay = '0'");
    await onStandby('SELECT pg_reload_conf()');
    const store = await postgresStore({ connectionString: replica(), readOnly: true });
    const all = { keys: [], ranges: [{ from: Uint8Array.of(0), limit: 1000 }] };
    const request = {
      ...all,
      ranges: all.ranges.map((range) => ({ ...range, to: undefined, reverse: false })),
    };
    const primary = new pg.Client({ connectionString: source });
    await primary.connect();
    const snapshot = await store.snapshot();
    try {
      const before = await snapshot.read(request);
      // Rows that the snapshot still sees are taken away.
      await apply(4);
      await apply(5);
      await primary.query('VACUUM l2proof.entry');
      const read = () =>
        snapshot.read(request).then(
          () => undefined,
          (error: Error) => error,
        );
      await until(async () => (await read()) !== undefined, 'it is cancelled');
      expect(await read()).toMatchObject({
        code: 'STORE_FAILED',
        message: expect.stringMatching(/the standby has cancelled it.*conflict with recovery/),
      });
      await snapshot.release();
      const tables = 'SELECT count(*) FROM l2proof.entry';
      const { rows } = await primary.query(tables);
      await until(
        async () => (await onStandby(tables, replica()))[0].count === rows[0].count,
        'it has caught up',
      );
      const now = (await store.read(request)).ranges[0] ?? [];
      expect(now.length).toBeGreaterThan(before.ranges[0]?.length ?? 0);

      // A statement that is cancelled in the middle, by the same SQLSTATE.
      const pool = new pg.Pool({ connectionString: replica() });
      let cancelled = 0;
      const connect = async () => {
        const client = await pool.connect();
        const query = client.query.bind(client) as (...given: unknown[]) => unknown;
        const own = (statement: { text: string }, callback: unknown) => {
          const isRead = /l2proof\.entry/.test(statement.text) && cancelled++ === 0;
          const text = "DO $$ BEGIN RAISE 'conflict with recovery' USING ERRCODE = '40001'; END $$";
          return isRead ? query({ text }, callback) : query(statement, callback);
        };
        return Object.assign(client, { query: own });
      };
      const given = { connect, on: pool.on.bind(pool), off: pool.off.bind(pool) };
      const other = await postgresStore({ pool: given as never, readOnly: true });
      expect((await other.read(request)).ranges[0]).toEqual(now);
      expect(cancelled).toBeGreaterThan(1);
      await other.close();
      await pool.end();
    } finally {
      await primary.end();
      // A store that is closed waits for its snapshots: a test that fails would hang.
      await snapshot.release();
      await store.close();
    }
  },
  patience,
);
