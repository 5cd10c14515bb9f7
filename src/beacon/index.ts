/**
 * `l2proof/consensus`: follows L1 from a checkpoint, the root of one beacon block that is trusted, to its newest final
 * block.
 *
 * @module
 */
export { type Checkpoint, verifyBootstrap } from './bootstrap.js';
export { ConsensusError, type ConsensusErrorCode } from './errors.js';
export type { BeaconFork } from './forks.js';
export {
  type BeaconNetwork,
  type BeaconNetworkOptions,
  beaconNetworks,
  defineBeaconNetwork,
  type ForkStart,
} from './network.js';
export type { BeaconHeader, FinalizedHeader, LightClientStore, SyncCommittee } from './types.js';
export { applyUpdate, type UpdateContext } from './update.js';
