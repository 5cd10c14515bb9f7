/** One writer at a time: elected by a lease, fenced by its number. */
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { postgresStore } from '../../src/postgres/index.js';
import { openStateTree, type Store } from '../../src/tree/index.js';
import { changesOf } from '../support/blocks.js';
import { startChild } from '../support/processes.js';
import { patience } from '../support/runs.js';
import { entriesOf, valueOf } from '../support/stores.js';
import { until } from '../support/until.js';
import { bytes, endLease, newDatabase, newSchema, openStore, sql } from './schemas.js';

const put = (store: Store, value: number) =>
  store.write({ puts: [{ key: bytes(1), value: bytes(value) }], deletes: [] });

test(
  'a second writer is refused while the first renews its lease, whose owner is named',
  async () => {
    const schema = newSchema();
    const first = await openStore(schema);
    await expect(openStore(schema)).rejects.toThrow(
      new RegExp(
        `^process ${process.pid} on .* has the store open to write to it \\(OTHER_WRITER\\)$`,
      ),
    );
    await put(first, 1);
    await first.close();
  },
  patience,
);

test(
  'a lease is renewed by its clock and by each batch, and ends with the store',
  async () => {
    const schema = newSchema();
    // By the server's clock alone: this machine may be busy.
    const [{ begin }] = await sql('SELECT clock_timestamp()::text AS begin');
    const store = await openStore(schema);
    const lease = async () => {
      const [row] = await sql(
        `SELECT until - interval '30 s' BETWEEN '${begin}' AND clock_timestamp() AS is_due,
          until < clock_timestamp() AS is_over, until::text FROM ${schema}.writer`,
      );
      return row as { is_due: boolean; is_over: boolean; until: string };
    };
    const before = await lease();
    expect(before.is_due).toBe(true);
    await put(store, 1);
    const after = await lease();
    expect(after.until).not.toBe(before.until);
    await until(async () => (await lease()).until !== after.until, 'the clock has renewed it');
    await store.close();
    expect((await lease()).is_over).toBe(true);
  },
  patience,
);

describe('a writer whose lease has run out', () => {
  test('writes nothing and says so, also if nobody has come since', async () => {
    const schema = newSchema();
    const store = await openStore(schema);
    await put(store, 1);
    await endLease(schema);
    await expect(put(store, 2)).rejects.toMatchObject({ code: 'OTHER_WRITER' });
    // For good: what it knows may be out of date.
    await sql(`UPDATE ${schema}.writer SET until = now() + interval '1 hour'`);
    await expect(put(store, 2)).rejects.toMatchObject({ code: 'OTHER_WRITER' });
    expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([1]));
    await store.close();
  });

  test('writes nothing once another has come, and takes nothing from it at its end', async () => {
    const schema = newSchema();
    const first = await openStore(schema);
    await put(first, 1);
    await endLease(schema);
    const second = await openStore(schema);
    await put(second, 2);
    await expect(put(first, 3)).rejects.toMatchObject({ code: 'OTHER_WRITER' });
    await first.close();
    await put(second, 4);
    expect((await entriesOf(second)).map(({ value }) => [...value])).toEqual([[4]]);
    await second.close();
  });

  test(
    'finds it out from its clock, too',
    async () => {
      const schema = newSchema();
      const store = await openStore(schema);
      await endLease(schema);
      await store.lost;
      await sql(`UPDATE ${schema}.writer SET until = now() + interval '1 hour'`);
      await expect(put(store, 2)).rejects.toMatchObject({ code: 'OTHER_WRITER' });
      await store.close();
    },
    patience,
  );
});

test(
  'a writer that comes while a batch is under way waits for it, and finds it whole',
  async () => {
    const schema = newSchema();
    const first = await openStore(schema);
    await put(first, 1);
    // The batch has passed its fence, and takes its time.
    await sql(`CREATE FUNCTION ${schema}.wait() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(3); RETURN NEW; END $$`);
    await sql(
      `CREATE TRIGGER wait BEFORE UPDATE ON ${schema}.entry FOR EACH ROW EXECUTE FUNCTION ${schema}.wait()`,
    );
    const writing = put(first, 2);
    const waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    await until(async () => (await sql(waits)).length > 0, 'the batch is under way');
    const opening = openStore(schema).catch((error) => error.code);
    await writing;
    expect(await opening).toBe('OTHER_WRITER');
    expect(await valueOf(first, bytes(1))).toEqual(Buffer.from([2]));
    await first.close();
  },
  patience,
);

/** When the lease of a database's writer ends. */
async function endOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT until::text FROM l2proof.writer');
  await client.end();
  return rows[0].until;
}

const isPast = async (end: string) =>
  (await sql(`SELECT clock_timestamp() >= '${end}' AS is_past`))[0].is_past;

test(
  'a process that is stopped past its lease and woken writes nothing, and says OTHER_WRITER',
  async () => {
    const url = await newDatabase();
    const child = startChild('write', url);
    await child.next('done');
    child.process.kill('SIGSTOP');
    // It waits until the lease has run out: the process is there, and renews nothing.
    const end = await endOf(url);
    const store = await postgresStore({ connectionString: url });
    expect(await isPast(end)).toBe(true);
    const tree = await openStateTree({ store, keepFinal: 3 });
    const newest = (await tree.newestBlock()) as number;
    const { stateRoot } = await tree.applyBlock({ number: newest + 1, changes: changesOf(7) });
    const before = await entriesOf(store);
    child.process.kill('SIGCONT');
    const { code, stderr } = await child.end;
    expect(code).toBe(1);
    expect(stderr).toContain('(OTHER_WRITER)');
    expect(await entriesOf(store)).toEqual(before);
    expect(await tree.stateRoot()).toBe(stateRoot);
    await tree.close();
  },
  2 * patience,
);

test(
  'a process that was killed leaves the store to the next once its lease has run out',
  async () => {
    const url = await newDatabase();
    const child = startChild('hold', url);
    await child.next('open');
    child.process.kill('SIGKILL');
    await child.end;
    const end = await endOf(url);
    const store = await postgresStore({ connectionString: url });
    expect(await isPast(end)).toBe(true);
    await put(store, 1);
    await store.close();
  },
  2 * patience,
);
