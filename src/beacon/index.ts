/**
 * `l2proof/consensus`: follows L1 from a checkpoint, the root of one beacon block that is trusted, to its newest final
 * block.
 *
 * @example
 * ```ts
 * import { beaconNetworks, createLightClient } from 'l2proof/consensus';
 *
 * const client = createLightClient({
 *   api: 'https://beacon.example',
 *   network: beaconNetworks.mainnet,
 *   checkpoint: `0x${'12'.repeat(32)}`, // the root of a block that you trust
 * });
 * const { slot, executionBlockHash } = await client.finalized();
 * console.log(slot, executionBlockHash);
 * ```
 *
 * @module l2proof/consensus
 */

export { createLightClient, type FinalizedBlock, type LightClient } from './client/client.js';
export type { LightClientOptions, LightClientStorage } from './client/options.js';
export type { ServerReport } from './client/servers.js';
export { type Checkpoint, verifyBootstrap } from './verify/bootstrap.js';
export { ConsensusError, type ConsensusErrorCode } from './verify/errors.js';
export type { BeaconFork } from './verify/forks.js';
export {
  type BeaconNetwork,
  type BeaconNetworkOptions,
  beaconNetworks,
  defineBeaconNetwork,
  type ForkStart,
} from './verify/network.js';
export type {
  BeaconHeader,
  FinalizedHeader,
  LightClientStore,
  SyncCommittee,
} from './verify/types.js';
export { applyUpdate, type UpdateContext } from './verify/update.js';
