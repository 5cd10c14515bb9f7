/**
 * `l2proof/history` for platforms that find packages at run time (Node, Deno, Bun): the same names, and an error that says
 * what to install if the package for RLP is missing. Bundlers take the index.
 */
import { loadPeer, type PeerUser } from '../peer.js';
import { HistoryError } from './verify/errors.js';

const user: PeerUser<'@ethereumjs/rlp'> = {
  title: 'l2proof/history',
  needs: ['@ethereumjs/rlp'],
  fail: (message, options) => new HistoryError('MISSING_PEER', message, options),
};

const entry = await loadPeer(user, '@ethereumjs/rlp', import('./index.js'));

export const { createHistory, matchLogs, verifyHeaders, verifyReceipts, verifyTransactions } =
  entry;
export { HistoryError };
