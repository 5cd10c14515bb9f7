/** Words of contracts about themselves: what they say is proven, and whether it is true is theirs. */
import type { PoolTokens, TokenMetadata } from '../../decode/index.js';
import type { Hex } from '../../index.js';
import { encodeCall } from '../format/calls.js';
import { isTrue, readAddress, readDecimals, readNumber, readText } from '../format/words.js';
import { askContract } from './call.js';
import { codeOf } from './codeOf.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

/** `supportsInterface` takes four bytes, which stand on the left of their word. */
const supports = (id: bigint) => encodeCall('supportsInterface(bytes4)', id << 224n);

/** What contracts are asked. */
const questions = {
  name: encodeCall('name()'),
  symbol: encodeCall('symbol()'),
  decimals: encodeCall('decimals()'),
  supply: encodeCall('totalSupply()'),
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
      if (codeOf(error) !== unknown) throw error;
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

/** The standards of tokens with ids, by ERC-165. */
const standards = { 'ERC-721': 'erc721', 'ERC-1155': 'erc1155' } as const;

/** A token, if the contract is one. @throws ProviderError */
export async function answerToken(
  session: Session,
  { address: to }: { address: Hex },
  { signal, say }: Means,
) {
  say('Running the contract on proven state');
  const asked = ['name', 'symbol', 'decimals', 'supply', ...Object.values(standards)] as const;
  const answers = await Promise.all(
    asked.map((one) => askContract(session, { to, data: questions[one] }, { signal })),
  );
  const [name, symbol, decimals, supply, ...supported] = answers.map(({ answer }) => answer);
  return {
    anchor: answers.find(({ anchor }) => anchor)?.anchor,
    assumed: answers.flatMap(({ assumed }) => assumed),
    name: readText(name),
    symbol: readText(symbol),
    decimals: readDecimals(decimals),
    supply: readNumber(supply),
    standards: Object.keys(standards).filter((_, i) => isTrue(supported[i])),
  };
}

/** Tokens that are asked for their decimals at most: amounts of others are shown in smallest units. */
const mostTokens = 50;

/** An answer was false: then nothing of its server is shown. */
const refused = -31001;

/**
 * The decimals of each token. One that says none is left out, and so is one that could not be asked: an amount in smallest
 * units is as true.
 *
 * @throws ProviderError if an answer was refused
 */
export async function proveDecimals(
  session: Session,
  tokens: readonly Hex[],
  means: Pick<Means, 'signal'>,
): Promise<ReadonlyMap<string, number>> {
  const asked = [...new Set(tokens)].slice(0, mostTokens);
  const found = await Promise.all(
    asked.map(async (to) => {
      try {
        const { answer } = await askContract(session, { to, data: questions.decimals }, means);
        return [to, readDecimals(answer)] as const;
      } catch (error) {
        means.signal.throwIfAborted();
        if (codeOf(error) === refused) throw error;
        return [to, undefined] as const;
      }
    }),
  );
  return new Map(found.filter((one): one is [Hex, number] => one[1] !== undefined));
}
