/** What proves items about tokens with ids. */
import type { AbiCall } from '../../abi/call.js';
import { uriCall } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import type { Prover } from '../proving/prover.js';
import type { NftDetails } from './nfts.js';
import type { NftToken } from './nftTokens.js';

/**
 * The accounts that prove an item; undefined if it cannot be proven. The URLs of its tokens are proven too, as far as
 * that is possible.
 *
 * @param calls whose answers the item says; none if it says nothing but the URL
 */
export function citeNfts(
  prover: Prover | undefined,
  calls: readonly AbiCall[],
  tokens: readonly (NftToken & Pick<NftDetails, 'url'>)[],
): readonly Hex[] | undefined {
  if (prover === undefined) return undefined;
  const links = tokens
    .filter(({ url }) => url !== undefined)
    .map((token) => uriCall(token.standard, token))
    .filter((call) => prover.canProve(call));
  const cite = (some: readonly AbiCall[]) => (some.length === 0 ? undefined : prover.cite(some));
  return cite([...calls, ...links]) ?? cite(calls);
}
