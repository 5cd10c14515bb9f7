/** Servers of documents on loopback, which stand behind public addresses: names and addresses are the test's own. */
import type { RequestListener } from 'node:http';
import { connect as connectTcp } from 'node:net';
import type {
  ConnectionTarget,
  ConnectTo,
  ResolveHost,
} from '../../src/service/documents/connect.js';
import { startHttp } from './http.js';

export interface DocumentHosts {
  readonly resolve: ResolveHost;
  readonly connect: ConnectTo;
  /** Every address that was connected to, in order. */
  readonly connected: ConnectionTarget[];
  /** Every name whose addresses were asked for. */
  readonly resolved: string[];
  /** Request lines and headers that came, as text. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** A public address, for names that have no other. */
export const publicAddress = '93.184.215.14';

/**
 * Answers in place of all servers of the world, without TLS.
 *
 * @param listener sees the name that was asked in the Host header
 * @param names name -> its addresses; default: a public one
 */
export async function startDocumentHosts(
  listener: RequestListener,
  names: Readonly<Record<string, readonly string[]>> = {},
): Promise<DocumentHosts> {
  const connected: ConnectionTarget[] = [];
  const resolved: string[] = [];
  const asked: string[] = [];
  const server = await startHttp((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.rawHeaders.join(' ')}`);
    listener(request, response);
  });
  const port = Number(new URL(server.url).port);
  return {
    ...{ connected, resolved, asked },
    resolve: async (hostname) => {
      resolved.push(hostname);
      return names[hostname] ?? [publicAddress];
    },
    connect: (target) => {
      connected.push(target);
      return new Promise((resolve, reject) => {
        const socket = connectTcp({ host: '127.0.0.1', port }, () => resolve(socket));
        socket.on('error', reject);
      });
    },
    close: server.close,
  };
}
