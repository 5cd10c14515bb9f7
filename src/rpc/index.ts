/**
 * `l2proof/rpc`: asks JSON-RPC servers. The answer is a server's claim, of type `unknown` until it is checked.
 *
 * @example
 * ```ts
 * import { createProofClient, createTransport } from 'l2proof/rpc';
 *
 * const transport = createTransport({ url: 'https://l2.example' });
 * const client = createProofClient({ transport, method: 'linea_getProof' });
 * const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
 * const result = await client.getProof({ address, block: 8 }); // for verifyProof
 * console.log(typeof result);
 * ```
 *
 * @module l2proof/rpc
 */

export type { ProofClientOptions, ProofForm } from './askProof.js';
export type { Question } from './batch.js';
export {
  createProofClient,
  type ProofBlock,
  type ProofClient,
  type ProofRequest,
} from './client.js';
export { RpcError, type RpcErrorCode, type RpcErrorDetails } from './errors.js';
export {
  type BatchAnswer,
  createTransport,
  type Transport,
  type TransportOptions,
} from './transport.js';
