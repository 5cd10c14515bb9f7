/** The service on Node's HTTP server. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceError } from './errors.js';
import { loadPeer } from './peers.js';
import type { Service } from './service.js';

export interface ServerOptions {
  /** Default 127.0.0.1. Without keys, nothing but loopback is served. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Most connections; more are closed unanswered. Default 1,024. */
  maxConnections?: number;
  /** Ms that requests under way are given when the server stops; default 10,000. */
  grace?: number;
}

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** Takes no more connections, lets requests under way finish, and resolves when all is closed. */
  stop(): Promise<void>;
}

/** Whether only this machine can reach a host. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Ms between looks for connections that take too long to send a request. */
const checkInterval = 1000;

/**
 * Serves until it is stopped. The adapter replaces this process's global Request and Response by lighter ones.
 *
 * @throws ServiceError `KEYS_REQUIRED` or `MISSING_PEER`
 * @throws what listening throws
 */
export async function startServer(
  service: Service,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 0, maxConnections = 1024, grace = 10_000 } = options;
  if (service.isOpen && !isLoopback(host)) {
    throw new ServiceError('KEYS_REQUIRED', 'without API keys nothing but loopback is served');
  }
  const { createAdaptorServer } = await loadPeer('@hono/node-server', import('@hono/node-server'));
  let stopping = false;
  const server = createAdaptorServer({
    fetch: async (request, { outgoing }) => {
      const response = await service.fetch(request);
      // Neither is worth another request on this connection: it closes, or its body was left unread.
      if (stopping || response.status === 408 || response.status === 413) {
        outgoing.setHeader('connection', 'close');
      }
      return response;
    },
    serverOptions: {
      // The service bounds the body; this bounds the headers, and bodies that nobody reads.
      headersTimeout: service.limits.time,
      requestTimeout: 2 * service.limits.time,
      connectionsCheckingInterval: checkInterval,
    },
  }) as Server;
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping = true;
    service.drain();
    const timer = setTimeout(() => server.closeAllConnections(), grace);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    clearTimeout(timer);
  };
  return {
    host,
    port: (server.address() as AddressInfo).port,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
