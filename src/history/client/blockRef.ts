/** How a caller names a block. */
import type { Hex } from '../../bytes.js';
import { shown, wrongRange, wrongType } from '../../errors.js';
import { hexText, parseQuantity } from '../../foreign/values.js';

/**
 * A block: its number, also as a quantity in hex; its hash, 32 bytes; or a tag. `latest`, `safe` and `finalized` name the
 * newest block whose header is proven, the one before the anchored one; `earliest` is block 0.
 */
export type BlockRef = number | bigint | Hex | 'latest' | 'safe' | 'finalized' | 'earliest';

/** The same, read: undefined is the newest. */
export type ReadBlock = { readonly number: number | undefined } | { readonly hash: Hex };

const newest: readonly unknown[] = ['latest', 'safe', 'finalized'];

/** @throws TypeError or RangeError that names it */
export function checkBlock(block: unknown, name: string): ReadBlock {
  if (newest.includes(block)) return { number: undefined };
  if (block === 'earliest') return { number: 0 };
  const hash = hexText(block, 32);
  if (hash !== undefined) return { hash };
  if (typeof block !== 'number' && typeof block !== 'bigint' && typeof block !== 'string') {
    throw wrongType(name, `expected a number, a hash or a tag, got ${shown(block)}`);
  }
  const isWhole = typeof block !== 'bigint' || (block >= 0n && block >> 53n === 0n);
  const number = isWhole
    ? parseQuantity(typeof block === 'bigint' ? Number(block) : block, 53)
    : undefined;
  if (number !== undefined) return { number: Number(number) };
  throw wrongRange(
    name,
    'expected a number from 0, a hash of 32 bytes, latest, safe, finalized or earliest',
  );
}

/** A block that is named by its number or a tag alone. @throws TypeError or RangeError */
export function checkNumbered(block: unknown, name: string): number | undefined {
  const read = checkBlock(block, name);
  if ('number' in read) return read.number;
  throw wrongRange(name, 'expected a number or a tag; a hash stands in "blockHash"');
}

/** The hash of a transaction, 32 bytes. @throws TypeError or RangeError */
export function checkHash(hash: unknown, name: string): Hex {
  const text = hexText(hash, 32);
  if (text !== undefined) return text;
  throw wrongRange(name, `expected a hash of 32 bytes in hex, got ${shown(hash)}`);
}
