/** Blocks and transactions that prove themselves: a real node, our follower, our service, and a client that trusts a root alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnchoredRoot } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { createDataClient } from '../../../src/data/index.js';
import type { NodeReceipt } from '../../support/answers.js';
import { accounts, revertingInit } from '../../support/anvil.js';
import { delegate } from '../../support/chain.js';
import { chainName } from '../../support/data.js';
import { otherThan } from '../../support/historyLies.js';
import { issuesOf } from '../../support/openApi.js';
import {
  lyingFetch,
  type ProvenChain,
  provenNetwork,
  startProvenChain,
} from '../../support/provenChain.js';
import { patience, type Wire } from '../../support/runs.js';
import { startHistory, type TokenHistory, wallets } from '../../support/tokenHistory.js';

const sender = accounts[0] as Hex;
const wallet = wallets[5] as Hex;

let chain: ProvenChain<TokenHistory>;
/** What is trusted: the newest final block by its root, or by its header. */
let roots: { tree: AnchoredRoot; header: AnchoredRoot };
beforeAll(async () => {
  chain = await startProvenChain({
    isSigned: true,
    async make(node) {
      const history = await startHistory(node, 77);
      const { gold, goods } = history;
      await node.mine(
        { ...gold.call('mint', wallet, 1234n), from: sender },
        { ...gold.call('transfer', wallet, 10n ** 30n), from: sender, gas: '0x30000' },
        { ...goods.call('mintBatch', wallet, [1n, 7n], [3n, 4n], '0x'), from: sender },
        { data: `0x${revertingInit}`, from: sender, gas: '0x30000' },
      );
      await node.mine();
      await node.call('evm_increaseTime', 3600);
      await node.mine(
        { to: wallet, value: 5n, from: sender, gasPrice: '0x77359400', type: '0x0' },
        {
          to: wallet,
          value: 6n,
          from: sender,
          gasPrice: '0x77359400',
          type: '0x1',
          accessList: [],
        },
        { to: wallet, value: 7n, from: sender, maxFeePerGas: '0x77359400', type: '0x2' },
        delegate(gold.address, 0),
      );
      return history;
    },
  });
  const { block } = chain;
  roots = { tree: await chain.anchorAt(block), header: await chain.headerAt(block) };
}, patience);
afterAll(() => chain.close());

const clientOf = (change: (data: Wire) => void = () => {}, root: AnchoredRoot = roots.tree) =>
  createDataClient({
    ...{ url: chain.served.url, chain: chainName, fetch: lyingFetch(change) },
    ...{ anchor: root, network: provenNetwork },
  });

const quantity = (value: Hex): number => Number(BigInt(value));
const timeOf = ({ timestamp }: { timestamp: Hex }): string =>
  `${new Date(1000 * quantity(timestamp)).toISOString().slice(0, 19)}Z`;
const nodeBlock = (number: number): Promise<Wire> =>
  chain.node.call('eth_getBlockByNumber', `0x${number.toString(16)}`, true);

/** What the node says of a block, as an item. */
const blockOf = (block: Wire) => ({
  height: quantity(block.number),
  block_hash: block.hash,
  block_parent_hash: block.parentHash,
  signed_at: timeOf(block as { timestamp: Hex }),
  extra_data: block.extraData,
  miner_address: block.miner,
  gas_used: quantity(block.gasUsed),
  gas_limit: quantity(block.gasLimit),
});

/** What the node says of a transaction, as an item. */
function minedOf(sent: Wire, receipt: NodeReceipt, block: Wire) {
  const place = {
    block_signed_at: timeOf(block as { timestamp: Hex }),
    block_height: quantity(block.number),
    block_hash: block.hash,
    tx_hash: sent.hash,
    tx_offset: quantity(sent.transactionIndex),
  };
  return {
    ...place,
    successful: receipt.status === '0x1',
    miner_address: block.miner,
    from_address: receipt.from,
    to_address: receipt.to,
    value: String(BigInt(sent.value)),
    gas_offered: quantity(sent.gas),
    gas_spent: quantity(receipt.gasUsed),
    gas_price: quantity(receipt.effectiveGasPrice),
    fees_paid: String(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)),
    log_events: receipt.logs.map((log) => ({
      ...place,
      log_offset: quantity(log.logIndex as Hex),
      sender_address: log.address,
      raw_log_topics: log.topics,
      raw_log_data: log.data,
    })),
  };
}

