/**
 * Cursors: an answer says by one where its list goes on, whatever has come into the list since. Nobody keeps anything for
 * them, so they lead on after a restart and on another machine that serves the chain. What a client made itself leads to a
 * place of the same list, and to no more than pages do.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { addressWidth, encodeHex, type Hex, integerToBytes } from '../../../bytes.js';
import { maxBlock, numberWidth } from '../../../tree/store/numbers.js';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { type HttpError, overloaded } from '../../http/httpError.js';
import { badRequest } from './blocks.js';
import { mostPages } from './parameters.js';

/** A block that is known by its hash. */
export interface HashedBlock extends BalanceBlock {
  readonly hash: Hex;
}

/** Where a list goes on. */
export interface Cursor {
  /** The block of the answer that gave it. */
  readonly head: HashedBlock;
  /** Number of the page that it leads to, from 0. */
  readonly page: number;
  /** The key of the last item before it, as whole numbers from 0. */
  readonly after: readonly bigint[];
}

/** A cursor to be written. */
interface Written extends Omit<Cursor, 'after'> {
  readonly after: readonly (number | bigint)[];
}

/** How cursors of one kind of list are written and read. */
export interface Cursors {
  /** The form that all of them have. */
  readonly form: RegExp;
  /** @param of all that decides what is listed, beside the block: of another list a cursor is refused */
  write(of: string, cursor: Written): string;
  /** Reads a cursor whose block is yet to be looked at. @throws HttpError 400 */
  read(of: string, text: string): Cursor;
  /**
   * Reads a cursor, and sees that the block of the answer that gave it is still on the chain.
   *
   * @param at the block of the answer in the making
   * @throws HttpError 400; 503 if the index has not come to that block; RpcError or NodeError
   */
  open(
    of: string,
    text: string,
    place: { access: ChainContext; at: BalanceBlock },
  ): Promise<Cursor>;
}

/** Bytes: of what says which list it is, enough that no two lists share it by chance; of a page's number; of a hash. */
const listWidth = 16;
const pageWidth = 4;
const hashWidth = 32;

/** Bytes of numbers in keys: of a block, and of a place in one. */
export const keyWidths = { block: numberWidth, place: 3 };

/** An address that stands in a key as a number. */
export const addressOf = (value: bigint): Hex => encodeHex(integerToBytes(value, addressWidth));

/** The refusal of a cursor that no answer of the list can have given. */
export const wrongCursor = (): HttpError =>
  badRequest('cursor must be one that an answer of this very list gave');

/** The refusal of a cursor whose block the chain has taken back. */
export const cursorOffChain = (): HttpError => badRequest('the chain has changed; begin again');

/** @throws HttpError unless the block is still on the chain */
export async function checkHead(
  { number, hash }: HashedBlock,
  { access: { index, ledger }, at }: { access: ChainContext; at: BalanceBlock },
): Promise<void> {
  const isIndexed = number <= at.number;
  // Of older final blocks the index keeps no hash.
  const indexed = isIndexed ? await index.blockHash(number) : undefined;
  const here = indexed ?? (await ledger.block(number))?.hash;
  if (here !== hash) throw cursorOffChain();
  if (!isIndexed) throw overloaded('the index has not come to the block of this cursor; ask again');
}

/** Digits of a number of so many bytes. */
const digitsOf = (value: bigint, width: number): string =>
  value.toString(16).padStart(2 * width, '0');

/**
 * @param list names the kind of list
 * @param widths bytes of each number of a key
 */
export function createCursors(list: string, widths: readonly number[]): Cursors {
  const all = [listWidth, pageWidth, numberWidth, hashWidth, ...widths];
  const size = all.reduce((sum, width) => sum + width, 0);
  const form = new RegExp(`^[0-9a-f]{${2 * size}}$`);

  const markOf = (of: string): bigint =>
    BigInt(encodeHex(sha256(new TextEncoder().encode(`${list} ${of}`)).subarray(0, listWidth)));

  /** @throws HttpError */
  function read(of: string, text: string): Cursor {
    if (!form.test(text)) throw wrongCursor();
    let end = 0;
    const [mark, page, number, hash, ...after] = all.map((width) => {
      const digits = text.slice(end, end + 2 * width);
      end += 2 * width;
      return BigInt(`0x${digits}`);
    }) as [bigint, bigint, bigint, bigint, ...bigint[]];
    const isWithin = number <= maxBlock && page <= mostPages;
    if (mark !== markOf(of) || !isWithin) throw wrongCursor();
    const head = { number: Number(number), hash: `0x${digitsOf(hash, hashWidth)}` as Hex };
    return { head, page: Number(page), after };
  }

  return {
    form,
    read,
    write: (of, { head, page, after }) =>
      [
        ...[digitsOf(markOf(of), listWidth), digitsOf(BigInt(page), pageWidth)],
        ...[digitsOf(BigInt(head.number), numberWidth), head.hash.slice(2)],
        ...widths.map((width, i) => digitsOf(BigInt(after[i] as bigint), width)),
      ].join(''),
    async open(of, text, place) {
      const cursor = read(of, text);
      await checkHead(cursor.head, place);
      return cursor;
    },
  };
}
