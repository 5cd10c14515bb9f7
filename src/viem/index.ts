/**
 * `l2proof/viem`: the provider as a transport of viem, and its own requests as actions.
 *
 * @example
 * ```ts
 * import { networks } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 * import { verifiedTransport } from 'l2proof/viem';
 * import { createPublicClient } from 'viem';
 *
 * const client = createPublicClient({
 *   transport: verifiedTransport({
 *     l2: createTransport({ url: 'https://l2.example' }),
 *     l1: createTransport({ url: 'https://l1.example' }),
 *     network: networks.mainnet,
 *   }),
 * });
 * console.log(await client.getBalance({ address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' }));
 * ```
 *
 * @module l2proof/viem
 */
export { type VerifiedActions, verifiedActions } from './actions.js';
export { type VerifiedTransport, verifiedTransport } from './transport.js';
