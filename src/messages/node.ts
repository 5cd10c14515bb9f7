/**
 * `l2proof/messages` for platforms that find packages at run time (Node, Deno, Bun): the same names, and an error that says
 * what to install if the package for RLP is missing. Bundlers take the index.
 */
import { loadPeer, type PeerUser } from '../peer.js';
import { MessageError } from './errors.js';

const user: PeerUser<'@ethereumjs/rlp'> = {
  title: 'l2proof/messages',
  needs: ['@ethereumjs/rlp'],
  fail: (message, options) => new MessageError('MISSING_PEER', message, options),
};

const entry = await loadPeer(user, '@ethereumjs/rlp', import('./index.js'));

export const { createMessages, messageHash, messageTrees, verifyMessageProof } = entry;
export { MessageError };
