/** Stores in the shared server, each in a schema of its own. */

import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { type PostgresOptions, postgresStore } from '../../src/postgres/index.js';
import type { Store } from '../../src/tree/index.js';
import type { Wire } from '../support/runs.js';

/** URL of the shared server. */
export const url = process.env.L2PROOF_TEST_POSTGRES as string;

let count = 0;
/** A schema that is not there yet. */
export const newSchema = (): string => `s${process.pid}_${++count}`;

/** A client's `query`, as the store calls it. */
export type Query = (statement: { text: string; name?: string }, ...rest: unknown[]) => unknown;

/** Opens a store in the shared server. */
export const openStore = (schema: string, options: PostgresOptions = {}): Promise<Store> =>
  postgresStore({ connectionString: url, schema, ...options });

const pool = new pg.Pool({ connectionString: url, max: 4 });
pool.on('error', () => {});
afterAll(() => pool.end());

/** Runs a statement, as another program of the server's owner would. */
export const sql = async (text: string, values: unknown[] = []): Promise<Wire[]> =>
  (await pool.query(text, values)).rows;

/**
 * Ends all connections to a database. This process hears of it once it waits again: whoever uses one before that uses
 * one that has ended.
 *
 * @param at the database
 */
export function endConnections(at: string): void {
  const text = `
    import pg from 'pg';
    const client = new pg.Client({ connectionString: process.env.PG_URL });
    await client.connect();
    const ending = 'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1';
    await client.query(ending, [process.env.PG_DATABASE]);
    await client.end();`;
  const env = { ...process.env, PG_URL: url, PG_DATABASE: new URL(at).pathname.slice(1) };
  execFileSync(process.execPath, ['--input-type=module', '-e', text], { env });
}

/** A database of its own, for the command line, which knows no schemas. @returns its URL */
export async function newDatabase(): Promise<string> {
  const name = newSchema();
  await sql(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = name;
  return own.href;
}

/** Lets the lease of a writer run out, as time would. @param at the database, if it is another one */
export async function endLease(schema: string, at: string = url): Promise<void> {
  const client = new pg.Client({ connectionString: at });
  await client.connect();
  // A writer that is killed before it has made the tables has no lease.
  const text = `UPDATE ${schema}.writer SET until = now() - interval '1 second'`;
  await client.query(text).catch((error) => expect(error.code).toMatch(/^(3F000|42P01)$/));
  await client.end();
}

export const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
