/** Packages that the service needs. */
import { loadPeer as load, type Peer, type PeerUser } from '../../peer.js';
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
export const loadServicePeer = <T>(name: (typeof needs)[number], module: Promise<T>): Promise<T> =>
  load(service, name, module);

const blocksNeeds = ['@ethereumjs/rlp'] as const satisfies Peer[];

const blocks: PeerUser<(typeof blocksNeeds)[number]> = {
  title: 'the node of the service',
  needs: blocksNeeds,
  fail: (message, options) => new ServiceError('MISSING_PEER', message, options),
};

/** The same for what only answers about blocks need. @throws ServiceError `MISSING_PEER` */
export const loadBlocksPeer = <T>(
  name: (typeof blocksNeeds)[number],
  module: Promise<T>,
): Promise<T> => load(blocks, name, module);

const decoderNeeds = ['@hono/zod-openapi', 'zod', 'viem'] as const satisfies Peer[];

const decoder: PeerUser<(typeof decoderNeeds)[number]> = {
  title: 'the decoder',
  needs: decoderNeeds,
  fail: (message, options) => new ServiceError('MISSING_PEER', message, options),
};

/** The same for what only the decoder needs. @throws ServiceError `MISSING_PEER` */
export const loadDecoderPeer = <T>(
  name: (typeof decoderNeeds)[number],
  module: Promise<T>,
): Promise<T> => load(decoder, name, module);
