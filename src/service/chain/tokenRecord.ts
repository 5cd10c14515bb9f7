/** The metadata of a token as the database keeps it. */
import type { TokenMetadata, TokenStandard } from '../../decode/index.js';
import { createMemberReader, type Source } from '../../foreign/members.js';
import { hexText, wholeNumber } from '../../foreign/values.js';

const standards: readonly TokenStandard[] = ['erc20', 'erc721', 'erc1155'];

const { openObject, openArray, readMember } = createMemberReader(
  (at) => new TypeError(`"${at}" is no record`),
);

const textOf = (source: Source, name: string): string | undefined => {
  const value = readMember(source, name);
  return typeof value === 'string' ? value : undefined;
};

/** What an older process has kept of a token. Decoding cleans the texts. */
export function readToken(value: unknown): TokenMetadata | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const token = openObject(value, 'token');
  const address = hexText(readMember(token, 'address'), 20);
  const list = readMember(token, 'standards');
  if (address === undefined || !Array.isArray(list)) return undefined;
  const said = openArray(list, 'standards');
  const names = Array.from({ length: Math.min(said.length, 3) }, (_, i) => readMember(said, i));
  return {
    address,
    name: textOf(token, 'name'),
    symbol: textOf(token, 'symbol'),
    decimals: wholeNumber(readMember(token, 'decimals')),
    logo: undefined,
    standards: standards.filter((standard) => names.includes(standard)),
  };
}
