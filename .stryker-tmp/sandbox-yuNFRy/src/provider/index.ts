/**
 * `l2proof/provider`: an EIP-1193 provider over an endpoint that needs no trust. It answers what was proven.
 *
 * @example
 * ```ts
 * import { networks } from 'l2proof/anchor';
 * import { createProvider } from 'l2proof/provider';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const provider = createProvider({
 *   l2: createTransport({ url: 'https://l2.example' }),
 *   l1: createTransport({ url: 'https://l1.example' }),
 *   network: networks.mainnet,
 * });
 * const params = ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8', 'latest'];
 * console.log(await provider.request({ method: 'eth_getBalance', params }));
 * provider.close();
 * ```
 *
 * @module
 */
// @ts-nocheck

export type { AnchorSource, AnchorWish } from './anchors.js';
export {
  ProviderError,
  type ProviderErrorCode,
  type ProviderErrorData,
  type ProviderErrorReason,
  type RevertData,
} from './errors.js';
export type { UnprovenRequest } from './events.js';
export type { CallHeader, ProviderOptions } from './options.js';
export type { Passthrough } from './passthrough.js';
export type { Explained } from './prove.js';
export { createProvider, type Provider, type ProviderRequest } from './provider.js';
