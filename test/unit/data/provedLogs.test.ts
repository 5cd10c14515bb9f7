/** What stands in logs, proven: a real node, our follower, our service, and a client that trusts a root alone. */
import { parseEventLogs } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnchoredRoot } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { createDataClient, type ListPage } from '../../../src/data/index.js';
import { accounts } from '../../support/anvil.js';
import type { Contract } from '../../support/contracts/contract.js';
import { chainName } from '../../support/data.js';
import { historyLies, otherThan } from '../../support/historyLies.js';
import { issuesOf } from '../../support/openApi.js';
import {
  type Lie,
  lyingFetch,
  type ProvenChain,
  provenNetwork,
  startProvenChain,
} from '../../support/provenChain.js';
import { patience, type Wire } from '../../support/runs.js';
import { startHistory, type TokenHistory, wallets } from '../../support/tokenHistory.js';
import { events, readModel } from '../../support/transferModel.js';

const sender = accounts[0] as Hex;
const wallet = wallets[5] as Hex;
const { transfer: transferEvent } = events;

let chain: ProvenChain<TokenHistory>;
let roots: { tree: AnchoredRoot; header: AnchoredRoot };
beforeAll(async () => {
  chain = await startProvenChain({
    isSigned: true,
    async make(node) {
      const history = await startHistory(node, 77);
      const { gold, goods, deed, wrapped } = history;
      await node.mine(
        { ...gold.call('mint', wallet, 1234n), from: sender },
        { ...goods.call('mintBatch', wallet, [1n, 7n], [3n, 4n], '0x'), from: sender },
        { ...deed.call('mint', sender), from: sender },
      );
      await node.mine();
      await node.mine(
        { ...gold.call('mint', sender, 500n), from: sender },
        { ...gold.call('transfer', wallet, 55n), from: sender },
        { ...gold.call('transfer', wallet, 10n ** 30n), from: sender, gas: '0x30000' },
        { ...gold.call('transfer', sender, 7n), from: sender },
      );
      await node.mine({ ...deed.call('transferFrom', sender, wallet, 0n), from: sender });
      await node.mine(
        { ...wrapped.call('deposit'), from: sender, value: 90n },
        { ...wrapped.call('transfer', wallet, 20n), from: sender },
        { ...gold.call('transfer', wallet, 6n), from: sender },
        { ...goods.call('mint', wallet, 7n, 5n, '0x'), from: sender },
      );
      return history;
    },
  });
  const { block } = chain;
  roots = { tree: await chain.anchorAt(block), header: await chain.headerAt(block) };
}, patience);
afterAll(() => chain.close());

const clientOf = (lie: Lie = () => {}, root: AnchoredRoot = roots.tree) =>
  createDataClient({
    ...{ url: chain.served.url, chain: chainName, fetch: lyingFetch(lie) },
    ...{ anchor: root, network: provenNetwork },
  });
type Client = ReturnType<typeof clientOf>;

const quantity = (value: Hex): number => Number(BigInt(value));
const timeOf = ({ timestamp }: Wire): string =>
  `${new Date(1000 * quantity(timestamp)).toISOString().slice(0, 19)}Z`;

/** All pages of a list. */
async function allOf<T>(pages: AsyncIterable<ListPage<T>>) {
  const found: ListPage<T>[] = [];
  for await (const page of pages) found.push(page);
  return { pages: found, items: found.flatMap(({ items }) => items) };
}

/** Runs a lie that must be refused. */
async function refused(what: string, lie: Lie, ask: (client: Client) => Promise<unknown>) {
  const error = await ask(clientOf(lie)).then(
    () => undefined,
    (cause) => cause,
  );
  expect(['NOT_VERIFIED', 'BAD_ANSWER'], what).toContain(error?.code);
}

/** A lie in the first item, or in what it holds, for each of the members. */
const falsified = (names: readonly string[], find: (data: Wire) => Wire): [string, Lie][] =>
  names.map((name) => [
    name,
    (data) => {
      const item = find(data);
      expect(item).toHaveProperty(name);
      item[name] = otherThan(item[name]);
    },
  ]);

