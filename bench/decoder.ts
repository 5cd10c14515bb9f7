/**
 * `npm run bench:decoder`: the decoder under load from 64 connections on loopback, turn by turn with a bare hono echo of
 * the same requests in the same process; the client is a process of its own, the node a real Anvil. On a machine that
 * others load too, the second ratio is steadier: it is of this process's own time per request.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createDecoder, createMetrics, createService, startServer } from '../dist/service/index.js';
import { accounts, startAnvil } from '../test/support/anvil.js';
import { send } from '../test/support/contracts/contract.js';
import { placeMulticall } from '../test/support/contracts/multicall.js';
import { deployErc20 } from '../test/support/contracts/tokens.js';

const connections = 64;
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const path = '/api/v1/tx/decode';

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
  client.send({ connections, seconds, path, ...job });
  const [load] = await once(client, 'message');
  const { user, system } = process.cpuUsage(start);
  return { ...load, cpu: (user + system) / (load.perSecond * seconds) };
}

const median = (numbers: number[]): number =>
  numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

/** A final transaction with five logs: transfers of one token, made by Multicall3. @returns its hash */
async function sendFive(node: Awaited<ReturnType<typeof startAnvil>>): Promise<string> {
  const multicall = await placeMulticall(node);
  const token = await deployErc20(node);
  await send(node, token.call('mint', multicall.address, 1000n));
  const call = {
    target: token.address,
    allowFailure: false,
    callData: token.encode('transfer', accounts[1], 7n),
  };
  const receipt = await send(node, multicall.call('aggregate3', Array(5).fill(call)));
  if (receipt.logs.length !== 5) throw new Error('five logs were expected');
  await node.callEach('evm_mine', [[], [], []]);
  return receipt.transactionHash;
}

/** Rate, ratios and times of one kind of load beside the echo of the same requests. */
function show(name: string, loads: Load[], echoes: Load[]): void {
  const of = (read: (load: Load, echo: Load) => number) =>
    median(loads.map((load, i) => read(load, echoes[i] as Load)));
  const failed = loads.reduce((sum, load) => sum + load.failed, 0);
  console.log(`${name}
  ${of(({ perSecond }) => perSecond).toFixed(0)}/s; echo ${of((_, echo) => echo.perSecond).toFixed(0)}/s; ratio ${of((load, echo) => load.perSecond / echo.perSecond).toFixed(3)} (by processor time ${of((load, echo) => echo.cpu / load.cpu).toFixed(3)})
  p50 ${of(({ p50 }) => p50)} ms, p99 ${of(({ p99 }) => p99)} ms; echo p99 ${of((_, echo) => echo.p99)} ms; ${failed} failed`);
}

const node = await startAnvil();
const client = fork(new URL('./decoderLoad.mjs', import.meta.url));
try {
  const hash = await sendFive(node);
  const decoder = await createDecoder({ chains: [{ name: 'anvil', url: node.url }] });
  const limits = { requestsPerSecond: Infinity };
  const service = await createService({ decoder, limits, metrics: await createMetrics() });
  const server = await startServer(service);
  const app = new Hono();
  app.post(path, async (context) => context.body(await context.req.text()));
  const echo = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(echo, 'listening');
  const body = JSON.stringify({ chain_name: 'anvil', tx_hash: hash });
  const echoing = { port: (echo.address() as { port: number }).port, body, check: hash };
  const asking = { port: server.port, body, check: '"success":true' };
  // The first turns warm up.
  for (const isNew of [false, true]) {
    await run(client, { ...echoing, isNew });
    await run(client, { ...asking, isNew });
  }
  for (const [name, isNew] of [
    ['a cached answer', false],
    ['five logs decoded anew, from a cached receipt', true],
  ] as const) {
    const [echoes, loads]: [Load[], Load[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      echoes.push(await run(client, { ...echoing, isNew }));
      loads.push(await run(client, { ...asking, isNew }));
    }
    show(name, loads, echoes);
  }
  echo.close();
  await server.stop();
  await decoder.close();
} finally {
  client.kill();
  await node.close();
}
