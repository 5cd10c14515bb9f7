/** Answers of Anvil as other nodes give them, without the members that nothing proves. */
import type { Wire } from './runs.js';

/** What is left out. */
const leftOut = [
  // Of the block: a server's count.
  'totalDifficulty',
  // Of a receipt: it follows from a schedule of forks.
  'blobGasPrice',
  // Of a transaction: Anvil answers blobs, which are no part of it.
  ...['blobs', 'commitments', 'proofs', 'cellProofs'],
];

export const transactionOf = (json: Wire): Wire =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !leftOut.includes(name)));

/** Anvil does not count the empty list of withdrawals, a byte, which blocks have since Shanghai. */
export const blockOf = (json: Wire): Wire => ({
  ...transactionOf(json),
  size: `0x${(Number(json.size) + 1).toString(16)}`,
  transactions: json.transactions.map((one: Wire) =>
    typeof one === 'string' ? one : transactionOf(one),
  ),
});

/** Anvil adds the block's time as a number, which no other node does. */
export function receiptOf(json: Wire): Wire {
  const { blockTimestamp: _, ...rest } = transactionOf(json);
  return rest;
}
