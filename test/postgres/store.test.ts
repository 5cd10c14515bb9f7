/** The store in PostgreSQL keeps the laws of the contract, and its tables are made and changed safely. */

import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { postgresStore } from '../../src/postgres/index.js';
import { type Store, storeLaws, TreeError } from '../../src/tree/index.js';
import { patience } from '../support/runs.js';
import { entriesOf, rangeOf, valueOf } from '../support/stores.js';
import type { Query } from './schemas.js';
import { bytes, endLease, newSchema, openStore, sql, url } from './schemas.js';

const codeOf = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => 'none',
    (error) => {
      expect(error).toBeInstanceOf(TreeError);
      return error.code;
    },
  );

const schema = newSchema();
const pool = new pg.Pool({ connectionString: url, pipeline: true });
const pooled = newSchema();
const stores: [string, () => Promise<Store>][] = [
  ['that is reached by a connection string', () => openStore(schema)],
  ['that is reached by a pool', () => postgresStore({ pool, schema: pooled })],
  ['that is a new one each time', () => openStore(newSchema())],
];

describe.each(stores)('a store %s', (_, open) => {
  test.each(storeLaws(open))(
    'keeps the law: $name',
    ({ check }) => expect(check()).resolves.toBeUndefined(),
    patience,
  );
});

test('the pool of the caller stays open, without a listener of ours', async () => {
  const own = new pg.Pool({ connectionString: url, pipeline: true });
  const store = await postgresStore({ pool: own, schema: newSchema() });
  await store.write({ puts: [{ key: bytes(1), value: bytes(2) }], deletes: [] });
  await store.close();
  expect(own.listenerCount('error')).toBe(0);
  expect((await own.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await own.end();
  await pool.end();
});

test('values of any length are kept, replaced by shorter ones, and leave nothing behind', async () => {
  const own = newSchema();
  const store = await openStore(own);
  const long = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 9)) & 255);
  const mib = 2 ** 20;
  const lengths = [mib - 1, mib, mib + 1, 2 * mib, 5_000_000];
  const puts = lengths.map((length, i) => ({ key: bytes(i), value: long(length) }));
  await store.write({ puts, deletes: [] });
  const partsOf = async () =>
    (await sql(`SELECT key, number FROM ${own}.part ORDER BY key, number`)).map(
      ({ key, number }) => [key[0], number],
    );
  // The first MiB stands with the key.
  expect(await partsOf()).toEqual([[2, 1], [3, 1], ...[1, 2, 3, 4].map((number) => [4, number])]);
  const check = async (expected: { key: Uint8Array; value: Uint8Array }[]) => {
    const found = await entriesOf(store);
    expect(found.map(({ key, value }) => [[...key], value.length])).toEqual(
      expected.map(({ key, value }) => [[...key], value.length]),
    );
    for (const [i, { key, value }] of expected.entries()) {
      expect(Buffer.compare(found[i]?.value as Uint8Array, value)).toBe(0);
      expect(Buffer.compare((await valueOf(store, key)) as Uint8Array, value)).toBe(0);
    }
  };
  await check(puts);
  // An entry counts once, however many parts it has.
  expect(
    (await rangeOf(store, bytes(3), undefined, { limit: 2 })).map(({ key }) => key[0]),
  ).toEqual([3, 4]);
  await store.close();

  // Another process knows of the parts too.
  const next = await openStore(own);
  const shorter = { key: bytes(4), value: long(2 * mib + 5) };
  await next.write({ puts: [shorter, { key: bytes(2), value: bytes() }], deletes: [bytes(3)] });
  expect(await partsOf()).toEqual([
    [4, 1],
    [4, 2],
  ]);
  expect(Buffer.compare((await valueOf(next, bytes(4))) as Uint8Array, shorter.value)).toBe(0);
  await next.write({ puts: [], deletes: [bytes(4)] });
  expect(await partsOf()).toEqual([]);
  await next.close();
});

test('values are kept as they are, not compressed', async () => {
  const own = newSchema();
  await (await openStore(own)).close();
  const columns = await sql(
    `SELECT attstorage FROM pg_attribute WHERE attname = 'value'
      AND attrelid IN ('${own}.entry'::regclass, '${own}.part'::regclass)`,
  );
  expect(columns).toEqual([{ attstorage: 'e' }, { attstorage: 'e' }]);
});

