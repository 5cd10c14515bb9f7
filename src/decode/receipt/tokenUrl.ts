/** URLs that contracts name for their tokens, by one rule for those who show them and those who check them. */
import { cleanUrl } from './text.js';

/**
 * The URL that a contract names for a token, if it can be shown.
 *
 * @param link as the contract wrote it
 */
export function toTokenUrl(
  { standard, id }: { readonly standard: 'erc721' | 'erc1155'; readonly id: bigint },
  link: string | undefined,
): string | undefined {
  const text = link?.trim();
  // Of ERC-1155, the id stands in it as the standard says.
  const digits = id.toString(16).padStart(64, '0');
  return cleanUrl(standard === 'erc1155' ? text?.replaceAll('{id}', digits) : text);
}
