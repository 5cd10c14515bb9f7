/** A store as an index uses it: what is read is what was written, and an entry that is lost is missed. */
import type { Entry, Range, ReadRequest, Store, StoreReader } from '../../tree/index.js';
import { compareKeys } from '../../tree/store/keys.js';
import { SpareMemory } from '../../tree/store/spareMemory.js';
import { IndexError } from '../layout/errors.js';
import { sealWidth, unseal, writeSealed } from './seal.js';
import { sumChanges } from './sums.js';

/** Entries of a range without their seals. A damaged store may give entries that lie elsewhere, or in another order. */
function checked(entries: readonly Entry[], { from, to, reverse }: Range): Entry[] {
  // From the least key on: none is below `from`, each is above the one before it, and the last is below `to`.
  const step = reverse ? -1 : 1;
  let before: Uint8Array | undefined;
  for (let i = reverse ? entries.length - 1 : 0; i >= 0 && i < entries.length; i += step) {
    const { key } = entries[i] as Entry;
    const isBehind =
      before === undefined ? compareKeys(key, from) >= 0 : compareKeys(key, before) > 0;
    if (!isBehind) throw outOfOrder();
    before = key;
  }
  if (before && to && compareKeys(before, to) >= 0) throw outOfOrder();
  return entries.map(unsealEntry);
}

/** Entries with their seals, one behind the other in memory that has room for them. */
function sealAll(entries: readonly Entry[], memory: Uint8Array): Entry[] {
  let at = 0;
  return entries.map((entry) => {
    const from = at;
    at = writeSealed(entry, memory, from);
    return { key: entry.key, value: memory.subarray(from, at) };
  });
}

/** Bytes of entries' values with their seals. */
const sealedWidth = (entries: readonly Entry[]): number =>
  entries.reduce((width, { value }) => width + value.length + sealWidth, 0);

const unsealEntry = ({ key, value }: Entry): Entry => ({ key, value: unseal(key, value) });

const outOfOrder = () => new IndexError('DAMAGED', 'entries of the index are out of order');

const readerOf = (inner: StoreReader): StoreReader => ({
  async read(request: ReadRequest, pause?: () => Promise<void>) {
    const { values, ranges } = await inner.read(request, pause);
    return {
      values: values.map((value, i) => value && unseal(request.keys[i] as Uint8Array, value)),
      ranges: ranges.map((entries, i) => checked(entries, request.ranges[i] as Range)),
    };
  },
});

/** Stores that were sealed here. */
const sealedStores = new WeakSet<Store>();

/** Seals a store, once. */
export function sealed(inner: Store): Store {
  if (sealedStores.has(inner)) return inner;
  const reader = readerOf(inner);
  const spare = new SpareMemory();
  const store: Store = {
    isLocal: inner.isLocal === true,
    ...reader,
    async write({ puts, deletes }) {
      const sums = await sumChanges(reader, { puts, deletes });
      const all = [...puts, ...sums.puts];
      const memory = spare.take(sealedWidth(all));
      await inner.write({
        puts: sealAll(all, memory),
        deletes: [...deletes, ...sums.deletes],
      });
      spare.giveBack(memory);
    },
    async snapshot() {
      const snapshot = await inner.snapshot();
      const { version } = snapshot;
      return { version, release: () => snapshot.release(), ...readerOf(snapshot) };
    },
    close: () => inner.close(),
  };
  sealedStores.add(store);
  return store;
}
