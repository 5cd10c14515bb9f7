/** A node that is made by hand. */
import type { Hex } from '../../src/tree/index.js';

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/** A header without transactions, as a node gives it; each names the one before. */
export const header = (number: number, more: object = {}) => ({
  number: `0x${number.toString(16)}`,
  hash: word(100 + number),
  parentHash: word(99 + number),
  timestamp: '0x10',
  withdrawalsRoot: word(1),
  transactions: [],
  ...more,
});
