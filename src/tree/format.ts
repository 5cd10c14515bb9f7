/**
 * The store's header: format version and hash family, and the mark of a state known to be wrong.
 */
import type { HashFamily } from '../hash/family.js';
import { clearLoad } from './bulk/clearLoad.js';
import { TreeError } from './errors.js';
import { distrustKey, formatKey, loadingKey } from './layout.js';
import { perform, type Reading, readAll, readRange, readValue, readValues } from './reading.js';
import type { Batch, Entry, Store } from './store.js';

/** Changes with the layout of entries, and with the rules that the state in them follows. */
const version = 2;

/**
 * Same layout, but an account whose code was taken away had the hash of no code: another state
 * root.
 */
const oldVersion = 1;

const textOf = (hash: HashFamily, number: number): string =>
  `l2proof state tree, version ${number}, ${hash}`;

const entryOf = (text: string): Entry => ({
  key: formatKey,
  value: new TextEncoder().encode(text),
});

/** The mark of a store that holds a state of this version. */
export const formatEntry = (hash: HashFamily): Entry => entryOf(textOf(hash, version));

const write = (store: Store, text: string): Promise<void> =>
  store.write({ puts: [entryOf(text)], deletes: [] });

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

const loadingError = (options?: ErrorOptions): TreeError =>
  new TreeError(
    'WRONG_STORE',
    'a load of the store is under way, or was cut short: run it again, into the same store or a new one',
    options,
  );

/** Clears what a load that was cut short has left. Its store, if it is only read, is none yet. */
async function startAgain(store: Store, hash: HashFamily): Promise<void> {
  try {
    await clearLoad(store, formatEntry(hash));
  } catch (cause) {
    if (cause instanceof TreeError && cause.code === 'READ_ONLY') throw loadingError({ cause });
    throw cause;
  }
}

/**
 * Marks an empty store as a state's, or checks the mark of another one. What a load that was cut
 * short has left is cleared.
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
  const [mark, loading, entries] = await perform(
    store,
    readAll([readValue(formatKey), readValue(loadingKey), readRange(all)]),
  );
  if (loading !== undefined) return startAgain(store, hash);
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

/** @throws TreeError `DISTRUSTED`; `WRONG_STORE` while another process loads the store */
export function* checkTrust(): Reading<void> {
  const [reason, loading] = yield* readValues([distrustKey, loadingKey]);
  if (loading !== undefined) throw loadingError();
  if (reason === undefined) return;
  const text = new TextDecoder().decode(reason);
  throw new TreeError('DISTRUSTED', `the state is known to be wrong, feed a new store: ${text}`);
}
