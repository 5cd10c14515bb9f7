/**
 * `l2proof/decode` for platforms that find packages at run time (Node, Deno, Bun): the same names, and an error that says
 * what to install if a package is missing. Bundlers take the index.
 */
import { loadPeer, type PeerUser } from '../peer.js';
import { DecodeError } from './receipt/errors.js';

const user: PeerUser<'viem'> = {
  title: 'l2proof/decode',
  needs: ['viem'],
  fail: (message, options) => new DecodeError('MISSING_PEER', message, options),
};

const entry = await loadPeer(user, 'viem', import('./index.js'));

export const {
  decodeInPieces,
  decodeTransaction,
  describeChain,
  missingInPieces,
  missingMetadata,
  nativeAddress,
  parseAbis,
} = entry;
export { DecodeError };