interface Mined {
  readonly hash: Hex;
  readonly mined: ReturnType<typeof minedOf>;
}

/** All transactions that are proven, as the node has them. */
async function allMined(): Promise<Mined[]> {
  const all: Mined[] = [];
  for (let number = 0; number < chain.block; number++) {
    const block = await nodeBlock(number);
    for (const sent of block.transactions) {
      const receipt = await chain.node.call('eth_getTransactionReceipt', sent.hash);
      all.push({ hash: sent.hash, mined: minedOf(sent, receipt, block) });
    }
  }
  return all;
}

type Client = ReturnType<typeof clientOf>;

/** The error that a lie comes to. */
async function refused(
  lie: (data: Wire) => void,
  ask: (client: Client) => Promise<unknown>,
  what: string,
) {
  for (const root of Object.values(roots)) {
    const error = await ask(clientOf(lie, root)).then(
      () => undefined,
      (cause) => cause,
    );
    expect(['NOT_VERIFIED', 'BAD_ANSWER'], what).toContain(error?.code);
  }
}

/** What a server can do to the proofs of a page about a block. */
const lies = (block: number): Record<string, (data: Wire) => void> => ({
  'no history': (data) => delete data.history,
  'no proofs': (data) => delete data.proofs,
  'no header': (data) => delete data.history.headers[block],
  'another header': (data) => {
    data.history.headers[block] = otherThan(data.history.headers[block]);
  },
  'a header that is none': (data) => (data.history.headers[block] = '0x'),
  'no proof of the slot': (data) => data.proofs.accounts.splice(0),
  'another slot': (data) => data.proofs.accounts[0].storageKeys.reverse().pop(),
});

/** The transactions of the block that has most, of those the first with logs first. */
function inFullBlock<T extends { mined: { block_height: number; log_events: unknown[] } }>(
  all: T[],
) {
  const counts = all.map(
    ({ mined }) => all.filter((one) => one.mined.block_height === mined.block_height).length,
  );
  const most = Math.max(...counts);
  const block = all[counts.indexOf(most)]?.mined.block_height;
  const own = all.filter(({ mined }) => mined.block_height === block);
  return own.sort((a, b) => b.mined.log_events.length - a.mined.log_events.length);
}

describe('blocks', () => {
  test(
    'each is as the node has it, under a root and under a header',
    async () => {
      for (const [kind, root] of Object.entries(roots)) {
        const client = clientOf(undefined, root);
        const newest = kind === 'header' ? chain.block : chain.block - 1;
        for (let block = 0; block <= newest; block++) {
          const item = await client.block({ block });
          const assumed = block === chain.block ? [] : ['operator'];
          expect(item).toEqual({ ...blockOf(await nodeBlock(block)), verified: true, assumed });
        }
        expect((await client.block()).height).toBe(newest);
        if (kind === 'tree') {
          const item = await client.block({ block: chain.block });
          expect(item).toMatchObject({ height: chain.block, assumed: ['everything'] });
          expect(item.verified).toBeUndefined();
        }
      }
    },
    patience,
  );

  test(
    'a lie about one is refused, whichever member tells it',
    async () => {
      const block = chain.block - 3;
      const honest = await clientOf().block({ block });
      for (const name of Object.keys(blockOf(await nodeBlock(block)))) {
        await refused(
          (data) => {
            data.items[0][name] = otherThan(data.items[0][name]);
          },
          (client) => client.block({ block }),
          name,
        );
        // What is left out is computed.
        const left = await clientOf((data) => {
          if (name !== 'height' && name !== 'block_hash') delete data.items[0][name];
          data.items[0].invented = 4242;
          data.items[0].verified = true;
        }).block({ block });
        expect(left, name).toEqual(honest);
      }
      const ask = (client: Client) => client.block({ block });
      for (const [what, lie] of Object.entries(lies(block))) await refused(lie, ask, what);
      const unproven = await clientOf((data) => {
        data.unproven = data.items.splice(0).map((item: Wire) => ({ ...item, verified: true }));
      }).block({ block });
      expect([unproven.verified, unproven.assumed]).toEqual([undefined, ['everything']]);
    },
    patience,
  );
});

