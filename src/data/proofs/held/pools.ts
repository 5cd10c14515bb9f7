/** Holds prices of a pool against the state under a trusted root: the pool and its tokens are asked again, and prices worked out. */
import { type AskContracts, readPoolPrices, toDigits } from '../../../abi/pools.js';
import type { Hex } from '../../../bytes.js';
import { ownNamed } from '../../../foreign/members.js';
import type { PoolPricesItem } from '../../items/portfolioItem.js';
import type { Trust } from '../../wire/trust.js';
import { agreed } from '../agreed.js';
import { openGround } from '../ground.js';
import { createPageVerifier, type PageVerifier } from '../provenPage.js';
import { notProven } from '../tokenCalls.js';
import type { Work } from '../work.js';

/** Members that stay as the server words them: names, quotes, and prices at another block. */
const claimed = [
  ...(['token_0_name', 'token_0_ticker', 'token_1_name', 'token_1_ticker'] as const),
  ...(['token_0_price_24h', 'token_0_price_quote', 'token_0_price_24h_quote'] as const),
  ...(['token_1_price_24h', 'token_1_price_quote', 'token_1_price_24h_quote'] as const),
  'quote_currency',
] as const;

/** @param pool in lower case @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createPoolVerifier(pool: Hex, trust: Trust): PageVerifier<PoolPricesItem> {
  /** @throws DataError, EvmError, ProofError */
  async function check(item: PoolPricesItem, work: Work): Promise<PoolPricesItem> {
    const ask: AskContracts = async (calls) => {
      const answers: (Uint8Array | undefined)[] = [];
      for (const call of calls) answers.push(await work.ask(call));
      return answers;
    };
    const found = await readPoolPrices(pool, ask);
    if (found === undefined) throw notProven('it is no pool');
    const [first, second] = found.tokens;
    const [price, other] = found.prices ?? [undefined, undefined];
    const proven = agreed(item, {
      pool_address: pool,
      token_0_address: first,
      token_0_price: price === undefined ? null : toDigits(price),
      token_1_address: second,
      token_1_price: other === undefined ? null : toDigits(other),
      block_height: trust.anchor.l2BlockNumber,
    });
    return { ...proven, ...ownNamed(item, claimed), verified: true };
  }

  return createPageVerifier(openGround(trust), {
    nameOf: () => `the pool ${pool}`,
    callsOf: () => 6,
    check,
    assumed: ['names', 'quotes'],
  });
}
