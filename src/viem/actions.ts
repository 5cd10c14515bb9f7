/** Actions of a viem client over the verified transport. */
import type { Client } from 'viem';
import type { AnchoredRoot } from '../anchor/index.js';
import type { Explained, ProviderRequest } from '../provider/index.js';
import type { VerifiedTransport } from './transport.js';

/** A type, not an interface: viem wants one that can be indexed. */
export type VerifiedActions = {
  /** Carries out a request, and says what the answer rests on. @throws ProviderError */
  explain(request: ProviderRequest): Promise<Explained>;
  /** The L2 block that `latest` means, and where its root comes from. @throws ProviderError */
  getAnchor(): Promise<AnchoredRoot>;
};

/**
 * For `client.extend(verifiedActions())`.
 *
 * @example
 * ```ts
 * import { networks } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 * import { verifiedActions, verifiedTransport } from 'l2proof/viem';
 * import { createPublicClient } from 'viem';
 *
 * const transport = verifiedTransport({
 *   l2: createTransport({ url: 'https://l2.example' }),
 *   l1: createTransport({ url: 'https://l1.example' }),
 *   network: networks.mainnet,
 * });
 * const client = createPublicClient({ transport }).extend(verifiedActions());
 * const params = ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8', 'latest'];
 * const { proven, anchor } = await client.explain({ method: 'eth_getBalance', params });
 * console.log(proven, anchor?.l2BlockNumber); // true 28511680
 * ```
 */
export function verifiedActions() {
  /** @throws TypeError if the client has another transport */
  return ({ transport }: Pick<Client<VerifiedTransport>, 'transport'>): VerifiedActions => {
    const { provider } = transport;
    if (provider === undefined) {
      throw new TypeError(
        '"transport" of the client expected the one that verifiedTransport makes',
      );
    }
    return { explain: (request) => provider.explain(request), getAnchor: () => provider.anchor() };
  };
}