/** A server that says that it has no proofs. */
const withoutProofs: Lie = (data) => {
  data.unproven = data.items.splice(0).map((item: Wire) => ({ ...item, verified: true }));
};

describe('transfers', () => {
  const minedNames = [
    ...['block_signed_at', 'block_height', 'block_hash', 'tx_hash', 'tx_offset', 'successful'],
    ...['miner_address', 'from_address', 'to_address', 'value', 'gas_offered', 'gas_spent'],
    ...['gas_price', 'fees_paid'],
  ];
  const names = [
    ...['block_signed_at', 'tx_hash', 'from_address', 'to_address', 'contract_address'],
    ...['transfer_type', 'delta'],
  ];

  /** What the node says that moved of an address's tokens, the oldest first. */
  async function expected(address: Hex, token?: Hex) {
    const { transactions } = await readModel(chain.node);
    return transactions.flatMap(({ block, sent, transfers }) => {
      const own = transfers
        .filter(({ contract }) => token === undefined || contract === token)
        .flatMap(({ contract, from, to, amount }) =>
          (['transfer-out', 'transfer-in'] as const)
            .filter((type) => (type === 'transfer-out' ? from : to) === address)
            .map((type) => ({
              ...{ block_signed_at: timeOf(block), tx_hash: sent.hash },
              ...{ from_address: from, to_address: to, contract_address: contract },
              ...{ transfer_type: type, delta: String(amount) },
            })),
        );
      const place = { block_height: quantity(block.number), block_hash: block.hash };
      return own.length === 0
        ? []
        : [{ ...place, tx_hash: sent.hash, from_address: sent.from, transfers: own }];
    });
  }

  test(
    'each is as the logs of the node have it, of one token and of all',
    async () => {
      for (const root of Object.values(roots)) {
        const client = clientOf(undefined, root);
        for (const address of [sender, wallet]) {
          for (const token of [undefined, chain.made.gold.address]) {
            const wanted = await expected(address, token);
            const old = { address, token, oldestFirst: true };
            const { pages, items } = await allOf(client.transfers({ ...old, pageSize: 2 }));
            expect(items).toMatchObject(wanted);
            expect(items.every(({ verified }) => verified)).toBe(true);
            for (const { unproven, assumed } of pages) {
              expect(unproven).toEqual([]);
              const words = ['operator', 'completeness', 'names', 'quotes'];
              expect(words).toEqual(expect.arrayContaining([...assumed]));
            }
            const newest = await allOf(client.transfers({ address, token }));
            expect(newest.items.map(({ tx_hash: hash }) => hash)).toEqual(
              wanted.map(({ tx_hash: hash }) => hash).reverse(),
            );
          }
        }
      }
    },
    patience,
  );

  test(
    'a lie about one is refused, whichever member tells it',
    async () => {
      const ask = (client: Client) =>
        allOf(client.transfers({ address: sender, token: chain.made.gold.address }));
      const honest = (await ask(clientOf())).items;
      const [first, second] = honest as [Wire, Wire];
      const other = honest.find((one) => one.block_height !== first.block_height) as Wire;
      const lies: Record<string, Lie> = {
        ...historyLies(first.block_height, other.block_height),
        ...Object.fromEntries(falsified(minedNames, ({ items }) => items[0])),
        ...Object.fromEntries(
          falsified(names, ({ items }) => items[0].transfers[0]).map(([name, lie]) => [
            `transfer ${name}`,
            lie,
          ]),
        ),
        'a transfer twice': ({ items: [item] }) => item.transfers.push(item.transfers[0]),
        'no transfers': ({ items: [item] }) => item.transfers.splice(0),
        'a transfer of another transaction': ({ items }) => {
          items[0].transfers = items.find(
            (one: Wire) => one.transfers[0].delta !== items[0].transfers[0].delta,
          ).transfers;
        },
        'the place of another transaction': ({ items }) => {
          items[0].tx_offset = items[0].tx_offset === 0 ? 1 : 0;
        },
        'another transaction': ({ items }) => {
          items[0].tx_hash = second.tx_hash;
        },
      };
      for (const [what, lie] of Object.entries(lies)) await refused(what, lie, ask);
      // A transfer to oneself has two sides: neither can be left out.
      const self = honest.findIndex(({ transfers }) => transfers.length === 2);
      expect(self).toBeGreaterThanOrEqual(0);
      await refused('a side less', ({ items }) => items[self].transfers.pop(), ask);
      await refused('sides swapped', ({ items }) => items[self].transfers.reverse(), ask);
      // What is left out is computed, and what is invented is left out.
      const left = await ask(
        clientOf(({ items }) => {
          for (const item of items) {
            for (const name of ['value', 'fees_paid', 'successful', 'block_hash'])
              delete item[name];
            Object.assign(item, { invented: '4242', verified: true });
            for (const transfer of item.transfers) {
              delete transfer.delta;
              Object.assign(transfer, { balance: '4242', method_calls: [], invented: 1 });
            }
          }
        }),
      );
      expect(left.items).toEqual(honest);
      const { pages, items } = await ask(clientOf(withoutProofs));
      expect(items).toEqual([]);
      expect(pages[0]?.unproven).toHaveLength(honest.length);
    },
    patience,
  );
});

