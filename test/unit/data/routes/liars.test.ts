/** Each method of the client, before servers that answer another question, or lead it round; and questions that are wrong. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createDataClient, type DataClient } from '../../../../src/data/index.js';
import { mostWalkedPages, walkPages } from '../../../../src/data/wire/pages.js';
import { startHttp, type TestServer } from '../../../support/http.js';

const own: Hex = `0x${'5e'.repeat(20)}`;
const other: Hex = `0x${'12'.repeat(20)}`;
const hash: Hex = `0x${'ab'.repeat(32)}`;
const otherHash: Hex = `0x${'cd'.repeat(32)}`;
const key = 'a-very-secret-key';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Serves data in turn, the last one again and again. */
async function serve(...answers: readonly object[]) {
  const asked: string[] = [];
  server = await startHttp((request, response) => {
    const data = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data, error: false, error_message: null, error_code: null }));
  });
  return { asked, client: createDataClient({ url: server.url, key, chain: 'x' }) };
}

/** What a method answers, to its end. */
async function whole(answer: Promise<unknown> | AsyncIterable<unknown>): Promise<unknown[]> {
  if (!(Symbol.asyncIterator in answer)) return [await answer];
  const found: unknown[] = [];
  for await (const page of answer) found.push(page);
  return found;
}

const log = {
  block_height: 5,
  log_offset: 0,
  tx_hash: hash,
  sender_address: own,
  raw_log_topics: [hash],
};
const sent = { block_height: 5, tx_hash: hash, from_address: own };
const transfer = { contract_address: other, tx_hash: hash, from_address: own, to_address: other };
const holder = { contract_address: own, address: other, block_height: 5, balance: '5' };
const spender = { spender_address: other, allowance: 'UNLIMITED' };
const allowed = { token_address: other, spenders: [spender] };
const approved = { contract_address: other, spenders: [spender] };
const eyes = { trait_type: 'Eyes', values: [{ value: 'blue', count: 2 }], unique_values: 2 };
const nftOf = (id: string) => ({ token_id: id, current_owner: own });
const held = { contract_address: other, supports_erc: ['erc721'], balance: '1' };
const holding = { ...held, nft_data: [nftOf('7')] };
const heldToken = { ...held, token_id: '7', nft_data: nftOf('7') };
const nftToken = { contract_address: other, nft_data: nftOf('7') };
const nftOwner = { contract_address: other, token_id: '7', address: own, balance: '1' };
const nftMoves = { contract_address: other, nft_transactions: [sent] };
const block = { height: 5, block_hash: hash };
const at = { block_height: 5, block_hash: hash };
const more = { has_more: true, page_number: 0, page_size: 1, total_count: 2 };
const last = { has_more: false, page_number: 1, page_size: 1, total_count: 2 };

type Case = readonly [
  name: string,
  ask: (client: DataClient) => Promise<unknown> | AsyncIterable<unknown>,
  honest: readonly object[],
  lies: Readonly<Record<string, readonly object[]>>,
];

