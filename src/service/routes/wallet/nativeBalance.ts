/** `GET /v1/{chain_name}/address/{address}/balances_native/`: the native balance of a wallet. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import { nativeAddress } from '../../../decode/index.js';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { toQuote, toRate } from '../../data/items.js';
import { findPastState } from '../../data/pastState.js';
import type { LedgerBlock } from '../../ledger/types.js';
import { addressParameter } from '../../rest/table.js';
import { finalHash, findBlock, findFinal, notFound } from '../common/blocks.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  type ProofsQuestion,
  provable,
} from '../common/dataRoute.js';
import { toHead } from '../common/json.js';
import { blockName, type NumberOrLatest, quoteCurrency } from '../common/parameters.js';
import { proofsAlone, provenItems, toProofs, writeProvenList } from '../common/proofs.js';
import { amount, count, head, hex, number, text } from '../common/schemas.js';
import { findNativePrices } from '../items/pastPrices.js';

const description =
  'Ours: with `proofs=true`, if the service has a state of its own, `proofs` proves the account, as for `balances_v2`.';

const item = z.object({
  contract_decimals: number,
  contract_name: text,
  contract_ticker_symbol: text,
  contract_address: hex(20).openapi({ description: '0x and forty times e' }),
  supports_erc: z.null(),
  logo_url: text,
  block_height: count,
  balance: amount,
  quote_rate: number,
  quote: number,
  pretty_quote: text,
});

async function findBalance(
  address: Hex,
  block: LedgerBlock,
  { access, at }: { access: ChainContext; at: BalanceBlock },
): Promise<bigint> {
  if (block.number !== at.number) {
    return (await findPastState(access, address, block.number)).balance;
  }
  return access.amounts.balanceAt(address, block.number);
}

interface BalanceQuestion extends ProofsQuestion {
  readonly address: Hex;
  readonly currency: string;
  readonly height: NumberOrLatest;
}

export const nativeBalance: DataRoute = (data) =>
  defineChainRoute({
    title: 'native balance',
    path: '/v1/{chain_name}/address/{address}/balances_native/',
    summary: 'The native balance of a wallet at one block',
    description,
    params: { chain_name: chainName(data), address: addressParameter },
    query: {
      'quote-currency': quoteCurrency,
      ...proofsAlone,
      'block-height': blockName.optional(),
    },
    answer: enveloped({
      name: 'NativeBalance',
      description: 'The balance',
      data: z.object({
        ...head,
        address: hex(20),
        quote_currency: z.string(),
        ...provenItems(item),
      }),
    }),
    question: (read) => ({
      address: read.address,
      currency: read['quote-currency'] ?? 'USD',
      height: read['block-height'] ?? ('latest' as const),
      ...toProofs(read),
    }),
    cost: () => 1,
    ...provable(
      ({ address, currency, height }: BalanceQuestion) => `native ${address} ${currency} ${height}`,
      async ({ address, currency, height }, working) => {
        const { access, at, context, prover } = working;
        context.charge(1);
        await context.pause();
        const final = await findFinal(access);
        const block = await findBlock(access, height, at);
        if (block.number > at.number) throw notFound('The index has not come to this block yet');
        const balance = await findBalance(address, block, { access, at });
        const prices = await findNativePrices(access, currency, [block.timestamp]);
        const price = prices.at(block.timestamp);
        const { name, symbol, decimals, logo } = access.chain.nativeToken;
        const worth = toQuote(balance, decimals, price);
        const item = {
          contract_decimals: decimals,
          contract_name: name,
          contract_ticker_symbol: symbol,
          contract_address: nativeAddress,
          supports_erc: null,
          logo_url: logo ?? null,
          block_height: block.number,
          balance: String(balance),
          quote_rate: toRate(price),
          quote: worth.quote,
          pretty_quote: worth.pretty,
        };
        const json = await writeProvenList(
          { ...toHead(access.chain, block), address, quote_currency: currency },
          [{ item, accounts: prover?.citeAccount(address) }],
          working,
        );
        const isFinal = height !== 'latest' && prices.isWhole;
        return { json, final: isFinal ? finalHash(block, final) : undefined };
      },
    ),
  });
