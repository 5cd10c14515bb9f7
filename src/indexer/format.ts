/** The index's header: format version and chain. */
import type { Store } from '../tree/index.js';
import { IndexError } from './errors.js';
import { keyOf } from './layout.js';

/** Changes with the layout of entries, and with the events that leave some. */
const version = 2;

const key = keyOf('format');

const textOf = (chainId: number | string): string =>
  `l2proof index, version ${version}, chain ${chainId}`;

/**
 * The mark of the store, which says what it holds; undefined if the store is empty. @throws IndexError `WRONG_INDEX`
 */
async function readMark(store: Store): Promise<string | undefined> {
  const all = { from: new Uint8Array(0), to: undefined, limit: 1, reverse: false };
  const { values, ranges } = await store.read({ keys: [key], ranges: [all] });
  const mark = values[0];
  if (mark !== undefined) return new TextDecoder().decode(mark.subarray(0, 100));
  if (ranges[0]?.length === 0) return undefined;
  throw new IndexError('WRONG_INDEX', "the store's data are not an index");
}

/**
 * Marks an empty store as an index of a chain, or checks the mark of another one.
 *
 * @param chainId undefined: of any chain; the store must hold an index then
 * @returns the chain's id
 * @throws IndexError `WRONG_INDEX`
 */
export async function openFormat(store: Store, chainId: number | undefined): Promise<number> {
  const found = await readMark(store);
  if (found === undefined) {
    if (chainId === undefined) {
      throw new IndexError('WRONG_INDEX', 'the index is empty; feed it first');
    }
    const value = new TextEncoder().encode(textOf(chainId));
    await store.write({ puts: [{ key, value }], deletes: [] });
    return chainId;
  }
  const prefix = textOf('');
  const named = found.startsWith(prefix) ? found.slice(prefix.length) : '';
  const isOurs = /^\d{1,15}$/.test(named);
  if (isOurs && (chainId === undefined || Number(named) === chainId)) return Number(named);
  const todo = 'open it with what wrote it, or feed a new one: l2proof index --store DIR --l2 URL';
  throw new IndexError(
    'WRONG_INDEX',
    `the store holds "${found}", not "${textOf(chainId ?? 'ID')}"; ${todo}`,
  );
}