/** What the node says, as items. */
async function nodeLogs(filter: Wire, to = chain.block - 1) {
  const range = { fromBlock: '0x0', toBlock: `0x${to.toString(16)}` };
  const logs: Wire[] = await chain.node.call('eth_getLogs', { ...range, ...filter });
  const items: Wire[] = [];
  for (const log of logs) {
    const block = await chain.node.call('eth_getBlockByNumber', log.blockNumber, false);
    items.push({
      ...{ block_signed_at: timeOf(block), block_height: quantity(log.blockNumber) },
      ...{ block_hash: log.blockHash, tx_offset: quantity(log.transactionIndex) },
      ...{ log_offset: quantity(log.logIndex), tx_hash: log.transactionHash },
      ...{ sender_address: log.address, raw_log_topics: log.topics, raw_log_data: log.data },
      verified: true,
    });
  }
  return items;
}

describe('logs', () => {
  const names = [
    ...['block_signed_at', 'block_height', 'tx_offset', 'log_offset', 'tx_hash'],
    ...['sender_address', 'raw_log_topics', 'raw_log_data'],
  ];
  test(
    'each is as the node has it, of contracts, of events and of ranges, which are whole',
    async () => {
      const { gold, goods } = chain.made;
      for (const [kind, root] of Object.entries(roots)) {
        const client = clientOf(undefined, root);
        const newest = kind === 'header' ? chain.block : chain.block - 1;
        for (const pageSize of [3, undefined]) {
          const ofGold = await allOf(client.listedLogs({ address: gold.address, pageSize }));
          expect(ofGold.items).toMatchObject(await nodeLogs({ address: gold.address }));
          expect(ofGold.pages[0]?.assumed).toEqual(['operator', 'completeness', 'names']);
          const ofTopic = await allOf(client.listedLogs({ topic: transferEvent, pageSize }));
          expect(ofTopic.items).toMatchObject(await nodeLogs({ topics: [transferEvent] }));
        }
        for (const [request, filter] of [
          [{}, {}],
          [{ address: goods.address }, { address: goods.address }],
          [{ topics: [transferEvent] }, { topics: [transferEvent] }],
          [
            { address: gold.address, topics: [transferEvent, `0x${'11'.repeat(32)}` as Hex] },
            { address: gold.address, topics: [transferEvent] },
          ],
          [{ address: wallet }, { address: wallet }],
        ] as const) {
          for (const toBlock of [undefined, newest, newest - 4]) {
            const asked = { fromBlock: 0, ...(toBlock !== undefined && { toBlock }), ...request };
            const page = await client.rangeLogs(asked as Parameters<Client['rangeLogs']>[0]);
            const wanted = await nodeLogs({ ...filter }, toBlock ?? newest);
            // All hangs on the trusted header then.
            const isOwn = (toBlock ?? newest) === chain.block;
            expect(page.items).toMatchObject(wanted);
            expect(page.items).toHaveLength(wanted.length);
            expect([page.unproven, page.complete, page.assumed]).toEqual([
              ...[[], true, [...(isOwn ? [] : ['operator']), 'names']],
            ]);
          }
        }
        const [first] = await nodeLogs({ address: goods.address });
        const blockHash = first?.block_hash as Hex;
        const ofBlock = await client.rangeLogs({ blockHash });
        expect([ofBlock.complete, ofBlock.items.length > 0]).toEqual([true, true]);
        const empty = await chain.node.call('eth_getBlockByNumber', '0x0', false);
        const none = await client.rangeLogs({ blockHash: empty.hash });
        expect([none.complete, none.items]).toEqual([true, []]);
      }
    },
    patience,
  );

  test(
    'a lie about one is refused, whichever member tells it',
    async () => {
      const { gold } = chain.made;
      const logs = await nodeLogs({ address: gold.address });
      const [first, last] = [logs[0], logs.at(-1)] as [Wire, Wire];
      const block = first.block_height;
      const asks: Record<string, (client: Client) => Promise<unknown>> = {
        listed: (client) => allOf(client.listedLogs({ address: gold.address })),
        range: (client) => client.rangeLogs({ fromBlock: 0, address: gold.address }),
      };
      const lies: Record<string, Lie> = {
        ...historyLies(block, last.block_height),
        ...Object.fromEntries(falsified(names, ({ items }) => items[0])),
        'the place of another log': ({ items }) => {
          items[0].log_offset = items.at(-1).log_offset + 1;
        },
        'a topic less': ({ items: [item] }) => item.raw_log_topics.pop(),
        'the data of another log': ({ items }) => {
          items[0].raw_log_data = items.find(
            (one: Wire) => one.raw_log_data !== items[0].raw_log_data,
          ).raw_log_data;
        },
      };
      for (const [kind, ask] of Object.entries(asks)) {
        for (const [what, lie] of Object.entries(lies)) await refused(`${kind}: ${what}`, lie, ask);
        const honest: Wire = (await ask(clientOf())) as Wire;
        const left: Wire = (await ask(
          clientOf(({ items }) => {
            for (const item of items) {
              for (const name of ['block_hash', 'block_signed_at']) delete item[name];
              Object.assign(item, { invented: '4242', decoded: { name: 'Lie' }, verified: true });
            }
          }),
        )) as Wire;
        expect(left.items).toEqual(honest.items);
      }
    },
    patience,
  );

  test(
    'none of a range is left out: what lacks proof is not complete, and what is left out is refused',
    async () => {
      const { gold } = chain.made;
      const { block } = chain;
      const logs = await nodeLogs({ address: gold.address });
      const ask = (client: Client) => client.rangeLogs({ fromBlock: 0, address: gold.address });
      for (const i of logs.keys()) {
        await refused(`log ${i} left out`, ({ items }) => items.splice(i, 1), ask);
      }
      await refused('all left out', ({ items }) => items.splice(0), ask);
      const own = logs[0]?.block_height as number;
      const without: Lie = (data) => {
        data.items = data.items.filter((one: Wire) => one.block_height !== own);
      };
      const other = logs.find((one) => one.block_height !== own)?.block_height as number;
      const cuts: Record<string, Lie> = {
        'another header for it': ({ history }) => {
          history.headers[own] = history.headers[other];
        },
        'a header without its bloom': ({ history }) => {
          // The bloom is what says that there is nothing to look for.
          const header = history.headers[own];
          history.headers[own] = header.replace(/b90100.{512}/, `b90100${'00'.repeat(256)}`);
          expect(history.headers[own]).not.toBe(header);
        },
        'another order of headers': ({ history }) => {
          [history.headers[0], history.headers[1]] = [history.headers[1], history.headers[0]];
        },
        'receipts of another block': ({ history }) => {
          history.receipts[own] = history.receipts[other];
        },
        'no receipts in it': ({ history }) => {
          history.receipts[own] = [];
        },
        'no proof of the newest hash': ({ proofs }) => proofs.accounts.splice(0),
      };
      for (const [what, cut] of Object.entries(cuts)) {
        await refused(
          what,
          (data, url) => {
            without(data, url);
            cut(data, url);
          },
          ask,
        );
      }
      const partial = await ask(
        clientOf((data, url) => {
          without(data, url);
          delete data.history.receipts[own];
        }),
      );
      expect([partial.complete, partial.assumed]).toEqual([
        false,
        ['operator', 'completeness', 'names'],
      ]);
      const hidden = await ask(
        clientOf((data) => {
          data.items.splice(0);
          delete data.history.headers[own];
        }),
      );
      expect([hidden.complete, hidden.items]).toEqual([false, []]);
      const unproven = await ask(clientOf(withoutProofs));
      expect([unproven.complete, unproven.items, unproven.unproven.length]).toEqual([
        ...[false, [], logs.length],
      ]);
      // Logs of a block that is not final under the root have no proof.
      const beyond = await clientOf().rangeLogs({ fromBlock: 0, toBlock: block });
      expect(beyond.complete).toBe(false);
      // An answer about another block has logs of none.
      const two = await chain.node.call('eth_getBlockByNumber', '0x1', false);
      await refused(
        'another block',
        (data) => {
          data.items.splice(0);
          data.block_height = 0;
          data.history.headers[0] = data.history.headers[1];
        },
        (client) => client.rangeLogs({ blockHash: two.hash }),
      );
    },
    patience,
  );
});

