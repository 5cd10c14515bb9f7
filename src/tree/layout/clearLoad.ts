/** Clears what a load that did not finish has left in a store. */

import { perform, readRange } from '../store/reading.js';
import { keyAfter } from '../store/scan.js';
import type { Entry, Store } from '../store/store.js';
import { loadingKey } from './layout.js';

/** Entries that are deleted in one batch. */
const batchEntries = 4096;

/**
 * Deletes all entries, in bounded batches. The mark of the load goes last: a process that is killed
 * meanwhile leaves it to the next one.
 *
 * @param format what takes the mark's place
 */
export async function clearLoad(store: Store, format: Entry): Promise<void> {
  const rest = { from: keyAfter(loadingKey), to: undefined, limit: batchEntries, reverse: false };
  for (;;) {
    const entries = await perform(store, readRange(rest));
    if (entries.length === 0) break;
    await store.write({ puts: [], deletes: entries.map(({ key }) => key) });
  }
  await store.write({ puts: [format], deletes: [loadingKey] });
}
