/** The part of the response about the transaction itself, and the logs as they came. */
import { isWord } from '../abi/event.js';
import type { DecodeContext } from '../context/decodeContext.js';
import { nativeAddress } from '../context/input.js';
import type { Match } from '../context/match.js';
import { type Decimal, prettyQuote, toNumber } from '../context/quote.js';
import type { ExplorerLink, RawLog, TxMetadata } from '../definition/types.js';
import { nativeLogAddress } from '../receipt/nativeLogAddress.js';
import type {
  MinedBlock,
  ParsedReceipt,
  ParsedTransaction,
  ReceiptLog,
} from '../receipt/receipt.js';
import { worthIn } from './amounts.js';
import { showArgument, showTime } from './show.js';

/** The inputs of one decoding. */
export interface Subject {
  readonly receipt: ParsedReceipt;
  readonly transaction: ParsedTransaction;
  readonly block: MinedBlock | undefined;
}

/** Where a log stands. */
export interface LogPlace {
  readonly receipt: Pick<ParsedReceipt, 'hash' | 'blockNumber' | 'transactionIndex'>;
  readonly block: Pick<MinedBlock, 'timestamp'> | undefined;
}

const signedAt = (block: LogPlace['block']) => (block ? showTime(BigInt(block.timestamp)) : null);

/** Links to the transaction. */
export const toExplorerLinks = (
  { hash }: ParsedReceipt,
  explorers: readonly string[],
): ExplorerLink[] =>
  explorers.map((url) => ({ label: null, url: `${url.replace(/\/+$/, '')}/tx/${hash}` }));

const quoteOf = (worth: Decimal | undefined) => ({
  quote: worth ? toNumber(worth) : null,
  pretty: worth ? prettyQuote(worth) : null,
});

/** Tells of the transaction what the node said. */
export function toMetadata(
  { receipt, transaction, block }: Subject,
  context: DecodeContext,
): TxMetadata {
  const { native, explorers } = context;
  const gasPrice = receipt.effectiveGasPrice ?? transaction.gasPrice ?? 0n;
  const fees = receipt.gasUsed * gasPrice;
  const value = quoteOf(worthIn(context, native, transaction.value));
  const gas = quoteOf(worthIn(context, native, fees));
  const rate = context.price(native.address);
  return {
    block_signed_at: signedAt(block),
    block_height: receipt.blockNumber,
    block_hash: receipt.blockHash,
    tx_hash: receipt.hash,
    tx_offset: receipt.transactionIndex,
    successful: receipt.isSuccessful,
    miner_address: block?.miner ?? null,
    from_address: receipt.from,
    from_address_label: null,
    to_address: receipt.to,
    to_address_label: null,
    value: String(transaction.value),
    value_quote: value.quote,
    pretty_value_quote: value.pretty,
    gas_metadata: {
      contract_decimals: native.decimals ?? 0,
      contract_name: native.name ?? '',
      contract_ticker_symbol: native.symbol ?? '',
      contract_address: nativeAddress,
      supports_erc: null,
      logo_url: native.logo ?? null,
    },
    gas_offered: Number(transaction.gas),
    gas_spent: Number(receipt.gasUsed),
    gas_price: Number(gasPrice),
    fees_paid: String(fees),
    gas_quote: gas.quote,
    pretty_gas_quote: gas.pretty,
    gas_quote_rate: rate ? toNumber(rate) : null,
    source: 'node',
    explorers: toExplorerLinks(receipt, explorers),
  };
}

/** The decoded form of a log. */
function decodedOf({ candidate, values }: Match): NonNullable<RawLog['decoded']> {
  const { name, signature, inputs } = candidate.event;
  return {
    name,
    signature,
    params: inputs.map((input, i) => ({
      name: input.name,
      type: input.type.text,
      indexed: input.indexed,
      decoded: !(input.indexed && !isWord(input.type)),
      value: showArgument(input, values[i] ?? '').value,
    })),
  };
}

/** A log as it came, beside what is known of its contract. */
export function toRawLog(
  log: ReceiptLog,
  {
    match,
    subject,
    context,
  }: { match: Match | undefined; subject: LogPlace; context: DecodeContext },
): RawLog | undefined {
  const { address, topics, data, index } = log;
  if (address === undefined) return undefined;
  const { receipt, block } = subject;
  const token = context.token(address);
  // No contract is there that had a name, but its amounts are those of the native token.
  const unit = address === nativeLogAddress ? context.native : token;
  return {
    block_signed_at: signedAt(block),
    block_height: receipt.blockNumber,
    tx_offset: receipt.transactionIndex,
    log_offset: index,
    tx_hash: receipt.hash,
    raw_log_topics: topics,
    sender_contract_decimals: unit?.decimals ?? null,
    sender_name: token?.name ?? null,
    sender_contract_ticker_symbol: unit?.symbol ?? null,
    sender_address: address,
    sender_address_label: null,
    sender_logo_url: token?.logo ?? null,
    supports_erc: token?.standards.length ? token.standards : null,
    sender_factory_address: null,
    raw_log_data: data,
    decoded: match ? decodedOf(match) : null,
  };
}
