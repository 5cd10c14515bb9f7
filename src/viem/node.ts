/**
 * `l2proof/viem` for platforms that find packages at run time (Node, Deno, Bun): the same names, and an error that says what
 * to install if a package is missing. Bundlers take the index.
 */
import { AnchorError } from '../anchor/common/errors.js';
import { loadPeer, type PeerUser } from '../peer.js';

const user: PeerUser<'viem' | '@ethereumjs/rlp'> = {
  title: 'l2proof/viem',
  needs: ['viem', '@ethereumjs/rlp'],
  fail: (message, options) => new AnchorError('MISSING_PEER', message, options),
};

const entry = await loadPeer(user, 'viem', import('./index.js'));

export const { verifiedActions, verifiedTransport } = entry;
