/** The store that a process of the tests works on, as built: in LMDB, or at a URL in PostgreSQL. */
import { lmdbStore } from '../../dist/lmdb/index.js';
import { postgresStore } from '../../dist/postgres/index.js';
import type { Store } from '../../dist/tree/index.js';

export const storeOf = async (name: string, { readOnly = false } = {}): Promise<Store> =>
  name.startsWith('postgres:')
    ? postgresStore({ connectionString: name, readOnly })
    : lmdbStore({ path: name, readOnly });
