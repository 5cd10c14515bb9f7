/** A header that a caller hands in: what is proven under it is as true as it is. */
import type { Hex } from '../../bytes.js';
import { wrongRange } from '../../errors.js';
import { checkHex, pickMembers } from '../../foreign/argument.js';
import { parseQuantity, toQuantity } from '../../foreign/values.js';
import type { BlockHeader } from './types.js';

const names = [
  ...(['hash', 'number', 'timestamp', 'baseFeePerGas'] as const),
  ...(['transactionsRoot', 'receiptsRoot'] as const),
] as const;

/** The members of a header that its transactions and receipts hang on. */
export type GivenHeader = Pick<BlockHeader, (typeof names)[number]>;

/** Reads each member once. @throws TypeError or RangeError that names it */
export function checkHeader(header: GivenHeader): GivenHeader {
  const given = pickMembers(header, names, 'header');
  for (const name of ['hash', 'transactionsRoot', 'receiptsRoot'] as const) {
    checkHex(given[name], 32, `header.${name}`);
  }
  for (const name of ['number', 'timestamp', 'baseFeePerGas'] as const) {
    const value: Hex | undefined = given[name];
    const isMissing = name === 'baseFeePerGas' && value === undefined;
    if (isMissing || (typeof value === 'string' && parseQuantity(value, 256) !== undefined))
      continue;
    throw wrongRange(`header.${name}`, 'expected a quantity, as verifyHeaders gives it');
  }
  return given;
}

/** Where the item at an index of a block stands. */
export const placeOf = ({ hash, number }: GivenHeader, index: number) => ({
  blockHash: hash,
  blockNumber: number,
  transactionIndex: toQuantity(index),
});
