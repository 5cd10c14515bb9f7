/** A transaction as answers have it. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { Decimal } from '../../../decode/context/quote.js';
import { type Chain, nativeAddress } from '../../../decode/index.js';
import { toQuote, toRate } from '../../data/items.js';
import type { LedgerBlock, MinedPair } from '../../ledger/types.js';
import { toTime } from '../common/json.js';
import { amount, count, hex, number, text, time } from '../common/schemas.js';
import { type LogItems, logItem } from './logItem.js';
import { internalTransfer, stateChange, type TracedItems } from './traces.js';

export const gasMetadata = z.object({
  contract_decimals: number,
  contract_name: text,
  contract_ticker_symbol: text,
  contract_address: hex(20),
  supports_erc: z.null(),
  logo_url: text,
});

/** Pages of a transaction. */
export const explorers = z.array(z.object({ label: z.string().nullable(), url: z.string() }));

/** What all answers say of a transaction. */
export const minedItem = z.object({
  block_signed_at: time,
  block_height: count,
  block_hash: hex(32),
  tx_hash: hex(32),
  tx_offset: count.openapi({ description: 'Place of the transaction in its block' }),
  successful: z.boolean(),
  miner_address: hex(20),
  from_address: hex(20),
  from_address_label: z.null(),
  to_address: hex(20).nullable().openapi({ description: 'Null if it creates a contract' }),
  to_address_label: z.null(),
  value: amount,
  value_quote: number,
  pretty_value_quote: text,
  gas_metadata: gasMetadata,
  gas_offered: z.number(),
  gas_spent: z.number(),
  gas_price: z.number().openapi({ description: 'In wei; the price that was paid' }),
  fees_paid: amount,
  gas_quote: number,
  pretty_gas_quote: text,
  gas_quote_rate: number,
});

export const transactionItem = minedItem.extend({
  explorers,
  nft_sale_details: z.null(),
  log_events: z.array(logItem).nullable().openapi({ description: 'Null with `no-logs=true`' }),
  internal_transfers: z
    .array(internalTransfer)
    .nullable()
    .openapi({ description: 'With `with-internal=true`, if the service may ask for traces' }),
  state_changes: z
    .array(stateChange)
    .nullable()
    .openapi({ description: 'With `with-state=true`, if the service may ask for traces' }),
  input_data: z
    .object({ method_id: text })
    .nullable()
    .openapi({ description: 'With `with-input-data=true`' }),
});

/** A transaction with its block. */
export interface TransactionWithBlock extends MinedPair {
  readonly block: LedgerBlock;
}

/** The token that gas is paid in. */
export const toGasMetadata = ({ nativeToken: { name, symbol, decimals, logo } }: Chain) => ({
  contract_decimals: decimals,
  contract_name: name,
  contract_ticker_symbol: symbol,
  contract_address: nativeAddress,
  supports_erc: null,
  logo_url: logo ?? null,
});

/** What stands beside a transaction if it was asked for. */
interface TransactionMore extends TracedItems {
  /** Of the native token at that time. */
  readonly price: Decimal | undefined;
  readonly logs: LogItems['items'] | null;
  readonly isInputWanted: boolean;
}

/** Its page with each explorer of the chain. */
export const toExplorers = ({ explorers }: Chain, transaction: Hex) =>
  explorers.map((url) => ({ label: null, url: `${url.replace(/\/+$/, '')}/tx/${transaction}` }));

/** @param price of the native token at that time */
export function toMinedItem(
  { transaction, receipt, block }: TransactionWithBlock,
  chain: Chain,
  price: Decimal | undefined,
) {
  const { decimals } = chain.nativeToken;
  const gasPrice = receipt.gasPrice ?? transaction.gasPrice ?? 0n;
  const fees = BigInt(receipt.gasUsed) * gasPrice;
  const value = toQuote(transaction.value, decimals, price);
  const gas = toQuote(fees, decimals, price);
  return {
    block_signed_at: toTime(block.timestamp),
    block_height: block.number,
    block_hash: block.hash,
    tx_hash: transaction.hash,
    tx_offset: transaction.index,
    successful: receipt.isSuccessful,
    miner_address: block.miner,
    from_address: transaction.from,
    from_address_label: null,
    to_address: transaction.to,
    to_address_label: null,
    value: String(transaction.value),
    value_quote: value.quote,
    pretty_value_quote: value.pretty,
    gas_metadata: toGasMetadata(chain),
    gas_offered: transaction.gas,
    gas_spent: receipt.gasUsed,
    gas_price: Number(gasPrice),
    fees_paid: String(fees),
    gas_quote: gas.quote,
    pretty_gas_quote: gas.pretty,
    gas_quote_rate: toRate(price),
  };
}

export const toTransactionItem = (
  one: TransactionWithBlock,
  chain: Chain,
  { price, logs, internal, state, isInputWanted }: TransactionMore,
) =>
  // Not spread: on Node 20, that takes thirty times as long.
  Object.assign(toMinedItem(one, chain, price), {
    explorers: toExplorers(chain, one.transaction.hash),
    nft_sale_details: null,
    log_events: logs,
    internal_transfers: internal,
    state_changes: state,
    input_data: isInputWanted ? { method_id: toMethodId(one.transaction.input) } : null,
  });

/** The first four bytes of call data; null if there are fewer. */
const toMethodId = (input: string): string | null =>
  input.length < 10 ? null : input.slice(0, 10);
