/** A transport of viem whose answers are proven. */
import { createTransport, type Transport } from 'viem';
import {
  createProvider,
  type Provider,
  type ProviderOptions,
  type ProviderRequest,
} from '../provider/index.js';

/** What {@link verifiedTransport} makes: the provider is `client.transport.provider`. */
export type VerifiedTransport = Transport<'verified', { provider: Provider }>;

/** What viem says of a request besides. */
interface Asked {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a transport. All clients over it share one provider, and with it what was proven. Do not put it into viem's
 * `fallback`, which would ask the next transport for what was refused here.
 *
 * @throws TypeError or RangeError for a wrong option
 */
export function verifiedTransport(options: ProviderOptions): VerifiedTransport {
  const provider = createProvider(options);
  return () =>
    createTransport(
      {
        key: 'verified',
        name: 'Verified',
        type: 'verified',
        // viem knows by the method which type a result has. Its newer versions hand on the signal of their user.
        request: (request: ProviderRequest, { signal }: Asked = {}) =>
          provider.request(
            signal === undefined ? request : { ...request, signal },
          ) as Promise<never>,
        // A refused request would be refused again, and the provider has already retried failures that may pass.
        retryCount: 0,
      },
      { provider },
    );
}
