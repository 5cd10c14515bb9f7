/** Feeds a state tree: from a file, and from an L2 node. */
export type { L1Tag } from '../anchor/contract.js';
export type { Hex } from '../bytes.js';
export type { Patience } from './asker.js';
export type { FollowProgress } from './catchUp.js';
export { FollowError, type FollowErrorCode } from './errors.js';
export {
  createFollower,
  type Follower,
  type FollowerOptions,
} from './follower.js';
export { configForks } from './gethGenesis.js';
export { type LoadOptions, type LoadProgress, loadStateFile } from './load.js';
export {
  blockLine,
  genesisLines,
  parseStateFile,
  type StateBlock,
  type StateFileBlock,
} from './stateFile.js';
export { type Fork, type ForkTime, forks } from './system.js';
