/** What goes wrong with a server has an outcome: nothing acknowledged is lost, nothing is half there, and the error says what it is. */

import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresStore } from '../../src/postgres/index.js';
import { type Batch, type Store, TreeError } from '../../src/tree/index.js';
import { randomOf } from '../support/blocks.js';
import { newFolder } from '../support/folder.js';
import { toHex } from '../support/hex.js';
import { type Postgres, startPostgres } from '../support/postgres.js';
import { patience } from '../support/runs.js';
import { entriesOf, valueOf } from '../support/stores.js';
import { rejectionOf } from '../support/thrown.js';
import { openWire } from './proxy.js';
import type { Query } from './schemas.js';
import { bytes, newSchema, openStore, sql, url } from './schemas.js';

const put = (store: Store, value: number) =>
  store.write({ puts: [{ key: bytes(1), value: bytes(value) }], deletes: [] });

const failureOf = (work: Promise<unknown>): Promise<TreeError> => rejectionOf(TreeError, work);

/** The entries of a store as text. */
const shown = async (store: Store): Promise<string[]> =>
  (await entriesOf(store)).map(({ key, value }) => `${toHex(key)} ${toHex(value)}`);

/** Batches over few keys, each of which changes many of them. */
function* randomBatches(seed: number): Generator<Batch> {
  const random = randomOf(seed);
  for (;;) {
    const keys = Array.from({ length: 40 }, (_, i) => bytes(i)).filter(() => random(3) > 0);
    const [puts, deletes] = [
      keys.filter((key) => (key[0] as number) % 3 !== 0 || random(2) === 0),
      [] as Uint8Array[],
    ];
    const value = Uint8Array.from({ length: 300 }, () => random(256));
    for (const key of keys) if (!puts.includes(key)) deletes.push(key);
    yield { puts: puts.map((key) => ({ key, value })), deletes };
  }
}

/** What batches leave. */
class Model {
  readonly entries = new Map<string, string>();

  apply({ puts, deletes }: Batch): void {
    for (const { key, value } of puts) this.entries.set(toHex(key), toHex(value));
    for (const key of deletes) this.entries.delete(toHex(key));
  }

  shown(): string[] {
    return [...this.entries].sort(([a], [b]) => (a < b ? -1 : 1)).map((pair) => pair.join(' '));
  }
}

test('a statement without an answer in time keeps nobody: the lease is given back on another connection', async () => {
  const schema = newSchema();
  await (await openStore(schema)).close();
  const store = await postgresStore({
    connectionString: `${url}?statement_timeout=0&query_timeout=300`,
    schema,
  });
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query(`BEGIN; LOCK TABLE ${schema}.entry IN ACCESS EXCLUSIVE MODE`);
  expect(await failureOf(valueOf(store, bytes(1)))).toMatchObject({ code: 'STORE_FAILED' });
  await store.close();
  expect(await sql(`SELECT until < now() AS free FROM ${schema}.writer`)).toEqual([{ free: true }]);
  await other.query('ROLLBACK');
  await other.end();
});