test('a key and a range are looked up in the index, also before the server has counted the rows', async () => {
  const own = newSchema();
  const store = await openStore(own);
  const logged: string[] = [];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SET plan_cache_mode = force_generic_plan');
  const range = (reverse: boolean) => ({ from: bytes(1), to: bytes(2), limit: 1, reverse });
  const query = { keys: [bytes(1)], ranges: [range(false), range(true)] };
  // The statement that a read sends, seen by the server.
  const seeing = new pg.Pool({ connectionString: url, pipeline: true });
  seeing.on('connect', (one) => {
    const inner = one.query.bind(one) as Query;
    one.query = ((statement: Parameters<Query>[0], ...rest: unknown[]) => {
      if (statement.name?.includes(' read ')) logged.push(statement.text);
      return inner(statement, ...rest);
    }) as typeof one.query;
  });
  const reader = await postgresStore({ pool: seeing, schema: own, readOnly: true });
  await reader.read(query);
  const [text] = logged as [string];
  const types = 'bytea[], bytea[], bytea[], bigint[], bytea[], bytea[], bigint[]';
  await client.query(`PREPARE seen (${types}) AS ${text}`);
  const plan = await client.query(
    'EXPLAIN EXECUTE seen (NULL, NULL, NULL, NULL, NULL, NULL, NULL)',
  );
  const lines = plan.rows.map((row) => row['QUERY PLAN'] as string).join('\n');
  // The fourth is for the row of the writer.
  expect(lines.match(/Index Scan/g)).toHaveLength(4);
  expect(lines).not.toMatch(/Seq Scan|Sort|Bitmap/);
  await client.end();
  await reader.close();
  await seeing.end();
  await store.close();
});

describe('the tables', () => {
  test(
    'are made once, by any number of processes at once',
    async () => {
      const own = newSchema();
      const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => openStore(own)));
      const opened = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      // All have found the tables; one of them is the writer.
      expect(
        outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : 'open')).sort(),
      ).toEqual([...new Array(5).fill('OTHER_WRITER'), 'open']);
      expect(await sql(`SELECT number FROM ${own}.migration`)).toEqual([{ number: 1 }]);
      for (const store of opened) await store.close();
    },
    patience,
  );

  test('are not made by a reader, and a schema of something else is refused', async () => {
    const own = newSchema();
    expect(await codeOf(() => openStore(own, { readOnly: true }))).toBe('WRONG_STORE');
    expect(await sql('SELECT 1 FROM pg_namespace WHERE nspname = $1', [own])).toEqual([]);
    await sql(`CREATE SCHEMA ${own}`);
    expect(await codeOf(() => openStore(own, { readOnly: true }))).toBe('WRONG_STORE');
  });

  test('of a later version are refused', async () => {
    const own = newSchema();
    await (await openStore(own)).close();
    await sql(`INSERT INTO ${own}.migration VALUES (2, now())`);
    expect(await codeOf(() => openStore(own))).toBe('WRONG_STORE');
    expect(await codeOf(() => openStore(own, { readOnly: true }))).toBe('WRONG_STORE');
  });

  test(
    'that were half made are not kept: a migration takes effect as a whole',
    async () => {
      const own = newSchema();
      await sql(`CREATE SCHEMA ${own}`);
      // The name that the last statements need is taken by something else.
      await sql(`CREATE VIEW ${own}.writer AS SELECT 1 AS id`);
      expect(await codeOf(() => openStore(own))).toBe('STORE_FAILED');
      const names = await sql(
        'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1',
        [own],
      );
      expect(names.map(({ name }) => name)).toEqual(['migration', 'writer']);
      expect(await sql(`SELECT number FROM ${own}.migration`)).toEqual([]);
    },
    patience,
  );
});

describe('a reader', () => {
  test('writes nothing, and needs only the right to read', async () => {
    const own = newSchema();
    const store = await openStore(own);
    await store.write({ puts: [{ key: bytes(1), value: bytes(2) }], deletes: [] });
    await sql(`CREATE ROLE ${own} LOGIN`);
    await sql(`GRANT USAGE ON SCHEMA ${own} TO ${own}`);
    await sql(`GRANT SELECT ON ALL TABLES IN SCHEMA ${own} TO ${own}`);
    const connectionString = url.replace('l2proof@', `${own}@`);
    const reader = await postgresStore({ connectionString, schema: own, readOnly: true });
    expect(await valueOf(reader, bytes(1))).toEqual(Buffer.from([2]));
    const snapshot = await reader.snapshot();
    expect(await valueOf(snapshot, bytes(1))).toEqual(Buffer.from([2]));
    await snapshot.release();
    expect(await codeOf(() => reader.write({ puts: [], deletes: [] }))).toBe('READ_ONLY');
    await reader.close();
    await store.close();
    expect(await codeOf(() => postgresStore({ connectionString, schema: own }))).toBe('READ_ONLY');
  });
});

