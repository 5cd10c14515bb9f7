/** The JSON of answers: what all of them begin with, and long lists in pieces. */
import type { Chain } from '../../../decode/index.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import type { Pause } from '../../jsonrpc/method.js';

/** Characters of a list that are written in a turn. */
const piece = 64 * 1024;

/** The first members of an answer about a chain. @param at the block that the answer is of */
export const toHead = ({ id, name }: Chain, { number, hash }: BalanceBlock) => ({
  updated_at: new Date().toISOString(),
  chain_id: id,
  chain_name: name,
  block_height: number,
  block_hash: hash ?? null,
});

/** A time as answers have it. @param seconds since 1970 */
export const toTime = (seconds: number): string =>
  new Date(1000 * seconds).toISOString().replace('.000Z', 'Z');

/** Writes JSON in pieces, of which each has a turn of its own. */
export class PieceWriter {
  readonly #pause: Pause;
  #length = 0;

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  /**
   * JSON of an object with a list behind its other members.
   *
   * @param before the other members, of which there is one
   * @param write JSON of an item
   */
  async list<Item>(
    before: object,
    [name, items]: readonly [name: string, items: readonly Item[]],
    write: (item: Item) => string | Promise<string> = (item) => JSON.stringify(item),
  ): Promise<string> {
    const texts: string[] = [];
    for (const item of items) {
      const written = write(item);
      const text = typeof written === 'string' ? written : await written;
      texts.push(text);
      this.#length += text.length;
      if (this.#length > piece) {
        this.#length = 0;
        await this.#pause();
      }
    }
    return `${JSON.stringify(before).slice(0, -1)},"${name}":[${texts.join(',')}]}`;
  }
}

/** JSON of an object with a list of items behind its other members, of which there is one, written in pieces. */
export const writeList = (
  before: object,
  items: readonly unknown[],
  pause: Pause,
): Promise<string> => new PieceWriter(pause).list(before, ['items', items]);

/** Where a page of a list is. */
interface PagePlace {
  /** From 0. */
  readonly number: number;
  readonly size: number;
  /** Items of all pages; undefined: not known. */
  readonly total: number | undefined;
  /** Leads to the next page; undefined if there is none. */
  readonly cursor: string | undefined;
}

/** The member of a list that says where it is. */
export const toPagination = ({ number, size, total, cursor }: PagePlace) => ({
  has_more: cursor !== undefined,
  page_number: number,
  page_size: size,
  total_count: total ?? null,
  cursor: cursor ?? null,
});