test(
  'pages are as the document says',
  async () => {
    const { served, made } = chain;
    const { body: api } = await served.get('/openapi.json');
    for (const [path, name] of [
      [`address/${sender}/transfers_v2/`, 'address/{address}/transfers_v2/'],
      [`events/address/${made.gold.address}/`, 'events/address/{address}/'],
      [`events/topics/${transferEvent}/`, 'events/topics/{topic_hash}/'],
      ['events/', 'events/'],
      [
        `tokens/${made.goods.address}/nft_transactions/7/`,
        'tokens/{contract_address}/nft_transactions/{token_id}/',
      ],
    ] as const) {
      const { get } = api.paths[`/v1/{chain_name}/${name}`];
      for (const more of ['', '?proofs=true', '?proofs=true&proof-kind=header']) {
        const answer = await served.get(`/v1/${chainName}/${path}${more}`);
        expect(answer.status, path).toBe(200);
        expect(issuesOf(api, get, answer), `${path}${more}`).toEqual([]);
      }
    }
  },
  patience,
);

describe('logs that were not asked for', () => {
  test(
    'one without the further topic is refused, though it is proven',
    async () => {
      const word = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;
      const ask = (client: Client) =>
        allOf(client.listedLogs({ topic: transferEvent, furtherTopics: [word(wallet)] }));
      const wanted = (await nodeLogs({ topics: [transferEvent] })).filter((log) =>
        log.raw_log_topics.slice(1).includes(word(wallet)),
      );
      expect((await ask(clientOf())).items).toMatchObject(wanted);
      let all: Wire;
      await allOf(clientOf((data) => (all = data)).listedLogs({ topic: transferEvent }));
      expect(all.items.length).toBeGreaterThan(wanted.length);
      await refused('a log of others', (data) => Object.assign(data, structuredClone(all)), ask);
    },
    patience,
  );

  test(
    'one of another block is refused if the newest one is asked, though it is proven',
    async () => {
      const newest = chain.block - 1;
      const logs = await nodeLogs({});
      const last = logs
        .filter((log) => log.block_height === newest)
        .map((log) => log.sender_address);
      const address = logs.find((log) => !last.includes(log.sender_address))?.sender_address;
      let older: Wire;
      // Each block of these is proven by itself.
      await allOf(clientOf((data) => (older = data)).listedLogs({ address }));
      expect(older.items.length).toBeGreaterThan(0);
      const ask = (client: Client) => client.rangeLogs({ address });
      expect((await ask(clientOf())).items).toEqual([]);
      await refused(
        'logs of older blocks',
        (data) => Object.assign(data, structuredClone(older)),
        ask,
      );
    },
    patience,
  );

  test(
    'a range that begins behind the newest provable block is not complete',
    async () => {
      for (const root of Object.values(roots)) {
        let data: Wire;
        const address = wallet;
        await clientOf((found) => (data = found), root).rangeLogs({ fromBlock: 0, address });
        const client = createDataClient({
          ...{ url: chain.served.url, chain: chainName },
          fetch: async () => new Response(JSON.stringify({ data, error: false })),
          ...{ anchor: root, network: provenNetwork },
        });
        const page = await client.rangeLogs({ fromBlock: chain.block + 1, address });
        expect([page.complete, page.items]).toEqual([false, []]);
        expect(page.assumed).toContain('completeness');
      }
    },
    patience,
  );
});

