/**
 * `npm run bench:service`: the service under load from 64 connections on loopback, turn by turn with a bare hono echo
 * of the same requests in the same process; the client is a process of its own. Every proof asked for is a new one.
 * On a machine that others load too, the second ratio is steadier: it is of this process's own time per request.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createMetrics, createService, fixedFinality, startServer } from '../dist/service/index.js';
import { memoryStore, openStateTree } from '../dist/tree/index.js';

const connections = 64;
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const rounds = 3;
const first = 0xabc000000;
const wallets = 40_000;
const contracts = 10_000;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}` as const;
const address = (i: number) => `0x${(first + i).toString(16).padStart(40, '0')}` as const;

/** Wallets, and behind them contracts of four slots. */
async function openState() {
  const tree = await openStateTree({ store: memoryStore() });
  const changes = Array.from({ length: wallets + contracts }, (_, i) => ({
    address: address(i),
    account: { nonce: 1n, balance: BigInt(i) },
    storage: (i < wallets ? [] : [1, 2, 3, 4]).map((k) => ({ key: word(k), value: word(k + i) })),
  }));
  await tree.applyBlock({ number: 1, changes });
  await tree.finalize(1);
  return tree;
}

interface Load {
  perSecond: number;
  /** Processor time per request, all threads, in µs. */
  cpu: number;
  p50: number;
  p99: number;
  failed: number;
}

async function run(client: ChildProcess, job: object): Promise<Load> {
  const start = process.cpuUsage();
  client.send({ connections, seconds, ...job });
  const [load] = await once(client, 'message');
  const { user, system } = process.cpuUsage(start);
  return { ...load, cpu: (user + system) / (load.perSecond * seconds) };
}

const median = (numbers: number[]): number =>
  numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

const tree = await openState();
const service = await createService({
  tree,
  finality: fixedFinality(1),
  limits: { requestsPerSecond: Infinity, time: 2000 },
  metrics: await createMetrics(),
});
const server = await startServer(service);
const app = new Hono();
app.post('/v3/:key', async (context) => context.body(await context.req.text()));
const echo = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
await once(echo, 'listening');
const client = fork(new URL('./serviceLoad.mjs', import.meta.url));

const path = '/v3/some-key';
const echoing = { port: (echo.address() as { port: number }).port, path, check: 'l2_getProof' };
const asking = { port: server.port, path, check: '"result"' };
const accounts = { slots: [], addresses: { start: first, count: wallets } };
const slots = { slots: [1, 9], addresses: { start: first + wallets, count: contracts } };

/** Rate, ratios and times of one kind of load beside the echo of the same requests. */
function show(name: string, loads: Load[], echoes: Load[], grown: number): void {
  const of = (read: (load: Load, echo: Load) => number) =>
    median(loads.map((load, i) => read(load, echoes[i] as Load)));
  const failed = loads.reduce((sum, load) => sum + load.failed, 0);
  console.log(`${name}
  ${of(({ perSecond }) => perSecond).toFixed(0)}/s; echo ${of((_, echo) => echo.perSecond).toFixed(0)}/s; ratio ${of((load, echo) => load.perSecond / echo.perSecond).toFixed(3)} (by processor time ${of((load, echo) => echo.cpu / load.cpu).toFixed(3)})
  p50 ${of(({ p50 }) => p50)} ms, p99 ${of(({ p99 }) => p99)} ms; ${failed} failed; heap grew by ${grown.toFixed(1)} MiB`);
}

try {
  // The first turns warm up, and fill what has bounds.
  await run(client, { ...echoing, ...accounts });
  await run(client, { ...asking, ...accounts });
  for (const [name, asked, bad] of [
    ['an account', accounts, 0],
    ['an account, a tenth of connections bad', accounts, 6],
    ['an account and two slots', slots, 0],
  ] as const) {
    const [echoes, loads]: [Load[], Load[]] = [[], []];
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let round = 0; round < rounds; round++) {
      echoes.push(await run(client, { ...echoing, ...asked }));
      loads.push(await run(client, { ...asking, ...asked, bad }));
    }
    collect();
    const grown = (process.memoryUsage().heapUsed - before) / 2 ** 20;
    show(name, loads, echoes, grown);
  }
} finally {
  client.kill();
  echo.close();
  await server.stop();
  await tree.close();
}
