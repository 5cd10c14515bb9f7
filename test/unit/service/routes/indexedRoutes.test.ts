/** Routes that the index answers: each list is what the receipts of a real node say, after reorgs too. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import { askData, type DataAsker, itemsOf, timeOf } from '../../../support/dataRoutes.js';
import { patience, type Wire } from '../../../support/runs.js';
import { startHistory, type TokenHistory, wallets } from '../../../support/tokenHistory.js';

let node: Anvil;
let history: TokenHistory;
let served: ServedData;
let ask: DataAsker;

const publicUrl = 'https://data.example';
const busy = accounts[1] as Hex;
const stranger: Hex = `0x${'5e'.repeat(20)}`;

beforeAll(async () => {
  const start = Math.floor(Date.now() / 1000) - 86_400;
  node = await startAnvil('--auto-impersonate', '--timestamp', String(start));
  await node.call('anvil_setBlockTimestampInterval', 170);
  history = await startHistory(node, Number(process.env.HISTORY_SEED ?? 471));
  await history.mine(20);
  for (let block = 0; block < 6; block++) {
    const many = Array.from({ length: 45 }, (_, i) => ({
      ...{ to: busy, value: BigInt(i), gas: '0x5208' },
    }));
    await node.mine(...many);
  }
  await node.mine({ data: '0x5f5ff3' });
  served = await serveData(node.url, { data: { publicUrl } });
  ask = await askData(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

interface Told {
  readonly block: Wire;
  readonly sent: Wire;
  readonly receipt: Wire;
}

/** All transactions of the chain, as the node tells them now. */
async function allOf(): Promise<{ all: Told[]; newest: Wire }> {
  const count = Number(await node.call('eth_blockNumber')) + 1;
  const numbers = Array.from({ length: count }, (_, i) => `0x${i.toString(16)}`);
  const blocks = (await node.callEach(
    'eth_getBlockByNumber',
    numbers.map((number) => [number, true]),
  )) as Wire[];
  const receipts = (await node.callEach(
    'eth_getBlockReceipts',
    numbers.map((number) => [number]),
  )) as Wire[][];
  const all = blocks.flatMap((block, i) =>
    block.transactions.map((sent: Wire, at: number) => ({
      ...{ block, sent, receipt: receipts[i]?.[at] },
    })),
  );
  return { all, newest: blocks.at(-1) };
}

const topicsOf = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  single: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  batch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  approvalForAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  deposit: '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  withdrawal: '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
};

/** Whether a wallet has a part in a transaction, by the rules of the interface. */
function isPart(wallet: Hex, { receipt }: Told): boolean {
  const word = `0x${wallet.slice(2).padStart(64, '0')}`;
  const { from, to, contractAddress, logs } = receipt;
  if ([from, to, contractAddress].includes(wallet)) return true;
  return logs.some(({ topics: [first, ...rest] }: Wire) => {
    const places: Record<string, readonly number[]> = {
      [topicsOf.transfer]: [0, 1],
      [topicsOf.single]: [1, 2],
      [topicsOf.batch]: [1, 2],
      [topicsOf.approval]: [0],
      [topicsOf.approvalForAll]: [0],
      [topicsOf.deposit]: [0],
      [topicsOf.withdrawal]: [0],
    };
    return (places[first] ?? []).some((at) => rest[at] === word);
  });
}

const hashesOf = (data: Wire) => data.items.map(({ tx_hash }: Wire) => tx_hash);

/** Every list, against what the node says now. */
async function compare(some: readonly Hex[]) {
  const { all, newest } = await allOf();
  const number = Number(newest.number);
  for (const wallet of some) {
    const own = all.filter((one) => isPart(wallet, one));
    const hashes = own.map(({ sent }) => sent.hash);
    const last = Math.max(0, Math.ceil(own.length / 100) - 1);
    const path = `${chainName}/address/${wallet}/transactions_v3/`;
    const linkTo = (page: number) => `${publicUrl}/v1/${path}page/${page}/`;
    const recent = await ask.data(path);
    expect(recent).toMatchObject({
      ...{ address: wallet, block_height: number, block_hash: newest.hash, current_page: last },
      links: { prev: last > 0 ? linkTo(last - 1) : null, next: null },
    });
    expect(hashesOf(recent)).toEqual(hashes.slice(100 * last).reverse());
    // From both ends, and each page twice: the second time by its bookmark.
    const order = Array.from({ length: last + 1 }, (_, i) => i);
    for (const page of [...[...order].reverse(), ...order]) {
      const data = await ask.data(`${path}page/${page}/?no-logs=true&block-signed-at-asc=true`);
      expect(hashesOf(data)).toEqual(hashes.slice(100 * page, 100 * page + 100));
      expect(data.links).toEqual({
        prev: page > 0 ? linkTo(page - 1) : null,
        next: page < last ? linkTo(page + 1) : null,
      });
    }
    expect((await ask.data(`${path}page/${last + 1}/`)).items).toEqual([]);
    const walked = await itemsOf(ask, `${path}?no-logs=true`);
    expect(walked.map(({ tx_hash }) => tx_hash)).toEqual([...hashes].reverse());

    const summary = `${chainName}/address/${wallet}/transactions_summary/`;
    const [item] = (await ask.data(`${summary}?with-gas=true`)).items;
    const sent = own.filter(({ receipt }) => receipt.from === wallet);
    const fees = sent.reduce(
      (sum, { receipt }) => sum + BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice),
      0n,
    );
    const endOf = (one: Told | undefined) =>
      one === undefined
        ? null
        : {
            block_signed_at: timeOf(one.block.timestamp),
            tx_hash: one.sent.hash,
            tx_detail_link: `${publicUrl}/v1/${chainName}/transaction_v2/${one.sent.hash}/`,
          };
    expect(item).toMatchObject({
      total_count: own.length,
      earliest_transaction: endOf(own[0]),
      latest_transaction: endOf(own.at(-1)),
      gas_summary: { total_sent_count: sent.length, total_fees_paid: String(fees) },
    });

    // All buckets, from the first on.
    const bucketOf = ({ block }: Told) => Math.floor(Number(block.timestamp) / 900);
    const buckets = [...new Set(own.map(bucketOf))];
    const bulk = `${chainName}/bulk/transactions/${wallet}/`;
    let data = await ask.data(bulk);
    for (const [i, bucket] of buckets.entries()) {
      expect(data.current_bucket).toBe(bucket);
      expect(hashesOf(data)).toEqual(
        own.filter((one) => bucketOf(one) === bucket).map(({ sent }) => sent.hash),
      );
      const linkOf = (other: number | undefined) =>
        other === undefined ? null : `${publicUrl}/v1/${bulk}${other}/`;
      expect(data.links).toEqual({ prev: linkOf(buckets[i - 1]), next: linkOf(buckets[i + 1]) });
      const next = buckets[i + 1];
      if (next !== undefined) data = await ask.data(`${bulk}${next}/`);
    }
    if (buckets.length === 0) expect(data.items).toEqual([]);
  }
}

