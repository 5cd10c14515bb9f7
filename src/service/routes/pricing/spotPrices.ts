/** `GET /v1/pricing/spot_prices/{chain_name}/pools/{pool_address}/`: what the tokens of a pool are worth in one another. */
import { z } from '@hono/zod-openapi';
import {
  type AskContracts,
  decimalsCalls,
  type Fraction,
  multiply,
  type PoolPrices,
  poolCalls,
  readPoolPrices,
  toDigits,
} from '../../../abi/pools.js';
import type { Hex } from '../../../bytes.js';
import type { Decimal } from '../../../decode/context/quote.js';
import { cleanName } from '../../../decode/receipt/text.js';
import { askPrices } from '../../chain/prices.js';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { pricesByAddress } from '../../data/items.js';
import { learnTokens } from '../../data/names.js';
import { findPastState } from '../../data/pastState.js';
import { HttpError } from '../../http/httpError.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { findFirstFrom, heldBlock } from '../../ledger/blockTime.js';
import { withProofs } from '../../proving/withProofs.js';
import { addressParameter } from '../../rest/table.js';
import { badRequest } from '../common/blocks.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  type ProofsQuestion,
  provable,
  type Working,
} from '../common/dataRoute.js';
import { quoteCurrency } from '../common/parameters.js';
import { secondsADay } from '../common/pastBlock.js';
import { loneProven, proofsQuery, toProofs } from '../common/proofs.js';
import { count, hex, text } from '../common/schemas.js';
import { findPastPrices } from '../items/pastPrices.js';

const description = `\`token_0_price\` is what a whole first token is worth in whole second ones, by the reserves of a pool of Uniswap v2 or the price of one of v3, at \`block_height\`; with 18
digits, cut behind them. \`_24h\` is the same at the last block of a day before, null if nobody holds its state. A quote is that times the price of the other token, null without a price. One transaction can move the price of a pool: do not take it for what a token is worth
elsewhere. All are null if the pool is empty, or a token does not say its decimals. What is no such pool is refused. Ours are \`block_height\` and \`block_hash\`.

Ours too: with \`proofs=true\`, if the service has a state of its own, \`proofs\` proves what the pool says of its tokens and reserves, or of its price, and \`decimals()\` of the tokens: all that
\`token_0_price\` and \`token_1_price\` follow from. Without \`proof\`, that could not be shown.`;

const tokenMembers = <Name extends string>(name: Name) =>
  ({
    [`${name}_address`]: hex(20),
    [`${name}_name`]: text,
    [`${name}_ticker`]: text,
    [`${name}_price`]: text,
    [`${name}_price_24h`]: text,
    [`${name}_price_quote`]: text,
    [`${name}_price_24h_quote`]: text,
  }) as Record<string, z.ZodType>;

const item = z.object({
  updated_at: z.string(),
  pool_address: hex(20),
  ...tokenMembers('token_0'),
  ...tokenMembers('token_1'),
  quote_currency: z.string(),
  block_height: count,
  block_hash: hex(32).nullable(),
});

interface PoolQuestion extends ProofsQuestion {
  readonly pool: Hex;
  readonly currency: string;
}

/** @returns undefined for what is no pool @throws HttpError 501, RpcError, NodeError, and what the pause throws */
async function findPrices(
  pool: Hex,
  { access, context }: { access: ChainContext; context: AnswerContext },
  block: number,
): Promise<PoolPrices | undefined> {
  const { pause, charge } = context;
  charge(1);
  const { amounts } = await findPastState(access, pool, block);
  const ask: AskContracts = (calls) => {
    charge(calls.length);
    return amounts.call(calls, block, pause);
  };
  return readPoolPrices(pool, ask);
}