const cases: readonly Case[] = [
  [
    'transaction',
    (client) => client.transaction({ txHash: hash }),
    [{ items: [sent] }],
    { another: [{ items: [{ ...sent, tx_hash: otherHash }] }], none: [{ items: [] }] },
  ],
  [
    'transactions',
    (client) => client.transactions({ address: own }),
    [
      { address: own, current_page: 1, items: [sent] },
      { address: own, current_page: 0, items: [] },
    ],
    {
      'of another wallet': [{ address: other, current_page: 0, items: [] }],
      'of another page': [{ address: own, current_page: 1, items: [] }],
      'on too many pages': [{ address: own, current_page: mostWalkedPages, items: [] }],
      'on no page': [{ address: own, items: [] }],
      'on half a page': [{ address: own, current_page: 0.5, items: [] }],
    },
  ],
  [
    'transactionsPage',
    (client) => client.transactionsPage({ address: own, page: 3 }),
    [{ address: own, current_page: 3, items: [sent] }],
    { 'of another page': [{ address: own, current_page: 4, items: [] }] },
  ],
  [
    'transactionsSummary',
    (client) => client.transactionsSummary({ address: own }),
    [{ address: own, items: [{ total_count: 1 }] }],
    {
      'of another wallet': [{ address: other, items: [{ total_count: 1 }] }],
      none: [{ address: own, items: [] }],
      'without a count': [{ address: own, items: [{ total_count: null }] }],
    },
  ],
  [
    'transactionBuckets',
    (client) => client.transactionBuckets({ address: own, bucket: 7 }),
    [
      // A link is never followed: only its number is read.
      ...[
        { address: own, current_bucket: 7, links: { next: 'https://evil.example/9/' }, items: [] },
      ],
      { address: own, current_bucket: 9, links: { next: null }, complete: true, items: [sent] },
    ],
    {
      'of another wallet': [{ address: other, current_bucket: 7, items: [] }],
      'of another time': [{ address: own, current_bucket: 8, items: [] }],
      'that lead round': [{ address: own, current_bucket: 7, links: { next: '/7/' }, items: [] }],
      'that lead back': [{ address: own, current_bucket: 7, links: { next: '/6' }, items: [] }],
    },
  ],
  [
    'blockTransactions',
    (client) => client.blockTransactions({ block: 5 }),
    [
      { ...at, items: [sent], links: { next: 'x' } },
      { ...at, items: [], links: { next: null } },
    ],
    {
      'of another block': [{ ...at, items: [{ ...sent, block_height: 6 }] }],
      'of a block that was taken back': [
        { ...at, items: [], links: { next: 'x' } },
        { ...at, block_hash: otherHash, items: [] },
      ],
    },
  ],
  [
    'blockTransactions',
    (client) => client.blockTransactions({ blockHash: hash }),
    [{ ...at, items: [sent], links: { next: 'x' } }],
    {
      'of another block': [{ ...at, block_hash: otherHash, items: [] }],
      'of a block without a hash': [{ ...at, block_hash: null, items: [] }],
    },
  ],
  [
    'blockTransactions',
    (client) => client.blockTransactions(),
    [{ ...at, items: [sent], links: null }],
    {
      'of two blocks, without the number of one': [
        { block_hash: hash, items: [sent, { ...sent, block_height: 6 }] },
      ],
    },
  ],
  [
    'block',
    (client) => client.block({ block: 5 }),
    [{ items: [block] }],
    { another: [{ items: [{ ...block, height: 6 }] }], none: [{ items: [] }] },
  ],
  [
    'blocks',
    (client) => client.blocks({ fromTime: new Date(0) }),
    [
      { items: [block], pagination: more },
      { items: [block], pagination: last },
    ],
    {
      'on another page': [{ items: [], pagination: last }],
      'with a cursor without end': [
        { items: [], pagination: { ...more, cursor: 'x'.repeat(5000) } },
      ],
    },
  ],
  [
    'rangeLogs',
    (client) => client.rangeLogs({ toBlock: 5, address: own, topics: [otherHash, hash] }),
    [{ ...at, items: [log] }],
    {
      'of another contract': [{ items: [{ ...log, sender_address: other }] }],
      'of another event': [{ items: [{ ...log, raw_log_topics: [] }] }],
      'of an earlier block': [{ items: [{ ...log, block_height: 4 }] }],
      'of a later block': [{ items: [{ ...log, block_height: 6 }] }],
    },
  ],
  [
    'rangeLogs',
    (client) => client.rangeLogs({ blockHash: hash }),
    [{ items: [{ ...log, block_hash: hash }] }],
    {
      'of another block': [{ items: [{ ...log, block_hash: otherHash }] }],
      'of no known block': [{ items: [log] }],
    },
  ],
  [
    'listedLogs',
    (client) => client.listedLogs({ topic: hash, fromBlock: 5 }),
    [
      { items: [log], pagination: { ...more, cursor: 'c0de' } },
      { items: [log], pagination: last },
    ],
    {
      'of another event': [{ items: [{ ...log, raw_log_topics: [otherHash, hash] }] }],
      'of an earlier block': [{ items: [{ ...log, block_height: 4 }] }],
    },
  ],
  [
    'listedLogs',
    (client) => client.listedLogs({ topic: hash, furtherTopics: [otherHash, hash] }),
    [{ items: [{ ...log, raw_log_topics: [hash, otherHash.toUpperCase().replace('X', 'x')] }] }],
    {
      'without another topic': [{ items: [log] }],
      'of another further topic': [
        { items: [{ ...log, raw_log_topics: [hash, `0x${'ef'.repeat(32)}`] }] },
      ],
    },
  ],
  [
    'listedLogs',
    (client) => client.listedLogs({ address: own, toBlock: 5 }),
    [{ items: [log] }],
    {
      'of another contract': [{ items: [{ ...log, sender_address: other }] }],
      'of a later block': [{ items: [{ ...log, block_height: 6 }] }],
    },
  ],
  [
    'gasPrices',
    (client) => client.gasPrices({ kind: 'erc20' }),
    [{ event_type: 'erc20', items: [{ gas_price: '1' }] }],
    { 'of another kind': [{ event_type: 'uniswapv3', items: [] }] },
  ],
  [
    'chains',
    (client) => client.chains(),
    [{ items: [{ name: 'x', chain_id: 1 }] }],
    { 'without names': [{ items: [{ chain_id: 1 }] }] },
  ],
  [
    'chainsStatus',
    (client) => client.chainsStatus(),
    [{ items: [{ name: 'x', synced_block_height: null }] }],
    { 'of a block that is a text': [{ items: [{ name: 'x', synced_block_height: '5' }] }] },
  ],
  [
    'resolveAddress',
    (client) => client.resolveAddress({ address: own }),
    [{ items: [{ address: own, name: null }] }],
    { 'of another': [{ items: [{ address: other, name: null }] }], none: [{ items: [] }] },
  ],
  [
    'nativeBalance',
    (client) => client.nativeBalance({ address: own, block: 5 }),
    [{ address: own, items: [{ contract_address: other, block_height: 5, balance: '5' }] }],
    {
      'of another wallet': [
        { address: other, items: [{ contract_address: other, block_height: 5, balance: '5' }] },
      ],
      'of another block': [
        { address: own, items: [{ contract_address: other, block_height: 6, balance: '5' }] },
      ],
      none: [{ address: own, items: [] }],
    },
  ],
  [
    'transfers',
    (client) => client.transfers({ address: own, token: other, fromBlock: 5, toBlock: 5 }),
    [{ address: own, items: [{ ...sent, transfers: [transfer] }] }],
    {
      'of an earlier block': [
        { address: own, items: [{ ...sent, block_height: 4, transfers: [transfer] }] },
      ],
      'of a later block': [
        { address: own, items: [{ ...sent, block_height: 6, transfers: [transfer] }] },
      ],
      'with an unproven one of a later block': [
        {
          address: own,
          items: [],
          unproven: [{ ...sent, block_height: 6, transfers: [transfer] }],
        },
      ],
      'of another wallet': [{ address: other, items: [] }],
      'of another token': [
        { address: own, items: [{ ...sent, transfers: [{ ...transfer, contract_address: own }] }] },
      ],
      'between others': [
        { address: own, items: [{ ...sent, transfers: [{ ...transfer, from_address: other }] }] },
      ],
      'that are no list': [{ address: own, items: [{ ...sent, transfers: null }] }],
    },
  ],
  [
    'holders',
    (client) => client.holders({ token: own, block: 5 }),
    [
      { ...at, items: [holder], pagination: more },
      { ...at, items: [holder], pagination: last },
    ],
    {
      'of another token': [{ items: [{ ...holder, contract_address: other }] }],
      'of another block': [{ items: [{ ...holder, block_height: 6 }] }],
      'of less than nothing': [{ items: [{ ...holder, balance: '-1' }] }],
    },
  ],
  [
    'allowances',
    (client) => client.allowances({ address: own }),
    [
      { ...at, address: own, items: [allowed], pagination: more },
      { ...at, address: own, items: [allowed], pagination: last },
    ],
    {
      'of another wallet': [{ address: other, items: [allowed] }],
      'without spenders': [{ address: own, items: [{ token_address: other }] }],
      'of no amount': [
        { address: own, items: [{ ...allowed, spenders: [{ ...spender, allowance: 'some' }] }] },
      ],
    },
  ],
  [
    'nftApprovals',
    (client) => client.nftApprovals({ address: own }),
    [
      { ...at, address: own, items: [approved], pagination: more },
      { ...at, address: own, items: [approved], pagination: last },
    ],
    {
      'of another wallet': [{ address: other, items: [approved] }],
      'for nobody': [{ address: own, items: [{ ...approved, spenders: [{ allowance: '1' }] }] }],
    },
  ],
  [
    'traits',
    (client) => client.traits({ contract: own }),
    [
      { ...at, items: [{ name: 'Eyes' }], pagination: more },
      { ...at, items: [{ name: 'Hat' }], pagination: last },
    ],
    { 'without names': [{ items: [{}] }], 'that are no list': [{ items: null }] },
  ],
  [
    'traitAttributes',
    (client) => client.traitAttributes({ contract: own, trait: 'Eyes' }),
    [
      { ...at, items: [eyes], pagination: more },
      { ...at, items: [eyes], pagination: last },
    ],
    {
      'of another trait': [{ items: [{ ...eyes, trait_type: 'Hat' }] }],
      'without values': [{ items: [{ trait_type: 'Eyes' }] }],
      'of no count': [{ items: [{ ...eyes, values: [{ value: 'blue', count: 'some' }] }] }],
    },
  ],
  [
    'traitsSummary',
    (client) => client.traitsSummary({ contract: own }),
    [
      { ...at, items: [{ name: 'Eyes', attributes: [eyes] }], pagination: more },
      { ...at, items: [{ name: 'Hat', attributes: [] }], pagination: last },
    ],
    { 'without attributes': [{ items: [{ name: 'Eyes' }] }] },
  ],
  [
    'nfts',
    (client) => client.nfts({ address: own }),
    [
      { ...at, address: own, items: [holding], pagination: more },
      { ...at, address: own, items: [holding], pagination: last },
    ],
    {
      'of another wallet': [{ address: other, items: [holding] }],
      'without an id': [{ address: own, items: [{ ...holding, nft_data: [{}] }] }],
    },
  ],
  [
    'walletTokens',
    (client) => client.walletTokens({ address: own, contract: other }),
    [
      { ...at, address: own, collection: other, items: [heldToken], pagination: more },
      { ...at, address: own, collection: other, items: [heldToken], pagination: last },
    ],
    {
      'of another wallet': [{ address: other, collection: other, items: [heldToken] }],
      'of another contract': [{ address: own, collection: own, items: [heldToken] }],
      'with a token of another contract': [
        { address: own, collection: other, items: [{ ...heldToken, contract_address: own }] },
      ],
      'with an unproven token of another contract': [
        {
          ...{ address: own, collection: other, items: [] },
          unproven: [{ ...heldToken, contract_address: own }],
        },
      ],
    },
  ],
  [
    'walletToken',
    (client) => client.walletToken({ address: own, contract: other, tokenId: 7n }),
    [{ ...at, address: own, collection: other, items: [heldToken] }],
    {
      'of another wallet': [{ address: other, collection: other, items: [heldToken] }],
      'of another collection': [{ address: own, collection: own, items: [heldToken] }],
      'with a token of another contract': [
        { address: own, collection: other, items: [{ ...heldToken, contract_address: own }] },
      ],
      'of another id': [
        { address: own, collection: other, items: [{ ...heldToken, token_id: '8' }] },
      ],
      'of a negative id': [
        { address: own, collection: other, items: [{ ...heldToken, token_id: '-7' }] },
      ],
      'with an unproven token of another id': [
        {
          ...{ address: own, collection: other, items: [heldToken] },
          unproven: [{ ...heldToken, token_id: '8' }],
        },
      ],
    },
  ],
  [
    'collections',
    (client) => client.collections(),
    [
      { ...at, items: [{ contract_address: other }], pagination: more },
      { ...at, items: [{ contract_address: own }], pagination: last },
    ],
    { 'without an address': [{ items: [{ contract_name: 'a' }] }] },
  ],
  [
    'nftTokens',
    (client) => client.nftTokens({ contract: other }),
    [
      { ...at, items: [nftToken], pagination: more },
      { ...at, items: [nftToken], pagination: last },
    ],
    {
      'of another contract': [{ items: [{ ...nftToken, contract_address: own }] }],
      'unproven, of another contract': [
        { items: [], unproven: [{ ...nftToken, contract_address: own }] },
      ],
    },
  ],
  [
    'nftToken',
    (client) => client.nftToken({ contract: other, tokenId: 7n }),
    [{ ...at, items: [nftToken] }],
    {
      'of another contract': [{ items: [{ ...nftToken, contract_address: own }] }],
      'of another id': [{ items: [{ ...nftToken, nft_data: nftOf('8') }] }],
      'unproven, of another id': [
        { items: [nftToken], unproven: [{ ...nftToken, nft_data: nftOf('8') }] },
      ],
    },
  ],
  [
    'nftTransactions',
    (client) => client.nftTransactions({ contract: other, tokenId: 7n }),
    [
      { ...at, items: [nftMoves], pagination: more },
      { ...at, items: [nftMoves], pagination: last },
    ],
    {
      'of another contract': [{ items: [{ ...nftMoves, contract_address: own }] }],
      'without transactions': [{ items: [{ contract_address: other }] }],
    },
  ],
  [
    'nftOwners',
    (client) => client.nftOwners({ contract: other, tokenId: 7n }),
    [
      { ...at, items: [nftOwner], pagination: more },
      { ...at, items: [nftOwner], pagination: last },
    ],
    {
      'of another contract': [{ items: [{ ...nftOwner, contract_address: own }] }],
      'of another id': [{ items: [{ ...nftOwner, token_id: '8' }] }],
      'of less than nothing': [{ items: [{ ...nftOwner, balance: '-1' }] }],
    },
  ],
  [
    'floorPrices',
    (client) => client.floorPrices({ contract: other }),
    [{ address: other, items: [{ date: '2026-01-01', floor_price_native_quote: 1 }] }],
    {
      'of another contract': [{ address: own, items: [] }],
      'without a day': [{ address: other, items: [{}] }],
    },
  ],
  [
    'volumes',
    (client) => client.volumes({ contract: other }),
    [{ address: other, items: [{ date: '2026-01-01', volume_native_quote: 1 }] }],
    { 'of another contract': [{ address: own, items: [] }] },
  ],
  [
    'saleCounts',
    (client) => client.saleCounts({ contract: other }),
    [{ address: other, items: [{ date: '2026-01-01', sales_count: '3' }] }],
    {
      'of another contract': [{ address: own, items: [] }],
      'of less than nothing': [{ address: other, items: [{ date: 'a', sales_count: '-1' }] }],
    },
  ],
  [
    'historicalBalances',
    (client) => client.historicalBalances({ address: own, block: 5 }),
    [
      { ...at, address: own, items: [{ ...holder, block_height: 5 }], pagination: more },
      { ...at, address: own, items: [], pagination: last },
    ],
    {
      'of another wallet': [{ address: other, items: [] }],
      'of another block': [{ address: own, items: [{ ...holder, block_height: 6 }] }],
    },
  ],
  [
    'portfolio',
    (client) => client.portfolio({ address: own, days: 2 }),
    [
      { ...at, address: own, items: [{ contract_address: own, holdings: [] }], pagination: more },
      { ...at, address: own, items: [], pagination: last },
    ],
    {
      'of another wallet': [{ address: other, items: [] }],
      'without days': [{ address: own, items: [{ contract_address: own }] }],
    },
  ],
  [
    'activity',
    (client) => client.activity({ address: own, testnets: true }),
    [{ address: own, items: [{ name: 'x', chain_id: 1, last_seen_at: null }] }],
    {
      'of another address': [{ address: other, items: [] }],
      'without names': [{ address: own, items: [{ chain_id: 1 }] }],
    },
  ],
  [
    'chainsBalances',
    (client) => client.chainsBalances({ address: own, chains: ['x', '5'], time: new Date(5000) }),
    [
      { address: own, items: [{ contract_address: own, chain_name: 'x' }], cursor_before: 'c0de' },
      { address: own, items: [], cursor_before: null },
    ],
    {
      'of another wallet': [{ address: other, items: [] }],
      'of no chain': [{ address: own, items: [{ contract_address: own }] }],
      'with a cursor without end': [{ address: own, items: [], cursor_before: 'x'.repeat(5000) }],
    },
  ],
  [
    'chainsTransactions',
    (client) => client.chainsTransactions({ addresses: [own, other], withLogs: true }),
    [
      { items: [{ ...sent, chain_name: 'x' }], cursor_before: 'c0de' },
      { items: [], cursor_before: null },
    ],
    { 'of no chain': [{ items: [sent] }] },
  ],
  [
    'tokenPrices',
    (client) => client.tokenPrices({ tokens: [own], fromDay: new Date(0), oldestFirst: true }),
    [[{ contract_address: own, items: [{ date: '1970-01-01', price: 5 }] }]],
    { 'of another token': [[{ contract_address: other, items: [] }]], 'that is no list': [{}] },
  ],
  [
    'poolPrices',
    (client) => client.poolPrices({ pool: own }),
    [[{ pool_address: own, token_0_address: own, token_1_address: other }]],
    {
      'of another pool': [[{ pool_address: other, token_0_address: own, token_1_address: own }]],
      none: [[]],
    },
  ],
];