describe('transactions', () => {
  test(
    'each is as the node has it, with its logs',
    async () => {
      const all = await allMined();
      expect(all.length).toBeGreaterThan(12);
      const client = clientOf();
      for (const { hash, mined } of all) {
        const item = await client.transaction({ txHash: hash, inputData: true });
        expect(item).toMatchObject({ ...mined, verified: true });
        expect(item.assumed).toEqual(['operator', 'names', 'quotes']);
      }
    },
    patience,
  );

  test(
    'a lie about one is refused, whichever member tells it',
    async () => {
      const all = await allMined();
      const [{ hash, mined }, other] = inFullBlock(all) as [(typeof all)[0], (typeof all)[0]];
      const block = mined.block_height;
      const ask = (client: Client) => client.transaction({ txHash: hash, inputData: true });
      const honest = await ask(clientOf());
      const { log_events: logs, ...members } = mined;
      for (const name of [...Object.keys(members), 'input_data']) {
        await refused(
          ({ items: [item] }) => {
            if (name === 'input_data') item.input_data.method_id = '0x11111111';
            else item[name] = otherThan(item[name]);
          },
          ask,
          name,
        );
      }
      for (const name of Object.keys(logs[0] as object)) {
        await refused(
          ({ items: [item] }) => {
            const [log] = item.log_events;
            log[name] = otherThan(log[name] ?? block);
          },
          ask,
          `log ${name}`,
        );
      }
      const bodies: Record<string, (data: Wire) => void> = {
        'a log less': ({ items: [item] }) => item.log_events.pop(),
        'no logs': ({ items: [item] }) => (item.log_events = []),
        'a log twice': ({ items: [item] }) => item.log_events.push(item.log_events[0]),
        'no transactions': ({ history }) => delete history.transactions[block],
        'no receipts': ({ history }) => delete history.receipts[block],
        'a transaction less': ({ history }) => history.transactions[block].pop(),
        'a receipt less': ({ history }) => history.receipts[block].pop(),
        'a receipt twice': ({ history }) =>
          history.receipts[block].fill(history.receipts[block][0]),
        'transactions in another order': ({ history }) => history.transactions[block].reverse(),
        'receipts in another order': ({ history }) => history.receipts[block].reverse(),
        'a changed receipt': ({ history }) => {
          history.receipts[block][0] = otherThan(history.receipts[block][0]);
        },
        'another transaction of the block': ({ items: [item] }) => (item.tx_offset = 1),
        'another transaction': ({ items: [item] }) => (item.tx_hash = other.hash),
      };
      for (const [what, lie] of Object.entries({ ...lies(block), ...bodies })) {
        await refused(lie, ask, what);
      }
      // What is left out is computed, and what is invented is left out.
      const left = await ask(
        clientOf(({ items: [item] }) => {
          for (const name of Object.keys(item)) {
            if (
              /value|fees|gas_spent|successful|log_events|miner/.test(name) &&
              !/quote/.test(name)
            )
              item[name] = null;
          }
          Object.assign(item, { invented: '4242', internal_transfers: [], verified: true });
          Object.assign(item, { from_address_label: 'me', explorers: [{ url: 'x' }] });
        }),
      );
      for (const name of ['sender_name', 'supports_erc', 'sender_contract_decimals']) {
        for (const log of honest.log_events ?? []) delete (log as Wire)[name];
      }
      expect(left).toMatchObject(mined);
      expect(Object.keys(left).sort()).toEqual(Object.keys(honest).sort());
    },
    patience,
  );
});

/** All pages of a list. */
async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages) found.push(page);
  return found;
}

