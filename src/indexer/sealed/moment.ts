/** One moment of an index: all that an answer takes is read in it, whoever writes meanwhile. */
import type { Store, StoreReader } from '../../tree/index.js';
import { type Head, readHead } from './head.js';
import { sealed } from './sealedStore.js';

export interface Moment {
  readonly reader: StoreReader;
  readonly head: Head;
}

/**
 * Reads at one moment, which ends with the work.
 *
 * @throws IndexError `DAMAGED`; what the store and the work throw
 */
export async function atMoment<T>(store: Store, work: (moment: Moment) => Promise<T>): Promise<T> {
  const reader = await sealed(store).snapshot();
  try {
    return await work({ reader, head: await readHead(reader) });
  } finally {
    await reader.release();
  }
}
