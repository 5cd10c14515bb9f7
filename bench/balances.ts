/**
 * `npm run bench:balances`: the balances of a wallet with five tokens under load from 64 connections on loopback, turn by
 * turn with a bare hono answer of the same bytes in the same process; the client is a process of its own, the node a real
 * Anvil. On a machine that others load too, the second ratio is steadier: it is of this process's own time per request.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createTransport } from '../dist/rpc/index.js';
import {
  createDataInterface,
  createDecoder,
  createIndexer,
  createMetrics,
  createService,
  openIndex,
  startServer,
} from '../dist/service/index.js';
import { memoryStore } from '../dist/tree/index.js';
import { accounts, startAnvil } from '../test/support/anvil.js';
import { send } from '../test/support/contracts/contract.js';
import { placeMulticall } from '../test/support/contracts/multicall.js';
import { deployErc20 } from '../test/support/contracts/tokens.js';

const connections = 64;
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const path = `/v1/anvil/address/${accounts[0]}/balances_v2/`;

interface Load {
  perSecond: number;
  /** Processor time per request, all threads, in µs. */
  cpu: number;
  p50: number;
  p99: number;
  failed: number;
}

async function run(client: ChildProcess, port: number): Promise<Load> {
  const start = process.cpuUsage();
  client.send({ connections, seconds, path, port, check: '"error":false' });
  const [load] = await once(client, 'message');
  const { user, system } = process.cpuUsage(start);
  return { ...load, cpu: (user + system) / (load.perSecond * seconds) };
}

const median = (numbers: number[]): number =>
  numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

const node = await startAnvil();
const client = fork(new URL('./balancesLoad.mjs', import.meta.url));
try {
  await placeMulticall(node);
  for (let i = 0; i < 5; i++) {
    const token = await deployErc20(node, `Token ${i}`, `T${i}`);
    await send(node, token.call('mint', accounts[0], BigInt(1000 + i)));
  }
  const store = memoryStore();
  const index = await openIndex({ store, chainId: 31337 });
  await createIndexer({ index, l2: createTransport({ url: node.url }) }).run({ once: true });
  const decoder = await createDecoder({ chains: [{ name: 'anvil', url: node.url }] });
  const data = await createDataInterface({ decoder, chains: [{ name: 'anvil', store }] });
  const limits = { requestsPerSecond: Infinity };
  const metrics = await createMetrics();
  const server = await startServer(await createService({ decoder, data, limits, metrics }));
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`).then((one) => one.text());
  if (JSON.parse(answer).data.items.length !== 6) throw new Error('six items were expected');
  const app = new Hono();
  const headers = { 'content-type': 'application/json' };
  app.get('/v1/:chain/address/:address/balances_v2/', (context) =>
    context.body(answer, 200, headers),
  );
  const bare = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(bare, 'listening');
  const barePort = (bare.address() as { port: number }).port;
  // The first turns warm up.
  for (const port of [barePort, server.port]) await run(client, port);
  const [bares, loads]: [Load[], Load[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    bares.push(await run(client, barePort));
    loads.push(await run(client, server.port));
  }
  const of = (read: (load: Load, bare: Load) => number) =>
    median(loads.map((load, i) => read(load, bares[i] as Load)));
  const failed = loads.reduce((sum, load) => sum + load.failed, 0);
  console.log(`balances of five tokens, cached, ${connections} connections
  ${of(({ perSecond }) => perSecond).toFixed(0)}/s; bare ${of((_, other) => other.perSecond).toFixed(0)}/s; ratio ${of((load, other) => load.perSecond / other.perSecond).toFixed(3)} (by processor time ${of((load, other) => other.cpu / load.cpu).toFixed(3)}), bar 0.3
  p50 ${of(({ p50 }) => p50)} ms, p99 ${of(({ p99 }) => p99)} ms; bare p99 ${of((_, other) => other.p99)} ms; ${failed} failed`);
  bare.close();
  await server.stop();
  await data.close();
  await decoder.close();
} finally {
  client.kill();
  await node.close();
}
