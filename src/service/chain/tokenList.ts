/** Token lists of the operator's, in the token-list JSON format: names and logos that need no question to the node. */
import type { Hex } from '../../bytes.js';
import type { TokenMetadata } from '../../decode/index.js';
import { createMemberReader, type Source } from '../../foreign/members.js';
import { hexText, wholeNumber } from '../../foreign/values.js';

/** Most tokens of one list. */
const mostTokens = 100_000;

/** Longest URL of a logo. It is passed on as text, and never fetched. */
const longestUrl = 2048;

const { openObject, openArray, readMember } = createMemberReader(
  (at, reason) => new TypeError(`"${at}" ${reason}`),
);

const wrong = ({ at }: Source, name: string, expected: string) =>
  new TypeError(`"${at}.${name}" expected ${expected}`);

function readText(token: Source, name: string): string {
  const text = readMember(token, name);
  if (typeof text !== 'string') throw wrong(token, name, 'text');
  return text;
}

function readLogo(token: Source): string | undefined {
  const url = readMember(token, 'logoURI');
  if (url === undefined) return undefined;
  // A URL that a page would execute, such as `javascript:`, is refused.
  const isUrl = typeof url === 'string' && /^(https?|ipfs|ipns|ar):\/\/\S+$/i.test(url);
  if (!isUrl || url.length > longestUrl) throw wrong(token, 'logoURI', 'a URL of a picture');
  return url;
}

function readToken(token: Source): { chainId: number; metadata: TokenMetadata } {
  const chainId = wholeNumber(readMember(token, 'chainId'));
  if (chainId === undefined) throw wrong(token, 'chainId', 'a whole number');
  const address: Hex | undefined = hexText(readMember(token, 'address'), 20);
  if (address === undefined) throw wrong(token, 'address', '0x and 40 hex digits');
  const decimals = wholeNumber(readMember(token, 'decimals'));
  if (decimals === undefined || decimals > 77) throw wrong(token, 'decimals', '0 to 77');
  const metadata: TokenMetadata = {
    address,
    name: readText(token, 'name'),
    symbol: readText(token, 'symbol'),
    decimals,
    logo: readLogo(token),
    standards: ['erc20'],
  };
  return { chainId, metadata };
}

/**
 * Reads lists, parsed JSON each. If two name the same token, the first one counts.
 *
 * @returns tokens by chain id and address
 * @throws TypeError that says what is wrong, and at which member
 */
export function readTokenLists(lists: readonly unknown[]): Map<number, Map<string, TokenMetadata>> {
  const chains = new Map<number, Map<string, TokenMetadata>>();
  lists.forEach((list, i) => {
    const source = openObject(list, `tokenLists[${i}]`);
    const tokens = openArray(readMember(source, 'tokens'), `tokenLists[${i}].tokens`);
    if (tokens.length > mostTokens) {
      throw new TypeError(`"${tokens.at}" expected at most ${mostTokens} tokens`);
    }
    for (let at = 0; at < tokens.length; at++) {
      const token = openObject(readMember(tokens, at), `${tokens.at}[${at}]`);
      const { chainId, metadata } = readToken(token);
      const ofChain = chains.get(chainId) ?? new Map<string, TokenMetadata>();
      if (!ofChain.has(metadata.address)) ofChain.set(metadata.address, metadata);
      chains.set(chainId, ofChain);
    }
  });
  return chains;
}
