/** Packages that only some users need, loaded when they are needed. */
import { ServiceError } from './errors.js';

/** The versions that this was tested with. */
const versions = {
  hono: '4.13.19',
  '@hono/node-server': '2.1.8',
  'prom-client': '15.1.3',
  pino: '10.4.0',
} as const;

/** Installs all of them: whoever misses one misses most. */
const installLine = `npm install ${Object.entries(versions)
  .map(([name, version]) => `${name}@${version}`)
  .join(' ')}`;

/**
 * Awaits an import.
 *
 * @throws ServiceError `MISSING_PEER` with the line that installs it
 */
export async function loadPeer<T>(name: keyof typeof versions, module: Promise<T>): Promise<T> {
  try {
    return await module;
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new ServiceError('MISSING_PEER', `the service needs ${name}; run: ${installLine}`, {
      cause,
    });
  }
}
