/**
 * `l2proof/provider` for platforms that find packages at run time (Node, Deno, Bun): the same names, and an error that says
 * what to install if the package for RLP, which proofs of L1 need, is missing. Bundlers take the index.
 */
import { AnchorError } from '../anchor/common/errors.js';
import { loadPeer, type PeerUser } from '../peer.js';

const user: PeerUser<'@ethereumjs/rlp'> = {
  title: 'l2proof/provider',
  needs: ['@ethereumjs/rlp'],
  fail: (message, options) => new AnchorError('MISSING_PEER', message, options),
};

const entry = await loadPeer(user, '@ethereumjs/rlp', import('./index.js'));

export const { ProviderError, createProvider } = entry;
