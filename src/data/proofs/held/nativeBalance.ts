/** Holds the native balance of a wallet against the state under a trusted root. */
import type { Hex } from '../../../bytes.js';
import { ownNamed } from '../../../foreign/members.js';
import type { NativeBalanceItem } from '../../items/balanceItem.js';
import type { Trust } from '../../wire/trust.js';
import { agreed } from '../agreed.js';
import { openGround } from '../ground.js';
import { createOnce, createPageVerifier, type PageVerifier } from '../provenPage.js';
import { nativeAddress } from '../tokenCalls.js';
import type { Work } from '../work.js';

/** Of the native token, by the definition of the chain. */
export const nativeDecimals = 18;

/** Members that are the server's word. */
const claimed = [
  ...(['contract_name', 'contract_ticker_symbol', 'logo_url'] as const),
  ...(['quote_rate', 'quote', 'pretty_quote'] as const),
] as const;

/** What an account has, in wei. @throws DataError, ProofError */
export async function nativeBalanceOf(work: Work, wallet: Hex): Promise<bigint> {
  const { account } = await work.state.open(wallet);
  return account?.balance ?? 0n;
}

/** @param wallet in lower case @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createNativeVerifier(wallet: Hex, trust: Trust): PageVerifier<NativeBalanceItem> {
  const ground = openGround(trust);
  const once = createOnce();
  return createPageVerifier<NativeBalanceItem>(ground, {
    nameOf: () => 'the native balance',
    callsOf: () => 0,
    async check(item, work) {
      once('native');
      return {
        ...ownNamed(item, claimed),
        ...agreed(item, {
          contract_address: nativeAddress,
          block_height: ground.anchor.l2BlockNumber,
          balance: String(await nativeBalanceOf(work, wallet)),
        }),
        contract_decimals: nativeDecimals,
        supports_erc: null,
        verified: true,
      };
    },
    assumed: ['names', 'quotes'],
  });
}
