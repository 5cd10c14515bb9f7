/** The entries of an index about its blocks, besides their events. */
import type { Entry, Range, Store } from '../../tree/index.js';
import { maxBlock } from '../../tree/store/numbers.js';
import { keyAfter } from '../../tree/store/scan.js';
import { IndexError } from '../layout/errors.js';
import {
  type BlockMark,
  blockBytes,
  blockNumberWidth,
  checkWidth,
  decodeMark,
  type KeyKind,
  keyOf,
  markWidth,
  numberIn,
  within,
} from '../layout/layout.js';
import { bodyIn, stateWidth } from '../layout/record.js';
import { atMoment, type Moment } from '../sealed/moment.js';
import { readRecords } from '../segments/readRecords.js';

/** Entries that are read at a time. */
const pageSize = 256;

/** Bounds of the entries of a kind, from one block to below another. */
const between = (kind: KeyKind, from: number, to: number): Pick<Range, 'from' | 'to'> => ({
  from: keyOf(kind, blockBytes(from)),
  to: keyOf(kind, blockBytes(to)),
});

/** Above all blocks. */
const end = maxBlock + 1;

/** The first block of some that has a time. */
async function timeFrom(moment: Moment, block: number, end: number) {
  let found: { block: number; time: number } | undefined;
  const bounds = { from: keyOf('time', blockBytes(block)), to: keyOf('time', blockBytes(end)) };
  await readRecords(moment, bounds, ({ key, value }) => {
    found = { block: numberIn(key.subarray(1)), time: numberIn(bodyIn(value)) };
    return false;
  });
  return found;
}

export class BlockEntries {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Of the newest final block, and those after it. @throws IndexError `DAMAGED` */
  mark(block: number): Promise<BlockMark | undefined> {
    return atMoment(this.#store, async ({ reader, head: { newest, final } }) => {
      if (block < Math.max(final, 0) || block > newest) return undefined;
      const key = keyOf('block', blockBytes(block));
      const value = (await reader.read({ keys: [key], ranges: [] })).values[0];
      return decodeMark(checkWidth(value, markWidth, 'a block'));
    });
  }

  async time(block: number): Promise<number | undefined> {
    let time: number | undefined;
    const visit = ({ value }: Entry): boolean => {
      time = numberIn(bodyIn(checkWidth(value, stateWidth + blockNumberWidth, 'a time')));
      return false;
    };
    const bounds = within('time', blockBytes(block));
    await atMoment(this.#store, (moment) => readRecords(moment, bounds, visit));
    return time;
  }

  /** The newest block up to one that is no younger than a time; every block has its time in an index by receipts. */
  at(time: number): Promise<number | undefined> {
    return atMoment(this.#store, async (moment) => {
      let [from, to] = [0, moment.head.newest + 1];
      // Blocks below `from` are no younger, those from `to` on are.
      while (from < to) {
        const middle = Math.floor((from + to) / 2);
        const found = await timeFrom(moment, middle, to);
        if (found === undefined || found.time > time) to = middle;
        else from = found.block + 1;
      }
      return from === 0 ? undefined : from - 1;
    });
  }

  /** Keys that are of no use once a block is final: marks of those before it, and undo lists up to it. */
  async settledBy(block: number): Promise<Uint8Array[]> {
    const marks = await this.#entries(between('block', 0, block));
    const undos = await this.#entries(between('undo', 0, block + 1));
    return [...marks, ...undos].map(({ key }) => key);
  }

  /**
   * Undo lists of the blocks after one, the newest first, and the keys of all that is held of these blocks.
   *
   * @param newest the newest block
   */
  async after(block: number, newest: number): Promise<{ undos: Uint8Array[]; keys: Uint8Array[] }> {
    const undos = await this.#entries(between('undo', block + 1, end));
    const marks = await this.#entries(between('block', block + 1, end));
    const count = Math.max(newest - block, 0);
    if (undos.length !== count || marks.length !== count) {
      throw new IndexError('DAMAGED', 'the index has lost what it knew of blocks');
    }
    return {
      undos: undos.map(({ value }) => value).reverse(),
      keys: [...undos, ...marks].map(({ key }) => key),
    };
  }

  async #entries({ from, to }: Pick<Range, 'from' | 'to'>): Promise<Entry[]> {
    const all: Entry[] = [];
    for (let start = from; ; ) {
      const range = { from: start, to, limit: pageSize, reverse: false };
      const { ranges } = await this.#store.read({ keys: [], ranges: [range] });
      const page = ranges[0] ?? [];
      all.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) return all;
      start = keyAfter(last.key);
    }
  }
}