describe('a connection that is lost', () => {
  test('before the batch has arrived: it fails, and nothing is there', async () => {
    const wire = await openWire(url);
    const store = await postgresStore({ connectionString: wire.url, schema: newSchema() });
    await put(store, 1);
    wire.cutAt = { from: 'client', word: 'BEGIN ISOLATION LEVEL READ COMMITTED' };
    expect(await failureOf(put(store, 2))).toMatchObject({ code: 'STORE_FAILED' });
    expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([1]));
    await put(store, 3);
    expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([3]));
    await store.close();
    await wire.close();
  });

  test('after the batch was written, before the answer: the store asks, and finds it written', async () => {
    const wire = await openWire(url);
    const store = await postgresStore({ connectionString: wire.url, schema: newSchema() });
    await put(store, 1);
    wire.cutAt = { from: 'server', word: 'COMMIT' };
    await put(store, 2);
    expect(wire.cutAt).toBeUndefined();
    expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([2]));
    await put(store, 3);
    await store.close();
    await wire.close();
  });

  test('and with it the way to ask: it is asked before anything else is read', async () => {
    const wire = await openWire(url);
    const schema = newSchema();
    const store = await postgresStore({ connectionString: wire.url, schema });
    await put(store, 1);
    wire.cutAt = { from: 'server', word: 'COMMIT' };
    const writing = failureOf(put(store, 2));
    // What asks is cut off, too.
    while (wire.cutAt !== undefined) await sleep(1);
    wire.cutAt = { from: 'client', word: 'SET number = number + 1' };
    expect(await writing).toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringMatching(/^cannot find out whether the last batch was written/),
    });
    const [before] = await sql(`SELECT number FROM ${schema}.writer`);
    expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([2]));
    // Under another number: what is still under way of the old one is fenced.
    expect(await sql(`SELECT number FROM ${schema}.writer`)).toEqual([
      { number: String(Number(before.number) + 1) },
    ]);
    await put(store, 3);
    await store.close();
    await wire.close();
  });

  test(
    'while the server still writes: the store waits for the outcome',
    async () => {
      const wire = await openWire(url);
      const schema = newSchema();
      const store = await postgresStore({ connectionString: wire.url, schema });
      await put(store, 1);
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      await other.query(`BEGIN; SELECT * FROM ${schema}.entry FOR UPDATE`);
      // Whichever it is: the answer is right, and stays so. It may fail before the server is done.
      const writing = put(store, 2).then(
        () => 2,
        () => 1,
      );
      await sleep(300);
      wire.cut();
      await sleep(300);
      await other.query('COMMIT');
      await other.end();
      const value = await writing;
      expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([value]));
      await sleep(300);
      expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([value]));
      await store.close();
      await wire.close();
    },
    patience,
  );

  test('under a reader: its proof fails, and the next one does not', async () => {
    const store = await openStore(newSchema());
    await put(store, 1);
    const snapshot = await store.snapshot();
    await valueOf(snapshot, bytes(1));
    await sql(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
      ['l2proof'],
    );
    expect(await failureOf(valueOf(snapshot, bytes(1)))).toMatchObject({ code: 'STORE_FAILED' });
    await snapshot.release();
    await expect.poll(() => valueOf(store, bytes(1)).catch(() => 'none')).toEqual(Buffer.from([1]));
    await store.close();
  });

  test(
    'again and again: every batch that was acknowledged is there, and no other',
    async () => {
      const store = await openStore(newSchema());
      const model = new Model();
      let isOver = false;
      const random = randomOf(5);
      const cutting = (async () => {
        while (!isOver) {
          await sleep(random(60));
          await sql(
            'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
            ['l2proof'],
          );
        }
      })();
      let failed = 0;
      let written = 0;
      const until = performance.now() + 6000;
      for (const batch of randomBatches(6)) {
        if (performance.now() > until && failed > 5 && written > 5) break;
        try {
          await store.write(batch);
          model.apply(batch);
          written++;
        } catch (error) {
          expect(error).toMatchObject({ code: 'STORE_FAILED' });
          failed++;
        }
        // A read may be cut, too.
        for (;;) {
          const found = await shown(store).catch(() => undefined);
          if (found === undefined) continue;
          expect(found).toEqual(model.shown());
          break;
        }
      }
      isOver = true;
      await cutting;
      await store.close();
    },
    patience,
  );
});

test('a transaction that does not begin writes nothing, though its statements are carried out', async () => {
  const pool = new pg.Pool({ connectionString: url, pipeline: true });
  let isBroken = false;
  pool.on('connect', (client) => {
    const inner = client.query.bind(client) as Query;
    client.query = ((statement: Parameters<Query>[0], ...rest: unknown[]) =>
      isBroken && statement.text.startsWith('BEGIN')
        ? inner({ ...statement, text: 'SELECT 1 / 0' }, ...rest)
        : inner(statement, ...rest)) as typeof client.query;
  });
  const store = await postgresStore({ pool, schema: newSchema() });
  await put(store, 1);
  isBroken = true;
  expect(await failureOf(put(store, 2))).toMatchObject({ code: 'STORE_FAILED' });
  const snapshot = await store.snapshot();
  expect(await failureOf(valueOf(snapshot, bytes(1)))).toMatchObject({ code: 'STORE_FAILED' });
  await snapshot.release();
  isBroken = false;
  expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([1]));
  await put(store, 3);
  await store.close();
  await pool.end();
});

test('a snapshot whose read was cancelled says so again, not that its transaction was aborted', async () => {
  const pool = new pg.Pool({ connectionString: url, pipeline: true });
  let isCancelled = false;
  pool.on('connect', (client) => {
    const inner = client.query.bind(client) as Query;
    client.query = ((statement: Parameters<Query>[0], ...rest: unknown[]) => {
      if (!isCancelled || !/\bentry\b/.test(statement.text)) return inner(statement, ...rest);
      isCancelled = false;
      const text = "DO $$ BEGIN RAISE 'conflict with recovery' USING ERRCODE = '40001'; END $$";
      return inner({ text }, ...rest);
    }) as typeof client.query;
  });
  const store = await postgresStore({ pool, schema: newSchema() });
  await put(store, 1);
  const snapshot = await store.snapshot();
  expect(await valueOf(snapshot, bytes(1))).toEqual(Buffer.from([1]));
  isCancelled = true;
  const first = await failureOf(valueOf(snapshot, bytes(1)));
  expect(first).toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringMatching(/the standby has cancelled it.*conflict with recovery/),
  });
  expect(await failureOf(valueOf(snapshot, bytes(1)))).toMatchObject({ message: first.message });
  await snapshot.release();
  expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([1]));
  await store.close();
  await pool.end();
});