describe.each(cases)('%s', (_, ask, honest, lies) => {
  test('takes an honest answer, but for what the server calls verified', async () => {
    const marked = honest.map((data) => markAll(data) as object);
    const { client } = await serve(...marked);
    const found = await whole(ask(client));
    expect(found.length).toBeGreaterThan(0);
    expect(JSON.stringify(found)).not.toContain('verified');
    expect(JSON.stringify(found)).toContain('"kept":1');
  });

  test.each(Object.entries(lies))('refuses an answer %s', async (_, answers) => {
    const { client } = await serve(...answers);
    await expect(whole(ask(client))).rejects.toMatchObject({
      ...{ name: 'DataError', code: 'BAD_ANSWER' },
    });
  });
});

/** The same, with members in each object of a list that the client has no name for. */
function markAll(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((one) =>
      typeof one === 'object' ? { ...(markAll(one) as object), verified: true, kept: 1 } : one,
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, markAll(member)]));
}

test('a cursor leads on in place of a number, and no link is followed', async () => {
  const [, logs] = cases.find(([name]) => name === 'listedLogs') as Case;
  const pages = [{ items: [log], pagination: { ...more, cursor: 'c0de' } }];
  const { asked, client } = await serve(...pages, { items: [], pagination: last });
  await whole(logs(client));
  expect(asked.map((url) => url.split('?')[1])).toEqual([
    'starting-block=5',
    'starting-block=5&page-size=1&cursor=c0de',
  ]);
  await server?.close();
  const [, buckets, answers] = cases.find(([name]) => name === 'transactionBuckets') as Case;
  const timed = await serve(...answers);
  await whole(buckets(timed.client));
  expect(timed.asked).toEqual([7, 9].map((number) => `/v1/x/bulk/transactions/${own}/${number}/`));
});

