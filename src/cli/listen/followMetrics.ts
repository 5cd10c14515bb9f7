/** How far `l2proof follow` has come, for Prometheus, on loopback. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FollowProgress } from '../../follow/index.js';
import { isSentToLoopback, wrongHostText } from '../../loopback.js';
import { loadPeer } from '../../peer.js';
import { CliError, exitCodes } from '../exit/exit.js';
import { partOf } from '../exit/needs.js';

export interface FollowMetrics {
  readonly port: number;
  update(progress: FollowProgress): void;
  /** The state is known to be wrong. */
  distrust(): void;
  close(): Promise<void>;
}

const user = partOf('--metrics', 'prom-client');

async function createGauges() {
  const { default: client } = await loadPeer(user, 'prom-client', import('prom-client'));
  const registry = new client.Registry();
  const gauge = (name: string, help: string) =>
    new client.Gauge({ name: `l2proof_follow_${name}`, help, registers: [registry] });
  return {
    registry,
    block: gauge('block', 'Newest L2 block applied'),
    lag: gauge('lag_blocks', 'Blocks that the L2 node has and the store lacks, when last asked'),
    final: gauge('final_block', 'Newest L2 block named final; missing as long as none is'),
    distrusted: gauge('distrusted', '1 if a state root is not the expected one, else 0'),
  };
}

/**
 * Serves `/metrics` until it is closed.
 *
 * @param port 0: any free one
 * @throws CliError if the package is missing or the port is taken
 */
export async function startFollowMetrics(port: number): Promise<FollowMetrics> {
  const { registry, block, lag, final, distrusted } = await createGauges();
  for (const unknown of [block, lag, final]) unknown.remove();
  distrusted.set(0);
  const server = createServer(async (request, response) => {
    // As for the server without keys: a web page could point its own name here.
    if (!isSentToLoopback(request.headers.host)) response.writeHead(403).end(wrongHostText);
    else if (request.url !== '/metrics') response.writeHead(404).end();
    else response.setHeader('content-type', registry.contentType).end(await registry.metrics());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch((cause: Error) => {
    const text = `cannot serve metrics: ${cause.message}`;
    throw new CliError(exitCodes.usage, text, { code: 'PORT', cause });
  });
  return {
    port: (server.address() as AddressInfo).port,
    update(progress) {
      block.set(progress.block);
      lag.set(Math.max(0, progress.head - progress.block));
      if (progress.final !== undefined) final.set(progress.final);
    },
    distrust: () => distrusted.set(1),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
