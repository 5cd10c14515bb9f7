/**
 * `npm run bench -- fair`: how long a light client of one key waits beside 64 connections that ask for the same thing, route
 * by route, as multiples of what it waits alone right before. The bars: p50 at most 2 times, p99 at most 4 times. The
 * server is this process, each client one of its own, the node a real Anvil. Node has the room for new objects that
 * docs/operate.md advises. `BENCH_SECONDS` (default 4) is the time of each measurement, `BENCH_ROUNDS` (default 3) how often
 * each is taken; the middle ones are shown.
 *
 * The light client is first in line for a core, if this user may say so: on a machine of its own it would have one, and here
 * the server and the crowd hold both for up to 3 ms at a time. What it waits then is the server's doing.
 *
 * The first rows are no routes of ours: the same crowd at a bare server, which does no work at all, and the crowd at
 * another server than the light client, where only cores are shared. They say how much of a figure is Node's and the
 * machine's.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { createFollower, genesisLines, loadStateFile } from '../dist/follow/index.js';
import { createTransport } from '../dist/rpc/index.js';
import {
  createDataInterface,
  createDecoder,
  createIndexer,
  createMetrics,
  createService,
  openIndex,
  startServer,
  storeFinality,
} from '../dist/service/index.js';
import { memoryStore, openStateTree } from '../dist/tree/index.js';
import { type Anvil, accounts, startAnvil } from '../test/support/anvil.js';
import { genesisAddresses, genesisOf } from '../test/support/chain.js';
import { deployErc20 } from '../test/support/contracts/tokens.js';

const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const bars = { p50: 2, p99: 4 };
const tokens = 8;

interface Light {
  readonly p50: number;
  readonly p99: number;
}

const client = (): ChildProcess => fork(new URL('./fairClient.mjs', import.meta.url));

/** @returns whether it may be */
function putFirst({ pid }: ChildProcess): boolean {
  try {
    setPriority(pid as number, constants.priority.PRIORITY_HIGHEST);
    return true;
  } catch {
    return false;
  }
}

async function run<T>(process: ChildProcess, job: object): Promise<T> {
  process.send(job);
  const [answer] = await once(process, 'message');
  return answer;
}

/** A wallet with tokens. @returns the last one, and the transaction that gave some of it to the wallet */
async function fill(node: Anvil): Promise<{ hash: string; token: string }> {
  let block = 0;
  let token = '';
  for (let i = 0; i < tokens; i++) {
    const contract = await deployErc20(node, `Token ${i}`, `T${i}`);
    const call = contract.call('mint', accounts[0], BigInt(1000 + i));
    block = await node.mine({ ...call, from: accounts[0] });
    token = contract.address;
  }
  for (let i = 0; i < 3; i++) await node.mine();
  const found = await node.call('eth_getBlockByNumber', `0x${block.toString(16)}`, false);
  return { hash: (found as { transactions: string[] }).transactions[0] as string, token };
}

async function serve(node: Anvil) {
  const l2 = createTransport({ url: node.url });
  const tree = await openStateTree();
  await loadStateFile(tree, genesisLines(await genesisOf(node, genesisAddresses)));
  await createFollower({ tree, l2, fork: 'prague' }).run({ once: true });
  const store = memoryStore();
  const index = await openIndex({ store, chainId: 31337 });
  await createIndexer({ index, l2 }).run({ once: true });
  const decoder = await createDecoder({ chains: [{ name: 'anvil', url: node.url }] });
  const finality = storeFinality(tree);
  const state = { tree, finality, fork: 'prague' } as const;
  const data = await createDataInterface({ decoder, chains: [{ name: 'anvil', store, state }] });
  const service = await createService({
    ...{ tree, finality, decoder, data },
    keys: ['greedy-key', 'modest-key'],
    limits: { requestsPerSecond: Infinity, time: 60_000 },
    metrics: await createMetrics(),
  });
  const server = await startServer(service);
  return {
    port: server.port,
    async close() {
      await server.stop();
      await data.close();
      await decoder.close();
    },
  };
}

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const callOf = (params: unknown[], id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'l2_getProof',
  params,
});
const light = JSON.stringify(callOf([accounts[1], [], 'latest']));

