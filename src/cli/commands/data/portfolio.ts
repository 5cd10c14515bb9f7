/** `l2proof portfolio`: what a wallet had day by day, as a data interface says it. */
import { readArgs } from '../../flags/args.js';
import { portfolioFlags, readAddressOperand, refuseProving } from '../../flags/dataFlags.js';
import { portfolioHeading, portfolioRow } from '../../print/portfolioRows.js';
import { countText } from '../../print/result.js';
import { listedBlockText, showList } from './list.js';

/** Runs the command. @throws CliError, DataError */
export async function runPortfolio(args: readonly string[]): Promise<undefined> {
  const { values, file } = readArgs(args, portfolioFlags, 'ADDRESS');
  refuseProving(values);
  const address = readAddressOperand(file, 'ADDRESS', 'the wallet');
  const { days } = values;
  return showList(values, undefined, {
    name: 'portfolio',
    item: 'token',
    pages: (client, pageSize) => client.portfolio({ address, days, pageSize }),
    nameOf: ({ contract_address: contract }) => contract,
    heading: portfolioHeading,
    right: [1, 2, 3, 4, 5],
    rows: (item) => [portfolioRow(item)],
    title: ({ page, count, isWhole }) =>
      `${isWhole ? '' : 'the first '}${countText(count, 'token')} over ${countText(days, 'day')}${listedBlockText(page)}`,
  });
}
