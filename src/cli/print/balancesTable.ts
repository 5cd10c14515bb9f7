/** The holdings of a wallet, for people. */
import type { BalanceItem } from '../../data/index.js';
import { visible } from '../../visible.js';
import { inUnits } from './units.js';

/** Most characters of a text of the server's, and ids of one collection, that are shown. */
const most = { text: 80, ids: 20 };

type Row = readonly string[];

const shown = (text: string | null | undefined): string => {
  const all = text ?? '';
  return visible(all.length > most.text ? `${all.slice(0, most.text)}...` : all);
};

/** Columns, aligned. @param right those of numbers */
function table(rows: readonly Row[], right: readonly number[]): string {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.max(0, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const cells = (row: Row) =>
    row.map((cell, i) => {
      const width = widths[i] as number;
      return right.includes(i) ? cell.padStart(width) : cell.padEnd(width);
    });
  return rows.map((row) => cells(row).join('  ').trimEnd()).join('\n');
}

/** The ids of a collection's tokens; empty for other tokens. */
function idsOf({ nft_data: tokens }: BalanceItem): string {
  const ids = (tokens ?? []).map(({ token_id: id }) => shown(id ?? '?'));
  const more = ids.length - most.ids;
  return more > 0 ? `${ids.slice(0, most.ids).join(', ')} and ${more} more` : ids.join(', ');
}

const isWritable = (decimals: unknown): decimals is number =>
  typeof decimals === 'number' && Number.isSafeInteger(decimals) && decimals >= 0 && decimals <= 77;

/** Amount, token, worth and contract of an item, by the server's word. */
function rowOf(item: BalanceItem): Row {
  const { balance, contract_decimals: decimals, contract_ticker_symbol: symbol } = item;
  const token = shown(symbol ?? item.contract_name ?? (item.type === 'nft' ? 'NFT' : 'units'));
  const ids = idsOf(item);
  return [
    isWritable(decimals) && balance ? inUnits(balance, decimals) : (balance ?? '?'),
    ids === '' ? token : `${token} ${ids}`,
    shown(item.pretty_quote),
    item.native_token ? '' : item.contract_address,
  ];
}

/** Items that nobody has verified. */
export const balancesTable = (items: readonly BalanceItem[]): string =>
  table(items.map(rowOf), [0, 2]);

/** An amount by proven decimals alone. */
function amountOf({ balance, contract_decimals: decimals, nft_data: tokens }: BalanceItem): string {
  const amount = balance ?? '?';
  if (isWritable(decimals)) return inUnits(amount, decimals);
  // Of tokens that the contract knows by their ids, an amount is a count.
  return tokens && tokens.length > 0
    ? amount
    : `${amount} smallest unit${amount === '1' ? '' : 's'}`;
}

/** Items with amounts, contracts and ids that are proven; the names and quotes beside them are the server's. */
export function verifiedTable(items: readonly BalanceItem[]): string {
  const rows = items.map((item): Row => {
    const ids = idsOf(item);
    const token = item.native_token ? 'native token' : item.contract_address;
    return [
      amountOf(item),
      ids === '' ? token : `${token} ids ${ids}`,
      shown(item.contract_ticker_symbol ?? item.contract_name),
      shown(item.pretty_quote),
    ];
  });
  const heading = ['amount', 'token', "server's name", "server's quote"];
  return table([heading, ...rows], [0, 3]);
}
