/** The tokens with ids that a wallet has, for people: a row for each token that the server lists. Nothing of it is verified. */
import type { WalletNftsItem } from '../../data/index.js';
import { cellText, type Row } from './table.js';

export const nftHeading = ['contract', 'of all', 'id', 'first owner', 'url'];

export function nftRows({
  contract_address: contract,
  contract_name: name,
  contract_ticker_symbol: symbol,
  balance,
  nft_data: tokens,
}: WalletNftsItem): Row[] {
  const begin = [`${cellText(symbol ?? name ?? 'NFT')} ${contract}`, balance ?? '?'];
  // The server may list fewer than there are, or none.
  if (!tokens || tokens.length === 0) return [[...begin, '', '', '']];
  return tokens.map(({ token_id: id, original_owner: owner, token_url: url }) => [
    ...begin,
    ...[id, cellText(owner), cellText(url)],
  ]);
}
