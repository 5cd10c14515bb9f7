/** Token lists of the operator's, in the token-list JSON format: names and logos that need no question to the node. */
import type { TokenMetadata } from '../../decode/index.js';
import { wrongType } from '../../errors.js';
import { createReader, optional } from '../../foreign/reader.js';
import { parseWholeNumber } from '../../foreign/values.js';

/** Most tokens of one list. */
const mostTokens = 100_000;

/** Longest URL of a logo. It is passed on as text, and never fetched. */
const longestUrl = 2048;

const { openObject, openArray, readMember, read, as, asHex } = createReader(wrongType);

const readText = as((value) => (typeof value === 'string' ? value : undefined), 'text');
const readChainId = as(parseWholeNumber, 'a whole number');
const readAddress = asHex(20);
const readDecimals = as((value) => {
  const decimals = parseWholeNumber(value);
  return decimals === undefined || decimals > 77 ? undefined : decimals;
}, '0 to 77');
const readLogo = as((value) => {
  if (typeof value !== 'string' || value.length > longestUrl) return undefined;
  // A URL that a page would execute, such as `javascript:`, is refused.
  return /^(https?|ipfs|ipns|ar):\/\/\S+$/i.test(value) ? value : undefined;
}, 'a URL of a picture');

function readToken(value: unknown, at: string): { chainId: number; metadata: TokenMetadata } {
  const token = openObject(value, at);
  const chainId = read(token, 'chainId', readChainId);
  const metadata: TokenMetadata = {
    address: read(token, 'address', readAddress),
    decimals: read(token, 'decimals', readDecimals),
    name: read(token, 'name', readText),
    symbol: read(token, 'symbol', readText),
    logo: read(token, 'logoURI', optional(readLogo)),
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
      throw wrongType(tokens.at, `expected at most ${mostTokens} tokens`);
    }
    for (let at = 0; at < tokens.length; at++) {
      const { chainId, metadata } = read(tokens, at, readToken);
      const ofChain = chains.get(chainId) ?? new Map<string, TokenMetadata>();
      if (!ofChain.has(metadata.address)) ofChain.set(metadata.address, metadata);
      chains.set(chainId, ofChain);
    }
  });
  return chains;
}
