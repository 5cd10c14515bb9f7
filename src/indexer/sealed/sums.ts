/**
 * Sums over the loose records and the numbers of contracts and topics. A checksum shows that an entry is whole, and says nothing of
 * one that is missing: so these entries are counted, some thousands of small groups apart. A group is read as a whole
 * before an absence counts.
 */
import { bytesToText, equalBytes } from '../../bytes.js';
import { yieldToEventLoop } from '../../concurrent.js';
import type { Entry, StoreReader } from '../../tree/index.js';
import { compareKeys } from '../../tree/store/keys.js';
import { writeNumber } from '../../tree/store/numbers.js';
import { endOf, keyAfter } from '../../tree/store/scan.js';
import { firstWhere } from '../../tree/store/search.js';
import { IndexError } from '../layout/errors.js';
import {
  allRecords,
  type KeyBounds,
  type KeyKind,
  keyOf,
  kinds,
  numberIn,
} from '../layout/layout.js';
import { sealOf } from './seal.js';

/**
 * Bytes of a key that its group is named by, with its kind: keys that begin with a hash or an address are spread, a time or a
 * contract's number counts up.
 */
const groupWidth = 3;
const numberGroupWidth = 6;
const numberKinds: readonly number[] = [
  ...[kinds.time, kinds.emitted, kinds.topic, kinds.item, kinds.batch, kinds.sum, kinds.sale],
];

/** Entries that are read at a time: few enough for others to have their turn. */
const entriesAtOnce = 512;

const numberWidth = 4;
const wrap = 2 ** 32;

const widthOf = (kind: number | undefined): number =>
  kind !== undefined && numberKinds.includes(kind) ? numberGroupWidth : groupWidth;

/** The beginning of a key that names its group. */
const groupOf = (key: Uint8Array): Uint8Array => key.subarray(0, widthOf(key[0]));

/** Whether a group is that of a key. */
function isOfGroup(key: Uint8Array, group: Uint8Array): boolean {
  if (group.length !== Math.min(widthOf(key[0]), key.length)) return false;
  for (let i = 0; i < group.length; i++) if (key[i] !== group[i]) return false;
  return true;
}

/** Whether entries of such keys are counted. */
const isCounted = (key: Uint8Array): boolean => {
  const kind = key[0] as number;
  const isRecord = kind >= (allRecords.from[0] as number) && kind < (allRecords.to[0] as number);
  return isRecord || kind === kinds.contract || kind === kinds.topicNumber;
};

/**
 * The kind of sums of a group: they stand on the other side of the head than the group itself. A part of the store that
 * was lost with both has the head in it.
 */
const kindOf = (group: Uint8Array): KeyKind =>
  (group[0] as number) < kinds.head ? 'numberSum' : 'recordSum';

/** How many entries there are, and their seals, added up. */
interface Sum {
  count: number;
  seals: number;
}

function encodeSum({ count, seals }: Sum): Uint8Array {
  const bytes = new Uint8Array(2 * numberWidth);
  writeNumber(bytes, 0, count, numberWidth);
  writeNumber(bytes, numberWidth, seals, numberWidth);
  return bytes;
}

const decodeSum = (value: Uint8Array | undefined): Sum => ({
  count: value ? numberIn(value.subarray(0, numberWidth)) : 0,
  seals: value ? numberIn(value.subarray(numberWidth)) : 0,
});

/** Sums of groups by the keys at which they stand. */
class Sums {
  readonly #byKey = new Map<string, { key: Uint8Array; sum: Sum }>();
  /** The last group, and its sum: entries that are read come group by group. */
  #group: Uint8Array = new Uint8Array(0);
  #sum: Sum = { count: 0, seals: 0 };

