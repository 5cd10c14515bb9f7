/** `l2proof/provider`: an EIP-1193 provider over an endpoint that needs no trust. It answers what was proven. */
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
