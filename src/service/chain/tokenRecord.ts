/** The metadata of a token as the database keeps it. */
import type { TokenMetadata, TokenStandard } from '../../decode/index.js';
import { ownElements, ownMember } from '../../foreign/members.js';
import { hexText, parseWholeNumber } from '../../foreign/values.js';

const standards: readonly TokenStandard[] = ['erc20', 'erc721', 'erc1155'];

const textOf = (token: unknown, name: string): string | undefined => {
  const value = ownMember(token, name);
  return typeof value === 'string' ? value : undefined;
};

/** What an older process has kept of a token. Decoding cleans the texts. */
export function readToken(token: unknown): TokenMetadata | undefined {
  const address = hexText(ownMember(token, 'address'), 20);
  const said = ownMember(token, 'standards');
  if (address === undefined || !Array.isArray(said)) return undefined;
  const names = ownElements(said, standards.length);
  return {
    address,
    name: textOf(token, 'name'),
    symbol: textOf(token, 'symbol'),
    decimals: parseWholeNumber(ownMember(token, 'decimals')),
    logo: undefined,
    standards: standards.filter((standard) => names.includes(standard)),
  };
}
