/** The JSON-RPC transport. What comes back is what a server claims: `unknown`, until someone checks it. */
export { RpcError, type RpcErrorCode, type RpcErrorDetails } from './errors.js';
export { createTransport, type Transport, type TransportOptions } from './transport.js';
