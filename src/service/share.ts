/** The limits of one of several processes that serve together: those of all, divided by their number. */
import { readLimits, type ServiceLimits } from './limits.js';
import { defaultConnections, type ServerOptions } from './server.js';

/**
 * The limits of one process. Its part of each is rounded up. Limits of a single request stay.
 *
 * @param processes how many serve together
 * @throws RangeError
 */
export function shareLimits(
  processes: number,
  { limits, server }: { limits: Partial<ServiceLimits>; server: ServerOptions },
): { limits: ServiceLimits; server: ServerOptions } {
  const part = (whole: number) => Math.ceil(whole / processes);
  const all = readLimits(limits);
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
