/** Behind a PgBouncer, as many databases are reached: nothing that a transaction does not hold is relied upon. */
import { describe, expect, test } from 'vitest';
import { postgresStore } from '../../src/postgres/index.js';
import { openStateTree } from '../../src/tree/index.js';
import { changesOf } from '../support/blocks.js';
import { patience } from '../support/runs.js';
import { valueOf } from '../support/stores.js';
import { startPooler } from './pooler.js';
import { bytes, endConnections, newDatabase } from './schemas.js';

const ignored = 'ignore_startup_parameters = statement_timeout,extra_float_digits';

describe.each([
  // Each client keeps a connection of the server for itself.
  ['session', ['default_pool_size = 50']],
  ['transaction', []],
  ['transaction', [ignored]],
] as const)('in %s mode %j', (mode, settings) => {
  test(
    'many readers beside a writer find what it wrote, and a second writer is refused',
    async () => {
      const direct = await newDatabase();
      const pooler = await startPooler(direct, mode, settings);
      try {
        const connectionString = pooler.url;
        const tree = await openStateTree({ store: await postgresStore({ connectionString }) });
        await expect(postgresStore({ connectionString })).rejects.toMatchObject({
          code: 'OTHER_WRITER',
        });
        const reader = await openStateTree({
          store: await postgresStore({ connectionString, readOnly: true }),
        });
        for (let number = 0; number < 8; number++) {
          const { stateRoot } = await tree.applyBlock({ number, changes: changesOf(number) });
          const reads = Array.from({ length: 20 }, () => reader.stateRoot(number));
          expect(new Set(await Promise.all(reads))).toEqual(new Set([stateRoot]));
          const proofs = changesOf(number).map(({ address }) => reader.getProof(address));
          await Promise.all(proofs);
        }
        await reader.close();
        await tree.close();
        // Another client of the same connections finds the settings of the server.
        const other = await postgresStore({ connectionString: direct, schema: 'another' });
        await other.close();
      } finally {
        await pooler.close();
      }
    },
    2 * patience,
  );
});

test(
  'its connections keep no setting of ours',
  async () => {
    const direct = await newDatabase();
    const pooler = await startPooler(direct, 'transaction', ['default_pool_size = 1']);
    try {
      const store = await postgresStore({ connectionString: pooler.url });
      await store.write({ puts: [{ key: bytes(1), value: bytes(2) }], deletes: [] });
      expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([2]));
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: pooler.url });
      await client.connect();
      for (const [name, value] of [
        ['plan_cache_mode', 'auto'],
        ['statement_timeout', '0'],
        ['idle_in_transaction_session_timeout', '0'],
      ]) {
        const { rows } = await client.query(`SHOW ${name}`);
        expect(rows).toEqual([{ [name as string]: value }]);
      }
      await client.end();
      await store.close();
    } finally {
      await pooler.close();
    }
  },
  patience,
);

test(
  'in statement mode there are no transactions, which is said at once',
  async () => {
    const pooler = await startPooler(await newDatabase(), 'statement');
    try {
      for (const readOnly of [false, true]) {
        await expect(
          postgresStore({ connectionString: pooler.url, readOnly }),
        ).rejects.toMatchObject({
          code: 'STORE_FAILED',
          message: expect.stringMatching(/the pooler is in statement mode.*transaction or session/),
        });
      }
    } finally {
      await pooler.close();
    }
  },
  patience,
);

test(
  'a setting of the connection string that it refuses is told as such',
  async () => {
    const pooler = await startPooler(await newDatabase(), 'transaction');
    try {
      const connectionString = `${pooler.url}?statement_timeout=500`;
      await expect(postgresStore({ connectionString })).rejects.toThrow(
        /the pooler refuses a setting of the connection string/,
      );
    } finally {
      await pooler.close();
    }
  },
  patience,
);

test(
  'a lock that takes too long ends a batch there, too',
  async () => {
    const direct = await newDatabase();
    const pooler = await startPooler(direct, 'transaction', [ignored]);
    try {
      const connectionString = `${pooler.url}?statement_timeout=500`;
      const store = await postgresStore({ connectionString });
      const put = () => store.write({ puts: [{ key: bytes(1), value: bytes(2) }], deletes: [] });
      await put();
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: direct });
      await client.connect();
      await client.query('BEGIN; LOCK TABLE l2proof.entry IN ACCESS EXCLUSIVE MODE');
      await expect(put()).rejects.toThrow(/longer than statement_timeout/);
      await client.query('COMMIT');
      await client.end();
      await put();
      await store.close();
    } finally {
      await pooler.close();
    }
  },
  patience,
);

test(
  'a read that meets a connection which was idle for too long is tried once more',
  async () => {
    const direct = await newDatabase();
    const store = await postgresStore({ connectionString: direct });
    await store.write({ puts: [{ key: bytes(1), value: bytes(2) }], deletes: [] });
    for (let round = 0; round < 5; round++) {
      endConnections(direct);
      expect(await valueOf(store, bytes(1))).toEqual(Buffer.from([2]));
      const snapshot = await store.snapshot();
      expect(await valueOf(snapshot, bytes(1))).toEqual(Buffer.from([2]));
      await snapshot.release();
    }
    await store.close();
  },
  patience,
);

test(
  'several reads at once meet connections that have all ended, and go on at one moment',
  async () => {
    const direct = await newDatabase();
    const store = await postgresStore({ connectionString: direct });
    await store.write({ puts: [{ key: bytes(1), value: bytes(2) }], deletes: [] });
    for (let round = 0; round < 5; round++) {
      // As many as the pool has.
      await Promise.all(Array.from({ length: 10 }, () => valueOf(store, bytes(1))));
      const snapshot = await store.snapshot();
      endConnections(direct);
      const reads = Array.from({ length: 5 }, () => valueOf(snapshot, bytes(1)));
      expect(await Promise.all(reads)).toEqual(Array(5).fill(Buffer.from([2])));
      await snapshot.release();
    }
    // None was lost on the way: all can be taken.
    const all = await Promise.all(Array.from({ length: 9 }, () => store.snapshot()));
    for (const one of all) expect(await valueOf(one, bytes(1))).toEqual(Buffer.from([2]));
    for (const one of all) await one.release();
    await store.close();
  },
  patience,
);
