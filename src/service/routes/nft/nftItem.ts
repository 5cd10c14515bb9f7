/** Tokens with ids as answers have them. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { TokenMetadata } from '../../../decode/index.js';
import { cleanName } from '../../../decode/receipt/text.js';
import type { ChainContext } from '../../data/balances.js';
import type { NftDetails } from '../../nfts/nfts.js';
import { amount, hex, text, time } from '../common/schemas.js';
import { externalData, toExternalData } from '../items/externalData.js';

/** What describes a token by its document. Its pictures are not kept. */
const documentMembers = {
  external_data: externalData,
  asset_cached: z.null(),
  image_cached: z.null(),
};

export const nftData = z.object({
  token_id: amount,
  token_url: text.openapi({
    description:
      'As the contract names it at the block, if it is a URL of http, https or ipfs: of the document that describes the token',
  }),
  original_owner: hex(20).nullable().openapi({
    description: 'Who got it first by an event; null with an index of tokens alone',
  }),
  current_owner: hex(20).nullable().openapi({
    description: 'As the contract says it at the block; null for ERC-1155, which may have many',
  }),
  ...documentMembers,
});

/** What all items say of a contract. */
export const contractMembers = {
  contract_name: text,
  contract_ticker_symbol: text,
  contract_address: hex(20),
  is_spam: z.literal(false),
};

export const transferTime = time
  .nullable()
  .openapi({ description: 'When it last moved by an event, if that is known' });

/** A token, whoever has it. */
interface NftWords extends Pick<NftDetails, 'url' | 'origin' | 'document'> {
  readonly id: bigint;
  readonly owner: Hex | undefined;
}

export const toNftData = (
  { id, url, origin, owner, document }: NftWords,
  { nftMetadata }: Pick<ChainContext, 'nftMetadata'>,
): z.input<typeof nftData> => ({
  token_id: String(id),
  token_url: url ?? null,
  original_owner: origin ?? null,
  current_owner: owner ?? null,
  external_data: toExternalData(document, nftMetadata),
  asset_cached: null,
  image_cached: null,
});

export const toContractMembers = (
  contract: Hex,
  { name, symbol }: Partial<Pick<TokenMetadata, 'name' | 'symbol'>>,
) => ({
  contract_name: cleanName(name) ?? null,
  contract_ticker_symbol: cleanName(symbol) ?? null,
  contract_address: contract,
  is_spam: false as const,
});
