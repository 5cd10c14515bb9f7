/**
 * Cursors over several chains: for each of them a cut through its transactions, before which older ones stand and behind which
 * newer ones do. Blocks that come later move no cut.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, type Hex } from '../../../bytes.js';
import { numberWidth } from '../../../tree/store/numbers.js';
import { type HashedBlock, keyWidths, wrongCursor } from '../common/cursor.js';

/** The place of the first transaction behind a cut. */
export interface Place {
  readonly block: number;
  /** In the block, from 0. */
  readonly transaction: number;
}

/** A cut through the transactions of a chain. */
export interface ChainCut {
  readonly chainId: number;
  /** The block of the answer that gave it. */
  readonly head: HashedBlock;
  readonly cut: Place;
}

/** Hex digits: of what says which list it is, of the numbers of a cut, and of a hash. */
const listDigits = 32;
const idDigits = 14;
const blockDigits = 2 * numberWidth;
const placeDigits = 2 * keyWidths.place;
const hashDigits = 64;

const cutDigits = idDigits + 2 * blockDigits + hashDigits + placeDigits;

/** A cursor of one chain at least, and of ten at most. */
export const cutsForm = new RegExp(`^[0-9a-f]{${listDigits}}([0-9a-f]{${cutDigits}}){1,10}$`);

const markOf = (list: string): string =>
  encodeHex(sha256(new TextEncoder().encode(`chains ${list}`))).slice(2, 2 + listDigits);

const digitsOf = (value: number, digits: number): string =>
  value.toString(16).padStart(digits, '0');

/** @param list all that decides what is listed */
export const writeCuts = (list: string, cuts: readonly ChainCut[]): string =>
  [
    markOf(list),
    ...cuts.flatMap(({ chainId, head, cut }) => [
      ...[digitsOf(chainId, idDigits), digitsOf(head.number, blockDigits), head.hash.slice(2)],
      ...[digitsOf(cut.block, blockDigits), digitsOf(cut.transaction, placeDigits)],
    ]),
  ].join('');

/** @returns the cuts by chain @throws HttpError if it is the cursor of another list */
export function readCuts(list: string, text: string): ReadonlyMap<number, ChainCut> {
  if (!cutsForm.test(text) || !text.startsWith(markOf(list))) throw wrongCursor();
  const cuts = new Map<number, ChainCut>();
  for (let from = listDigits; from < text.length; from += cutDigits) {
    let at = from;
    const take = (digits: number): string => {
      at += digits;
      return text.slice(at - digits, at);
    };
    const chainId = Number(`0x${take(idDigits)}`);
    const number = Number(`0x${take(blockDigits)}`);
    const hash: Hex = `0x${take(hashDigits)}`;
    const block = Number(`0x${take(blockDigits)}`);
    const transaction = Number(`0x${take(placeDigits)}`);
    cuts.set(chainId, { chainId, head: { number, hash }, cut: { block, transaction } });
  }
  return cuts;
}
