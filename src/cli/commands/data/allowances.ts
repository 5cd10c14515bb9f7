/** `l2proof allowances`: who may spend a wallet's tokens, as a data interface says it. */
import { readArgs } from '../../flags/args.js';
import { allowancesFlags, readAddressOperand } from '../../flags/dataFlags.js';
import { allowanceHeading, allowanceRows } from '../../print/allowanceRows.js';
import { countText } from '../../print/result.js';
import { listedBlockText, showList } from './list.js';

/** Approvals of a page: all that services give at once, so that few tokens are on two pages. */
const mostApprovals = 1000;

/** Runs the command. @throws CliError, DataError */
export async function runAllowances(args: readonly string[]): Promise<undefined> {
  const { values, file } = readArgs(args, allowancesFlags, 'ADDRESS');
  const address = readAddressOperand(file, 'ADDRESS', 'the wallet');
  return showList(values, {
    name: 'allowances',
    item: 'token',
    pages: (client) => client.allowances({ address, pageSize: mostApprovals }),
    heading: allowanceHeading,
    right: [1, 2],
    rows: allowanceRows,
    title: ({ page, count, isWhole }) =>
      `allowances of ${isWhole ? '' : 'the first '}${countText(count, 'token')}${listedBlockText(page)}`,
  });
}
