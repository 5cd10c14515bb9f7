/** A store in memory, for tests, tools and trees that fit. */
import { Arena, bytesToText } from '../../bytes.js';
import { TreeError } from './errors.js';
import { type DirectReads, readAtOnce, readDirectly } from './readDirectly.js';
import { SortedMap, textToBytes } from './sortedMap.js';
import type { Batch, ReadRequest, Store, StoreReader } from './store.js';

/** Memory of values that were read: a caller that keeps one for long must copy it. */
const arena = new Arena();

/** Values are kept as text, as keys are: small arrays of bytes take several times their length. */
type Entries = SortedMap<string>;

/** @param entries throws if the store is closed */
function createReader(entries: () => Entries): StoreReader {
  const direct: DirectReads = {
    get(key) {
      const text = entries().get(key);
      return text === undefined ? undefined : textToBytes(text, arena);
    },
    range: (range) =>
      entries()
        .range(range)
        .map(({ key, value }) => ({ key, value: textToBytes(value) })),
  };
  const read = async (request: ReadRequest, pause?: () => Promise<void>) => {
    entries();
    return readDirectly(request, direct, pause);
  };
  return {
    read: Object.assign(read, { now: (request: ReadRequest) => readAtOnce(request, direct) }),
  };
}

/** Opens an empty store, which lives until it is closed or no longer referenced. */
export function memoryStore(): Store {
  let open: Entries | undefined = new SortedMap();
  let version = 0;
  const entries = () => {
    if (open === undefined) throw new TreeError('CLOSED', 'the store is closed');
    return open;
  };
  return {
    isLocal: true,
    ...createReader(entries),
    async write({ puts, deletes }: Batch) {
      const map = entries();
      version++;
      for (const { key, value } of puts) map.set(key, bytesToText(value));
      for (const key of deletes) map.delete(key);
    },
    snapshot() {
      const frozen = entries().clone();
      return { version, release: () => {}, ...createReader(() => frozen) };
    },
    async close() {
      open = undefined;
    },
  };
}
