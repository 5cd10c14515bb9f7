/**
 * `l2proof/data` for platforms that find packages at run time (Node, Deno, Bun): the same names, and an error that says what
 * to install if a package is missing. Bundlers take the index.
 */
import { loadPeer, type PeerUser } from '../peer.js';
import { DataError } from './wire/errors.js';

const user: PeerUser<'zod'> = {
  title: 'l2proof/data',
  needs: ['zod'],
  fail: (message, options) => new DataError('MISSING_PEER', message, options),
};

const entry = await loadPeer(user, 'zod', import('./index.js'));

export const { createDataClient } = entry;
export { DataError };
