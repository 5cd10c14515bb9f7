/**
 * `l2proof/anchor`: from L1 to a state root that proofs of L2 are held against. The functions here check answers and
 * ask nobody.
 */
export { type AnchoredRoot, type GivenRoot, givenAnchor } from './anchor.js';
export { AnchorError, type AnchorErrorCode } from './errors.js';
export { type VerifiedL1Header, verifyL1Header } from './header.js';
export {
  defineNetwork,
  type Network,
  type NetworkOptions,
  networks,
  type RollupSlots,
} from './network.js';
export {
  type AnchorClaim,
  anchorStorageKeys,
  type ProvenRoot,
  verifyAnchorProof,
} from './proof.js';
