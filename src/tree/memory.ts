/** A store in memory, for tests, tools and trees that fit. */
import { TreeError } from './errors.js';
import { SortedMap } from './sorted.js';
import type { Batch, Store, StoreReader } from './store.js';

function readerOf(entries: () => SortedMap<Uint8Array>): StoreReader {
  return {
    get: async (key) => entries().get(key),
    async getMany(keys) {
      const map = entries();
      return keys.map((key) => map.get(key));
    },
    below: async (key) => entries().below(key),
    above: async (key) => entries().above(key),
  };
}

/** Opens an empty store, which lives until it is closed or no longer referenced. */
export function memoryStore(): Store {
  let open: SortedMap<Uint8Array> | undefined = new SortedMap();
  const entries = () => {
    if (open === undefined) throw new TreeError('CLOSED', 'the store is closed');
    return open;
  };
  return {
    ...readerOf(entries),
    async write({ puts, deletes }: Batch) {
      const map = entries();
      for (const { key, value } of puts) map.set(key, value);
      for (const key of deletes) map.delete(key);
    },
    async snapshot() {
      const frozen = entries().clone();
      return { ...readerOf(() => frozen), release: () => {} };
    },
    async close() {
      open = undefined;
    },
  };
}
