/**
 * A server of `bench/service.ts`, in a process of its own: the service on a store in LMDB or in memory, or a bare hono
 * echo. Says its port, and on each message what processor time it has taken so far, all threads, in µs.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createMetrics, createService, fixedFinality, startServer } from '../dist/service/index.js';
import { openBenchState } from './serviceState.js';

const { kind, path, block } = JSON.parse(process.argv[2] as string);

async function startEcho(): Promise<number> {
  const app = new Hono();
  app.post('/v3/:key', async (context) => context.body(await context.req.text()));
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function startService(): Promise<number> {
  const service = await createService({
    tree: await openBenchState(kind, path),
    finality: fixedFinality(block),
    limits: { requestsPerSecond: Infinity, time: 10_000 },
    metrics: await createMetrics(),
  });
  return (await startServer(service)).port;
}

const port = kind === 'echo' ? await startEcho() : await startService();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.send?.(port);
