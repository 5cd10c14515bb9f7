/** Asks JSON-RPC servers. What comes back is what a server claims: `unknown`, until someone checks it. */
export {
  createProofClient,
  type ProofBlock,
  type ProofClient,
  type ProofClientOptions,
  type ProofForm,
  type ProofRequest,
} from './client.js';
export { RpcError, type RpcErrorCode, type RpcErrorDetails } from './errors.js';
export { createTransport, type Transport, type TransportOptions } from './transport.js';