describe('transactions that moved a token', () => {
  /** What the node says: those whose logs of the contract name the id as moved, the newest first. */
  async function movesOf({ address, abi }: Contract, id: bigint, to = chain.block - 1) {
    const range = { fromBlock: '0x0', toBlock: `0x${to.toString(16)}` };
    const logs = await chain.node.call('eth_getLogs', { ...range, address });
    const moved = parseEventLogs({ abi, logs }).filter(({ eventName, args }: Wire) => {
      const ids = [args.tokenId, args.id, ...(args.ids ?? [])];
      return /^Transfer/.test(eventName) && ids.includes(id);
    });
    return [...new Set(moved.map(({ transactionHash: hash }) => hash))].reverse();
  }
  const hashesOf = (items: readonly Wire[]): Hex[] =>
    items.flatMap((item) => item.nft_transactions.map(({ tx_hash: hash }: Wire) => hash));

  test(
    'are those that the node has, and each is proven',
    async () => {
      const { deed, goods } = chain.made;
      for (const [kind, root] of Object.entries(roots)) {
        const newest = kind === 'header' ? chain.block : chain.block - 1;
        for (const [token, tokenId] of [
          [deed, 0n],
          [goods, 7n],
          [goods, 1n],
        ] as const) {
          const wanted = await movesOf(token, tokenId, newest);
          expect(wanted.length).toBeGreaterThan(0);
          for (const pageSize of [1, undefined]) {
            const asked = { contract: token.address, tokenId, pageSize };
            const client = clientOf(undefined, root);
            const { pages, items } = await allOf(client.nftTransactions(asked));
            expect(hashesOf(items)).toEqual(wanted);
            for (const { nft_transactions: all, verified } of items) {
              expect([verified, ...all.map((one) => one.verified)]).not.toContain(undefined);
              for (const { log_events: logs, tx_hash: hash } of all) {
                const receipt = await chain.node.call('eth_getTransactionReceipt', hash);
                const data = receipt.logs.map((log: Wire) => log.data);
                expect(logs?.map(({ raw_log_data: one }) => one)).toEqual(data);
              }
            }
            for (const { unproven, assumed } of pages) {
              expect(unproven).toEqual([]);
              expect(assumed).toEqual(['operator', 'completeness', 'names', 'quotes']);
            }
          }
        }
      }
    },
    patience,
  );

  test(
    'are refused if a lie is told about one, or another transaction is named',
    async () => {
      const { goods, gold } = chain.made;
      const asked = { contract: goods.address, tokenId: 7n };
      const ask = (client: Client) => allOf(client.nftTransactions(asked));
      const [honest] = (await ask(clientOf())).items as Wire[];
      const [first, second] = honest?.nft_transactions as [Wire, Wire];
      const stranger = (await allOf(clientOf().transfers({ address: sender, token: gold.address })))
        .items[0] as Wire;
      const listed = ({ items }: Wire): Wire[] => items[0].nft_transactions;
      const names = ['block_signed_at', 'block_height', 'tx_hash', 'tx_offset', 'from_address'];
      const lies: Record<string, Lie> = {
        ...historyLies(first.block_height, second.block_height),
        ...Object.fromEntries(falsified(names, (data) => listed(data)[0])),
        'a transaction twice': (data) => listed(data).push(listed(data)[0] as Wire),
        'no transaction': (data) => listed(data).splice(0),
        'one that did not move it': (data) => {
          const { block_height, block_hash, tx_hash, tx_offset } = stranger;
          const place = { block_height, block_hash, tx_hash, tx_offset };
          listed(data).push({ ...(listed(data)[0] as Wire), ...place });
        },
        'another contract': ({ items }) => {
          items[0].contract_address = gold.address;
        },
      };
      for (const [what, lie] of Object.entries(lies)) await refused(what, lie, ask);
      const { pages, items } = await ask(clientOf(withoutProofs));
      expect(items).toEqual([]);
      expect(pages[0]?.unproven).toHaveLength(1);
    },
    patience,
  );
});

