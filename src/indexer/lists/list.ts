/** Lists of an index: records with one beginning, in order, from either end, some at a time. */
import { maxBlock } from '../../tree/store/numbers.js';
import { type KeyBounds, keyOf, type RecordKind, within } from '../layout/layout.js';
import type { PageRecord } from '../layout/record.js';
import type { Moment } from '../sealed/moment.js';
import { readRecords } from '../segments/readRecords.js';

/** Records of no use that are read over before the next one of use is looked for: to look for one takes as long. */
export const mostRepeats = 1000;

/** From which end a list is read. */
type ListOrder = 'newest' | 'oldest';

/** A part of a list by blocks. */
export interface ListPart<Key> {
  /** Default: the newest first. */
  readonly order?: ListOrder | undefined;
  /** The last one that was read: the list goes on behind it, in its order. */
  readonly after?: Key | undefined;
  /** The first block and the last one of which something is listed. Default: all. */
  readonly fromBlock?: number | undefined;
  readonly toBlock?: number | undefined;
  /** How many are skipped; each costs as much as one that is read. Default 0. */
  readonly offset?: number | undefined;
  /** The most that are read. */
  readonly limit: number;
}

/** A kind of list: how its keys are made. */
interface ListKind<Key> {
  readonly kind: RecordKind;
  /** The prefix of the list's keys. */
  readonly prefix: readonly Uint8Array[];
  /** A block in a key; with newest-first keys, its complement. */
  readonly blockBytes: (block: number) => Uint8Array;
  /** The rest of a key from the block on. */
  readonly keyBytes: (key: Key) => readonly Uint8Array[];
  /** Whether the first key is that of the newest block. */
  readonly isNewestFirst: boolean;
}

/** The bounds of a part of a list, and from which end it is read. */
function boundsOf<Key>(
  list: ListKind<Key>,
  part: ListPart<Key>,
): KeyBounds & { isReverse: boolean } {
  const { kind, prefix, blockBytes, keyBytes, isNewestFirst } = list;
  const { order = 'newest', after, fromBlock = 0, toBlock = maxBlock } = part;
  const [first, last] = isNewestFirst ? [toBlock, fromBlock] : [fromBlock, toBlock];
  const isReverse = (order === 'newest') !== isNewestFirst;
  const from = keyOf(kind, ...prefix, blockBytes(first));
  const { to } = within(kind, ...prefix, blockBytes(last));
  if (after === undefined) return { from, to, isReverse };
  const key = [...prefix, ...keyBytes(after)];
  return isReverse
    ? { from, to: keyOf(kind, ...key), isReverse }
    : { from: within(kind, ...key).to, to, isReverse };
}

/** Reads a part of a list. */
export async function readList<Key, T>(
  moment: Moment,
  list: ListKind<Key>,
  part: ListPart<Key>,
  decode: (record: PageRecord) => T,
): Promise<T[]> {
  const { offset = 0, limit, fromBlock = 0, toBlock = maxBlock } = part;
  const found: T[] = [];
  if (limit <= 0 || fromBlock > toBlock) return found;
  const { from, to, isReverse } = boundsOf(list, part);
  let skipped = 0;
  const visit = (record: PageRecord): boolean => {
    if (skipped++ >= offset) found.push(decode(record));
    return found.length < limit;
  };
  await readRecords(moment, { from, to }, visit, { isReverse });
  return found;
}

/** How many records begin with these parts; counting ends at a limit. */
export async function countRecords(
  moment: Moment,
  kind: RecordKind,
  prefix: readonly Uint8Array[],
  limit: number,
): Promise<number> {
  let found = 0;
  if (limit > 0) await readRecords(moment, within(kind, ...prefix), () => ++found < limit);
  return found;
}
