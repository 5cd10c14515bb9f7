/** The holdings of a wallet, for people. */
import type { BalanceItem } from '../../data/index.js';
import { amountText, cellText, isWritable, type Row, table } from './table.js';
import { inUnits } from './units.js';

/** Ids of one collection that are shown. */
const mostIds = 20;

/** The ids of a collection's tokens; empty for other tokens. */
function idsOf({ nft_data: tokens }: BalanceItem): string {
  const ids = (tokens ?? []).map(({ token_id: id }) => cellText(id ?? '?'));
  const more = ids.length - mostIds;
  return more > 0 ? `${ids.slice(0, mostIds).join(', ')} and ${more} more` : ids.join(', ');
}

/** Amount, token, worth and contract of an item, by the server's word. */
function rowOf(item: BalanceItem): Row {
  const { balance, contract_decimals: decimals, contract_ticker_symbol: symbol } = item;
  const token = cellText(symbol ?? item.contract_name ?? (item.type === 'nft' ? 'NFT' : 'units'));
  const ids = idsOf(item);
  return [
    isWritable(decimals) && balance ? inUnits(balance, decimals) : (balance ?? '?'),
    ids === '' ? token : `${token} ${ids}`,
    cellText(item.pretty_quote),
    item.native_token ? '' : item.contract_address,
  ];
}

/** Items that nobody has verified. */
export const balancesTable = (items: readonly BalanceItem[]): string =>
  table(items.map(rowOf), [0, 2]);

/** An amount by proven decimals alone. */
function provenAmount({
  balance,
  contract_decimals: decimals,
  nft_data: tokens,
}: BalanceItem): string {
  // Of tokens that the contract knows by their ids, an amount is a count.
  if (!isWritable(decimals) && tokens && tokens.length > 0) return balance ?? '?';
  return amountText(balance, decimals);
}

/** Items with amounts, contracts and ids that are proven; the names and quotes beside them are the server's. */
export function verifiedTable(items: readonly BalanceItem[]): string {
  const rows = items.map((item): Row => {
    const ids = idsOf(item);
    const token = item.native_token ? 'native token' : item.contract_address;
    return [
      provenAmount(item),
      ids === '' ? token : `${token} ids ${ids}`,
      cellText(item.contract_ticker_symbol ?? item.contract_name),
      cellText(item.pretty_quote),
    ];
  });
  const heading = ['amount', 'token', "server's name", "server's quote"];
  return table([heading, ...rows], [0, 3]);
}
