/** `l2proof allowances`: who may spend a wallet's tokens, as a data interface says it. */
import { readArgs } from '../../flags/args.js';
import { allowancesFlags, readAddressOperand } from '../../flags/dataFlags.js';
import { readProving } from '../../flags/proveFlags.js';
import { allowanceHeading, allowanceRows } from '../../print/allowanceRows.js';
import { countText } from '../../print/result.js';
import { listedBlockText, showList } from './list.js';

/** Approvals of a page: all that services give at once, so that few tokens are on two pages. */
const mostApprovals = 1000;

/** Runs the command. @throws CliError, DataError */
export async function runAllowances(args: readonly string[]): Promise<undefined> {
  const { values, given, file } = readArgs(args, allowancesFlags, 'ADDRESS');
  const address = readAddressOperand(file, 'ADDRESS', 'the wallet');
  const proving = readProving('allowances', values, given);
  return showList(values, proving, {
    name: 'allowances',
    item: 'token',
    pages: (client, pageSize) =>
      client.allowances({ address, pageSize: proving ? pageSize : mostApprovals }),
    nameOf: ({ token_address: token }) => token,
    heading: allowanceHeading,
    right: [1, 2],
    rows: allowanceRows,
    title: ({ page, count, isWhole }) =>
      `allowances of ${isWhole ? '' : 'the first '}${countText(count, 'token')}${listedBlockText(page)}`,
  });
}
