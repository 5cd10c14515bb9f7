/** The part of the OpenAPI document that is about the data interface. */
import type { OpenAPIHono, z as Zod } from '@hono/zod-openapi';
import { mostItems, quoteCurrencies } from '../data/request.js';

type Z = typeof Zod;

const path = '/v1/{chain_name}/address/{address}/balances_v2/';

/** Statuses of answers that are no success, and what they mean. */
const failures = {
  400: 'The address or the query is wrong',
  401: 'A key is asked for, and none or an unknown one came',
  404: 'The chain is not served here, or the block is not held or not final',
  405: 'The method is not GET',
  429: 'The key has asked for too much; `Retry-After` says when to ask again',
  500: 'The service failed',
  502: 'The L2 node does not answer, or answers nonsense',
  503: 'The service is busy, or its index is not ready; `Retry-After` says when to ask again',
  504: 'There was no answer in time',
} as const;

const summary = 'What a wallet holds at one block';
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
than a bound. A request costs one unit more for each account and slot proven.`;

/** Hex of a width in bytes. */
const hex = (z: Z, width: number) => z.string().regex(new RegExp(`^0x[0-9a-f]{${2 * width}}$`));

/** What proves the items of a page. */
function proofsOf(z: Z) {
  const bytes = z.string().regex(/^0x([0-9a-f]{2})*$/);
  return z.object({
    block: z.int().min(0),
    stateRoot: hex(z, 32),
    accounts: z.array(
      z.object({
        address: hex(z, 20),
        storageKeys: z.array(hex(z, 32)),
        proof: bytes.openapi({ description: 'A compact proof of the account and these slots' }),
      }),
    ),
    codes: z.array(bytes).openapi({ description: 'Known by their keccak256 hash' }),
  });
}

/** The schema of an item. */
function itemOf(z: Z) {
  const text = z.string().nullable();
  const number = z.number().nullable();
  const amount = z.string().regex(/^\d+$/).openapi({ description: 'In smallest units' });
  const nft = z.object({
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
  return z.object({
    contract_decimals: number.openapi({
      description:
        'With `proofs=true`, `proofs` let a reader work out those of ERC-20 contracts too',
    }),
    contract_name: text,
    contract_ticker_symbol: text,
    contract_display_name: text,
    contract_address: z
      .string()
      .regex(/^0x[0-9a-f]{40}$/)
      .openapi({ description: 'Of the native token: 0x and forty times e' }),
    logo_url: text,
    logo_urls: z.object({
      token_logo_url: text,
      protocol_logo_url: text,
      chain_logo_url: text,
    }),
    supports_erc: z.array(z.string()).nullable(),
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
    proof: z
      .object({
        block: z.int().min(0),
        stateRoot: hex(z, 32),
        accounts: z.array(hex(z, 20)),
      })
      .optional()
      .openapi({ description: 'With `proofs=true`: what of `proofs` the amounts rest on' }),
  });
}

function schemasOf(z: Z, chains: readonly string[]) {
  const count = z.int().min(0);
  const data = z.object({
    address: z.string().regex(/^0x[0-9a-f]{40}$/),
    chain_id: count,
    chain_name: z.string(),
    quote_currency: z.string(),
    updated_at: z.string(),
    block_height: count,
    block_hash: z
      .string()
      .regex(/^0x[0-9a-f]{64}$/)
      .nullable(),
    items: z.array(itemOf(z)),
    unproven: z.array(itemOf(z)).optional(),
    proofs: proofsOf(z).optional(),
    pagination: z.object({
      has_more: z.boolean(),
      page_number: count,
      page_size: count,
      total_count: count.nullable(),
    }),
  });
  const success = z.object({
    data,
    error: z.literal(false),
    error_message: z.null(),
    error_code: z.null(),
  });
  const failure = z.object({
    data: z.null(),
    error: z.literal(true),
    error_message: z.string(),
    error_code: z.int(),
  });
  const flag = z.enum(['true', 'false']).optional();
  return {
    success: success.openapi('Balances'),
    failure: failure.openapi('DataError'),
    params: z.object({
      chain_name: z
        .string()
        .openapi({ description: `One of ${chains.join(', ')}; or the number of the chain` }),
      address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
    }),
    query: z.object({
      'quote-currency': z.enum(quoteCurrencies).optional(),
      'no-spam': flag,
      proofs: flag.openapi({
        description: 'Whether items carry their proof. Pages have at most 100 contracts then',
      }),
      'block-height': z
        .string()
        .regex(/^\d{1,15}$/)
        .optional()
        .openapi({
          description:
            'With `proofs=true`: a block that is final on L1 and held. Default: the newest one',
        }),
      'page-size': z
        .string()
        .regex(/^\d{1,9}$/)
        .optional()
        .openapi({
          description: `From 1 to ${mostItems}. Default 100; without \`page-number\`, ${mostItems}, as clients that know no paging expect`,
        }),
      'page-number': z
        .string()
        .regex(/^\d{1,9}$/)
        .optional()
        .openapi({ description: 'From 0' }),
    }),
  };
}

/** Adds the routes to a document. @param security ways to send a key; none if no key is asked for */
export function describeData(
  registry: OpenAPIHono['openAPIRegistry'],
  z: Z,
  { chains, security }: { chains: readonly string[]; security: Record<string, string[]>[] },
): void {
  const { success, failure, params, query } = schemasOf(z, chains);
  const json = (schema: typeof success | typeof failure, text: string) => ({
    description: text,
    content: { 'application/json': { schema } },
  });
  const failing = Object.entries(failures).map(([status, text]) => [status, json(failure, text)]);
  registry.registerPath({
    method: 'get',
    path,
    summary,
    description,
    security,
    request: { params, query },
    responses: { 200: json(success, 'The balances'), ...Object.fromEntries(failing) },
  });
}
