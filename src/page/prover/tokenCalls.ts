/** What tokens say of themselves, by running them on proven state. */
import type { Hex } from '../../index.js';
import { encodeCall } from '../format/calls.js';
import { isTrue, readDecimals, readNumber, readText } from '../format/words.js';
import { askContract } from './call.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

const decimalsCall = encodeCall('decimals()');

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
        const { answer } = await askContract(session, { to, data: decimalsCall }, means);
        return [to, readDecimals(answer)] as const;
      } catch (error) {
        means.signal.throwIfAborted();
        if ((error as { readonly code?: unknown }).code === refused) throw error;
        return [to, undefined] as const;
      }
    }),
  );
  return new Map(found.filter((one): one is [Hex, number] => one[1] !== undefined));
}

/** The standards of tokens with ids, by ERC-165. */
const interfaces = { 'ERC-721': 0x80ac58cdn, 'ERC-1155': 0xd9b67a26n } as const;

/** A token, if the contract is one. @throws ProviderError */
export async function answerToken(
  session: Session,
  { address: to }: { address: Hex },
  { signal, say }: Means,
) {
  say('Running the contract on proven state');
  const ask = (data: Hex) => askContract(session, { to, data }, { signal });
  // `supportsInterface` takes four bytes, which stand on the left of their word.
  const supports = (id: bigint) => ask(encodeCall('supportsInterface(bytes4)', id << 224n));
  const answers = await Promise.all([
    ...['name()', 'symbol()', 'decimals()', 'totalSupply()'].map((one) => ask(encodeCall(one))),
    ...Object.values(interfaces).map(supports),
  ]);
  const [name, symbol, decimals, supply, ...supported] = answers.map(({ answer }) => answer);
  return {
    anchor: answers.find(({ anchor }) => anchor)?.anchor,
    assumed: answers.flatMap(({ assumed }) => assumed),
    name: readText(name),
    symbol: readText(symbol),
    decimals: readDecimals(decimals),
    supply: readNumber(supply),
    standards: Object.keys(interfaces).filter((_, i) => isTrue(supported[i])),
  };
}
