/** `l2proof nfts`: the tokens with ids that a wallet has, as a data interface says it. */
import { readArgs } from '../../flags/args.js';
import { nftsFlags, readAddressOperand } from '../../flags/dataFlags.js';
import { readProving } from '../../flags/proveFlags.js';
import { nftHeading, nftRows } from '../../print/nftRows.js';
import { countText } from '../../print/result.js';
import { listedBlockText, showList } from './list.js';

/** Runs the command. @throws CliError, DataError */
export async function runNfts(args: readonly string[]): Promise<undefined> {
  const { values, given, file } = readArgs(args, nftsFlags, 'ADDRESS');
  const address = readAddressOperand(file, 'ADDRESS', 'the wallet');
  const proving = readProving('nfts', values, given);
  return showList(values, proving, {
    name: 'nfts',
    item: 'contract',
    pages: (client, pageSize) => client.nfts({ address, pageSize }),
    nameOf: ({ contract_address: contract }) => contract,
    heading: nftHeading,
    right: [1, 2],
    rows: nftRows,
    title: ({ page, count, isWhole }) =>
      `NFTs of ${isWhole ? '' : 'the first '}${countText(count, 'contract')}${listedBlockText(page)}`,
  });
}
