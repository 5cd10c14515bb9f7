/** A decoded transaction for people. All names in it are text of the tokens' authors. */
import type { DecodedEvent, DecodeResponse, TxMetadata } from '../../decode/index.js';
import { visible } from '../../visible.js';
import { checksummed, inUnits } from './units.js';

type Row = readonly [string, string];

/** Rows of two columns, aligned. */
function table(rows: readonly Row[], indent: string): string {
  const width = rows.reduce((longest, [name]) => Math.max(longest, name.length), 0);
  return rows
    .map(([name, value]) => visible(`${indent}${name.padEnd(width)}  ${value}`))
    .join('\n');
}

function headRows(transaction: TxMetadata): Row[] {
  const { gas_metadata: native, explorers } = transaction;
  const amount = (wei: string) =>
    `${inUnits(wei, native.contract_decimals)} ${native.contract_ticker_symbol}`;
  const rows: Row[] = [
    ['transaction', transaction.tx_hash],
    ['status', transaction.successful ? 'successful' : 'reverted'],
    ['block', `${transaction.block_height}, ${transaction.block_signed_at ?? 'time not known'}`],
    ['from', transaction.from_address],
    ['to', transaction.to_address ?? 'none: creates a contract'],
    ['value', amount(transaction.value)],
    ['fee', `${amount(transaction.fees_paid)} (${transaction.gas_spent} gas)`],
  ];
  return [...rows, ...explorers.map(({ url }): Row => ['explorer', url])];
}

/** How a transaction is shown. */
interface Shown {
  /** It and its logs were proven; the log then stands with each event. */
  readonly isProven: boolean;
}

function eventText(event: DecodedEvent, i: number, { isProven }: Shown): string {
  const { action, name, protocol, details, tokens = [], nfts = [], raw_log: log } = event;
  const by = protocol.name === '' ? '' : `, ${protocol.name}`;
  const title = `${i + 1}. ${name} (${action})${by}${isProven ? ': proven' : ''}`;
  const rows = [
    // A name says nothing of who wrote the contract.
    ...(isProven && log ? [['Contract', checksummed(log.sender_address)] as const] : []),
    ...details.map(({ heading, value }): Row => [heading, value]),
    ...tokens.map((token): Row => {
      const amount = inUnits(token.value, token.decimals);
      const symbol = token.ticker_symbol || 'units';
      const quote = token.pretty_quote === '$0.00' ? '' : ` (${token.pretty_quote})`;
      return [token.heading, `${amount} ${symbol}${quote}`];
    }),
    ...nfts.map((nft): Row => {
      const of = nft.collection_name ?? nft.collection_address;
      return [nft.heading, `number ${nft.token_identifier} of ${of}`];
    }),
  ];
  return rows.length === 0 ? visible(title) : `${visible(title)}\n${table(rows, '   ')}`;
}

export function decodedTable(
  { events, tx_metadata: transaction }: DecodeResponse,
  shown: Shown,
): string {
  const texts = events.map((event, i) => eventText(event, i, shown));
  const list = texts.length === 0 ? ['no event that is known'] : texts;
  return [table(headRows(transaction), ''), ...list].join('\n\n');
}