test('the newest block is asked for by its number once that is known', async () => {
  const page = { ...at, items: [sent], links: { next: 'x' } };
  const { asked, client } = await serve(page, { ...at, items: [], links: null });
  await whole(client.blockTransactions());
  expect(asked).toEqual(
    ['latest/transactions_v3/page/0/', '5/transactions_v3/page/1/'].map(
      (path) => `/v1/x/block/${path}`,
    ),
  );
});

test('a ranking is made anew for its first page alone', async () => {
  const { asked, client } = await serve({ items: [holder], pagination: more }, { items: [] });
  await whole(client.holders({ token: own, anew: true }));
  expect(asked.map((url) => url.split('?')[1])).toEqual([
    'no-snapshot=true',
    'page-size=1&page-number=1',
  ]);
});

test('a server that always has more is left in the end', async () => {
  let asked = 0;
  const endless = walkPages(undefined, async () => {
    asked++;
    return { items: [], pagination: { has_more: true } };
  });
  await expect(whole(endless)).rejects.toMatchObject({ code: 'BAD_ANSWER' });
  expect(asked).toBe(mostWalkedPages);
});

test('a wrong question is told before it is sent', async () => {
  const { asked, client } = await serve({});
  const wrong: [() => Promise<unknown> | AsyncIterable<unknown>, typeof Error, string][] = [
    [() => client.transaction({ txHash: '0x12' }), RangeError, '"txHash"'],
    [() => client.transactions({ address: '0x' }), RangeError, '"address"'],
    [() => client.transactionsPage({ address: own, page: -1 }), RangeError, '"page"'],
    [() => client.transactionBuckets({ address: own, bucket: 0.5 }), RangeError, '"bucket"'],
    [() => client.transactionsSummary({ address: own, gas: 1 as never }), TypeError, '"gas"'],
    [() => client.blockTransactions({ block: 1, blockHash: hash }), TypeError, 'not both'],
    [() => client.block({ block: -1 }), RangeError, '"block"'],
    [() => client.blocks({ fromTime: 5 as never }), TypeError, '"fromTime"'],
    [() => client.blocks({ fromTime: new Date(Number.NaN) }), RangeError, '"fromTime"'],
    [
      () => client.blocks({ fromTime: new Date(0), toTime: new Date(8e15) }),
      RangeError,
      '"toTime"',
    ],
    [() => client.rangeLogs({ toBlock: 1, blockHash: hash }), TypeError, 'not both'],
    [() => client.rangeLogs({ topics: [] }), RangeError, '"topics"'],
    [() => client.rangeLogs({ topics: [hash, '0x'] }), RangeError, '"topics[1]"'],
    [() => client.listedLogs({}), TypeError, 'either "address" or "topic"'],
    [() => client.listedLogs({ address: own, topic: hash }), TypeError, 'either'],
    [() => client.listedLogs({ address: own, furtherTopics: [hash] }), TypeError, '"topic" beside'],
    [() => client.listedLogs({ address: own, pageSize: 0 }), RangeError, '"pageSize"'],
    [() => client.gasPrices({ kind: 'gold' as never }), RangeError, '"kind"'],
    [() => client.nativeBalance({ address: own, quoteCurrency: '' }), TypeError, '"quoteCurrency"'],
    [() => client.transfers({ address: own, token: '0x' }), RangeError, '"token"'],
    [() => client.holders({ token: own, block: Infinity }), RangeError, '"block"'],
    [() => client.holders({ token: own, block: 5, day: new Date(0) }), TypeError, 'not both'],
    [() => client.chains(null as never), TypeError, '"request"'],
    [() => client.holders({ token: own, chainName: '..' }), TypeError, '"path"'],
  ];
  for (const [ask, type, name] of wrong) {
    const error = await whole(ask()).catch((cause) => cause);
    expect(error, name).toBeInstanceOf(type);
    expect(error.message).toContain(name);
  }
  expect(asked).toEqual([]);
});
