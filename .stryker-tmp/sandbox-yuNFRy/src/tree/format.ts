/**
 * The store's header: format version and hash family, and the mark of a state known to be wrong.
 */
// @ts-nocheck

import type { HashFamily } from '../hash/family.js';
import { TreeError } from './errors.js';
import { distrustKey, formatKey } from './layout.js';
import { perform, type Reading, readAll, readRange, readValue } from './reading.js';
import type { Batch, Store } from './store.js';

/** Changes with the layout of entries, and with the rules that the state in them follows. */
const version = 2;

/**
 * Same layout, but an account whose code was taken away had the hash of no code: another state
 * root.
 */
const oldVersion = 1;

const textOf = (hash: HashFamily, number: number): string =>
  `l2proof state tree, version ${number}, ${hash}`;

const write = (store: Store, text: string): Promise<void> =>
  store.write({
    puts: [{ key: formatKey, value: new TextEncoder().encode(text) }],
    deletes: [],
  });

/**
 * Takes a state of the old version for right, and marks it so unless the store is only read: its
 * writer does.
 */
async function keep(store: Store, text: string): Promise<void> {
  try {
    await write(store, text);
  } catch (error) {
    if (!(error instanceof TreeError && error.code === 'READ_ONLY')) throw error;
  }
}

const oldStateError = (found: string): TreeError =>
  new TreeError(
    'WRONG_STORE',
    `the store holds "${found}", whose state root is wrong if a block ever took an account's code away. Feed a new store: l2proof follow --store NEW_DIR --genesis FILE, or l2proof load --store NEW_DIR FILE. If no account ever lost its code, open it with --keep-state (keepState: true in the library)`,
  );

/**
 * Marks an empty store as a state's, or checks the mark of another one.
 *
 * @param keepState takes a state of version 1 for right
 * @throws TreeError `WRONG_STORE`
 */
export async function openFormat(
  store: Store,
  hash: HashFamily,
  keepState: boolean,
): Promise<void> {
  const expected = textOf(hash, version);
  const all = { from: new Uint8Array(0), to: undefined, limit: 1, reverse: false };
  const [mark, entries] = await perform(store, readAll([readValue(formatKey), readRange(all)]));
  if (mark !== undefined) {
    const found = new TextDecoder().decode(mark.subarray(0, 100));
    if (found === expected) return;
    if (found !== textOf(hash, oldVersion)) {
      throw new TreeError(
        'WRONG_STORE',
        `the store holds "${found}", not "${expected}"; open it with the version and the hash that wrote it, or begin a new store`,
      );
    }
    if (!keepState) throw oldStateError(found);
    return keep(store, expected);
  }
  if (entries.length > 0) {
    throw new TreeError('WRONG_STORE', 'the store holds something else than a state tree');
  }
  await write(store, expected);
}

/** What to write so that nobody takes the state for right any more. */
export const distrustBatch = (reason: string): Batch => ({
  puts: [{ key: distrustKey, value: new TextEncoder().encode(reason.slice(0, 1000)) }],
  deletes: [],
});

/** @throws TreeError `DISTRUSTED` */
export function* checkTrust(): Reading<void> {
  const reason = yield* readValue(distrustKey);
  if (reason === undefined) return;
  const text = new TextDecoder().decode(reason);
  throw new TreeError('DISTRUSTED', `the state is known to be wrong, feed a new store: ${text}`);
}
