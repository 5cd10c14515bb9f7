/** Words of contracts about themselves: what they say is proven, and whether it is true is theirs. */
import type { PoolTokens, TokenMetadata } from '../../decode/index.js';
import type { Hex } from '../../index.js';
import type { Provider, ProviderError } from '../../provider/index.js';
import { isTrue, readAddress, readDecimals, readText } from '../format/words.js';

/** Call data of the functions: `name()` and so on; `supportsInterface` of ERC-721 and ERC-1155. */
const questions = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  erc721: `0x01ffc9a780ac58cd${'00'.repeat(28)}`,
  erc1155: `0x01ffc9a7d9b67a26${'00'.repeat(28)}`,
  token0: '0x0dfe1681',
  token1: '0xd21220a7',
} as const;

/** Codes of a call that ran here and failed, by the contract's own doing: that, too, is proven. */
const failed: readonly unknown[] = [3, -32000];

/** An answer was false: then nothing of its server is shown. */
const refused = -31001;

/** Contracts that have no proven answer -> why. */
export type Unproven = Map<string, string>;

/** Asks contracts, in the newest block. */
export function createAsker(provider: Provider, unproven: Unproven, signal: AbortSignal) {
  /** @returns undefined if the contract answers nothing, or nobody knows */
  async function ask(to: Hex, question: keyof typeof questions): Promise<Hex | undefined> {
    const params = [{ to, data: questions[question] }, 'latest'];
    try {
      return (await provider.request({ method: 'eth_call', params, signal })) as Hex;
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = error as ProviderError;
      if (code === refused) throw error;
      if (!failed.includes(code)) unproven.set(to, message);
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
