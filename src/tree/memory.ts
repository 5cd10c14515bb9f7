/** A store in memory, for tests, tools and trees that fit. */
import { TreeError } from './errors.js';
import { bytesOf, SortedMap, textOf } from './sorted.js';
import type { Batch, Store, StoreReader } from './store.js';

/** Values are kept as text, as keys are: small arrays of bytes take several times their length. */
type Entries = SortedMap<string>;

function readerOf(entries: () => Entries): StoreReader {
  const valueOf = (text: string | undefined) => (text === undefined ? undefined : bytesOf(text));
  return {
    get: async (key) => valueOf(entries().get(key)),
    async getMany(keys) {
      const map = entries();
      return keys.map((key) => valueOf(map.get(key)));
    },
    range: async (from, to, options) =>
      entries()
        .range(from, to, options)
        .map(({ key, value }) => ({ key, value: bytesOf(value) })),
  };
}

/** Opens an empty store, which lives until it is closed or no longer referenced. */
export function memoryStore(): Store {
  let open: Entries | undefined = new SortedMap();
  const entries = () => {
    if (open === undefined) throw new TreeError('CLOSED', 'the store is closed');
    return open;
  };
  return {
    ...readerOf(entries),
    async write({ puts, deletes }: Batch) {
      const map = entries();
      for (const { key, value } of puts) map.set(key, textOf(value));
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
