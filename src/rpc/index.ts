/** Asks JSON-RPC servers. What comes back is what a server claims: `unknown`, until someone checks it. */
export type { ProofClientOptions, ProofForm } from './askProof.js';
export {
  createProofClient,
  type ProofBlock,
  type ProofClient,
  type ProofRequest,
} from './client.js';
export { RpcError, type RpcErrorCode, type RpcErrorDetails } from './errors.js';
export { createTransport, type Transport, type TransportOptions } from './transport.js';