describe('transactions that collide', () => {
  /** Has the database refuse the next puts. */
  async function refuse(schema: string, times: number): Promise<void> {
    await sql(`CREATE SEQUENCE IF NOT EXISTS ${schema}.tries`);
    await sql(`ALTER SEQUENCE ${schema}.tries RESTART`);
    await sql(`CREATE OR REPLACE FUNCTION ${schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('${schema}.tries') <= ${times} THEN
          RAISE EXCEPTION 'could not serialize access' USING ERRCODE = '40001';
        END IF;
        RETURN NEW;
      END $$`);
    await sql(`CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON ${schema}.entry
      FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse()`);
  }

  test('are tried again, some times', async () => {
    const schema = newSchema();
    const store = await openStore(schema);
    await refuse(schema, 3);
    await put(store, 1);
    expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([1]));
    await refuse(schema, 4);
    expect(await failureOf(put(store, 2))).toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringMatching(/collided with other transactions.*SQLSTATE 40001/),
    });
    expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([1]));
    await put(store, 3);
    await store.close();
  });

  test(
    'in a deadlock: one of them is tried again',
    async () => {
      const schema = newSchema();
      const store = await openStore(schema);
      const two = (value: number) =>
        store.write({
          puts: [1, 2].map((key) => ({ key: bytes(key), value: bytes(value) })),
          deletes: [],
        });
      await two(1);
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      await other.query('BEGIN; SET LOCAL deadlock_timeout = 60000');
      const lock = (key: string) =>
        other.query(`SELECT * FROM ${schema}.entry WHERE key = decode('${key}', 'hex') FOR UPDATE`);
      await lock('02');
      const writing = two(2);
      await sleep(300);
      await lock('01');
      await other.query('COMMIT');
      await writing;
      expect((await entriesOf(store)).map(({ value }) => value[0])).toEqual([2, 2]);
      await other.end();
      await store.close();
    },
    patience,
  );
});

describe('a server that is slow', () => {
  test('ends a statement after its bound: nothing is written, and the next call is served', async () => {
    const schema = newSchema();
    const store = await postgresStore({ connectionString: `${url}?statement_timeout=300`, schema });
    await put(store, 1);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query(`BEGIN; LOCK TABLE ${schema}.entry IN ACCESS EXCLUSIVE MODE`);
    const late = {
      code: 'STORE_FAILED',
      message: expect.stringMatching(/longer than statement_timeout/),
    };
    expect(await failureOf(put(store, 2))).toMatchObject(late);
    expect(await failureOf(valueOf(store, bytes(1)))).toMatchObject(late);
    const snapshot = await store.snapshot();
    expect(await failureOf(valueOf(snapshot, bytes(1)))).toMatchObject(late);
    await snapshot.release();
    await other.query('COMMIT');
    await other.end();
    expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([1]));
    await put(store, 2);
    await store.close();
  });

  test(
    'or says nothing at all: the client gives up, and asks later what became of the batch',
    async () => {
      const schema = newSchema();
      const store = await postgresStore({ connectionString: `${url}?query_timeout=1500`, schema });
      await put(store, 1);
      const pids = await sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'l2proof'");
      for (const { pid } of pids) process.kill(pid, 'SIGSTOP');
      try {
        expect(await failureOf(put(store, 2))).toMatchObject({ code: 'STORE_FAILED' });
      } finally {
        for (const { pid } of pids) process.kill(pid, 'SIGCONT');
      }
      expect([[1], [2]]).toContainEqual([...((await valueOf(store, bytes(1))) as Uint8Array)]);
      await put(store, 3);
      expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([3]));
      await store.close();
    },
    patience,
  );
});

