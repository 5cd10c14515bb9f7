/** What a wallet had over some days, for people: a row for each token. Nothing of it is verified. */
import type { PortfolioItem } from '../../data/index.js';
import { amountText, cellText, type Row } from './table.js';

export const portfolioHeading = ['token', 'before', 'least', 'most', 'now', 'worth'];

/** The least or the greatest of amounts that are known. */
function endOf(amounts: readonly (string | null | undefined)[], sign: 1 | -1): string | undefined {
  const known = amounts.flatMap((one) => (one ? [BigInt(one)] : []));
  if (known.length === 0) return undefined;
  return String(known.reduce((a, b) => ((sign === 1 ? b > a : b < a) ? b : a)));
}

export function portfolioRow(item: PortfolioItem): Row {
  const { contract_ticker_symbol: symbol, contract_name: name, contract_decimals: decimals } = item;
  const { contract_address: contract, holdings } = item;
  const amount = (balance: string | null | undefined) => amountText(balance, decimals);
  const low = endOf(
    holdings.map((day) => day.low?.balance),
    -1,
  );
  const high = endOf(
    holdings.map((day) => day.high?.balance),
    1,
  );
  const [now] = holdings;
  return [
    `${cellText(symbol ?? name ?? 'token')} ${contract}`,
    amount(holdings.at(-1)?.open?.balance),
    amount(low),
    amount(high),
    amount(now?.close?.balance),
    cellText(now?.close?.pretty_quote),
  ];
}
