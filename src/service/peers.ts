/** Packages that the service needs. */
import { loadPeer as load, type Peer, type PeerUser } from '../peer.js';
import { ServiceError } from './errors.js';

const needs = ['hono', '@hono/node-server', 'prom-client', 'pino'] as const satisfies Peer[];

const service: PeerUser<(typeof needs)[number]> = {
  title: 'the service',
  needs,
  fail: (message, options) => new ServiceError('MISSING_PEER', message, options),
};

/**
 * Awaits an import.
 *
 * @throws ServiceError `MISSING_PEER` with the line that installs it
 */
export const loadPeer = <T>(name: (typeof needs)[number], module: Promise<T>): Promise<T> =>
  load(service, name, module);