  /** @param sign -1 for an entry that goes */
  add({ key, value }: Entry, sign = 1): void {
    if (!isOfGroup(key, this.#group)) this.#turnTo(groupOf(key));
    this.#sum.count += sign;
    this.#sum.seals = (this.#sum.seals + sign * sealOf(key, value) + wrap) % wrap;
  }

  #turnTo(group: Uint8Array): void {
    const at = keyOf(kindOf(group), group);
    const name = bytesToText(at);
    let found = this.#byKey.get(name);
    if (found === undefined) {
      found = { key: at, sum: { count: 0, seals: 0 } };
      this.#byKey.set(name, found);
    }
    this.#group = group;
    this.#sum = found.sum;
  }

  get all(): { key: Uint8Array; sum: Sum }[] {
    return [...this.#byKey.values()];
  }
}

/** The changes of a batch to the sums. */
export async function sumChanges(
  reader: StoreReader,
  { puts, deletes }: { puts: readonly Entry[]; deletes: readonly Uint8Array[] },
): Promise<{ puts: Entry[]; deletes: Uint8Array[] }> {
  const coming = puts.filter(({ key }) => isCounted(key));
  const keys = [...coming.map(({ key }) => key), ...deletes.filter(isCounted)];
  const sums = new Sums();
  const before = (await reader.read({ keys, ranges: [] })).values;
  for (const [i, value] of before.entries()) {
    if (value !== undefined) sums.add({ key: keys[i] as Uint8Array, value }, -1);
  }
  for (const entry of coming) sums.add(entry);
  const changed = sums.all;
  const held = await reader.read({ keys: changed.map(({ key }) => key), ranges: [] });
  const batch = { puts: [] as Entry[], deletes: [] as Uint8Array[] };
  for (const [i, { key, sum }] of changed.entries()) {
    const { count, seals } = decodeSum(held.values[i]);
    const now = { count: count + sum.count, seals: (seals + sum.seals) % wrap };
    if (now.count > 0) batch.puts.push({ key, value: encodeSum(now) });
    else if (held.values[i] !== undefined) batch.deletes.push(key);
  }
  return batch;
}

/** All entries within each of some bounds, some of each at a time. */
async function readAll(reader: StoreReader, bounds: readonly KeyBounds[]): Promise<Entry[][]> {
  const all = bounds.map((): Entry[] => []);
  for (let rest = bounds.map(({ from, to }, i) => ({ i, from, to })); ; await yieldToEventLoop()) {
    const ranges = rest.map(({ from, to }) => ({ from, to, limit: entriesAtOnce, reverse: false }));
    const pages = (await reader.read({ keys: [], ranges })).ranges;
    rest = rest.flatMap(({ i, to }, place) => {
      const page = pages[place] ?? [];
      all[i]?.push(...page);
      const last = page.at(-1);
      return last && page.length === entriesAtOnce ? [{ i, from: keyAfter(last.key), to }] : [];
    });
    if (rest.length === 0) return all;
  }
}

/** The end of the group in which a bound lies; a bound that is no longer than the name of a group lies between two. */
const groupEnd = (to: Uint8Array): Uint8Array =>
  to.length > widthOf(to[0]) ? endOf(groupOf(to)) : to;

/** Bounds of the groups in which bounds lie. */
export const groupsAround = ({ from, to }: KeyBounds): KeyBounds => ({
  from: groupOf(from),
  to: groupEnd(to),
});

/**
 * The entries of groups, and none is missing.
 *
 * @param reader of one moment
 * @param groups bounds of whole groups
 * @throws IndexError `DAMAGED`
 */
export async function readGroups(reader: StoreReader, groups: KeyBounds): Promise<Entry[]> {
  const kind = kindOf(groups.from);
  const [entries = [], held = []] = await readAll(reader, [
    groups,
    { from: keyOf(kind, groups.from), to: keyOf(kind, groups.to) },
  ]);
  const sums = new Sums();
  for (const entry of entries) sums.add(entry);
  const found = new Map(sums.all.map(({ key, sum }) => [bytesToText(key), encodeSum(sum)]));
  const isSame = ({ key, value }: Entry) => {
    const sum = found.get(bytesToText(key));
    return sum !== undefined && equalBytes(sum, value);
  };
  if (held.length !== found.size || !held.every(isSame)) {
    throw new IndexError('DAMAGED', 'the index has lost records');
  }
  return entries;
}

/** Those of some entries, in their order, that lie within bounds. */
export function entriesWithin(entries: readonly Entry[], { from, to }: KeyBounds): Entry[] {
  const indexOf = (bound: Uint8Array) =>
    firstWhere(entries.length, (i) => compareKeys((entries[i] as Entry).key, bound) >= 0);
  return entries.slice(indexOf(from), indexOf(to));
}

/**
 * Counted entries within bounds, and none is missing.
 *
 * @param reader of one moment
 * @throws IndexError `DAMAGED`
 */
export const readCounted = async (reader: StoreReader, bounds: KeyBounds): Promise<Entry[]> =>
  entriesWithin(await readGroups(reader, groupsAround(bounds)), bounds);
