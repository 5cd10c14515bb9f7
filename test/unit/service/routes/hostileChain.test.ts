/** A chain whose contracts emit more than anybody wants: every route answers what the node says, or what bounds it and how to go on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { checkIndex } from '../../../../src/indexer/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { deployHostile } from '../../../support/contracts/hostile.js';
import {
  deployStorm,
  type Storm,
  type StormKind,
  stormKinds,
} from '../../../support/contracts/storm.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import { askData, type DataAsker, itemsOf } from '../../../support/dataRoutes.js';
import { patience, type Wire } from '../../../support/runs.js';

const isDeep = process.env.DEEP !== undefined;
/** Blocks of approvals, and approvals of each. */
const approvals = isDeep ? { blocks: 20, each: 5000 } : { blocks: 3, each: 1000 };
/** Logs with nothing in them. With all others of the first account, they are more than the 50,000 that an answer takes, and cost less. */
const empties = { blocks: 2, each: 16_500 };
const topics = 3000;
const ids = 10_000;
const wallet: Hex = `0x${'5e'.repeat(20)}`;
const max = 2n ** 256n - 1n;

let node: Anvil;
let served: ServedData;
let ask: DataAsker;
const storms = {} as Record<StormKind, Storm>;
const at = {} as Record<StormKind, number>;

const hexOf = (block: number) => `0x${block.toString(16)}`;
const on = (path: string) => `${chainName}/${path}`;

