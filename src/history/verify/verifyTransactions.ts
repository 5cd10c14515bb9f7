/** All transactions of a block with their senders, at once. */
import { runSteps } from '../../steps.js';
import { checkHeader, type GivenHeader } from './givenHeader.js';
import { recoverSender } from './sender.js';
import { readTransactions, toBlockTransaction } from './transactions.js';
import type { BlockTransaction } from './types.js';

/**
 * Verifies the transactions of a block: all of it, in order.
 *
 * @param transactions of unknown origin: `transactions` of a block with whole transactions, as JSON-RPC answers it
 * @param header trusted: one that {@link verifyHeaders} gave
 * @returns the transactions, each member computed from what hashes to the header
 * @throws HistoryError `BAD_ANSWER`, `WRONG_TRANSACTIONS`, `UNKNOWN_TYPE`
 * @throws TypeError or RangeError for a wrong header, before the transactions are looked at
 *
 * @example
 * ```ts
 * import { verifyHeaders, verifyTransactions } from 'l2proof/history';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const node = createTransport({ url: 'https://node.example' }); // any node of the L2
 * const hash = '0xL2_BLOCK_HASH'; // trusted
 * const answer = await node.call('eth_getBlockByHash', [hash, true]);
 * const { transactions } = answer as { transactions: unknown };
 * for (const header of verifyHeaders([answer], { hash })) {
 *   for (const { from, to } of verifyTransactions(transactions, header)) console.log(from, to);
 * }
 * ```
 */
export function verifyTransactions(transactions: unknown, header: GivenHeader): BlockTransaction[] {
  const given = checkHeader(header);
  const read = runSteps(readTransactions(transactions, given.transactionsRoot));
  return read.map((transaction, index) =>
    toBlockTransaction(transaction, {
      index,
      from: recoverSender(transaction, `transactions[${index}]`),
      header: given,
    }),
  );
}
