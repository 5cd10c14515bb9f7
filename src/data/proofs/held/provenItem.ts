/** A verified item: what was proven, and what is known to be the server's word. Nothing else that came with it stays. */
import { ownNamed } from '../../../foreign/members.js';
import type { BalanceItem } from '../../items/balanceItem.js';
import type { ClaimedHolding, NamedToken } from '../tokenCalls.js';

/** Members that carry no amount of the token, no owner and no count: they stay as the server words them. */
const claimed = [
  ...(['contract_name', 'contract_ticker_symbol', 'logo_url', 'last_transferred_at'] as const),
  ...(['type', 'is_spam', 'quote_rate', 'quote', 'pretty_quote'] as const),
] as const;

type Nft = NonNullable<BalanceItem['nft_data']>[number];

const nftOf = (given: Nft, { id, amount }: NamedToken, standards: string[] | null): Nft => ({
  token_id: String(id),
  token_balance: String(amount),
  // Checked to be the wallet, if it is there.
  ...ownNamed(given, ['owner', 'owner_address', 'token_url']),
  supports_erc: standards,
});

/** @param decimals proven ones, or null */
export function provenItem(
  item: BalanceItem,
  { standard, balance, tokens }: ClaimedHolding,
  decimals: number | null,
): BalanceItem {
  const standards = standard === undefined ? null : [standard];
  const given = item.nft_data ?? [];
  const nfts = tokens.map((token, i) => nftOf(given[i] as Nft, token, standards));
  return {
    contract_address: item.contract_address,
    contract_decimals: decimals,
    ...ownNamed(item, claimed),
    supports_erc: standards,
    native_token: standard === undefined,
    balance: String(balance),
    nft_data: item.nft_data ? nfts : null,
    verified: true,
  };
}