describe('lists', () => {
  test(
    'a block has all its transactions, and it is proven that none is left out',
    async () => {
      const mined = await allMined();
      const client = clientOf();
      for (let block = 0; block < chain.block; block++) {
        const own = mined.filter((one) => one.mined.block_height === block);
        const { hash } = await nodeBlock(block);
        for (const asked of [{ block }, { blockHash: hash as Hex }]) {
          const [page, ...others] = await all(client.blockTransactions(asked));
          expect(others).toEqual([]);
          expect(page).toMatchObject({
            ...{ complete: true, total: own.length, blockNumber: block, blockHash: hash },
            items: own.map((one) => ({ ...one.mined, verified: true })),
            assumed: ['operator', 'names', 'quotes'],
          });
          expect(page?.items.length).toBe(own.length);
        }
      }
      const [newest] = await all(client.blockTransactions());
      expect(newest?.blockNumber).toBe(chain.block - 1);
    },
    patience,
  );

  test(
    'a block from which a transaction is left out is refused',
    async () => {
      const [{ mined }] = inFullBlock(await allMined()) as [Mined];
      const { block_height: block, block_hash: blockHash } = mined;
      const bodies: Record<string, (data: Wire) => void> = {
        'the first left out': ({ items }) => items.shift(),
        'the last left out': ({ items }) => items.pop(),
        'all left out': ({ items }) => items.splice(0),
        'one not proven': (data) => {
          data.unproven = data.items.splice(1, 1);
        },
        'one twice': ({ items }) => items.push(items[0]),
        'another order': ({ items }) => items.reverse(),
        'two exchanged': ({ items }) => {
          const [first, second] = items;
          [first.tx_hash, second.tx_hash] = [second.tx_hash, first.tx_hash];
        },
        'more to come': (data) => {
          data.items.pop();
          data.links = { next: `/page/1/` };
        },
      };
      for (const [what, lie] of Object.entries({ ...lies(block), ...bodies })) {
        await refused(lie, (client) => all(client.blockTransactions({ block })), what);
        if (what === 'more to come') continue;
        await refused(lie, (client) => all(client.blockTransactions({ blockHash })), what);
      }
      // The block of another hash, dressed up as the one that was asked for.
      const other = await nodeBlock(block - 1);
      let whole: Wire;
      await all(clientOf((data) => (whole = data)).blockTransactions({ block }));
      await refused(
        (data) => {
          Object.assign(data, structuredClone(whole), { block_hash: other.hash });
          for (const item of data.items) item.block_hash = null;
        },
        (client) => all(client.blockTransactions({ blockHash: other.hash })),
        'another hash',
      );
      // The genesis has none.
      const [empty] = await all(clientOf().blockTransactions({ block: 0 }));
      expect(empty).toMatchObject({ items: [], complete: true });
      // Without a proof it is a claim that a block has none.
      const [claimed] = await all(
        clientOf((data) => {
          data.items = [];
          data.history = { headers: {}, transactions: {}, receipts: {} };
        }).blockTransactions({ block }),
      );
      expect(claimed?.complete).toBeUndefined();
      expect(claimed?.assumed).toContain('completeness');
      // The same of a block by its hash, whose number the server does not say.
      const [nameless] = await all(
        clientOf((data) => {
          data.items = [];
          for (const name of ['block_height', 'history', 'proofs']) delete data[name];
        }).blockTransactions({ blockHash }),
      );
      expect(nameless?.complete).toBeUndefined();
      expect(nameless?.assumed).toEqual(['everything']);
    },
    patience,
  );

  test(
    'the transactions of a wallet, by pages and by time, are as the node has them',
    async () => {
      const mined = new Map((await allMined()).map((one) => [one.hash, one.mined]));
      for (const root of Object.values(roots)) {
        const client = clientOf(undefined, root);
        for (const [address, count] of [
          [sender, mined.size],
          [wallet, 5],
        ] as const) {
          const pages = [
            ...[await all(client.transactions({ address }))],
            ...[await all(client.transactionBuckets({ address }))],
            ...[[await client.transactionsPage({ address, page: 0 })]],
          ];
          for (const list of pages) {
            const items = list.flatMap((page) => page.items);
            expect(items.length).toBe(count);
            for (const item of items) {
              const known = mined.get(item.tx_hash as Hex) as object;
              expect(item).toMatchObject({ ...known, verified: true });
            }
            for (const { assumed, unproven } of list) {
              expect(assumed).toEqual(['operator', 'names', 'quotes', 'completeness']);
              expect(unproven).toEqual([]);
            }
          }
        }
      }
      const { items } = await clientOf().transactionsPage({ address: wallet });
      const strange = (await clientOf().transactionsPage({ address: sender })).items.find(
        ({ tx_hash: hash }) => !items.some((one) => one.tx_hash === hash),
      );
      let other: Wire;
      const pageOf = (address: Hex) => (client: Client) => client.transactionsPage({ address });
      await pageOf(sender)(clientOf((data) => (other = data)));
      const bodies: Record<string, (data: Wire) => void> = {
        'one of another wallet': (data) => {
          data.items = other.items.filter((one: Wire) => one.tx_hash === strange?.tx_hash);
          [data.proofs, data.history] = [other.proofs, other.history];
        },
        'one twice': (data) => data.items.push(data.items[0]),
        'no proofs': (data) => delete data.proofs,
      };
      for (const [what, lie] of Object.entries(bodies)) {
        await refused(lie, pageOf(wallet), what);
      }
      // What is proven is of another quarter of an hour than the one that was asked for.
      let timed: Wire = {};
      for await (const page of clientOf((data) => (timed = data)).transactionBuckets({
        address: wallet,
      })) {
        expect(page.items.length).toBeGreaterThan(0);
      }
      for (const names of [[], ['block_signed_at']]) {
        await refused(
          (data) => {
            Object.assign(data, structuredClone(timed), { current_bucket: 7, links: null });
            for (const item of data.items) for (const name of names) delete item[name];
          },
          (client) => all(client.transactionBuckets({ address: wallet, bucket: 7 })),
          'another quarter of an hour',
        );
      }
    },
    patience,
  );

  test(
    'the blocks of a time are one behind the other, and each is as the node has it',
    async () => {
      const client = clientOf();
      // The node's clock goes ahead.
      const times = { fromTime: new Date(0), toTime: new Date(4e12) };
      for (const pageSize of [5, 100]) {
        const pages = await all(client.blocks({ ...times, pageSize }));
        const items = pages.flatMap((page) => page.items);
        expect(items.map(({ height }) => height)).toEqual(
          Array.from({ length: chain.block }, (_, i) => i),
        );
        for (const item of items) {
          expect(item).toEqual({ ...blockOf(await nodeBlock(item.height)), verified: true });
        }
        for (const { assumed } of pages) expect(assumed).toEqual(['operator', 'completeness']);
      }
      const bodies: Record<string, (data: Wire) => void> = {
        'one left out': ({ items }) => items.splice(2, 1),
        'one twice': ({ items }) => items.splice(2, 0, items[2]),
        'another order': ({ items }) => items.reverse(),
        'no history': (data) => delete data.history,
      };
      for (const [what, lie] of Object.entries(bodies)) {
        await refused(lie, (one) => all(one.blocks(times)), what);
      }
      const timesOf = await Promise.all(
        Array.from({ length: chain.block }, async (_, i) =>
          quantity((await nodeBlock(i)).timestamp),
        ),
      );
      const middle = timesOf.at(-1) as number;
      const toTime = new Date(1000 * middle);
      const [page] = await all(client.blocks({ ...times, toTime }));
      const before = timesOf.filter((time) => time < middle).length;
      expect(before).toBeGreaterThan(0);
      expect(page?.items.length).toBe(before);
      let whole: Wire;
      await all(clientOf((data) => (whole = data)).blocks(times));
      for (const [what, question] of Object.entries({
        'of before': { ...times, fromTime: toTime },
        'of afterwards': { ...times, toTime },
      })) {
        const lie = (data: Wire) => Object.assign(data, structuredClone(whole));
        await refused(lie, (one) => all(one.blocks(question)), what);
      }
    },
    patience,
  );

  test(
    'pages are as the document says, and what the node has wrong is no answer',
    async () => {
      const [{ hash, mined }] = (await allMined()) as [Awaited<ReturnType<typeof allMined>>[0]];
      const { served } = chain;
      const { body: api } = await served.get('/openapi.json');
      for (const [path, query] of [
        [`block_v2/${mined.block_height}/`, '/v1/{chain_name}/block_v2/{block_height}/'],
        [`transaction_v2/${hash}/`, '/v1/{chain_name}/transaction_v2/{tx_hash}/'],
        [
          `block/${mined.block_height}/transactions_v3/page/0/`,
          '/v1/{chain_name}/block/{block_height}/transactions_v3/page/{page_number}/',
        ],
        [
          `block_hash/${mined.block_hash}/transactions_v3/`,
          '/v1/{chain_name}/block_hash/{block_hash}/transactions_v3/',
        ],
        [
          `address/${sender}/transactions_v3/`,
          '/v1/{chain_name}/address/{address}/transactions_v3/',
        ],
        [`bulk/transactions/${sender}/`, '/v1/{chain_name}/bulk/transactions/{address}/'],
        ['block_v2/1970-01-01/latest/', '/v1/{chain_name}/block_v2/{start_date}/{end_date}/'],
      ] as const) {
        const { get } = api.paths[query];
        for (const more of ['', '?proofs=true', '?proofs=true&proof-kind=header']) {
          const answer = await served.get(`/v1/${chainName}/${path}${more}`);
          expect(answer.status, path).toBe(200);
          expect(issuesOf(api, get, answer), `${path}${more}`).toEqual([]);
        }
      }
    },
    patience,
  );
});
