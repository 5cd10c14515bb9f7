/**
 * The tables of a store, made and changed by migrations: each is carried out once, in a transaction that also notes its
 * number. Two processes that migrate at once collide on that number; one of them begins again, and finds it done.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TreeError } from '../tree/index.js';
import type { StoreConnections } from './connections.js';
import { postgresError, sqlStateOf } from './errors.js';

/** Bytes of a value that are kept in its entry; what is longer goes on in parts of this length. */
export const partWidth: number = 2 ** 20;

interface Migration {
  /** Statements of one transaction. */
  readonly statements: string;
  /** Settings that make PostgreSQL faster, and that other servers may refuse. */
  readonly tuning: readonly string[];
}

/** In order; one that was released is never changed. */
const migrations = (schema: string): Migration[] => [
  {
    statements: `
      CREATE TABLE ${schema}.entry (
        key bytea PRIMARY KEY, value bytea NOT NULL, parts int NOT NULL
      );
      CREATE TABLE ${schema}.part (
        key bytea NOT NULL, number int NOT NULL, value bytea NOT NULL, PRIMARY KEY (key, number)
      );
      CREATE TABLE ${schema}.writer (
        id int PRIMARY KEY, number bigint NOT NULL, owner text NOT NULL,
        until timestamptz NOT NULL, batch bigint NOT NULL, written timestamptz NOT NULL
      );
      INSERT INTO ${schema}.writer VALUES (1, 0, '', now(), 0, now())`,
    tuning: [
      // Hashes cannot be compressed.
      `ALTER TABLE ${schema}.entry ALTER COLUMN value SET STORAGE EXTERNAL`,
      `ALTER TABLE ${schema}.part ALTER COLUMN value SET STORAGE EXTERNAL`,
    ],
  },
];

/** SQLSTATEs of objects that another process has made meanwhile, and of transactions that collide. */
const collisions = ['23505', '42P06', '42P07', '42710', '40001', '40P01', 'XX000'];

/** Times that a migration begins again, and ms in between. */
const maxCollisions = 50;
const pauseAfterCollision = 100;

/** SQLSTATEs of a schema or a table that is not there. */
const absences: readonly (string | undefined)[] = ['3F000', '42P01'];

/** Number of the last migration that was carried out; 0 in a schema without a store. */
async function readVersion(connections: StoreConnections, schema: string): Promise<number> {
  try {
    const [row] = await connections.run(`SELECT max(number) FROM ${schema}.migration`);
    return Number(row?.[0] ?? 0);
  } catch (cause) {
    if (absences.includes(sqlStateOf(cause))) return 0;
    throw cause;
  }
}

/** Makes the schema if it is missing. A user without the right to make one can use one that is there. */
async function makeSchema(connections: StoreConnections, schema: string): Promise<void> {
  const text = 'SELECT 1 FROM information_schema.schemata WHERE schema_name = $1';
  const found = await connections.run(text, [schema]);
  if (found.length === 0) await connections.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  await connections.run(
    `CREATE TABLE IF NOT EXISTS ${schema}.migration (number int PRIMARY KEY, at timestamptz NOT NULL)`,
  );
}

/** Carries out the migrations that are missing. */
async function migrateFrom(connections: StoreConnections, schema: string, version: number) {
  if (version === 0) await makeSchema(connections, schema);
  for (const [i, { statements, tuning }] of migrations(schema).entries()) {
    const number = i + 1;
    if (number <= version) continue;
    // Statements that are sent as one text are one transaction.
    const note = `INSERT INTO ${schema}.migration VALUES (${number}, now())`;
    await connections.run(`${note};${statements}`);
    for (const text of tuning) {
      await connections.run(text).catch((cause) => {
        if (sqlStateOf(cause) === undefined) throw cause;
      });
    }
  }
}

/**
 * Brings a schema's tables to the form that this version of the library reads and writes.
 *
 * @param readOnly changes nothing
 * @throws TreeError `WRONG_STORE` for tables of a later version, and if nothing may be changed, for
 *   earlier ones and none
 */
export async function migrate(
  connections: StoreConnections,
  schema: string,
  readOnly: boolean,
): Promise<void> {
  const newest = migrations(schema).length;
  for (let attempt = 0; ; attempt++) {
    try {
      const version = await readVersion(connections, schema);
      if (version === newest) return;
      if (version > newest) {
        throw new TreeError(
          'WRONG_STORE',
          `schema "${schema}" was migrated by a later version of l2proof; use that one`,
        );
      }
      if (readOnly) {
        const what = version === 0 ? 'holds no store' : "has an earlier version's tables";
        throw new TreeError('WRONG_STORE', `schema "${schema}" ${what}; open it to write first`, {
          detail: version === 0 ? 'NO_STORE' : undefined,
        });
      }
      await migrateFrom(connections, schema, version);
    } catch (cause) {
      const isCollision = collisions.includes(sqlStateOf(cause) ?? '');
      if (!isCollision || attempt === maxCollisions) {
        throw postgresError('cannot make the tables of the store', cause);
      }
      await sleep(pauseAfterCollision);
    }
  }
}

/** Bytes of a store's tables on the server's disk; undefined on a server that cannot tell. @throws any error of pg */
export async function tableBytes(
  connections: StoreConnections,
  schema: string,
): Promise<number | undefined> {
  const sizes = ['entry', 'part'].map((table) => `pg_total_relation_size('${schema}.${table}')`);
  try {
    const [row] = await connections.run(`SELECT ${sizes.join(' + ')}`);
    return Number(row?.[0]);
  } catch (cause) {
    if (/^(42|0A)/.test(sqlStateOf(cause) ?? '')) return undefined;
    throw cause;
  }
}