/** What the crowd asks for, by name. */
function routes({ hash, token }: { hash: string; token: string }): Record<string, object> {
  const path = '/v3/greedy-key';
  const headers = { authorization: 'Bearer greedy-key' };
  const slots = Array.from({ length: 256 }, (_, i) => word(2 * i + 1));
  const junk = `${light.slice(0, -1)},"x":["${'y","'.repeat(16_000)}`;
  const batch = Array.from({ length: 100 }, (_, i) => callOf([accounts[0], [], 'latest'], i));
  const question = { chain_name: 'anvil', tx_hash: hash };
  return {
    '/metrics': { path: '/metrics', method: 'GET' },
    '/health': { path: '/health', method: 'GET' },
    '/ready': { path: '/ready', method: 'GET' },
    'a path that is not there': { path: '/nowhere', method: 'GET' },
    'wrong keys': { path: '/v3/wrong-key', body: light },
    'refused bodies of 64 kB': { path, body: junk },
    'wrong JSON': { path, body: '{' },
    'light proofs': { path, body: light },
    'batches of 100': { path, body: JSON.stringify(batch) },
    'proofs of 256 slots': { path, body: JSON.stringify(callOf([token, slots, 'latest'])) },
    'balances with proofs': {
      ...{
        path: `/v1/anvil/address/${accounts[0]}/balances_v2/?proofs=true`,
        method: 'GET',
        headers,
      },
    },
    balances: { path: `/v1/anvil/address/${accounts[0]}/balances_v2/`, method: 'GET', headers },
    'decoded transactions': {
      ...{ path: '/api/v1/tx/decode', headers: { ...headers, 'content-type': 'application/json' } },
      body: JSON.stringify(question),
    },
  };
}

const middle = (numbers: number[]): number =>
  numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

/** A light client, and what a crowd asks for meanwhile. */
interface Pair {
  readonly own: object;
  readonly crowd: object;
}

/** @returns the middle ratios, and what the crowd was answered */
async function measure({ own, crowd }: Pair): Promise<Light & { readonly statuses: object }> {
  const ratios: Light[] = [];
  let statuses = {};
  for (let round = 0; round < rounds; round++) {
    const alone = await run<Light>(modest, { job: 'light', seconds, ...own });
    const asked = run<object>(greedy, { job: 'crowd', ...crowd });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const beside = await run<Light>(modest, { job: 'light', seconds, ...own });
    greedy.send({ job: 'stop' });
    statuses = await asked;
    ratios.push({ p50: beside.p50 / alone.p50, p99: beside.p99 / alone.p99 });
  }
  const p50 = middle(ratios.map((one) => one.p50));
  const p99 = middle(ratios.map((one) => one.p99));
  return { p50, p99, statuses };
}

const told = ({ p50, p99 }: Light) => `p50 ${p50.toFixed(2)} times, p99 ${p99.toFixed(2)} times`;

/** The rows that no work of ours can better. */
async function measureBare(): Promise<void> {
  const [bare, other] = [0, 1].map(() => fork(new URL('./fairBare.mjs', import.meta.url)));
  const ports = await Promise.all(
    [bare, other].map(async (one) => (await once(one as ChildProcess, 'message'))[0]),
  );
  const [port, otherPort] = ports;
  const own = { port, path: '/', body: light };
  const large = JSON.stringify('y'.repeat(64_000));
  for (const [name, body] of Object.entries({
    'light requests': light,
    'bodies of 64 kB': large,
  })) {
    const same = await measure({ own, crowd: { port, path: '/', body } });
    console.log(`a bare server, beside ${name}: ${told(same)}`);
    const apart = await measure({ own, crowd: { port: otherPort, path: '/', body } });
    console.log(`a bare server, beside ${name} at another one: ${told(apart)}`);
  }
  for (const one of [bare, other]) one?.kill();
}

const node = await startAnvil('--auto-impersonate', '--hardfork', 'prague');
const [modest, greedy] = [client(), client()];
console.log(
  `the light client ${putFirst(modest) ? 'is first in line' : 'waits like others'} for a core`,
);
try {
  await measureBare();
  const filled = await fill(node);
  const { port, close } = await serve(node);
  const own = { port, path: '/v3/modest-key', body: light };
  await run(modest, { job: 'light', seconds, ...own });
  let failed = 0;
  for (const [name, target] of Object.entries(routes(filled))) {
    const found = await measure({ own, crowd: { port, ...target } });
    const isMissed = found.p50 > bars.p50 || found.p99 > bars.p99;
    if (isMissed) failed += 1;
    const statuses = JSON.stringify(found.statuses);
    console.log(`beside ${name}: ${told(found)}${isMissed ? ': MISSED' : ''} ${statuses}`);
  }
  console.log(`bars: p50 ${bars.p50} times, p99 ${bars.p99} times; ${failed} missed`);
  await close();
} finally {
  for (const one of [modest, greedy]) one.kill();
  await node.close();
}
