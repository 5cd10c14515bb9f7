/** `l2proof/viem`: the provider as a transport of viem, and its own requests as actions. */
export { type VerifiedActions, verifiedActions } from './actions.js';
export { type VerifiedTransport, verifiedTransport } from './transport.js';
