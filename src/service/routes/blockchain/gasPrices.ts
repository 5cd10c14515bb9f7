/** `GET /v1/{chain_name}/event/{event_type}/gas_prices/`: what transactions of a kind paid lately. */
import { z } from '@hono/zod-openapi';
import { mapConcurrently } from '../../../concurrent.js';
import type { Decimal } from '../../../decode/context/quote.js';
import type { Chain } from '../../../decode/index.js';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { toQuote, toRate } from '../../data/items.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { heldBlock } from '../../ledger/blockTime.js';
import { addGas, type GasKind, type GasUse, gasKinds, noGas } from '../../ledger/gasUse.js';
import { concurrent } from '../../ledger/transactions.js';
import type { LedgerBlock } from '../../ledger/types.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  remembered,
  type Working,
} from '../common/dataRoute.js';
import { toHead } from '../common/json.js';
import { quoteCurrency } from '../common/parameters.js';
import { head, number, text } from '../common/schemas.js';
import { findNativePrices } from '../items/pastPrices.js';

/** Spans of time up to the newest block, in minutes. */
const spans = [1, 3, 10] as const;
const longest = 60 * Math.max(...spans);

/** Blocks of a span that are read at most: the newest. */
const mostBlocks = 1200;

const item = z.object({
  gas_price: text.openapi({ description: 'In wei, on average; null if there was none' }),
  gas_spent: text.openapi({ description: 'On average' }),
  gas_quote: number,
  other_fees: z.object({ l1_gas_quote: z.null() }),
  total_gas_quote: number,
  pretty_total_gas_quote: text,
  interval: z.string(),
});

/** The newest blocks, down to the first that is older than the longest span. */
async function recentBlocks(
  { ledger }: ChainContext,
  at: BalanceBlock,
  { pause, charge }: AnswerContext,
): Promise<LedgerBlock[]> {
  const blocks: LedgerBlock[] = [];
  const newest = await heldBlock(ledger, at.number);
  for (let next = at.number; next >= 0 && blocks.length < mostBlocks; next -= concurrent) {
    await pause();
    const count = Math.min(concurrent, next + 1);
    const numbers = Array.from({ length: count }, (_, i) => next - i);
    if (numbers.some((one) => ledger.knownBlock(one) === undefined)) charge(1);
    const read = await mapConcurrently(numbers, concurrent, (one) => heldBlock(ledger, one));
    const young = read.filter(({ timestamp }) => timestamp > newest.timestamp - longest);
    blocks.push(...young);
    if (young.length < read.length) break;
  }
  return blocks;
}

function toItem(
  minutes: number,
  { count, gasPrice, gasUsed }: GasUse,
  { nativeToken }: Chain,
  price: Decimal | undefined,
) {
  const isKnown = count > 0n;
  const fees = isKnown ? (gasPrice * gasUsed) / (count * count) : 0n;
  const quote = isKnown
    ? toQuote(fees, nativeToken.decimals, price)
    : { quote: null, pretty: null };
  return {
    gas_price: isKnown ? String(gasPrice / count) : null,
    gas_spent: isKnown ? String(gasUsed / count) : null,
    gas_quote: quote.quote,
    other_fees: { l1_gas_quote: null },
    total_gas_quote: quote.quote,
    pretty_total_gas_quote: quote.pretty,
    interval: `Last ${minutes} minute${minutes === 1 ? '' : 's'}`,
  };
}

async function writeGasPrices(
  { kind, currency }: { kind: GasKind; currency: string },
  { access, at, context }: Working,
) {
  const { gas, chain } = access;
  const blocks = await recentBlocks(access, at, context);
  const [newest] = blocks as [LedgerBlock];
  const uses: { age: number; use: GasUse }[] = [];
  for (const block of blocks) {
    if (gas.known(block) === undefined && block.transactions.length > 0) {
      context.charge(1);
      await context.pause();
    }
    const use = (await gas.of(block))[kind];
    uses.push({ age: newest.timestamp - block.timestamp, use });
  }
  const prices = await findNativePrices(access, currency, [newest.timestamp]);
  const price = prices.at(newest.timestamp);
  const items = spans.map((minutes) => {
    const young = uses.filter(({ age }) => age < 60 * minutes);
    const sum = young.reduce((total, { use }) => addGas(total, use), noGas);
    return toItem(minutes, sum, chain, price);
  });
  const { baseFee } = newest;
  const json = JSON.stringify({
    ...toHead(chain, newest),
    quote_currency: currency,
    event_type: kind,
    gas_quote_rate: toRate(price),
    base_fee: baseFee === undefined ? null : String(baseFee),
    items,
  });
  return { json };
}

const description = `Means over the successful transactions of the last 1, 3 and 10 minutes before the newest block. \`erc20\`: calls of
\`transfer(address,uint256)\` that a token answers with a Transfer; \`nativetokens\`: transfers of the native token without call data;
\`uniswapv3\`: transactions in which a pool of Uniswap v3 swaps.`;

export const gasPrices: DataRoute = (data) =>
  defineChainRoute({
    title: 'gas prices',
    path: '/v1/{chain_name}/event/{event_type}/gas_prices/',
    summary: 'What transactions of a kind paid for gas lately',
    description,
    params: {
      chain_name: chainName(data),
      event_type: z.enum(gasKinds, { error: `must be one of ${gasKinds.join(', ')}` }),
    },
    query: { 'quote-currency': quoteCurrency },
    answer: enveloped({
      name: 'GasPrices',
      description: 'The prices',
      data: z.object({
        ...head,
        quote_currency: z.string(),
        event_type: z.enum(gasKinds),
        gas_quote_rate: number,
        base_fee: text,
        items: z.array(item),
      }),
    }),
    question: ({ event_type: kind, 'quote-currency': currency = 'USD' }) => ({ kind, currency }),
    cost: () => 1,
    ...remembered(({ kind, currency }) => `gas ${kind} ${currency}`, writeGasPrices),
  });
