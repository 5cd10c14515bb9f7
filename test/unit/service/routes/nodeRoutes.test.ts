/** Routes that need the node alone: each answer is what a real node says at the block that the answer names. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { fixedPrices } from '../../../../src/service/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import { askData, type DataAsker, itemsOf, pagesOf, timeOf } from '../../../support/dataRoutes.js';
import { patience, type Wire } from '../../../support/runs.js';
import { startHistory, type TokenHistory, wallets } from '../../../support/tokenHistory.js';

let node: Anvil;
let history: TokenHistory;
let served: ServedData;
let ask: DataAsker;
let newest: number;

const publicUrl = 'https://data.example/interface';
const hexOf = (block: number) => `0x${block.toString(16)}`;
const dollars = 2500;

/** Deploys code that sends 3 wei to a wallet, and stores 2 at slot 1. */
const sending = (to: Hex) => `0x5f5f5f5f600373${to.slice(2)}5af160026001555f5ff3`;

beforeAll(async () => {
  // A block each 17 seconds, of yesterday.
  const start = Math.floor(Date.now() / 1000) - 86_400;
  node = await startAnvil('--auto-impersonate', '--timestamp', String(start));
  await node.call('anvil_setBlockTimestampInterval', 17);
  history = await startHistory(node, 47);
  await history.mine(25);
  await node.mine({ to: accounts[1], value: 7n, gas: '0x5208' });
  await node.mine({ data: sending(wallets[3] as Hex), value: 9n });
  // Fails: the first account holds no deed of that number.
  await node.mine({ ...history.deed.call('burn', 10n ** 6n) });
  await node.mine();
  const prices = fixedPrices({
    [chainName]: [{ address: `0x${'e'.repeat(40)}`, usd: String(dollars) }],
  });
  served = await serveData(node.url, { decoder: { prices }, data: { publicUrl, trace: true } });
  ask = await askData(served);
  newest = Number(await node.call('eth_blockNumber'));
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

const blockOf = (number: number): Promise<Wire> =>
  node.call('eth_getBlockByNumber', hexOf(number), true);

const itemOf = (block: Wire) => ({
  block_hash: block.hash,
  signed_at: timeOf(block.timestamp),
  height: Number(block.number),
  block_parent_hash: block.parentHash,
  extra_data: block.extraData,
  miner_address: block.miner,
  mining_cost: null,
  gas_used: Number(block.gasUsed),
  gas_limit: Number(block.gasLimit),
  transactions_link: `${publicUrl}/v1/${chainName}/block/${Number(block.number)}/transactions_v3/page/0/`,
});

/** What stands in every answer about a chain. */
const headOf = (block: Wire) => ({
  chain_id: 31337,
  chain_name: chainName,
  block_height: Number(block.number),
  block_hash: block.hash,
});

describe('blocks', () => {
  test('one by its number, in decimal, in hex, or the newest', async () => {
    for (const number of [0, 1, 9, newest]) {
      const block = await blockOf(number);
      for (const name of [number, hexOf(number), ...(number === newest ? ['latest'] : [])]) {
        const data = await ask.data(`${chainName}/block_v2/${name}/`);
        expect(data).toMatchObject({ ...headOf(block), items: [itemOf(block)] });
      }
    }
    expect(await ask.failure(`${chainName}/block_v2/${newest + 9}/`)).toEqual({
      status: 404,
      message: 'The chain does not have this block yet',
    });
    for (const wrong of ['-1', '0x', 'newest', '9'.repeat(16), '1.5']) {
      expect(await ask.failure(`${chainName}/block_v2/${wrong}/`)).toMatchObject({ status: 400 });
    }
  });

  test('those of a time, a page at a time', async () => {
    const all = await Promise.all(
      Array.from({ length: newest + 1 }, (_, number) => blockOf(number)),
    );
    const seconds = (block: Wire) => Number(block.timestamp);
    const [from, to] = [seconds(all[4]), seconds(all[newest - 5])];
    const inside = all.filter((block) => seconds(block) >= from && seconds(block) < to);
    expect(inside.length).toBeGreaterThan(0);
    const path = `${chainName}/block_v2/${timeOf(all[4].timestamp)}/${timeOf(all[newest - 5].timestamp)}/`;
    const items: Wire[] = [];
    for (let number = 0; ; number++) {
      const data = await ask.data(`${path}?page-size=7&page-number=${number}`);
      items.push(...data.items);
      expect(data.pagination).toEqual({
        has_more: 7 * (number + 1) < inside.length,
        page_number: number,
        page_size: 7,
        total_count: inside.length,
        cursor: data.pagination.has_more ? expect.any(String) : null,
      });
      if (!data.pagination.has_more) break;
    }
    expect(items).toEqual(inside.map(itemOf));
    expect(await itemsOf(ask, `${path}?page-size=7`)).toEqual(items);
    // The whole life of the chain: the first block of Anvil is of its start.
    const day = timeOf(all[0].timestamp).slice(0, 10);
    const whole = await ask.data(`${chainName}/block_v2/${day}/latest/?page-size=1000`);
    expect(whole.items).toEqual(all.map(itemOf));
    // `latest` is another second on each page.
    expect(await itemsOf(ask, `${chainName}/block_v2/${day}/latest/?page-size=9`)).toEqual(
      whole.items,
    );
    // One time named in two ways: each walk has cursors of its own.
    const end = timeOf(all[newest - 5].timestamp);
    const walks: Wire[][] = [];
    for (const begin of [day, `${day}T00:00:00Z`]) {
      walks.push(await itemsOf(ask, `${chainName}/block_v2/${begin}/${end}/?page-size=9`));
    }
    expect(walks[0]?.length).toBeGreaterThan(9);
    expect(walks[1]).toEqual(walks[0]);
    for (const wrong of ['2026-02-30/latest', '2026-01-02/2026-01-01', 'yesterday/latest']) {
      expect(await ask.failure(`${chainName}/block_v2/${wrong}/`)).toMatchObject({ status: 400 });
    }
  });
});

describe('transactions', () => {
  /** The members that follow from the node's own words. */
  async function transactionItem(sent: Wire): Promise<Wire> {
    const receipt = await node.call('eth_getTransactionReceipt', sent.hash);
    const block = await node.call('eth_getBlockByHash', sent.blockHash, false);
    const fees = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
    return {
      block_signed_at: timeOf(block.timestamp),
      block_height: Number(block.number),
      block_hash: block.hash,
      tx_hash: sent.hash,
      tx_offset: Number(sent.transactionIndex),
      successful: receipt.status === '0x1',
      miner_address: block.miner,
      from_address: sent.from,
      to_address: sent.to,
      value: String(BigInt(sent.value)),
      value_quote: Number(`${BigInt(sent.value) * BigInt(dollars)}e-18`),
      gas_offered: Number(sent.gas),
      gas_spent: Number(receipt.gasUsed),
      gas_price: Number(receipt.effectiveGasPrice),
      fees_paid: String(fees),
      gas_quote: Number(`${fees * BigInt(dollars)}e-18`),
      gas_quote_rate: dollars,
      gas_metadata: { contract_decimals: 18, contract_ticker_symbol: 'ETH' },
      nft_sale_details: null,
      log_events: receipt.logs.map((log: Wire) => ({
        block_signed_at: timeOf(block.timestamp),
        block_height: Number(block.number),
        tx_offset: Number(sent.transactionIndex),
        log_offset: Number(log.logIndex),
        tx_hash: sent.hash,
        raw_log_topics: log.topics,
        sender_address: log.address,
        raw_log_data: log.data,
      })),
      ...{ internal_transfers: null, state_changes: null, input_data: null },
    };
  }

  test(
    'each by its hash, and all of each block by its number and by its hash',
    async () => {
      let seen = 0;
      for (let number = 1; number <= newest; number++) {
        const block = await blockOf(number);
        const expected = await Promise.all(block.transactions.map(transactionItem));
        const page = await ask.data(`${chainName}/block/${number}/transactions_v3/page/0/`);
        const whole = await ask.data(`${chainName}/block_hash/${block.hash}/transactions_v3/`);
        expect(page).toMatchObject({ ...headOf(block), items: expected });
        expect(page.items).toHaveLength(expected.length);
        expect(page.links).toEqual({ prev: null, next: null });
        expect(whole).toMatchObject({ ...headOf(block), items: expected });
        for (const [i, { hash }] of block.transactions.entries()) {
          const one = await ask.data(`${chainName}/transaction_v2/${hash}/`);
          expect(one).toMatchObject({ ...headOf(block), items: [expected[i]] });
          seen++;
        }
      }
      expect(seen).toBeGreaterThan(30);
      const unknown = `0x${'12'.repeat(32)}`;
      const missing = { status: 404 };
      expect(await ask.failure(`${chainName}/transaction_v2/${unknown}/`)).toMatchObject(missing);
      expect(
        await ask.failure(`${chainName}/block_hash/${unknown}/transactions_v3/`),
      ).toMatchObject(missing);
      const wrong = { status: 400 };
      expect(await ask.failure(`${chainName}/transaction_v2/0x12/`)).toMatchObject(wrong);
      expect(await ask.failure(`${chainName}/block/1/transactions_v3/page/x/`)).toMatchObject(
        wrong,
      );
    },
    patience,
  );

  test('with call data, without logs, and with what the node traces', async () => {
    const [created] = (await blockOf(newest - 2)).transactions;
    const path = `${chainName}/transaction_v2/${created.hash}/`;
    const { contractAddress } = await node.call('eth_getTransactionReceipt', created.hash);
    const query = '?no-logs=true&with-input-data=true&with-internal=true&with-state=true';
    const [item] = (await ask.data(path + query)).items;
    expect(item).toMatchObject({
      log_events: null,
      input_data: { method_id: created.input.slice(0, 10) },
      internal_transfers: [{ from_address: contractAddress, to_address: wallets[3], value: '3' }],
    });
    const balanceAt = async (address: string, block: number) =>
      String(BigInt(await node.call('eth_getBalance', address, hexOf(block))));
    const [changed] = item.state_changes.filter(({ address }: Wire) => address === contractAddress);
    expect(changed).toEqual({
      address: contractAddress,
      ...{ balance_before: '0', balance_after: '6', nonce_before: 0, nonce_after: 1 },
      storage_changes: [
        {
          storage_address: `0x${'1'.padStart(64, '0')}`,
          value_before: `0x${'0'.repeat(64)}`,
          value_after: `0x${'2'.padStart(64, '0')}`,
        },
      ],
    });
    // The only transaction of its block: what it left is what the block left.
    for (const change of item.state_changes) {
      expect(change.balance_before).toBe(await balanceAt(change.address, newest - 3));
      expect(change.balance_after).toBe(await balanceAt(change.address, newest - 2));
    }
    // One that failed moved nothing inside.
    const [failed] = (await blockOf(newest - 1)).transactions;
    const told = await ask.data(`${chainName}/transaction_v2/${failed.hash}/?with-internal=true`);
    expect(told.items[0]).toMatchObject({ successful: false, internal_transfers: [] });
  });

  test(
    'a block of many comes in pages of a hundred, in its order',
    async () => {
      const many = Array.from({ length: 230 }, (_, i) => ({
        ...{ to: accounts[1], value: BigInt(i), gas: '0x5208' },
      }));
      const number = await node.mine(...many);
      await served.feed();
      const block = await blockOf(number);
      expect(block.transactions).toHaveLength(230);
      const linkTo = (page: number) =>
        `${publicUrl}/v1/${chainName}/block/${number}/transactions_v3/page/${page}/`;
      const hashes: string[] = [];
      for (let page = 0; page < 3; page++) {
        const data = await ask.data(`${chainName}/block/${number}/transactions_v3/page/${page}/`);
        hashes.push(...data.items.map(({ tx_hash }: Wire) => tx_hash));
        expect(data.links).toEqual({
          prev: page === 0 ? null : linkTo(page - 1),
          next: page === 2 ? null : linkTo(page + 1),
        });
      }
      expect(hashes).toEqual(block.transactions.map(({ hash }: Wire) => hash));
      const beyond = await ask.data(`${chainName}/block/${number}/transactions_v3/page/9/`);
      expect(beyond.items).toEqual([]);
      newest = number;
      for (const height of [number, 'latest']) {
        const path = `${chainName}/block/${height}/transactions_v3/page/0/?no-logs=true`;
        const walked: string[] = [];
        for await (const { items, block_hash, pagination } of pagesOf(ask, path)) {
          walked.push(...items.map(({ tx_hash }: Wire) => tx_hash));
          expect(block_hash).toBe(block.hash);
          expect(pagination).toMatchObject({ page_size: 100, total_count: 230 });
          // What is the newest block by now counts for nothing.
          if (height === 'latest') {
            newest = await node.mine();
            await served.feed();
          }
        }
        expect(walked).toEqual(hashes);
      }
    },
    patience,
  );
});

describe('logs', () => {
  const rowOf = (log: Wire) => ({
    block_height: Number(log.blockNumber),
    block_hash: log.blockHash,
    tx_offset: Number(log.transactionIndex),
    log_offset: Number(log.logIndex),
    tx_hash: log.transactionHash,
    raw_log_topics: log.topics,
    sender_address: log.address,
    raw_log_data: log.data,
  });

  test(
    'of a range, of a contract, of events, of a block',
    async () => {
      const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
      const approval = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
      const { hash } = await blockOf(12);
      const whole = { fromBlock: '0x0', toBlock: hexOf(newest) };
      const cases: [string, object][] = [
        ['?starting-block=earliest', whole],
        [`?starting-block=3&ending-block=${hexOf(20)}`, { fromBlock: '0x3', toBlock: '0x14' }],
        ['?starting-block=0x9&ending-block=9', { fromBlock: '0x9', toBlock: '0x9' }],
        [
          `?starting-block=0&address=${history.gold.address.toUpperCase().replace('X', 'x')}`,
          { ...whole, address: history.gold.address },
        ],
        [
          `?starting-block=0&topics=${transfer},${approval}`,
          { ...whole, topics: [[transfer, approval]] },
        ],
        [`?block-hash=${hash}`, { blockHash: hash }],
        ['', { fromBlock: 'latest', toBlock: 'latest' }],
      ];
      for (const [query, filter] of cases) {
        const expected = await node.call('eth_getLogs', filter);
        const { items } = await ask.data(`${chainName}/events/${query}`);
        expect(items, query).toMatchObject(expected.map(rowOf));
        expect(items, query).toHaveLength(expected.length);
      }
      const { items } = await ask.data(
        `${chainName}/events/?starting-block=0&address=${history.gold.address}&topics=${transfer}`,
      );
      expect(items[0]).toMatchObject({
        ...{ sender_name: 'Gold', sender_contract_ticker_symbol: 'GLD' },
        ...{ sender_contract_decimals: 18, supports_erc: ['erc20'] },
        decoded: {
          name: 'Transfer',
          signature: 'Transfer(address,address,uint256)',
          params: [
            { name: 'from', type: 'address', indexed: true, decoded: true },
            { name: 'to', type: 'address', indexed: true, decoded: true },
            {
              ...{ name: 'value', type: 'uint256', indexed: false, decoded: true },
              value: String(BigInt(items[0].raw_log_data)),
            },
          ],
        },
      });
      const bare = await ask.data(`${chainName}/events/?starting-block=0&skip-decode=true`);
      expect(bare.items.every(({ decoded }: Wire) => decoded === null)).toBe(true);
      const wrong = [
        '?starting-block=9&ending-block=8',
        `?block-hash=${hash}&starting-block=1`,
        '?topics=0x12',
        '?address=0x12',
      ];
      for (const query of wrong) {
        expect(await ask.failure(`${chainName}/events/${query}`), query).toMatchObject({
          status: 400,
        });
      }
      expect(
        await ask.failure(`${chainName}/events/?starting-block=1&ending-block=${newest + 5}`),
      ).toMatchObject({ status: 404 });
    },
    patience,
  );
});

describe('chains and wallets', () => {
  test('the chains, and how far they have come', async () => {
    const known = {
      ...{ name: chainName, chain_id: 31337, is_testnet: null, is_appchain: null },
      ...{ logo_url: null, black_logo_url: null, white_logo_url: null },
    };
    const { items } = await ask.data('chains/');
    expect(items).toEqual([
      {
        ...known,
        ...{ db_schema_name: null, label: chainName, category_label: null, color_theme: null },
        ...{ appchain_of: null, priority_label: null },
      },
    ]);
    const { timestamp } = await blockOf(newest);
    const status = await ask.data('chains/status/');
    expect(status.items).toEqual([
      {
        ...known,
        synced_block_height: newest,
        synced_blocked_signed_at: timeOf(timestamp),
        has_data: true,
      },
    ]);
  });

  test('the native balance at the newest block and at older ones', async () => {
    for (const wallet of wallets.slice(0, 3)) {
      for (const height of ['latest', 3, 11]) {
        const at = height === 'latest' ? hexOf(newest) : hexOf(height as number);
        const balance = BigInt(await node.call('eth_getBalance', wallet, at));
        const data = await ask.data(
          `${chainName}/address/${wallet}/balances_native/?block-height=${height}`,
        );
        expect(data).toMatchObject({
          ...headOf(await blockOf(Number(at))),
          ...{ address: wallet, quote_currency: 'USD' },
          items: [
            {
              balance: String(balance),
              block_height: Number(at),
              quote_rate: dollars,
              quote: Number(`${balance * BigInt(dollars)}e-18`),
            },
          ],
        });
      }
    }
    const name = await ask.data(`${chainName}/address/${wallets[0]}/resolve_address/`);
    expect(name.items).toEqual([{ address: wallets[0], name: null }]);
  });
});

test(
  'gas prices are means over the transactions of the last minutes',
  async () => {
    const all = await Promise.all(Array.from({ length: newest + 1 }, (_, i) => blockOf(i)));
    const last = Number(all[newest].timestamp);
    const receipts = (await node.callEach(
      'eth_getBlockReceipts',
      all.map(({ number }) => [number]),
    )) as Wire[][];
    const isOf: Record<string, (sent: Wire, receipt: Wire) => boolean> = {
      erc20: (sent, { logs }) =>
        sent.input.startsWith('0xa9059cbb') &&
        logs.some(({ address }: Wire) => address === sent.to),
      nativetokens: (sent, { gasUsed }) =>
        sent.input === '0x' && Number(gasUsed) === 21_000 && BigInt(sent.value) > 0n,
      uniswapv3: () => false,
    };
    for (const [kind, isKind] of Object.entries(isOf)) {
      const data = await ask.data(`${chainName}/event/${kind}/gas_prices/`);
      expect(data).toMatchObject({
        ...headOf(all[newest]),
        event_type: kind,
        base_fee: String(BigInt(all[newest].baseFeePerGas)),
        gas_quote_rate: dollars,
      });
      for (const [i, minutes] of [1, 3, 10].entries()) {
        const found = all
          .filter(({ timestamp }) => last - Number(timestamp) < 60 * minutes)
          .flatMap(({ transactions, number }) =>
            transactions.map((sent: Wire, at: number) => [sent, receipts[Number(number)]?.[at]]),
          )
          .filter(([sent, receipt]) => receipt.status === '0x1' && isKind(sent, receipt));
        const sum = (name: string) =>
          found.reduce((total, [, receipt]) => total + BigInt(receipt[name]), 0n);
        const count = BigInt(found.length);
        expect(data.items[i]).toMatchObject({
          interval: `Last ${minutes} minute${minutes === 1 ? '' : 's'}`,
          gas_price: count === 0n ? null : String(sum('effectiveGasPrice') / count),
          gas_spent: count === 0n ? null : String(sum('gasUsed') / count),
        });
      }
      expect(data.items).toHaveLength(3);
    }
    expect(await ask.failure(`${chainName}/event/other/gas_prices/`)).toMatchObject({
      status: 400,
    });
  },
  patience,
);