/** Every list of logs, a page at a time, against what the node says now. */
async function compareLogs() {
  const whole = { fromBlock: '0x0', toBlock: 'latest' };
  const { gold, deed, goods, wrapped } = history;
  const lists: [string, object][] = [
    ...[gold, deed, goods, wrapped].map(({ address }): [string, object] => [
      ...([`events/address/${address}/`, { ...whole, address }] as const),
    ]),
    [`events/topics/${topicsOf.transfer}/`, { ...whole, topics: [topicsOf.transfer] }],
    [`events/topics/${topicsOf.batch}/`, { ...whole, topics: [topicsOf.batch] }],
    [`events/topics/0x${'ab'.repeat(32)}/`, { ...whole, topics: [`0x${'ab'.repeat(32)}`] }],
    [
      `events/address/${gold.address}/?starting-block=9&ending-block=0x12`,
      { fromBlock: '0x9', toBlock: '0x12', address: gold.address },
    ],
  ];
  for (const [path, filter] of lists) {
    const logs = await node.call('eth_getLogs', filter);
    for (const size of [3, 50, 1000]) {
      const found: Wire[] = [];
      for (let number = 0; ; number++) {
        const query = `${path.includes('?') ? '&' : '?'}page-size=${size}&page-number=${number}`;
        const { items, pagination } = await ask.data(`${chainName}/${path}${query}`);
        found.push(...items);
        expect(pagination, path).toEqual({
          has_more: size * (number + 1) < logs.length,
          page_number: number,
          page_size: size,
          total_count: logs.length,
          cursor: pagination.has_more ? expect.any(String) : null,
        });
        if (!pagination.has_more) break;
      }
      const and = path.includes('?') ? '&' : '?';
      expect(await itemsOf(ask, `${chainName}/${path}${and}page-size=${size}`)).toEqual(found);
      expect(found.map((log) => [log.block_height, log.log_offset, log.tx_hash])).toEqual(
        logs.map((log: Wire) => [
          ...[Number(log.blockNumber), Number(log.logIndex), log.transactionHash],
        ]),
      );
      expect(found.map(({ raw_log_data }) => raw_log_data)).toEqual(
        logs.map(({ data }: Wire) => data),
      );
    }
  }
  for (const wallet of wallets.slice(0, 3)) {
    const word = `0x${wallet.slice(2).padStart(64, '0')}`;
    const logs = await node.call('eth_getLogs', { ...whole, topics: [topicsOf.transfer] });
    const own = logs.filter(({ topics }: Wire) => topics.slice(1).includes(word));
    for (const topic of [wallet, word]) {
      const path = `${chainName}/events/topics/${topicsOf.transfer}/?secondary-topics=${topic}`;
      const data = await ask.data(`${path}&page-size=1000`);
      expect(data.items.map(({ tx_hash, log_offset }: Wire) => [tx_hash, log_offset])).toEqual(
        own.map((log: Wire) => [log.transactionHash, Number(log.logIndex)]),
      );
      expect(data.pagination.total_count).toBe(own.length);
      expect(await itemsOf(ask, `${path}&page-size=2`)).toEqual(data.items);
    }
  }
}

describe('after a random history', () => {
  test(
    'transactions, summaries and buckets of every wallet are what the node says',
    () => compare([...wallets, stranger, history.gold.address]),
    patience,
  );
  test('logs of contracts and topics are what the node says', compareLogs, patience);

  test(
    'and so they are after a reorg',
    async () => {
      await node.call('anvil_reorg', 2, []);
      await history.mine(3);
      await served.feed();
      await compare(wallets.slice(0, 3));
      await compareLogs();
    },
    patience,
  );
});

test('an index of tokens alone says what feeds one that lists transactions', async () => {
  const tokens = await serveData(node.url, { only: 'tokens' });
  try {
    for (const path of [
      `address/${busy}/transactions_v3/`,
      `address/${busy}/transactions_v3/page/0/`,
      `address/${busy}/transactions_summary/`,
      `bulk/transactions/${busy}/`,
      `events/address/${history.gold.address}/`,
      `events/topics/${topicsOf.transfer}/`,
    ]) {
      const { status, body } = await tokens.get(`/v1/${chainName}/${path}`);
      expect([path, status]).toEqual([path, 501]);
      expect(body.error_message).toContain('createIndexer');
    }
    const balance = await tokens.get(`/v1/${chainName}/address/${busy}/balances_v2/`);
    expect(balance.status).toBe(200);
  } finally {
    await tokens.close();
  }
});
