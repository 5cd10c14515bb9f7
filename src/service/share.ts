/** The limits of one of several processes that serve together: those of all, divided by their number. */
import { ownMembers, ownOptions } from '../foreign/argument.js';
import { readLimits, type ServiceLimits } from './limits/limits.js';
import {
  connectionBounds,
  defaultConnections,
  type ServerOptions,
  serverOptionNames,
} from './server.js';

/**
 * The limits of one process. Its part of each is rounded up. Limits of a single request stay.
 *
 * @param processes how many serve together
 * @throws TypeError or RangeError
 */
export function shareLimits(
  processes: number,
  request: { limits: Partial<ServiceLimits>; server: ServerOptions },
): { limits: ServiceLimits; server: ServerOptions } {
  const part = (whole: number) => Math.ceil(whole / processes);
  const given = ownMembers(request, ['limits', 'server'], 'request');
  const all = readLimits(given.limits);
  const server = ownOptions(given.server, serverOptionNames, 'server', connectionBounds);
  const { maxConnections = defaultConnections, maxConnectionsPerAddress = Infinity } = server;
  return {
    limits: {
      ...all,
      requestsPerSecond: part(all.requestsPerSecond),
      concurrent: part(all.concurrent),
    },
    server: {
      ...server,
      maxConnections: part(maxConnections),
      maxConnectionsPerAddress: part(maxConnectionsPerAddress),
    },
  };
}
