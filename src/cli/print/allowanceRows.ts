/** Who may spend a wallet's tokens, for people: a row for each spender. Nothing of it is verified. */
import type { AllowancesItem } from '../../data/index.js';
import { amountText, cellText, type Row } from './table.js';

export const allowanceHeading = ['token', 'allowance', 'at risk', 'spender', 'until', 'advice'];

export const allowanceRows = ({
  token_address: token,
  token_address_label: name,
  ticker_symbol: symbol,
  contract_decimals: decimals,
  spenders,
}: AllowancesItem): Row[] =>
  spenders.map((one) => [
    `${cellText(symbol ?? name ?? 'token')} ${token}`,
    one.allowance === 'UNLIMITED' ? 'unlimited' : amountText(one.allowance, decimals),
    amountText(one.value_at_risk, decimals),
    `${one.spender_address}${one.permit2 ? ' by Permit2' : ''}`,
    cellText(one.expires_at),
    cellText(one.risk_factor),
  ]);
