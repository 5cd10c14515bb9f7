/** A transport of viem whose answers are proven. */
import { createTransport, type Transport, RpcError as ViemRpcError } from 'viem';
import {
  createProvider,
  type Provider,
  type ProviderError,
  type ProviderOptions,
  type ProviderRequest,
} from '../provider/index.js';

/** The transport of {@link verifiedTransport}: the provider is `client.transport.provider`. */
export type VerifiedTransport = Transport<'verified', { provider: Provider }>;

/** What viem says of a request besides. */
interface Asked {
  readonly signal?: AbortSignal | undefined;
}

/** The text that viem shows first; the error's own message follows as details. */
const texts = new Map<number, string>([
  [-31001, 'An answer was refused: it is not what is proven.'],
  [-31002, 'It could not be found out: no endpoint gave an answer that can be checked.'],
  [-31003, 'The answer cannot be proven, as it was asked.'],
]);

/**
 * Of a code that it does not know viem makes "An unknown RPC error occurred.", for which it asks again. An error of its own
 * passes as it is.
 */
function restate(error: ProviderError): never {
  const { code } = error;
  const shortMessage = texts.get(code);
  if (shortMessage === undefined) throw error;
  throw new ViemRpcError(error, { code, name: 'UnverifiedRpcError', shortMessage });
}

/**
 * Makes a transport. All clients over it share one provider, and with it what was proven. Do not put it into viem's
 * `fallback`, which would ask the next transport for what was refused here.
 *
 * @throws TypeError or RangeError for a wrong option
 *
 * @example
 * ```ts
 * import { networks } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 * import { verifiedTransport } from 'l2proof/viem';
 * import { createPublicClient } from 'viem';
 *
 * const transport = verifiedTransport({
 *   l2: createTransport({ url: 'https://l2.example' }),
 *   l1: createTransport({ url: 'https://l1.example' }),
 *   network: networks.mainnet,
 * });
 * const client = createPublicClient({ transport });
 * const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
 * console.log(await client.getBalance({ address })); // 10000000000000000000035n
 * ```
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
          provider
            .request(signal === undefined ? request : { ...request, signal })
            .catch(restate) as Promise<never>,
        // A refused request would be refused again, and the provider has already retried failures that may pass.
        retryCount: 0,
      },
      { provider },
    );
}
