/** One writer at a time: elected by a lease, fenced by its number. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { postgresStore } from '../../src/postgres/index.js';
import { openStateTree, type Store } from '../../src/tree/index.js';
import { changesOf } from '../support/blocks.js';
import { startChild } from '../support/processes.js';
import { patience } from '../support/runs.js';
import { entriesOf, valueOf } from '../support/stores.js';
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
    const store = await openStore(schema);
    const left = async () => {
      const [row] = await sql(
        `SELECT extract(epoch FROM until - now())::float8 AS left, until::text FROM ${schema}.writer`,
      );
      return row as { left: number; until: string };
    };
    const before = await left();
    expect(before.left).toBeGreaterThan(25);
    expect(before.left).toBeLessThanOrEqual(30);
    await put(store, 1);
    const after = await left();
    expect(after.until).not.toBe(before.until);
    await sleep(6000);
    expect((await left()).until).not.toBe(after.until);
    await store.close();
    expect((await left()).left).toBeLessThan(0);
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
      await sleep(6000);
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
    await sleep(500);
    const opening = openStore(schema).catch((error) => error.code);
    await writing;
    expect(await opening).toBe('OTHER_WRITER');
    expect(await valueOf(first, bytes(1))).toEqual(Buffer.from([2]));
    await first.close();
  },
  patience,
);

test(
  'a process that is stopped past its lease and woken writes nothing, and says OTHER_WRITER',
  async () => {
    const url = await newDatabase();
    const child = startChild('write', url);
    await child.next('done');
    child.process.kill('SIGSTOP');
    // It waits until the lease has run out: the process is there, and renews nothing.
    const start = performance.now();
    const store = await postgresStore({ connectionString: url });
    expect(performance.now() - start).toBeGreaterThan(15_000);
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
    const start = performance.now();
    const store = await postgresStore({ connectionString: url });
    expect(performance.now() - start).toBeLessThan(45_000);
    await put(store, 1);
    await store.close();
  },
  2 * patience,
);
