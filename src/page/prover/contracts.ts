/** Words of contracts about themselves: what they say is proven, and whether it is true is theirs. */
import type { PoolTokens, TokenMetadata } from '../../decode/index.js';
import type { Hex } from '../../index.js';
import { encodeCall } from '../format/calls.js';
import { isTrue, readAddress, readDecimals, readText } from '../format/words.js';
import { askContract } from './call.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

/** `supportsInterface` takes four bytes, which stand on the left of their word. */
const supports = (id: bigint) => encodeCall('supportsInterface(bytes4)', id << 224n);

const questions = {
  name: encodeCall('name()'),
  symbol: encodeCall('symbol()'),
  decimals: encodeCall('decimals()'),
  erc721: supports(0x80ac58cdn),
  erc1155: supports(0xd9b67a26n),
  token0: encodeCall('token0()'),
  token1: encodeCall('token1()'),
} as const;

/** It could not be found out, and nothing was refused. */
const unknown = -31002;

/** Asks contracts, in the newest block. @param unproven gets the contracts that nobody knows the words of */
export function createAsker(session: Session, unproven: Set<Hex>, means: Pick<Means, 'signal'>) {
  /** @throws ProviderError if an answer was refused */
  async function ask(to: Hex, question: keyof typeof questions): Promise<Hex | undefined> {
    try {
      return (await askContract(session, { to, data: questions[question] }, means)).answer;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== unknown) throw error;
      unproven.add(to);
      return undefined;
    }
  }

  async function describeToken(address: Hex): Promise<TokenMetadata> {
    const [name, symbol, digits, isNft, isMulti] = await Promise.all(
      (['name', 'symbol', 'decimals', 'erc721', 'erc1155'] as const).map((one) =>
        ask(address, one),
      ),
    );
    const decimals = readDecimals(digits);
    return {
      address,
      name: readText(name),
      symbol: readText(symbol),
      decimals,
      standards: [
        ...(decimals === undefined ? [] : (['erc20'] as const)),
        ...(isTrue(isNft) ? (['erc721'] as const) : []),
        ...(isTrue(isMulti) ? (['erc1155'] as const) : []),
      ],
    };
  }

  async function describePool(address: Hex): Promise<PoolTokens> {
    const [token0, token1] = await Promise.all([ask(address, 'token0'), ask(address, 'token1')]);
    return { address, token0: readAddress(token0), token1: readAddress(token1) };
  }

  return { describeToken, describePool };
}
