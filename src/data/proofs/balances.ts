/** Holds balances against the state under a trusted root: proofs are verified, and contracts asked again on what they prove. */
import { decodeUint256 } from '../../abi/answers.js';
import type { Hex } from '../../bytes.js';
import type { BalanceItem } from '../items/balanceItem.js';
import type { Trust } from '../wire/trust.js';
import { openGround } from './ground.js';
import { provenItem } from './provenItem.js';
import { createOnce, createPageVerifier, type PageVerifier } from './provenPage.js';
import { notProven, parseHolding, toTokenCalls } from './tokenCalls.js';
import { decimalsOf, type Work } from './work.js';

/** Of the native token, by the definition of the chain. */
const nativeDecimals = 18;

const nameOf = ({ contract_address: contract, native_token: isNative }: BalanceItem): string =>
  isNative ? 'the native balance' : `the balance of ${contract}`;

/** @param wallet in lower case @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createBalanceVerifier(wallet: Hex, trust: Trust): PageVerifier<BalanceItem> {
  /**
   * Over all pages. One contract gives one answer to ERC-20 and to ERC-721: hence the questions, and not what the server
   * calls the items.
   */
  const once = createOnce();

  /** @throws DataError, EvmError, ProofError */
  async function check(item: BalanceItem, work: Work): Promise<BalanceItem> {
    const holding = parseHolding(item, wallet);
    if (holding.standard === undefined) {
      once('native');
      const { account } = await work.state.open(wallet);
      const balance = account?.balance ?? 0n;
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
  }

  return createPageVerifier(openGround(trust), {
    nameOf,
    callsOf: (item) => 1 + (item.nft_data?.length ?? 0),
    check,
    assumed: ['completeness', 'names', 'quotes', 'times'],
  });
}
