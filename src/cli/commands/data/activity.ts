/** `l2proof activity`: the chains on which an address has a transaction, as a data interface says it. */
import { readArgs } from '../../flags/args.js';
import { activityFlags, readAddressOperand, refuseProving } from '../../flags/dataFlags.js';
import { countText } from '../../print/result.js';
import { cellText } from '../../print/table.js';
import { showList } from './list.js';

/** Runs the command. @throws CliError, DataError */
export async function runActivity(args: readonly string[]): Promise<undefined> {
  const { values, file } = readArgs(args, activityFlags, 'ADDRESS');
  refuseProving(values);
  const address = readAddressOperand(file, 'ADDRESS', 'whose activity it is');
  const { url, auth, json, testnets } = values;
  return showList(
    { url, auth, json, chain: undefined, limit: Number.MAX_SAFE_INTEGER },
    undefined,
    {
      name: 'activity',
      item: 'chain',
      async *pages(client) {
        const items = await client.activity({ address, testnets });
        const nothing = { blockNumber: undefined, blockHash: undefined, total: undefined };
        yield {
          ...nothing,
          items,
          pageSize: undefined,
          hasMore: false,
          more: {},
          unproven: [],
          assumed: [],
        };
      },
      nameOf: ({ name }) => name,
      heading: ['chain', 'number', 'last transaction'],
      right: [1],
      rows: ({ name, chain_id, last_seen_at }) => [
        [cellText(name), cellText(String(chain_id ?? '')), cellText(last_seen_at)],
      ],
      title: ({ count }) => `activity on ${countText(count, 'chain')}`,
    },
  );
}
