/** Opens the store that `--store` names. */
import { lmdbStore } from '../lmdb/index.js';
import { postgresStore } from '../postgres/index.js';
import type { Store } from '../tree/index.js';
import { asUsage } from './args.js';

/** What a store is called on the command line, for a message. */
export const storeNeeds =
  '--store is required: the folder of the store, or postgres://USER@HOST/DATABASE';

/** What the library calls its options -> what the user does. */
const names = { connectionString: '--store' };

const isUrl = (name: string): boolean => /^postgres(ql)?:/.test(name);

/** The package that a store needs. */
export const storePeer = (name: string | undefined): 'lmdb' | 'pg' =>
  name !== undefined && isUrl(name) ? 'pg' : 'lmdb';

/**
 * A folder is a store in LMDB, a URL `postgres://` one in PostgreSQL.
 *
 * @throws TreeError; UsageError for a malformed URL
 */
export async function openStore(
  name: string,
  { readOnly = false }: { readOnly?: boolean } = {},
): Promise<Store> {
  if (!isUrl(name)) return lmdbStore({ path: name, readOnly });
  try {
    return await postgresStore({ connectionString: name, readOnly });
  } catch (cause) {
    throw asUsage(names, cause);
  }
}
