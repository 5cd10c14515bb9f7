/**
 * `l2proof/follow`: feeds a state tree, from a file and from an L2 node.
 *
 * @example
 * ```ts
 * import { createFollower, loadStateFile } from 'l2proof/follow';
 * import { createTransport } from 'l2proof/rpc';
 * import { openStateTree } from 'l2proof/tree';
 *
 * const tree = await openStateTree();
 * await loadStateFile(tree, ['{"genesis":{"number":0,"alloc":{}}}']);
 * const l2 = createTransport({ url: 'http://127.0.0.1:8545' });
 * await createFollower({ tree, l2, fork: 'prague' }).run({ once: true });
 * ```
 *
 * @module l2proof/follow
 */
export type { L1Tag } from '../anchor/contract.js';
export type { Hex } from '../bytes.js';
export { type Fork, forks } from '../forks.js';
export {
  createFollower,
  type Follower,
  type FollowerOptions,
} from './follower.js';
export { configForks } from './genesis/gethGenesis.js';
export { loadStateFile } from './load/load.js';
export type { LoadOptions, LoadProgress } from './load/loadOptions.js';
export {
  blockLine,
  genesisLines,
  parseStateFile,
  type StateBlock,
  type StateFileBlock,
} from './load/stateFile.js';
export type { FollowProgress } from './loop/catchUp.js';
export { FollowError, type FollowErrorCode } from './node/errors.js';
export type { Patience } from './node/patience.js';
export type { ForkTime } from './node/system.js';
