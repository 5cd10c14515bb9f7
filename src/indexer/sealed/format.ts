/** The index's header: format version and chain. */
import { wordFor } from '../../errors.js';
import type { Store } from '../../tree/index.js';
import { IndexError } from '../layout/errors.js';
import { keyOf } from '../layout/layout.js';
import { emptyHead, headEntries } from './head.js';
import { unseal } from './seal.js';
import { sealed } from './sealedStore.js';

/** Changes with the layout of entries, and with the set of events that write entries. */
export const indexVersion = 3;

const key = keyOf('format');

const textOf = (chainId: number | string): string =>
  `l2proof index, version ${indexVersion}, chain ${chainId}`;

/** The text of a mark. Only marks of this version are known to have a seal. */
function textIn(mark: Uint8Array): string {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes.subarray(0, 100));
  const isOurs = text(mark).startsWith(textOf(''));
  return isOurs ? text(unseal(key, mark)) : text(mark).replace(/[^ -~]/g, '');
}

/**
 * The mark of the store: version and chain of its index; undefined if the store is empty. @throws IndexError `WRONG_INDEX`
 */
async function readMark(store: Store): Promise<string | undefined> {
  const all = { from: new Uint8Array(0), to: undefined, limit: 1, reverse: false };
  const { values, ranges } = await store.read({ keys: [key], ranges: [all] });
  const mark = values[0];
  if (mark !== undefined) return textIn(mark);
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
    await sealed(store).write({ puts: [{ key, value }, ...headEntries(emptyHead)], deletes: [] });
    return chainId;
  }
  const prefix = textOf('');
  const named = found.startsWith(prefix) ? found.slice(prefix.length) : '';
  const isOurs = /^\d{1,15}$/.test(named);
  if (isOurs && (chainId === undefined || Number(named) === chainId)) return Number(named);
  const todo = `open it with what wrote it, or feed a new one: ${wordFor('feedIndex', 'createIndexer')}`;
  throw new IndexError(
    'WRONG_INDEX',
    `the store holds "${found}", not "${textOf(chainId ?? 'ID')}"; ${todo}`,
  );
}
