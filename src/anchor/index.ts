/**
 * `l2proof/anchor`: from L1 to a state root that proofs of L2 are held against. `fetchAnchor` and `fetchState` send
 * requests; all other functions check answers from any source.
 *
 * @example
 * ```ts
 * import { fetchState, networks } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const { anchor, state } = await fetchState({
 *   address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
 *   l1: createTransport({ url: 'https://l1.example' }),
 *   l2: createTransport({ url: 'https://l2.example' }),
 *   network: networks.mainnet,
 * });
 * console.log(state.account?.balance, anchor.l2BlockNumber);
 * ```
 *
 * @module l2proof/anchor
 */

export { type AccountProofClaim, verifyAccountProof } from '../proven/index.js';
export {
  type AnchoredRoot,
  type GivenBlockHash,
  type GivenRoot,
  givenAnchor,
  type HeaderAnchor,
  type TreeAnchor,
} from './anchor.js';
export { AnchorError, type AnchorErrorCode } from './common/errors.js';
export type { ConsensusEvidence } from './common/evidence.js';
export {
  defineNetwork,
  type Network,
  type NetworkOptions,
  networks,
  type RollupSlots,
} from './common/network.js';
export { fetchAnchor } from './fetchAnchor.js';
export {
  type AnchoredQuestion,
  type FetchedState,
  fetchState,
  type StateOptions,
  type StateQuestion,
} from './fetchState.js';
export { type VerifiedL1Header, verifyL1Header } from './header.js';
export {
  type L2BlockHash,
  type L2Header,
  type VerifiedL2Header,
  verifyL2Header,
} from './l2Header.js';
export type { AnchorOptions, FinalizedBlock, FinalizedSource } from './options.js';
export {
  type AnchorClaim,
  anchorStorageKeys,
  type ProvenBlockHash,
  type ProvenRoot,
  verifyAnchorProof,
  verifyBlockHashProof,
} from './proof.js';