async function listOf<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

test('answers that no anchor goes with say so if the client has one', async () => {
  const [trusting, plain] = [clientOf(), chain.client()];
  const asks: Record<string, (client: Client) => Promise<readonly object[]>> = {
    chains: (client) => client.chains(),
    decodeTransaction: async (client) => {
      const { transactions } = await readModel(chain.node);
      const txHash = transactions.at(-1)?.sent.hash as Hex;
      return [await client.decodeTransaction({ txHash })];
    },
    chainsStatus: (client) => client.chainsStatus(),
    resolveAddress: async (client) => [await client.resolveAddress({ address: wallet })],
    transactionsSummary: async (client) => [await client.transactionsSummary({ address: sender })],
    chainsBalances: (client) => listOf(client.chainsBalances({ address: sender })),
    chainsTransactions: (client) =>
      listOf(client.chainsTransactions({ addresses: [sender], pageSize: 100 })),
  };
  for (const [name, ask] of Object.entries(asks)) {
    for (const [client, words] of [
      [trusting, [['everything']]],
      [plain, [undefined, []]],
    ] as const) {
      const answers = (await ask(client)) as readonly { assumed?: readonly string[] }[];
      expect(answers.length, name).toBeGreaterThan(0);
      for (const { assumed } of answers) expect(words, name).toContainEqual(assumed);
    }
  }
});

