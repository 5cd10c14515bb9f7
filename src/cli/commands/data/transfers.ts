/** `l2proof transfers`: the transfers of tokens from and to a wallet, as a data interface says it. */
import { UsageError } from '../../exit/exit.js';
import { readArgs } from '../../flags/args.js';
import { readAddressOperand, transfersFlags } from '../../flags/dataFlags.js';
import { readProving } from '../../flags/proveFlags.js';
import { countText } from '../../print/result.js';
import { transferHeading, transferRows } from '../../print/transactionRows.js';
import { listedBlockText, showList } from './list.js';

/** Runs the command. @throws CliError, DataError */
export async function runTransfers(args: readonly string[]): Promise<undefined> {
  const { values, given, file } = readArgs(args, transfersFlags, 'ADDRESS');
  const address = readAddressOperand(file, 'ADDRESS', 'the wallet');
  const { token, from: fromBlock, to: toBlock } = values;
  if (fromBlock !== undefined && toBlock !== undefined && fromBlock > toBlock) {
    throw new UsageError(
      `--from ${fromBlock} comes after --to ${toBlock}; give the older block first`,
    );
  }
  const proving = readProving('transfers', values, given);
  return showList(values, proving, {
    name: 'transfers',
    item: 'transaction',
    pages: (client, pageSize) => client.transfers({ address, token, fromBlock, toBlock, pageSize }),
    nameOf: ({ tx_hash: hash }) => hash,
    heading: transferHeading,
    right: [0, 2],
    rows: (item) => transferRows(item, address),
    title: ({ page, count, isWhole }) =>
      `transfers in ${isWhole ? '' : 'the newest '}${countText(count, 'transaction')}${listedBlockText(page)}`,
  });
}
