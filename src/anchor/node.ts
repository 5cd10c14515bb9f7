/**
 * `l2proof/anchor` for platforms that find packages at run time (Node, Deno, Bun): the same names, and an error that says
 * what to install if the package for RLP is missing. Bundlers take the index, without an `await` at the top.
 */
import { loadPeer, type PeerUser } from '../peer.js';
import { AnchorError } from './common/errors.js';

const user: PeerUser<'@ethereumjs/rlp'> = {
  title: 'l2proof/anchor',
  needs: ['@ethereumjs/rlp'],
  fail: (message, options) => new AnchorError('MISSING_PEER', message, options),
};

const entry = await loadPeer(user, '@ethereumjs/rlp', import('./index.js'));

export const {
  anchorStorageKeys,
  defineNetwork,
  fetchAnchor,
  fetchState,
  givenAnchor,
  networks,
  verifyAccountProof,
  verifyAnchorProof,
  verifyBlockHashProof,
  verifyL1Header,
  verifyL2Header,
} = entry;
export { AnchorError };