describe('snapshots', () => {
  test('that were released are closed; those that were never read took no connection', async () => {
    const store = await openStore(newSchema());
    const idle = await Promise.all(Array.from({ length: 50 }, () => store.snapshot()));
    const [first] = idle as [(typeof idle)[0]];
    expect(await valueOf(first, bytes(1))).toBeUndefined();
    for (const one of idle) await one.release();
    await first.release();
    expect(await codeOf(() => valueOf(first, bytes(1)))).toBe('CLOSED');
    const late = await store.snapshot();
    await store.close();
    expect(await codeOf(() => valueOf(late, bytes(1)))).toBe('CLOSED');
    await late.release();
  });

  test('more than there are connections wait for one, and then fail', async () => {
    const own = new pg.Pool({
      connectionString: url,
      pipeline: true,
      max: 3,
      connectionTimeoutMillis: 300,
    });
    const store = await postgresStore({ pool: own, schema: newSchema() });
    const held = await Promise.all([1, 2, 3].map(() => store.snapshot()));
    for (const one of held) await valueOf(one, bytes(1));
    const more = await store.snapshot();
    expect(await codeOf(() => valueOf(more, bytes(1)))).toBe('STORE_FAILED');
    await more.release();
    const waiting = store.read({ keys: [bytes(1)], ranges: [] });
    await held[0]?.release();
    expect((await waiting).values).toEqual([undefined]);
    for (const one of held) await one.release();
    await store.close();
    await own.end();
  });
});

describe('looks', () => {
  const request = { keys: [bytes(1)], ranges: [] };

  test('of another process end with a write, and the next one finds it', async () => {
    const own = newSchema();
    const store = await openStore(own);
    const reader = await postgresStore({ connectionString: url, schema: own, readOnly: true });
    const valueIn = async (look = reader.look?.()) => (await look?.read(request))?.values;
    const put = (value: number) =>
      store.write({ puts: [{ key: bytes(1), value: bytes(value) }], deletes: [] });
    await put(1);
    const held = reader.look?.();
    expect(held?.version).toBeUndefined();
    expect(await valueIn(held)).toEqual([Buffer.from([1])]);
    expect(await valueIn(held)).toEqual([Buffer.from([1])]);
    const known = reader.look?.();
    expect(known?.version).toBe(reader.look?.().version);
    // An empty request says nothing of the moment.
    expect(await held?.read({ keys: [], ranges: [] })).toEqual({ values: [], ranges: [] });
    await put(2);
    expect(await valueIn(known)).toBeUndefined();
    expect(await valueIn(held)).toBeUndefined();
    expect(reader.look?.().version).not.toBe(known?.version);
    expect(await valueIn()).toEqual([Buffer.from([2])]);
    // A batch that changes nothing but deletes is one, too.
    const last = reader.look?.();
    await store.write({ puts: [], deletes: [bytes(1)] });
    expect(await valueIn(last)).toBeUndefined();
    expect(await valueIn()).toEqual([undefined]);
    await reader.close();
    await store.close();
  });

  test('end with the first batch of the next writer, whose batches count from one again', async () => {
    const own = newSchema();
    const first = await openStore(own);
    await first.write({ puts: [{ key: bytes(1), value: bytes(1) }], deletes: [] });
    const reader = await postgresStore({ connectionString: url, schema: own, readOnly: true });
    const look = reader.look?.();
    expect((await look?.read(request))?.values).toEqual([Buffer.from([1])]);
    await first.close();
    const second = await openStore(own);
    await second.write({ puts: [{ key: bytes(1), value: bytes(2) }], deletes: [] });
    expect(await look?.read(request)).toBeUndefined();
    await second.close();
    await reader.close();
  });

  test('do not answer with a value in parts, which a second statement would read', async () => {
    const store = await openStore(newSchema());
    const value = new Uint8Array(2 ** 20 + 1).fill(7);
    await store.write({ puts: [{ key: bytes(1), value }], deletes: [] });
    expect(await store.look?.().read(request)).toBeUndefined();
    expect(await valueOf(store, bytes(1))).toEqual(Buffer.from(value));
    await store.close();
  });
});

describe('options', () => {
  test.each([
    ['none', {}, TypeError, /either "connectionString" or "pool"/],
    ['both', { connectionString: url, pool }, TypeError, /either/],
    [
      'a string that is no URL',
      { connectionString: 'host=x password=secret' },
      RangeError,
      /^"connectionString" expected postgres:/,
    ],
    [
      'a URL that cannot be parsed',
      { connectionString: 'postgres://u:se cret@[x/db' },
      RangeError,
      /percent-encoded/,
    ],
    [
      'a schema with a quote',
      { connectionString: url, schema: 'a"b' },
      RangeError,
      /"schema" expected/,
    ],
    [
      'a schema that is too long',
      { connectionString: url, schema: 'a'.repeat(41) },
      RangeError,
      /"schema"/,
    ],
  ])('that are wrong are refused: %s', async (_, options, error, message) => {
    const failure = await postgresStore(options).catch((cause) => cause);
    expect(failure).toBeInstanceOf(error);
    expect(failure.message).toMatch(message);
    expect(JSON.stringify([failure.message, failure.stack, failure.cause])).not.toMatch(/se ?cret/);
  });
});

test('a writer leaves at once: the next need not wait', async () => {
  const own = newSchema();
  await (await openStore(own)).close();
  const [lease] = await sql(`SELECT until < clock_timestamp() AS is_over FROM ${own}.writer`);
  expect(lease.is_over).toBe(true);
  await (await openStore(own)).close();
  await endLease(own);
});