beforeAll(async () => {
  node = await startAnvil('--gas-limit', '4000000000', '--hardfork', 'prague');
  await deployHostile(node, wallet);
  for (const kind of stormKinds) {
    storms[kind] = await deployStorm(node, kind);
  }
  at.batch = await node.mine(storms.batch.of(BigInt(ids), wallet, 0n));
  at.topics = await node.mine(storms.topics.of(BigInt(topics)), storms.four.of(5n, max));
  at.four = at.topics;
  at.data = await node.mine(storms.data.of(2n ** 20n), storms.data.of(31n), storms.data.of(0n));
  for (let block = 0; block < empties.blocks; block++) {
    await node.mine(storms.empty.of(BigInt(empties.each)));
  }
  for (let block = 0; block < approvals.blocks; block++) {
    at.approvals = await node.mine(storms.approvals.of(BigInt(approvals.each), wallet));
  }
  for (const count of [6000n, 3000n, 3000n]) {
    at.transfers = await node.mine(storms.transfers.of(count));
  }
  const fees = (await node.call('eth_getBlockReceipts', hexOf(at.transfers))) as Wire[];
  expect(fees[0].status).toBe('0x1');
  served = await serveData(node.url);
  ask = await askData(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

const logsAt = (block: number): Promise<Wire[]> =>
  node.call('eth_getLogs', { fromBlock: hexOf(block), toBlock: hexOf(block) });
const places = (logs: Wire[]) =>
  logs.map((log) => [Number(log.blockNumber), Number(log.logIndex), log.topics, log.data.length]);
const listed = (items: Wire[]) =>
  items.map((log) => [
    ...[log.block_height, log.log_offset, log.raw_log_topics, log.raw_log_data.length],
  ]);

test(
  'a batch of 10,000 ids, 2^256 - 1 among them, is one log and as many tokens',
  async () => {
    const [log] = await logsAt(at.batch);
    expect(log.data.length).toBe(2 + 64 * (4 + 2 * ids));
    const { items } = await ask.data(on(`events/address/${storms.batch.address}/`));
    expect(listed(items)).toEqual(places([log]));
    expect(items[0].decoded.name).toBe('TransferBatch');
    const one = await ask.data(on(`transaction_v2/${log.transactionHash}/`));
    expect(listed(one.items[0].log_events)).toEqual(places([log]));
    const summary = await ask.data(
      on(`address/${wallet}/transactions_summary/?with-transfer-count=true&with-gas=true`),
    );
    // The hostile tokens sent one each.
    expect(summary.items[0].transfer_count).toBeGreaterThanOrEqual(ids);
    const whole = await ask.data(on(`address/${wallet}/balances_v2/?page-size=1000`));
    expect(whole.block_height).toBe(Number(await node.call('eth_blockNumber')));
  },
  patience,
);

test(
  'a block of thousands of topics is listed whole, and each topic leads to its log',
  async () => {
    const logs = await logsAt(at.topics);
    expect(logs).toHaveLength(topics + 5);
    const path = on(`events/address/${storms.topics.address}/?page-size=1000`);
    expect(listed(await itemsOf(ask, path))).toEqual(places(logs.slice(0, topics)));
    for (const log of [logs[0], logs[topics - 1]]) {
      const found = await ask.data(on(`events/topics/${log.topics[0]}/`));
      expect(listed(found.items)).toEqual(places([log]));
    }
    const word = `0x${'f'.repeat(64)}`;
    const four = await ask.data(on(`events/topics/${word}/?secondary-topics=${word}`));
    expect(listed(four.items)).toEqual(places(logs.slice(topics)));
    expect(four.items[0]).toMatchObject({
      raw_log_topics: [word, word, word, word],
      decoded: null,
    });
    const all = await ask.data(on(`events/?starting-block=${at.topics}&ending-block=${at.topics}`));
    expect(listed(all.items)).toEqual(places(logs));
  },
  patience,
);

test(
  'data of a megabyte, of odd bytes, and none',
  async () => {
    const logs = await logsAt(at.data);
    expect(logs.map(({ data }) => (data.length - 2) / 2)).toEqual([2 ** 20, 31, 0]);
    for (const path of [
      `events/address/${storms.data.address}/`,
      `events/?starting-block=${at.data}&ending-block=${at.data}`,
    ]) {
      expect(listed((await ask.data(on(path))).items)).toEqual(places(logs));
    }
    const block = await ask.data(on(`block/${at.data}/transactions_v3/page/0/`));
    expect(block.items.flatMap((one: Wire) => listed(one.log_events))).toEqual(places(logs));
  },
  patience,
);

test(
  'approvals of one wallet by the thousand are its transactions, and no more work than others',
  async () => {
    const path = on(`address/${wallet}/transactions_v3/page/0/`);
    const { items } = await ask.data(`${path}?no-logs=true`);
    const own = items.filter(({ to_address: to }: Wire) => to === storms.approvals.address);
    expect(own).toHaveLength(approvals.blocks);
    const { status, message } = await ask.failure(`${path}?quote-currency=XYZ`);
    expect([status, message]).toEqual([400, expect.stringContaining('quote-currency')]);
    const told = { status: 400, message: expect.stringContaining('no-logs=true') };
    if (isDeep) expect(await ask.failure(path)).toEqual(told);
    else {
      const whole = await ask.data(path);
      const logs = whole.items.flatMap(({ log_events }: Wire) => log_events).length;
      expect(logs).toBeGreaterThan(approvals.blocks * approvals.each);
    }
    // More logs than an answer takes: what to ask for instead is said, and works.
    const all = on(`address/${accounts[0]}/transactions_v3/`);
    expect(await ask.failure(all)).toEqual(told);
    const without = await ask.data(`${all}?no-logs=true`);
    expect(without.items.length).toBeGreaterThan(10);
    expect(without.items.every(({ log_events }: Wire) => log_events === null)).toBe(true);
  },
  patience,
);

test(
  'logs of more than 2,000 blocks are at most 10,000, and the range that is named works',
  async () => {
    await node.call('anvil_mine', '0x7d1');
    await served.feed();
    const last = Number(await node.call('eth_blockNumber'));
    const first = at.transfers - 2;
    const range = (from: number, to: number) =>
      on(`events/?starting-block=${from}&ending-block=${to}&skip-decode=true`);
    const told = await ask.failure(range(first, last));
    expect(told.status).toBe(400);
    const [, from, to] = /more than 10000 logs .* the range from (\d+) to (\d+) works/.exec(
      told.message,
    ) as string[];
    expect([from, to].map(Number)).toEqual([first, at.transfers - 1]);
    const { items } = await ask.data(range(Number(from), Number(to)));
    expect(items).toHaveLength(9000);
    // A shorter range comes whole, and so do few logs of a longer one.
    expect((await ask.data(range(first, first + 1999))).items).toHaveLength(12_000);
    expect((await ask.data(range(at.transfers + 1, last))).items).toEqual([]);
    const batch = `${range(at.batch, last)}&address=${storms.batch.address}`;
    expect((await ask.data(batch)).items).toHaveLength(1);
  },
  patience,
);

test(
  'the index of it fits together',
  async () => {
    const found = await checkIndex({ store: served.store });
    expect(found.sums).toBeGreaterThan(ids);
  },
  patience,
);

test(
  'names that are no text come as text',
  async () => {
    const { body } = await served.balances(wallet);
    const names = body.data.items.map(({ contract_name }: Wire) => contract_name);
    expect(names.length).toBeGreaterThan(2);
    for (const name of names)
      expect(name ?? '').not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    expect(accounts.length).toBe(2);
  },
  patience,
);