describe('a server of its own', () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
  }, patience);
  afterAll(() => server.close(), patience);

  test(
    'that is started again has all that was acknowledged, and the store goes on',
    async () => {
      const store = await postgresStore({ connectionString: server.url });
      const model = new Model();
      const batches = randomBatches(8);
      for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
        const ended = sleep(150).then(() => server.end(signal));
        for (;;) {
          const batch = batches.next().value as Batch;
          try {
            await store.write(batch);
            model.apply(batch);
          } catch (error) {
            expect(error).toMatchObject({ code: 'STORE_FAILED' });
            // Whether it was written is found out once the server is there.
            await ended;
            await server.start();
            const found = await shown(store);
            const before = model.shown();
            model.apply(batch);
            if (JSON.stringify(found) === JSON.stringify(before)) {
              model.entries.clear();
              for (const line of before)
                model.entries.set(...(line.split(' ') as [string, string]));
            }
            expect(found).toEqual(model.shown());
            break;
          }
        }
      }
      await put(store, 1);
      await store.close();
    },
    2 * patience,
  );

  test(
    'that is not there, or another, is told without its address',
    async () => {
      const secret = 'hunter2';
      const own = new URL(server.url);
      own.password = secret;
      const variants: [string, RegExp][] = [];
      const variant = (change: (url: URL) => void, message: RegExp) => {
        const one = new URL(own);
        change(one);
        variants.push([one.href, message]);
      };
      variant((one) => {
        one.port = '1';
      }, /the connection failed: ECONNREFUSED/);
      variant((one) => {
        one.hostname = 'db-1.invalid';
      }, /the connection failed: (ENOTFOUND|EAI_AGAIN)/);
      variant((one) => {
        one.pathname = 'nothing';
      }, /no such database/);
      variant(
        (one) => one.searchParams.set('sslmode', 'verify-full'),
        /the server has no TLS, which sslmode asks for/,
      );
      // The user's password is another one.
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query("CREATE ROLE guarded LOGIN PASSWORD 'another'");
      const file = join(server.folder, 'data', 'pg_hba.conf');
      writeFileSync(file, `host all guarded 127.0.0.1/32 scram-sha-256\n${readFileSync(file)}`);
      await client.query('SELECT pg_reload_conf()');
      await client.end();
      await sleep(300);
      variant((one) => {
        one.username = 'guarded';
      }, /refuses this user or password.*SQLSTATE 28P01/);
      for (const [connectionString, message] of variants) {
        const error = await failureOf(postgresStore({ connectionString }));
        expect(error.code).toBe('STORE_FAILED');
        expect(error.message).toMatch(message);
        const all = `${error.stack} ${JSON.stringify(error.cause ?? '')}`;
        expect(all).not.toMatch(/hunter2|db-1|127\.0\.0\.1/);
      }
    },
    patience,
  );

  test(
    'with a database that takes no writes is READ_ONLY',
    async () => {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query('CREATE DATABASE resting');
      const own = new URL(server.url);
      own.pathname = 'resting';
      const store = await postgresStore({ connectionString: own.href });
      await put(store, 1);
      await store.close();
      await client.query('ALTER DATABASE resting SET default_transaction_read_only = on');
      expect(await failureOf(postgresStore({ connectionString: own.href }))).toMatchObject({
        code: 'READ_ONLY',
      });
      const reader = await postgresStore({ connectionString: own.href, readOnly: true });
      expect(await valueOf(reader, bytes(1))).toEqual(Buffer.from([1]));
      await reader.close();
      await client.end();
    },
    patience,
  );

  /** Whether a file system of a few MB can be had here. */
  const probe = newFolder();
  const canMount =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', probe]).status === 0;
  if (canMount) execFileSync('umount', [probe]);

  test.skipIf(!canMount)(
    'whose disk is full: STORE_FULL, as before, and once there is room it goes on',
    async () => {
      const disk = join(server.folder, 'disk');
      mkdirSync(disk);
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=777', 'tmpfs', disk]);
      try {
        const inside = join(disk, 'space');
        mkdirSync(inside);
        chmodSync(inside, 0o777);
        execFileSync('chown', ['--reference', server.folder, inside]);
        appendFileSync(join(disk, 'filler'), Buffer.alloc(2_000_000));
        await client.query(`CREATE TABLESPACE small LOCATION '${inside}'`);
        await client.query('CREATE DATABASE small TABLESPACE small');
        const own = new URL(server.url);
        own.pathname = 'small';
        const store = await postgresStore({ connectionString: own.href });
        const value = new Uint8Array(900_000).fill(3);
        const model = new Model();
        let error: TreeError | undefined;
        for (let i = 0; i < 40 && error === undefined; i++) {
          const batch = {
            puts: [
              { key: bytes(i), value: value.slice() },
              { key: bytes(99), value: bytes(i) },
            ],
            deletes: [],
          };
          await store.write(batch).then(
            () => model.apply(batch),
            (cause) => {
              error = cause;
            },
          );
        }
        expect(error).toBeInstanceOf(TreeError);
        expect(error).toMatchObject({
          code: 'STORE_FULL',
          message: expect.stringMatching(/nothing was written/),
        });
        expect(await shown(store)).toEqual(model.shown());
        execFileSync('rm', [join(disk, 'filler')]);
        const next = { puts: [{ key: bytes(98), value: bytes(1) }], deletes: [] };
        await store.write(next);
        model.apply(next);
        expect(await shown(store)).toEqual(model.shown());
        await store.close();
        await client.query('DROP DATABASE small');
        await client.query('DROP TABLESPACE small');
      } finally {
        await client.end();
        execFileSync('umount', [disk]);
      }
    },
    patience,
  );
});
