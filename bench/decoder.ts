/**
 * `npm run bench -- decoder`: the decoder under load from 64 connections on loopback, turn by turn with a bare hono echo of
 * the same requests in the same process; the client is a process of its own, the node a real Anvil. On a machine that
 * others load too, the second ratio is steadier: it is of this process's own time per request.
 */
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createDecoder, createMetrics, createService, startServer } from '../dist/service/index.js';
import { accounts, startAnvil } from '../test/support/anvil.js';
import { send } from '../test/support/contracts/contract.js';
import { placeMulticall } from '../test/support/contracts/multicall.js';
import { deployErc20 } from '../test/support/contracts/tokens.js';
import { startLoader } from './httpLoad.js';

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
  for (const [name, isNew] of [
    ['a cached answer', false],
    ['five logs decoded anew, from a cached receipt', true],
  ] as const) {
    const figures = await loader.compare({ ...asking, isNew }, { ...echoing, isNew });
    console.log(`${name}\n  ${figures}`);
  }
  echo.close();
  await server.stop();
  await decoder.close();
} finally {
  loader.close();
  await node.close();
}
