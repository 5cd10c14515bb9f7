/** Holders of a token, for people: a row each. Nothing of it is verified. */
import type { HolderItem } from '../../data/index.js';
import { amountText, cellText, type Row } from './table.js';

export const holderHeading = ['rank', 'amount', 'share', 'holder'];

/** Hundredths of a percent of the supply that a holder has. */
function shareText({ balance, total_supply: supply }: HolderItem): string {
  if (!balance || !supply || BigInt(supply) === 0n) return '';
  const share = Number((BigInt(balance) * 10_000n) / BigInt(supply));
  return `${(share / 100).toFixed(2)}%`;
}

/** @param rank from 1 */
export const holderRow = (item: HolderItem, rank: number): Row => [
  String(rank),
  amountText(item.balance, item.contract_decimals),
  shareText(item),
  item.address,
];

/** What all rows are of. */
export function tokenText(item: HolderItem): string {
  const { contract_ticker_symbol: symbol, contract_name: name, contract_address: contract } = item;
  const supply = amountText(item.total_supply, item.contract_decimals);
  return `${cellText(symbol ?? name ?? 'token')} ${contract}, total supply ${supply}`;
}
