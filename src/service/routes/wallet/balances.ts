/** `GET /v1/{chain_name}/address/{address}/balances_v2/`: what a wallet holds. */
import { z } from '@hono/zod-openapi';
import { type BalancesQuestion, findBalances, mostHoldings } from '../../data/balances.js';
import { addressParameter, flagParameter, numberRule } from '../../rest/table.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  type ProofsQuestion,
  provable,
} from '../common/dataRoute.js';
import { quoteCurrency } from '../common/parameters.js';
import { mostProven, proofsQuery, provenItems, toProofs } from '../common/proofs.js';
import {
  amount,
  count,
  heldToken,
  hex,
  logoUrls,
  number,
  pagination,
  text,
} from '../common/schemas.js';

const description = `Native token, ERC-20, ERC-721 and ERC-1155, each amount as the contract says it at \`block_height\`.
What the service has no source for is null: \`balance_24h\` and other past values, logos beside those of token lists,
quotes of tokens without a price, and all quotes in other currencies than USD. The server's word is not proven.
Ours are paging, \`block_height\` and \`block_hash\`. A page holds those of \`page-size\` contracts of which the wallet has
some, so it may have fewer items than that, or none; \`has_more\` says whether there is another one. \`nft_data\` lists at
most 100 tokens of a contract and, if a page has more than ten such contracts, at most 1,000 in all; the \`balance\` of an
ERC-721 contract counts all of them, that of an ERC-1155 contract those that are listed.

Ours too: with \`proofs=true\`, if the service has a state of its own, each item names in \`proof\` the accounts that its
contract has read, and \`proofs\` proves them: one compact proof for each account, under the state root that L1 holds for
the block, and the code that has run. They cover \`decimals()\` of an ERC-20 contract too, if that can be proven. Items that
no proof can show stand in \`unproven\`: their contracts read the time or another value of the block's header, or more
than a bound. A request costs one unit more for each account and slot proven. With \`proof-kind=header\` each proof is the
answer of the L2 node to \`eth_getProof\` in place of a compact one, under the state root in the header of the block.`;

/** Holdings in one answer at most: as many as clients that know no paging get. */
const mostItems = 1000;

/** Holdings in a page if its size is not said. */
const usualItems = 100;

const query = {
  'quote-currency': quoteCurrency,
  // Nothing here is known to be spam, so there is nothing to leave out.
  'no-spam': flagParameter,
  ...proofsQuery,
  'page-size': numberRule(({ proofs }) => [1, proofs ? mostProven : mostItems], {
    description: `From 1 to ${mostItems}. Default 100; without \`page-number\`, ${mostItems}, as clients that know no paging expect`,
  }),
  'page-number': numberRule(
    (before) => [0, Math.floor(mostHoldings / Number(before['page-size'] ?? usualItems))],
    { description: 'From 0' },
  ),
};

export const nft = z.object({
  token_id: amount,
  token_balance: amount,
  token_url: text,
  supports_erc: z.array(z.string()),
  token_price_wei: text,
  token_quote_rate_eth: text,
  original_owner: text,
  external_data: z.null(),
  owner: text,
  owner_address: text,
  burned: z.boolean().nullable(),
});

const item = z.object({
  ...heldToken,
  contract_decimals: number.openapi({
    description: 'With `proofs=true`, `proofs` let a reader work out those of ERC-20 contracts too',
  }),
  logo_urls: logoUrls,
  last_transferred_at: text,
  native_token: z.boolean(),
  type: z.string().openapi({ description: '`cryptocurrency` or `nft`', examples: ['nft'] }),
  is_spam: z.boolean(),
  balance: amount,
  balance_24h: text,
  quote_rate: number,
  quote_rate_24h: number,
  quote: number,
  quote_24h: number,
  pretty_quote: text,
  pretty_quote_24h: text,
  protocol_metadata: z.null(),
  nft_data: z.array(nft).nullable(),
});

const page = z.object({
  address: hex(20),
  chain_id: count,
  chain_name: z.string(),
  quote_currency: z.string(),
  updated_at: z.string(),
  block_height: count,
  block_hash: hex(32).nullable(),
  ...provenItems(item),
  pagination,
});

type Question = BalancesQuestion & ProofsQuestion;

const keyOf = ({ address, quoteCurrency, pageSize, pageNumber }: Question) =>
  [address, quoteCurrency, pageSize, pageNumber].join(' ');

export const balances: DataRoute = (data) =>
  defineChainRoute({
    title: 'balances',
    path: '/v1/{chain_name}/address/{address}/balances_v2/',
    summary: 'What a wallet holds at one block',
    description,
    params: { chain_name: chainName(data), address: addressParameter },
    query,
    answer: enveloped({ name: 'Balances', description: 'The balances', data: page }),
    question({ address, proofs, ...read }): Question {
      const { 'page-size': size, 'page-number': pageNumber } = read;
      const isWhole = pageNumber === undefined && !proofs;
      return {
        address,
        ...toProofs({ proofs, ...read }),
        quoteCurrency: read['quote-currency'] ?? 'USD',
        pageSize: size ?? (isWhole ? mostItems : usualItems),
        pageNumber: pageNumber ?? 0,
      };
    },
    cost: ({ pageSize }) => pageSize,
    ...provable(keyOf, async (question, { access, ...working }) => ({
      json: await findBalances(question, access, working),
    })),
  });
