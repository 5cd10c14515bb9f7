/** What a store says of itself: whose it is, so that no other version or family reads it as its own, and whether it is right. */
import type { HashFamily } from '../hash/family.js';
import { TreeError } from './errors.js';
import { distrustKey, formatKey } from './layout.js';
import type { Batch, Store, StoreReader } from './store.js';

/** Changes with the layout of entries. */
const version = 1;

const textOf = (hash: HashFamily): string => `l2proof state tree, version ${version}, ${hash}`;

/**
 * Marks an empty store as a state's, or checks the mark of another one.
 *
 * @throws TreeError `WRONG_STORE`
 */
export async function openFormat(store: Store, hash: HashFamily): Promise<void> {
  const expected = textOf(hash);
  const mark = await store.get(formatKey);
  if (mark !== undefined) {
    const found = new TextDecoder().decode(mark.subarray(0, 100));
    if (found === expected) return;
    throw new TreeError(
      'WRONG_STORE',
      `the store holds "${found}", not "${expected}"; open it with the version and the hash that wrote it, or begin a new store`,
    );
  }
  if ((await store.range(new Uint8Array(0), undefined, { limit: 1 })).length > 0) {
    throw new TreeError('WRONG_STORE', 'the store holds something else than a state tree');
  }
  await store.write({
    puts: [{ key: formatKey, value: new TextEncoder().encode(expected) }],
    deletes: [],
  });
}

/** What to write so that nobody takes the state for right any more. */
export const distrustBatch = (reason: string): Batch => ({
  puts: [{ key: distrustKey, value: new TextEncoder().encode(reason.slice(0, 1000)) }],
  deletes: [],
});

/** @throws TreeError `DISTRUSTED` */
export async function checkTrust(reader: StoreReader): Promise<void> {
  const reason = await reader.get(distrustKey);
  if (reason === undefined) return;
  const text = new TextDecoder().decode(reason);
  throw new TreeError('DISTRUSTED', `the state is known to be wrong, feed a new store: ${text}`);
}
