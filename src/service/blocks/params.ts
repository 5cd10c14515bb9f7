/** Parameters that name blocks and transactions. */

import { hexText, parseQuantity } from '../../foreign/values.js';
import type { NumberOrHash } from '../../rpc/nodeClient.js';
import { as, asHex } from '../jsonrpc/params.js';

/** A JSON number is none: nodes refuse it, too. */
function parseNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' ? parseQuantity(value, 53) : undefined;
  return number === undefined ? undefined : Number(number);
}

function parseBlockName(value: unknown): NumberOrHash | undefined {
  const blockHash = hexText(value, 32);
  return blockHash === undefined ? parseNumber(value) : { blockHash };
}

export const readHash = asHex(32);
export const readNumberParameter = as(parseNumber, 'a block number in hex');
export const readBlockName = as(parseBlockName, 'a block number or a block hash in hex');
/** Whether a block is wanted with its transactions whole. */
export const readIsWhole = as(
  (value) => (typeof value === 'boolean' ? value : undefined),
  'true for whole transactions, or false for their hashes',
);

/** @param max largest that is allowed */
export const readCount = (max: number) =>
  as((value) => {
    const count = parseNumber(value) ?? 0;
    return count >= 1 && count <= max ? count : undefined;
  }, `a number from 1 to ${max} in hex`);