test('the last transaction of an activity is the newest that is proven', async () => {
  const newest = async () => {
    const [page] = (await allOf(clientOf().transactions({ address: sender }))).pages;
    return page?.items
      .map(({ block_signed_at: time }) => time as string)
      .sort()
      .at(-1) as string;
  };
  const last = await newest();
  const ask = (client: Client) => client.activity({ address: sender });
  const [seen] = await ask(chain.client());
  for (const root of Object.values(roots)) {
    expect(await ask(clientOf(undefined, root))).toEqual([
      {
        ...{ name: seen?.name, chain_id: seen?.chain_id, is_testnet: seen?.is_testnet },
        ...{ label: seen?.label, last_seen_at: last, verified: true },
        assumed: ['operator', 'names', 'quotes', 'completeness'],
      },
    ]);
  }
  const told =
    (lie: Lie): Lie =>
    (data, url) => {
      if (url.includes('/activity/')) lie(data, url);
    };
  const at = (ms: number) => `${new Date(Date.parse(last) + ms).toISOString().slice(0, 19)}Z`;
  await refused(
    'an earlier one',
    told(({ items: [item] }) => (item.last_seen_at = at(-1000))),
    ask,
  );
  await refused(
    'no proofs',
    (data, url) => {
      if (url.includes('transactions_v3')) delete data.proofs;
    },
    ask,
  );
  for (const lie of [at(1000), null, 'soon']) {
    const [item] = await ask(clientOf(told(({ items: [one] }) => (one.last_seen_at = lie))));
    expect([item?.verified, item?.assumed]).toEqual([undefined, ['everything']]);
  }
  // Of another chain, the root says nothing.
  const [other] = await ask(clientOf(told(({ items: [one] }) => (one.chain_id = 1))));
  expect([other?.verified, other?.assumed]).toEqual([undefined, ['everything']]);
  const hidden: Lie = (data, url) => {
    if (url.includes('transactions_v3')) withoutProofs(data, url);
  };
  const [without] = await ask(clientOf(hidden));
  expect([without?.verified, without?.assumed]).toEqual([undefined, ['everything']]);
});
