/**
 * `l2proof/postgres`: keeps a state tree in PostgreSQL, for one writer and readers on any number of
 * machines.
 *
 * @example
 * ```ts
 * import { postgresStore } from 'l2proof/postgres';
 * import { openStateTree } from 'l2proof/tree';
 *
 * const connectionString = 'postgres://l2proof@127.0.0.1/l2proof';
 * const tree = await openStateTree({ store: await postgresStore({ connectionString }) });
 * console.log(await tree.newestBlock());
 * await tree.close();
 * ```
 *
 * @module l2proof/postgres
 */
export type {
  PostgresClient,
  PostgresPool,
  PostgresResult,
  PostgresStatement,
} from './connections.js';
export { type PostgresOptions, postgresStore } from './store.js';
