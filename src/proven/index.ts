/** State that is proven under an anchor of either kind. */
export { type AccountProofClaim, verifyAccountProof } from './accountProof.js';
export { toRpcAnswer } from './rpcAnswer.js';
export {
  createStateClient,
  isHeader,
  openStateVerifier,
  type ProvenQuestion,
  type StateAnchor,
  type StateClient,
  type VerifyState,
} from './stateProofs.js';
