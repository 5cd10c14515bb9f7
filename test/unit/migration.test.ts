/**
 * Ten small programs, as users write them who know of one kind of root: before, at and after the day on which L1 goes over to
 * block hashes they run unchanged, and answer what the node has.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createPublicClient, erc20Abi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineNetwork, fetchAnchor, fetchState } from '../../src/anchor/index.js';
import { createDataClient } from '../../src/data/index.js';
import { createHistory } from '../../src/history/index.js';
import { type Hex, mappingSlot } from '../../src/index.js';
import { createProvider, type Provider } from '../../src/provider/index.js';
import { createTransport } from '../../src/rpc/index.js';
import { createProxy, type OwnState, startServer, storeFinality } from '../../src/service/index.js';
import { verifiedTransport } from '../../src/viem/index.js';
import { accounts } from '../support/anvil.js';
import { type Contract, send } from '../support/contracts/contract.js';
import { deployErc20 } from '../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../support/data.js';
import { newFolder } from '../support/folder.js';
import { type Living, openLiving } from '../support/living.js';
import { receiptOf } from '../support/normalised.js';
import { patience, type Wire } from '../support/runs.js';
import { rollup } from '../support/worlds.js';

const network = defineNetwork({
  name: 'ten',
  l1ChainId: 900,
  l2ChainId: 31337,
  rollup,
  slots: { blockHashes: 456 },
  forks: { prague: 0 },
});
const owner = accounts[1];
const transfer: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** What a user has: URLs, and what to ask for. */
interface Given {
  readonly l1: string;
  readonly l2: string;
  readonly data: string;
  readonly networkFile: string;
  readonly token: Hex;
  /** A transaction that is older than the newest final block. */
  readonly transaction: Hex;
}

/** The two endpoints, as each program opens them. */
const open = ({ l1, l2 }: Given) => ({
  l1: createTransport({ url: l1 }),
  l2: createTransport({ url: l2 }),
  network,
});

async function withProvider<T>(given: Given, use: (provider: Provider) => Promise<T>): Promise<T> {
  const provider = createProvider(open(given));
  try {
    return await use(provider);
  } finally {
    provider.close();
  }
}

const call = (token: Hex) => ({ to: token, data: `0x70a08231${'0'.repeat(24)}${owner.slice(2)}` });

/** What `l2proof` prints as JSON. */
async function command({ l1, l2, networkFile }: Given, ...args: string[]): Promise<string> {
  const ends = ['--l1', l1, '--l2', l2, '--network', networkFile, '--json'];
  const line = ['dist/cli/main.js', ...args, ...ends];
  return (await promisify(execFile)(process.execPath, line)).stdout;
}

const programs = {
  async anchor(given: Given) {
    return (await fetchAnchor(open(given))).l2BlockNumber;
  },
  async state(given: Given) {
    const storageKeys = [mappingSlot(owner, 0)];
    const { state } = await fetchState({ ...open(given), address: given.token, storageKeys });
    return [state.account?.keccakCodeHash, state.storage[0]?.value];
  },
  reads: (given: Given) =>
    withProvider(given, async (provider) => [
      await provider.request({ method: 'eth_getBalance', params: [owner, 'latest'] }),
      await provider.request({
        method: 'eth_getStorageAt',
        params: [given.token, mappingSlot(owner, 0), 'latest'],
      }),
      await provider.request({ method: 'eth_getCode', params: [given.token, 'latest'] }),
    ]),
  call: (given: Given) =>
    withProvider(given, (provider) =>
      provider.request({ method: 'eth_call', params: [call(given.token), 'latest'] }),
    ),
  async viem(given: Given) {
    const client = createPublicClient({ transport: verifiedTransport(open(given)) });
    const { token } = given;
    return [
      await client.getBalance({ address: owner }),
      await client.readContract({
        ...{ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] },
      }),
    ];
  },
  async logs(given: Given) {
    const history = createHistory(open(given));
    const toBlock = (await history.anchor()).l2BlockNumber - 1;
    const { token: address } = given;
    return history.logs({ fromBlock: 0, toBlock, address, topics: [transfer] });
  },
  async tx(given: Given) {
    const history = createHistory(open(given));
    return history.receipt(given.transaction);
  },
  async balances(given: Given) {
    const anchor = await fetchAnchor(open(given));
    const client = createDataClient({ url: given.data, chain: chainName });
    const held: (readonly [unknown, unknown])[] = [];
    for await (const { items } of client.balances({ address: owner, anchor, network })) {
      for (const { verified, balance } of items) held.push([verified, balance]);
    }
    return held;
  },
  async fetch(given: Given) {
    return JSON.parse(await command(given, 'fetch', '--address', owner)).state.account.balance;
  },
  proxy: (given: Given) =>
    withProvider(given, async (provider) => {
      const server = await startServer(await createProxy({ provider }));
      try {
        const proxy = createTransport({ url: `http://127.0.0.1:${server.port}` });
        return await proxy.call('eth_getBalance', [owner, 'latest']);
      } finally {
        await server.stop();
      }
    }),
};

