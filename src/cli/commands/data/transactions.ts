/** `l2proof transactions`: the transactions of a wallet, as a data interface says it. */
import { readArgs } from '../../flags/args.js';
import { readAddressOperand, transactionsFlags } from '../../flags/dataFlags.js';
import { readProving } from '../../flags/proveFlags.js';
import { countText } from '../../print/result.js';
import { transactionHeading, transactionRow } from '../../print/transactionRows.js';
import { listedBlockText, showList } from './list.js';

/** Runs the command. @throws CliError, DataError */
export async function runTransactions(args: readonly string[]): Promise<undefined> {
  const { values, given, file } = readArgs(args, transactionsFlags, 'ADDRESS');
  const address = readAddressOperand(file, 'ADDRESS', 'the wallet');
  const { json } = values;
  const proving = readProving('transactions', values, given);
  return showList(values, proving, {
    name: 'transactions',
    item: 'transaction',
    // No table shows the logs.
    pages: (client) => client.transactions({ address, withoutLogs: !json }),
    nameOf: ({ tx_hash: hash }) => hash,
    heading: transactionHeading,
    right: [0, 2],
    rows: (item) => [transactionRow(item, address)],
    title: ({ page, count, isWhole }) =>
      `${isWhole ? '' : 'the newest '}${countText(count, 'transaction')}${listedBlockText(page)}`,
  });
}
