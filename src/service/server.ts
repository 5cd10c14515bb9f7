/** The service on Node's HTTP server. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { wrongRange } from '../errors.js';
import { ownOptions } from '../foreign/argument.js';
import { isSentToLoopback } from '../loopback.js';
import { stoppable } from './http/burst.js';
import { type Connections, limitConnections } from './http/connections.js';
import { stopServer } from './http/drain.js';
import { ServiceError } from './http/errors.js';
import { isLoopback } from './http/loopback.js';
import { loadServicePeer } from './http/peers.js';
import { hostIn, isMisleading } from './http/target.js';
import { answerCall, keyOfCall, refuseUnread, type UnreadStatus } from './jsonrpc/node.js';
import { freeFlows } from './limits/queue.js';
import { partsOf, type Service } from './service.js';

/** Options of {@link startServer} besides the service. */
export interface ServerOptions {
  /** Default 127.0.0.1. Without keys, it must be loopback. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /**
   * Most connections; default 1,024. A further one takes the place of the one that has been idle longest. If none is
   * idle, of the one whose client has been sending a request or taking an answer for longest; else it is closed.
   */
  maxConnections?: number;
  /** Most connections of one address, by the same rule; default no bound: behind a proxy all clients share one. */
  maxConnectionsPerAddress?: number;
  /** Ms that requests are still answered after {@link RunningServer.stop}; default 0. */
  drain?: number;
  /** Ms that requests under way are given after that; default 10,000. */
  grace?: number;
}

/** A server that listens. */
export interface RunningServer {
  /** The host that it is bound to. */
  readonly host: string;
  /** The port that it listens at. */
  readonly port: number;
  /**
   * Says at once that it is not ready. For the time of `drain`, or until no connection is open, goes on answering and
   * closes each connection with its answer. Then takes no more connections, lets requests under way finish, and
   * resolves when all is closed.
   */
  stop(): Promise<void>;
}

/** Most connections if the options do not say. */
export const defaultConnections = 1024;

/** Wrong keys on one connection after which it is closed. */
const maxWrongKeys = 10;

/** Ms between the end of a request's time and that of a connection on which nothing has moved since. */
const late = 500;

/** Most headers of a request. Node would drop those beyond its own bound without a word, whatever they say. */
const maxHeaders = 200;

/** The paths of the decoder and the data interface, whose work is done in the turns of a key. */
const keyedPath = /^\/(v1|api)\//;

/** Ms between looks for connections that take too long to send a request. */
const checkInterval = 1000;

export const connectionBounds = ['maxConnections', 'maxConnectionsPerAddress'] as const;
export const serverOptionNames = [
  ...(['host', 'port', 'drain', 'grace'] as const),
  ...connectionBounds,
] as const;

/** @throws RangeError */
function checkCounts(counts: Record<string, number>): void {
  for (const [name, value] of Object.entries(counts)) {
    if (value !== Infinity && !(Number.isSafeInteger(value) && value >= 1)) {
      throw wrongRange(name, 'expected a whole number from 1');
    }
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * Serves until it is stopped. The adapter replaces this process's global Request and Response by lighter ones.
 *
 * @throws ServiceError `KEYS_REQUIRED` or `MISSING_PEER`
 * @throws RangeError for wrong options
 * @throws any error of listening
 */
export async function startServer(
  service: Service,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const given = ownOptions(options, serverOptionNames, 'options', connectionBounds);
  const { host = '127.0.0.1', port = 0, drain = 0, grace = 10_000 } = given;
  const { maxConnections = defaultConnections, maxConnectionsPerAddress = Infinity } = given;
  checkCounts({ maxConnections, maxConnectionsPerAddress });
  if (service.isOpen && !isLoopback(host)) {
    throw new ServiceError('KEYS_REQUIRED', 'without API keys, host must be loopback');
  }
  const { getRequestListener } = await loadServicePeer(
    '@hono/node-server',
    import('@hono/node-server'),
  );
  const { createServer, IncomingMessage: Incoming } = await import('node:http');
  const { time, bodyBytes } = service.limits;
  const wrongKeys = new WeakMap<Socket, number>();
  let stopping = false;

  /** Whether an answer is the last one on its connection. */
  function isLast(status: number, socket: Socket): boolean {
    if (status === 401) wrongKeys.set(socket, (wrongKeys.get(socket) ?? 0) + 1);
    const guesses = (wrongKeys.get(socket) ?? 0) >= maxWrongKeys;
    // After 408 and 413 a body was left unread.
    return stopping || guesses || status === 408 || status === 413;
  }

  const byRoutes = getRequestListener(
    (request, { incoming, outgoing }) => {
      function end(response: Response): Response {
        if (isLast(response.status, incoming.socket)) outgoing.setHeader('connection', 'close');
        return response;
      }
      const response = service.fetch(request);
      // One that is there at once is sent at once, without a promise.
      return response instanceof Promise ? response.then(end) : end(response);
    },
    // For HTTP/1.0, which has no "host".
    { hostname: host },
  );
  const parts = partsOf(service);
  const rpcHandler = parts?.rpcHandler;

  /** The status of what is refused before it is routed; undefined if nothing is. */
  function statusOf({ url = '', rawHeaders }: IncomingMessage): UnreadStatus | undefined {
    if (rawHeaders.length > 2 * maxHeaders) return 431;
    if (isMisleading(url)) return 404;
    return service.isOpen && !isSentToLoopback(hostIn(url)) ? 403 : undefined;
  }

  const serverOptions = {
    // The service bounds the body; this bounds the headers, and bodies that are not read.
    headersTimeout: time,
    requestTimeout: 2 * time,
    connectionsCheckingInterval: checkInterval,
    IncomingMessage: stoppable(Incoming, (socket) => connections.isTooMany(socket)),
  };
  function answerByRoutes(incoming: IncomingMessage, outgoing: ServerResponse): unknown {
    if (parts === undefined) return byRoutes(incoming, outgoing);
    const isPaid = keyedPath.test(incoming.url ?? '');
    const flow = isPaid ? freeFlows.keyedRoutes : freeFlows.routes;
    return parts.queue.pace(flow, !isPaid, () => byRoutes(incoming, outgoing));
  }

  function answer(incoming: IncomingMessage, outgoing: ServerResponse): unknown {
    const status = statusOf(incoming);
    if (status !== undefined) return refuseUnread(outgoing, status);
    const key = keyOfCall(incoming);
    if (rpcHandler === undefined || key === undefined) return answerByRoutes(incoming, outgoing);
    return answerCall(rpcHandler, { incoming, outgoing, key }, { bodyBytes, isLast });
  }

  const server = createServer(serverOptions);
  server.maxHeadersCount = 0;
  if (parts) server.on('connection', parts.queue.noteConnection);
  // Ends a connection on which nothing moves for this long, so that a client has to take some of its answer; each byte
  // that it takes restarts the time. It is longer than `time`: the answer that time is up comes first.
  server.setTimeout(Math.min(time + late, 2 ** 31 - 1));
  const most = { most: maxConnections, mostOfAddress: maxConnectionsPerAddress };
  const connections: Connections = limitConnections(server, most, answer);
  await listen(server, host, port);
  let stopped: Promise<void> | undefined;
  return {
    host,
    port: (server.address() as AddressInfo).port,
    stop() {
      stopping = true;
      service.drain();
      stopped ??= stopServer(server, connections, { drain, grace });
      return stopped;
    },
  };
}
