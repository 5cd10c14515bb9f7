/** The client's lists, from a service of ours before a real node: to their end, and what a lying server gets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../src/bytes.js';
import { createDataClient, type DataClient, DataError } from '../../../src/data/index.js';
import { type Anvil, accounts, startAnvil } from '../../support/anvil.js';
import type { Contract } from '../../support/contracts/contract.js';
import { deployErc20 } from '../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../support/data.js';
import { patience, type Wire } from '../../support/runs.js';

let node: Anvil;
let served: ServedData;
let gold: Contract;
let client: DataClient;
const wallet = accounts[0] as Hex;

beforeAll(async () => {
  node = await startAnvil();
  gold = await deployErc20(node);
  for (let block = 0; block < 3; block++) {
    await node.mine(
      ...Array.from({ length: 45 }, () => ({ ...gold.call('mint', wallet, 1n), gas: '0x30000' })),
    );
  }
  served = await serveData(node.url);
  client = createDataClient({ url: served.url, chain: chainName });
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

test('transactions of a wallet, from the newest page to the oldest', async () => {
  const found = await all(client.transactions({ address: wallet }));
  const numbers = ['0x0', '0x1', '0x2', '0x3', '0x4'];
  const blocks = await node.callEach(
    'eth_getBlockByNumber',
    numbers.map((number) => [number, false]),
  );
  const hashes = blocks.filter(Boolean).flatMap(({ transactions }: Wire) => transactions);
  expect(found.map(({ tx_hash }) => tx_hash)).toEqual(hashes.reverse());
  const one = await client.transaction({ txHash: hashes[0] });
  expect(one).toMatchObject({ from_address: wallet, log_events: [{ sender_name: 'Gold' }] });
  const newest = await client.block();
  expect(newest.height).toBe(Number(await node.call('eth_blockNumber')));
  expect((await client.block({ block: 1 })).block_hash).toBe(blocks[1].hash);
});

test('logs of a contract and of an event, a page at a time', async () => {
  const logs = await node.call('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
  const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  const own = await all(client.listedLogs({ address: gold.address, pageSize: 20 }));
  expect(own.map((log) => [log.tx_hash, log.log_offset])).toEqual(
    logs.map((log: Wire) => [log.transactionHash, Number(log.logIndex)]),
  );
  const some = { topic, fromBlock: 2, toBlock: 3, pageSize: 7 } as const;
  expect(await all(client.listedLogs(some))).toHaveLength(90);
});

test('a wrong question is told before it is sent, and an answer about something else is refused', async () => {
  await expect(client.transaction({ txHash: '0x12' })).rejects.toThrow(RangeError);
  await expect(client.block({ block: -1 })).rejects.toThrow(RangeError);
  await expect(all(client.listedLogs({}))).rejects.toThrow(TypeError);
  await expect(all(client.transactions({ address: '0x' }))).rejects.toThrow(RangeError);
  const txHash: Hex = `0x${'12'.repeat(32)}`;
  await expect(client.transaction({ txHash })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const lying = createDataClient({
    ...{ url: 'http://127.0.0.1:1', chain: chainName },
    fetch: (input) =>
      fetch(
        String(input)
          .replace('http://127.0.0.1:1', served.url)
          .replace(/\/1\/$/, '/2/'),
      ),
  });
  const refused = await lying.block({ block: 1 }).catch((error) => error);
  expect(refused).toBeInstanceOf(DataError);
  expect(refused.code).toBe('BAD_ANSWER');
});
