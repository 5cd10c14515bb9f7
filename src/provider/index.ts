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
 * @module l2proof/provider
 */
export type { UnprovenRequest } from './events.js';
export type { Passthrough } from './methods/passthrough.js';
export type { Explained } from './methods/prove.js';
export type { CallHeader, ProviderOptions } from './options.js';
export {
  ProviderError,
  type ProviderErrorCode,
  type ProviderErrorData,
  type ProviderErrorReason,
  type RevertData,
  type UnverifiedCode,
} from './params/errors.js';
export { createProvider, type Provider, type ProviderRequest } from './provider.js';
export type { AnchorSource, AnchorWish } from './state/anchors.js';