let world: Living;
let served: ServedData;
let token: Contract;
const networkFile = join(newFolder(), 'network.json');
beforeAll(async () => {
  world = await openLiving({ network });
  const { l2, tree } = world;
  writeFileSync(networkFile, JSON.stringify(network));
  token = await deployErc20(l2);
  const state: OwnState = { tree, finality: storeFinality(tree), fork: 'prague' };
  served = await serveData(l2.url, { state });
}, patience);
afterAll(async () => {
  await served?.close();
  await world?.close();
});

describe.each([
  ['before', 'root', 5n],
  ['at', 'both', 7n],
  ['after', 'hash', 11n],
] as const)('%s the migration', (_, writes, minted) => {
  let given: Given;
  let end: number;
  beforeAll(async () => {
    const { l1, l2, url } = world;
    await send(l2, token.call('mint', owner, minted));
    const number = await l2.call('eth_blockNumber');
    const [transaction] = (await l2.call('eth_getBlockByNumber', number, false)).transactions;
    await l2.mine({ to: owner, value: minted });
    end = await world.finalize(writes);
    for (let i = 0; i < 2; i++) await l2.mine();
    await served.feed();
    const data = served.url;
    given = { l1: l1.url, l2: url, data, networkFile, token: token.address, transaction };
  }, patience);

  const ask = (method: string, ...params: unknown[]): Promise<Wire> =>
    world.l2.call(method, ...params, `0x${end.toString(16)}`);

  /** What the node has at the end of the finalization. */
  const expected: { readonly [name in keyof typeof programs]: () => Promise<unknown> } = {
    anchor: async () => end,
    async state() {
      const { codeHash } = await ask('eth_getProof', token.address, []);
      return [codeHash, await ask('eth_getStorageAt', token.address, mappingSlot(owner, 0))];
    },
    reads: async () => [
      await ask('eth_getBalance', owner),
      await ask('eth_getStorageAt', token.address, mappingSlot(owner, 0)),
      await ask('eth_getCode', token.address),
    ],
    call: () => ask('eth_call', call(token.address)),
    viem: async () => [
      BigInt(await ask('eth_getBalance', owner)),
      BigInt(await ask('eth_call', call(token.address))),
    ],
    logs() {
      const range = { fromBlock: '0x0', toBlock: `0x${(end - 1).toString(16)}` };
      const { address } = token;
      return world.l2.call('eth_getLogs', { ...range, address, topics: [transfer] });
    },
    tx: async () => receiptOf(await world.l2.call('eth_getTransactionReceipt', given.transaction)),
    balances: async () => [
      [true, String(BigInt(await ask('eth_getBalance', owner)))],
      [true, String(BigInt(await ask('eth_call', call(token.address))))],
    ],
    fetch: async () => String(BigInt(await ask('eth_getBalance', owner))),
    proxy: () => ask('eth_getBalance', owner),
  };

  test('L1 has what it says', async () => {
    const { kind } = await fetchAnchor(open(given));
    expect(kind).toBe(writes === 'root' ? 'tree' : 'header');
  });

  test('the command for logs names the last block whose logs are proven', async () => {
    const lines = (await command(given, 'logs', '--from', '0')).trimEnd().split('\n');
    const { complete, logs, toBlock } = JSON.parse(lines.at(-1) as string);
    expect([complete, logs]).toEqual([true, lines.length - 1]);
    expect(toBlock).toBe(writes === 'root' ? end - 1 : end);
  });

  test.each(Object.keys(programs) as (keyof typeof programs)[])('%s', async (name) => {
    expect(await programs[name](given)).toEqual(await expected[name]());
  });
});
