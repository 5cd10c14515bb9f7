/** The store's header: format version and hash family, and the mark of a state known to be wrong. */
import { hashFamilies } from '../../codec/spec.js';
import { wordFor } from '../../errors.js';
import type { HashFamily } from '../../hash/index.js';
import { TreeError } from '../store/errors.js';
import {
  perform,
  type Reading,
  readAll,
  readRange,
  readValue,
  readValues,
} from '../store/reading.js';
import type { Batch, Entry, Store } from '../store/store.js';
import { clearLoad } from './clearLoad.js';
import { distrustKey, formatKey, loadingKey } from './layout.js';

/** Changes with the layout of entries, and with the rules that the state in them follows. */
export const layoutVersion = 3;

/** The prefix of a state tree's mark. */
const kind = 'l2proof state tree, ';

/** Whether a mark is that of an index, which lies in a store of its own. */
export const isIndexMark = (mark: string | undefined): boolean =>
  mark?.startsWith('l2proof index, ') === true;

/** The text of the mark of a store, by the version of its format. */
export const formatMark = (hash: HashFamily, state: number | 'migrating' = layoutVersion): string =>
  `${kind}version ${state === 'migrating' ? `2 to ${layoutVersion}` : state}, ${hash}`;

/** The entry that gives a store a mark. */
export const markEntry = (mark: string): Entry => ({
  key: formatKey,
  value: new TextEncoder().encode(mark),
});

/** The mark of a store; undefined if it has none. */
export function* readMark(): Reading<string | undefined> {
  const mark = yield* readValue(formatKey);
  return mark && new TextDecoder().decode(mark.subarray(0, 100));
}

/** Advice for the operator about an unexpected mark. */
function adviceOn(found: string, expected: string): string {
  const isOld = (state: number | 'migrating') =>
    hashFamilies.some((hash) => found === formatMark(hash, state));
  if (isOld('migrating')) {
    const go = wordFor('goOnConverting', 'migrateStore');
    return `its migration was cut short; go on with it: ${go}`;
  }
  if (isOld(2)) {
    return `the format of an older release; convert it: ${wordFor('convert', 'migrateStore')}`;
  }
  if (isOld(1)) {
    const feed = wordFor('feedStore', 'loadStateFile and createFollower');
    const convert = wordFor('convertFirst', 'migrateStore with keepState');
    return `whose state root is wrong if a block ever took an account's code away. Feed a new store: ${feed}. If no account ever lost its code, convert it: ${convert}`;
  }
  return `not "${expected}"; open it with the version and the hash that wrote it, or begin a new store`;
}

/** The error about a store that holds unexpected data. */
export function wrongMarkError(
  found: string | undefined,
  expected = "a state tree's mark",
): TreeError {
  if (found === undefined) {
    return new TreeError('WRONG_STORE', "the store's data are not a state tree");
  }
  // Behind the version of an index' mark stand its chain and the bytes of a sum.
  const shown = found.startsWith(kind) ? found : found.split(', ', 2).join(', ');
  return new TreeError('WRONG_STORE', `the store holds "${shown}", ${adviceOn(found, expected)}`);
}

/** Checks the mark of a store that is only read. @throws TreeError `WRONG_STORE` */
export function* checkFormat(hash: HashFamily): Reading<void> {
  const found = yield* readMark();
  if (found !== formatMark(hash)) throw wrongMarkError(found, formatMark(hash));
}

const loadingError = (options?: ErrorOptions): TreeError =>
  new TreeError(
    'WRONG_STORE',
    'a load of the store is under way, or was cut short: run it again, into the same store or a new one',
    options,
  );

/** Clears what a load that was cut short has left. */
async function startAgain(store: Store, hash: HashFamily): Promise<void> {
  try {
    await clearLoad(store, markEntry(formatMark(hash)));
  } catch (cause) {
    if (cause instanceof TreeError && cause.code === 'READ_ONLY') throw loadingError({ cause });
    throw cause;
  }
}

/** Finds out what a store is, before anything is written to it. @throws TreeError `WRONG_STORE` */
async function findStore(store: Store, hash: HashFamily): Promise<'empty' | 'marked' | 'loading'> {
  const all = { from: new Uint8Array(0), to: undefined, limit: 1, reverse: false };
  const [found, loading, entries] = await perform(
    store,
    readAll([readMark(), readValue(loadingKey), readRange(all)]),
  );
  if (loading !== undefined) return 'loading';
  if (found === formatMark(hash)) return 'marked';
  if (entries.length > 0) throw wrongMarkError(found, formatMark(hash));
  return 'empty';
}

/** Checks that {@link claimStore} would open a store, and writes nothing. @throws TreeError `WRONG_STORE` */
export async function checkOpens(store: Store, hash: HashFamily): Promise<void> {
  await findStore(store, hash);
}

/**
 * Marks an empty store as a state's, or checks the mark of another one. What a load that was cut
 * short has left is cleared.
 *
 * @throws TreeError `WRONG_STORE`
 */
export async function claimStore(store: Store, hash: HashFamily): Promise<void> {
  const found = await findStore(store, hash);
  if (found === 'loading') return startAgain(store, hash);
  if (found === 'empty') await store.write({ puts: [markEntry(formatMark(hash))], deletes: [] });
}

/** The batch that marks the state as wrong, for all readers. */
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
