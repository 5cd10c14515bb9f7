/** The index's header: format version and chain. */
import { wordFor } from '../../errors.js';
import type { Store } from '../../tree/index.js';
import { IndexError } from '../layout/errors.js';
import { keyOf } from '../layout/layout.js';
import { emptyHead, headEntries } from './head.js';
import { sealWidth, unseal } from './seal.js';
import { sealed } from './sealedStore.js';

/** Changes with the layout of entries, and with the set of events that write entries. */
export const indexVersion = 4;

const key = keyOf('format');

/** The chain of an index, and what it is fed with. */
interface IndexFormat {
  readonly chainId: number;
  /** Undefined: whole receipts. */
  readonly only: 'tokens' | undefined;
}

const textOf = (chainId: number | string, only?: IndexFormat['only']): string =>
  `l2proof index, version ${indexVersion}, chain ${chainId}${only === undefined ? '' : `, only ${only}`}`;

/** Versions whose mark has no seal. */
const unsealed = /^l2proof index, version [12],/;

/** The text of a mark. Only marks of this version are known to be sealed as here. */
function textIn(mark: Uint8Array): string {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes.subarray(0, 100));
  const whole = text(mark);
  if (whole.startsWith(textOf(''))) return text(unseal(key, mark));
  const isIndex = whole.startsWith('l2proof index') && !unsealed.test(whole);
  return (isIndex ? text(mark.subarray(0, -sealWidth)) : whole).replace(/[^ -~]/g, '');
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

/** The chain that a mark of this version names. */
function parseMark(mark: string): IndexFormat | undefined {
  const prefix = textOf('');
  const [, chainId, only] = /^(\d{1,15})(, only tokens)?$/.exec(mark.slice(prefix.length)) ?? [];
  if (!mark.startsWith(prefix) || chainId === undefined) return undefined;
  return { chainId: Number(chainId), only: only === undefined ? undefined : 'tokens' };
}

/**
 * Marks an empty store as an index, or checks the mark of another one.
 *
 * @param asked chain undefined: of any chain; the store must hold an index then. `only` undefined: an index that is there
 *   keeps what it is fed with
 * @throws IndexError `WRONG_INDEX`
 */
export async function openFormat(store: Store, asked: Partial<IndexFormat>): Promise<IndexFormat> {
  const { chainId, only } = asked;
  const found = await readMark(store);
  if (found === undefined) {
    if (chainId === undefined) {
      throw new IndexError('WRONG_INDEX', 'the index is empty; feed it first');
    }
    const value = new TextEncoder().encode(textOf(chainId, only));
    await sealed(store).write({ puts: [{ key, value }, ...headEntries(emptyHead)], deletes: [] });
    return { chainId, only };
  }
  const format = parseMark(found);
  const isAsked =
    (chainId === undefined || format?.chainId === chainId) &&
    (only === undefined || format?.only === only);
  if (format !== undefined && isAsked) return format;
  const todo = `open it with what wrote it, or feed a new one: ${wordFor('feedIndex', 'createIndexer')}`;
  throw new IndexError(
    'WRONG_INDEX',
    `the store holds "${found}", not "${textOf(chainId ?? 'ID', only)}"; ${todo}`,
  );
}
