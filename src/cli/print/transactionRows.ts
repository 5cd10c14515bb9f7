/** Transactions and transfers of a wallet, for people: a row each, from the wallet's side. Nothing of it is verified. */
import type { TransactionItem, TransferItem, TransfersItem } from '../../data/index.js';
import { amountText, cellText, type Row } from './table.js';

const isSame = (address: string | null | undefined, wallet: string): boolean =>
  address?.toLowerCase() === wallet.toLowerCase();

/** What a wallet has to do with a transaction. */
function partOf(item: TransactionItem, wallet: string): string {
  const { from_address: from, to_address: to } = item;
  if (isSame(from, wallet)) {
    if (to === null || to === undefined) return 'creates a contract';
    return isSame(to, wallet) ? 'to itself' : `to ${cellText(to)}`;
  }
  // A token of the wallet's moved, or it approved something, in a transaction that others sent.
  return isSame(to, wallet) ? `from ${from}` : `part in one of ${from}`;
}

const placeOf = (item: TransactionItem | TransfersItem): Row => [
  String(item.block_height),
  cellText(item.block_signed_at),
];

export const transactionHeading = ['block', 'time', 'value', 'token', 'what', 'transaction'];

export function transactionRow(item: TransactionItem, wallet: string): Row {
  const { gas_metadata: native, value } = item;
  return [
    ...placeOf(item),
    amountText(value, native?.contract_decimals),
    cellText(native?.contract_ticker_symbol),
    `${partOf(item, wallet)}${item.successful === false ? ', reverted' : ''}`,
    item.tx_hash,
  ];
}

export const transferHeading = ['block', 'time', 'amount', 'token', 'what', 'transaction'];

function transferRow(item: TransfersItem, transfer: TransferItem, wallet: string): Row {
  const { from_address: from, to_address: to, contract_address: contract } = transfer;
  const isToItself = isSame(from, wallet) && isSame(to, wallet);
  const way = isSame(from, wallet) ? `to ${to}` : `from ${from}`;
  return [
    ...placeOf(item),
    amountText(transfer.delta, transfer.contract_decimals),
    // Anyone can call a token by the name of another one.
    `${cellText(transfer.contract_ticker_symbol)} ${contract}`.trim(),
    isToItself ? `to itself, ${cellText(transfer.transfer_type)}` : way,
    item.tx_hash,
  ];
}

/** A row for each transfer of a transaction. */
export const transferRows = (item: TransfersItem, wallet: string): Row[] =>
  item.transfers.map((transfer) => transferRow(item, transfer, wallet));
