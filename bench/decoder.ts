/**
 * `npm run bench -- decoder`: the decoder under load from 64 connections on loopback, turn by turn with a bare hono echo of
 * the same requests in the same process; the client is a process of its own, the node a real Anvil. Writes DECODER.md.
 */
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createDecoder, createMetrics, createService, startServer } from '../dist/service/index.js';
import { accounts, startAnvil } from '../test/support/anvil.js';
import { send } from '../test/support/contracts/contract.js';
import { placeMulticall } from '../test/support/contracts/multicall.js';
import { deployErc20 } from '../test/support/contracts/tokens.js';
import { machine, madeBy, pageOf } from './frame.js';
import { rounds, seconds, startLoader } from './httpLoad.js';
import { publish } from './pictures.js';

const path = '/api/v1/tx/decode';

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

const where = machine();
const node = await startAnvil();
const loader = startLoader();
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
  const { port } = echo.address() as { port: number };
  const echoing = { port, path, body, check: hash };
  const asking = { port: server.port, path, body, check: '"success":true' };
  const rows: string[][] = [];
  for (const [name, isNew] of [
    ['a cached answer (3 KB)', false],
    ['five logs decoded anew, from a cached receipt', true],
  ] as const) {
    const figures = await loader.compare({ ...asking, isNew }, { ...echoing, isNew });
    rows.push([
      ...[name, figures.rates.toFixed(2), figures.byProcessor.toFixed(2)],
      ...[figures.p50, figures.p99, figures.othersP99].map((ms) => `${ms} ms`),
      String(figures.failed),
    ]);
  }
  const page = pageOf({
    title: 'The decoder under load',
    about: `The decoder's endpoint asked from 64 connections on loopback, turn by turn with a bare hono echo of the same requests in
      the same process. The client is a process of its own, the node a real Anvil. Medians of ${rounds} rounds of ${seconds} seconds; the
      ratio by processor time is of the serving process alone. The bars of the ratios are 0.4 for a cached answer and 0.06 for one
      that is decoded anew.`,
    made: madeBy('npm run bench -- decoder', where),
    tables: [
      {
        head: [
          ...['request', 'ratio of rates', 'by processor time'],
          ...['p50', 'p99', "echo's p99", 'failed'],
        ],
        rows,
      },
    ],
    shows: `The client shares the two cores, so a rate says how much it was held up as well: read the ratios, and most of all the one
      by processor time, which depends least on others.`,
  });
  console.log(publish('DECODER.md', page));
  echo.close();
  await server.stop();
  await decoder.close();
} finally {
  loader.close();
  await node.close();
}
