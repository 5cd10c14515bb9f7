/** Holds balances against the state under a trusted root: proofs are verified, and contracts asked again on what they prove. */
import { decodeUint256 } from '../../../abi/answers.js';
import type { Hex } from '../../../bytes.js';
import { ownNamed } from '../../../foreign/members.js';
import type { BalanceItem } from '../../items/balanceItem.js';
import type { HistoricalBalanceItem } from '../../items/portfolioItem.js';
import type { Trust } from '../../wire/trust.js';
import { agreed } from '../agreed.js';
import { openGround } from '../ground.js';
import { createOnce, createPageVerifier, type PageVerifier } from '../provenPage.js';
import { notProven, parseHolding, toTokenCalls } from '../tokenCalls.js';
import { decimalsOf, type Work } from '../work.js';
import { nativeBalanceOf, nativeDecimals } from './nativeBalance.js';
import { provenItem } from './provenItem.js';

const nameOf = ({ contract_address: contract, native_token: isNative }: BalanceItem): string =>
  isNative ? 'the native balance' : `the balance of ${contract}`;

const callsOf = ({ nft_data: tokens }: BalanceItem): number => 1 + (tokens?.length ?? 0);

const assumed = ['completeness', 'names', 'quotes', 'times'];

/** Verifies the items of one list. */
function createCheck(wallet: Hex) {
  /**
   * Over all pages. One contract gives one answer to ERC-20 and to ERC-721: hence the questions, and not what the server
   * calls the items.
   */
  const once = createOnce();

  /** @throws DataError, EvmError, ProofError */
  return async (item: BalanceItem, work: Work): Promise<BalanceItem> => {
    const holding = parseHolding(item, wallet);
    if (holding.standard === undefined) {
      once('native');
      const balance = await nativeBalanceOf(work, wallet);
      if (balance !== holding.balance) throw notProven(`it is ${balance}, not ${item.balance}`);
      return provenItem(item, holding, nativeDecimals);
    }
    const to = item.contract_address.toLowerCase() as Hex;
    for (const call of toTokenCalls(holding, to, wallet)) {
      const { data, expected } = call;
      once(`${to} ${data}`);
      const found = decodeUint256(await work.ask(call));
      if (found === expected) continue;
      const is = found === undefined ? 'the contract gives none' : `it is ${found}`;
      throw notProven(`${is}, but the server says ${expected}`);
    }
    const decimals = holding.standard === 'erc20' ? await decimalsOf(work, to) : null;
    return provenItem(item, holding, decimals);
  };
}

/** @param wallet in lower case @throws TypeError or RangeError for a wrong anchor, network or fork */
export const createBalanceVerifier = (wallet: Hex, trust: Trust): PageVerifier<BalanceItem> =>
  createPageVerifier(openGround(trust), { nameOf, callsOf, check: createCheck(wallet), assumed });

/** The same of older balances, whose items say which block they are of. */
export function createHistoryVerifier(
  wallet: Hex,
  trust: Trust,
): PageVerifier<HistoricalBalanceItem> {
  const ground = openGround(trust);
  const block = ground.anchor.l2BlockNumber;
  const check = createCheck(wallet);
  return createPageVerifier<HistoricalBalanceItem>(ground, {
    ...{ nameOf, callsOf, assumed },
    async check(item, work) {
      return {
        ...(await check(item, work)),
        ...ownNamed(item, ['last_transferred_block_height']),
        ...agreed(item, { block_height: block }),
      };
    },
  });
}