/** The prices of a day before, and when that was; undefined if they are not known. */
async function findBefore(
  pool: Hex,
  { access, context }: { access: ChainContext; context: AnswerContext },
  { number }: BalanceBlock,
): Promise<{ prices: PoolPrices['prices']; timestamp: number } | undefined> {
  const { ledger } = access;
  const until = (await heldBlock(ledger, number)).timestamp - secondsADay;
  const { pause } = context;
  const before = (await findFirstFrom(ledger, until + 1, { newest: number, pause })) - 1;
  if (before < 0) return undefined;
  try {
    const found = await findPrices(pool, { access, context }, before);
    return (
      found && { prices: found.prices, timestamp: (await heldBlock(ledger, before)).timestamp }
    );
  } catch (error) {
    // Nobody holds its state.
    if (error instanceof HttpError && error.status === 501) return undefined;
    throw error;
  }
}

const toFraction = ({ units, scale }: Decimal): Fraction => ({
  above: units,
  below: 10n ** BigInt(scale),
});

/** A price as text, and its worth by the price of the other token. */
function toTexts(price: Fraction | undefined, other: Decimal | undefined) {
  if (price === undefined) return { price: null, quote: null };
  const worth = other && multiply(price, toFraction(other));
  return { price: toDigits(price), quote: worth ? toDigits(worth) : null };
}

async function writePrices({ pool, currency }: PoolQuestion, working: Working) {
  const { access, plain, at, context, prover } = working;
  const { chain, tokens: book, log } = access;
  const { pause } = context;
  await pause();
  const now = await findPrices(pool, { access, context }, at.number);
  if (now === undefined) throw badRequest('this is no pool of Uniswap v2 or v3 at this block');
  const before = await findBefore(pool, { access: plain, context }, at);
  const { tokens } = now;
  const named = await learnTokens(tokens, { book, isFinal: false, pause });
  const source = currency === 'USD' ? access.prices : undefined;
  const asked = { chainName: chain.name, chainId: chain.id, addresses: tokens };
  const told = await askPrices(source, { ...asked, timestamp: undefined }, log);
  const worth = pricesByAddress(told.prices);
  const { timestamp = 0 } = before ?? {};
  const past = await findPastPrices(access, currency, before ? [{ timestamp, tokens }] : []);
  const members = tokens.map((token, i) => {
    const other = tokens[1 - i] as Hex;
    const { name, symbol } = named.tokens.get(token) ?? {};
    const current = toTexts(now.prices?.[i], worth.get(other));
    const old = toTexts(before?.prices?.[i], past.at(timestamp, other));
    return {
      [`token_${i}_address`]: token,
      [`token_${i}_name`]: cleanName(name) ?? null,
      [`token_${i}_ticker`]: cleanName(symbol) ?? null,
      [`token_${i}_price`]: current.price,
      [`token_${i}_price_24h`]: old.price,
      [`token_${i}_price_quote`]: current.quote,
      [`token_${i}_price_24h_quote`]: old.quote,
    };
  });
  const item = {
    updated_at: new Date().toISOString(),
    pool_address: pool,
    ...members[0],
    ...members[1],
    quote_currency: currency,
    ...{ block_height: at.number, block_hash: at.hash ?? null },
  };
  if (!prover) return { json: JSON.stringify([item]) };
  const accounts = prover.cite([...poolCalls(pool), ...decimalsCalls(tokens)]);
  const { items, unproven, proofs } = await withProofs([{ item, accounts }], { prover, context });
  return { json: JSON.stringify([...items, ...unproven].map((one) => ({ ...one, proofs }))) };
}

export const spotPrices: DataRoute = (data) =>
  defineChainRoute({
    title: 'prices of a pool',
    path: '/v1/pricing/spot_prices/{chain_name}/pools/{pool_address}/',
    summary: 'What the tokens of a pool are worth in one another',
    description,
    params: { chain_name: chainName(data), pool_address: addressParameter },
    query: { 'quote-currency': quoteCurrency, ...proofsQuery },
    answer: enveloped({
      name: 'SpotPrices',
      description: 'The pool, alone in a list',
      data: z.array(loneProven(item)),
    }),
    question: ({ pool_address: pool, ...read }): PoolQuestion => ({
      ...{ pool, currency: read['quote-currency'] ?? 'USD' },
      ...toProofs(read),
    }),
    cost: () => 1,
    ...provable(({ pool, currency }: PoolQuestion) => `pool ${pool} ${currency}`, writePrices),
  });
