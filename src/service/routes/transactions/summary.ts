/** `GET /v1/{chain_name}/address/{address}/transactions_summary/`: how many transactions a wallet has, the first and the last. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { toQuote } from '../../data/items.js';
import { heldBlock } from '../../ledger/blockTime.js';
import { addressParameter, flagParameter } from '../../rest/table.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  remembered,
  type Working,
} from '../common/dataRoute.js';
import { toHead, toTime } from '../common/json.js';
import { quoteCurrency } from '../common/parameters.js';
import { amount, count, head, hex, number, text, time } from '../common/schemas.js';
import { readSettled } from '../common/settled.js';
import { findIndexed } from '../items/indexed.js';
import { findNativePrices } from '../items/pastPrices.js';
import { gasMetadata, toGasMetadata } from '../items/transactionItem.js';

/** Transfers that are counted at most. */
const mostTransfers = 100_000;

const end = z
  .object({ block_signed_at: time, tx_hash: hex(32), tx_detail_link: z.string() })
  .nullable();

const gasSummary = z.object({
  total_sent_count: count,
  total_fees_paid: amount,
  total_gas_quote: number,
  pretty_total_gas_quote: text,
  average_gas_quote_per_tx: number,
  pretty_average_gas_quote_per_tx: text,
  gas_metadata: gasMetadata,
});

const item = z.object({
  total_count: count,
  earliest_transaction: end,
  latest_transaction: end,
  gas_summary: gasSummary.nullable().openapi({ description: 'With `with-gas=true`' }),
  transfer_count: count.nullable().openapi({
    description: `With \`with-transfer-count=true\`: transfers of tokens, if they are at most ${mostTransfers}`,
  }),
});

interface SummaryQuestion {
  readonly address: Hex;
  readonly currency: string;
  readonly withGas: boolean;
  readonly withTransfers: boolean;
  readonly base: string;
}

async function readRecords({ index }: ChainContext, question: SummaryQuestion) {
  const { address, withTransfers } = question;
  const [total, earliest, latest] = await Promise.all([
    index.total(address),
    index.touched(address, { order: 'oldest', limit: 1 }),
    index.touched(address, { order: 'newest', limit: 1 }),
  ]);
  const transfers = withTransfers ? await index.countMoved(address, mostTransfers + 1) : undefined;
  return { total, earliest, latest, transfers };
}

/** The gas fees of the wallet, in today's worth. */
async function toGasSummary(
  { sent, fees }: { readonly sent: number; readonly fees: bigint },
  currency: string,
  { access, at }: { access: ChainContext; at: BalanceBlock },
) {
  const { chain, ledger } = access;
  const { timestamp } = await heldBlock(ledger, at.number);
  const price = (await findNativePrices(access, currency, [timestamp])).at(timestamp);
  const { decimals } = chain.nativeToken;
  const total = toQuote(fees, decimals, price);
  const mean =
    sent === 0 ? { quote: null, pretty: null } : toQuote(fees / BigInt(sent), decimals, price);
  return {
    total_sent_count: sent,
    total_fees_paid: String(fees),
    total_gas_quote: total.quote,
    pretty_total_gas_quote: total.pretty,
    average_gas_quote_per_tx: mean.quote,
    pretty_average_gas_quote_per_tx: mean.pretty,
    gas_metadata: toGasMetadata(chain),
  };
}

async function writeSummary(question: SummaryQuestion, { access, context }: Working) {
  await context.pause();
  const { address, currency, withGas, base } = question;
  const { at, found } = await readSettled(access, () => readRecords(access, question));
  const { total, earliest, latest, transfers } = found;
  const toEnd = async (places: typeof earliest) => {
    const [mined] = await findIndexed(places, access, context, { noLogs: true });
    if (mined === undefined) return null;
    const { hash } = mined.transaction;
    return {
      block_signed_at: toTime(mined.block.timestamp),
      tx_hash: hash,
      tx_detail_link: `${base}/v1/${access.chain.name}/transaction_v2/${hash}/`,
    };
  };
  const isCounted = transfers !== undefined && transfers <= mostTransfers;
  const one = {
    total_count: total.transactions,
    earliest_transaction: await toEnd(earliest),
    latest_transaction: await toEnd(latest),
    gas_summary: withGas ? await toGasSummary(total, currency, { access, at }) : null,
    transfer_count: isCounted ? transfers : null,
  };
  return { json: JSON.stringify({ ...toHead(access.chain, at), address, items: [one] }), of: at };
}

const keyOf = ({ address, currency, withGas, withTransfers, base }: SummaryQuestion) =>
  `summary ${address} ${currency} ${withGas} ${withTransfers} ${base}`;

export const transactionsSummary: DataRoute = (data) =>
  defineChainRoute({
    title: 'summary of transactions',
    path: '/v1/{chain_name}/address/{address}/transactions_summary/',
    summary: 'How many transactions a wallet has, the first and the last',
    params: { chain_name: chainName(data), address: addressParameter },
    query: {
      'quote-currency': quoteCurrency,
      'with-gas': flagParameter,
      'with-transfer-count': flagParameter,
    },
    answer: enveloped({
      name: 'TransactionsSummary',
      description: 'One item; both transactions are null for a wallet without any',
      data: z.object({ ...head, address: hex(20), items: z.array(item) }),
    }),
    question: (read, { base }): SummaryQuestion => ({
      address: read.address,
      currency: read['quote-currency'] ?? 'USD',
      withGas: read['with-gas'],
      withTransfers: read['with-transfer-count'],
      base,
    }),
    cost: () => 1,
    ...remembered(keyOf, writeSummary, 'answerNewest'),
  });
