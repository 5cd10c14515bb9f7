/** Answers of a node, without the members that nothing proves. */
import type { Wire } from './runs.js';

/** What is left out, with the reason: where it is from, if not from what the header hashes. */
const leftOut = [
  // Of the block: a server's count.
  'totalDifficulty',
  // Of a receipt: follows from a schedule of forks.
  'blobGasPrice',
  // Of a transaction: Anvil keeps the blobs, which are no part of it.
  ...['blobs', 'commitments', 'proofs', 'cell_proofs', 'cellProofs', 'blobWrapperVersion'],
];

const withoutLeftOut = (json: Wire): Wire =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !leftOut.includes(name)));

/** Anvil gives gas prices of the first two types only as what they are, as other nodes do. */
export const transactionOf = (json: Wire): Wire => withoutLeftOut(json);

export const blockOf = (json: Wire): Wire => ({
  ...withoutLeftOut(json),
  transactions: json.transactions.map((one: Wire) =>
    typeof one === 'string' ? one : transactionOf(one),
  ),
});

/** Anvil adds the block's time as a number, which no other node does. */
export function receiptOf(json: Wire): Wire {
  const { blockTimestamp: _, ...rest } = withoutLeftOut(json);
  return rest;
}
