/** `l2proof holders`: who holds a token, as a data interface says it. */
import { readArgs } from '../../flags/args.js';
import { holdersFlags, readAddressOperand } from '../../flags/dataFlags.js';
import { readProving } from '../../flags/proveFlags.js';
import { holderHeading, holderRow, tokenText } from '../../print/holderRows.js';
import { countText } from '../../print/result.js';
import { listedBlockText, showList } from './list.js';

/** Runs the command. @throws CliError, DataError */
export async function runHolders(args: readonly string[]): Promise<undefined> {
  const { values, given, file } = readArgs(args, holdersFlags, 'TOKEN');
  const token = readAddressOperand(file, 'TOKEN', 'the contract of the token');
  const proving = readProving('holders', values, given);
  return showList(values, proving, {
    name: 'holders',
    item: 'holder',
    pages: (client, pageSize) => client.holders({ token, pageSize }),
    nameOf: ({ address }) => address,
    heading: holderHeading,
    right: [0, 1, 2],
    rows: (item, place) => [holderRow(item, place + 1)],
    title({ page, count, isWhole }) {
      const [first] = page.items;
      const token = first === undefined ? '' : ` of ${tokenText(first)}`;
      return `${isWhole ? '' : 'the largest '}${countText(count, 'holder')}${listedBlockText(page)}${token}`;
    },
  });
}
