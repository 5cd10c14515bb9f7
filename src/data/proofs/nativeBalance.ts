/** Holds the native balance of a wallet against the state under a trusted root. */
import type { Hex } from '../../bytes.js';
import { ownNamed } from '../../foreign/members.js';
import type { NativeBalanceItem } from '../items/balanceItem.js';
import type { ListPage } from '../wire/pages.js';
import type { Trust } from '../wire/trust.js';
import { openGround } from './ground.js';
import { createOnce, createPageVerifier } from './provenPage.js';
import { checkHeight, nativeAddress, notProven, readAmount } from './tokenCalls.js';
import type { Work } from './work.js';

/** Of the native token, by the definition of the chain. */
export const nativeDecimals = 18;

/** @throws DataError unless the wallet has just so much; ProofError */
export async function checkNative(claimed: bigint, wallet: Hex, work: Work): Promise<void> {
  const { account } = await work.state.open(wallet);
  const balance = account?.balance ?? 0n;
  if (balance !== claimed) throw notProven(`it is ${balance}, not ${claimed}`);
}

/** Members that are the server's word. */
const claimed = [
  ...(['contract_name', 'contract_ticker_symbol', 'logo_url'] as const),
  ...(['quote_rate', 'quote', 'pretty_quote'] as const),
] as const;

/**
 * @param wallet in lower case
 * @returns what verifies the answer about the wallet, and fails with DataError or the signal's reason
 * @throws TypeError or RangeError for a wrong anchor, network or fork
 */
export function createNativeVerifier(wallet: Hex, trust: Trust) {
  const ground = openGround(trust);
  const block = ground.anchor.l2BlockNumber;
  const once = createOnce();
  const verifier = createPageVerifier<NativeBalanceItem>(ground, {
    nameOf: () => 'the native balance',
    callsOf: () => 0,
    async check(item, work) {
      once('native');
      const contract = item.contract_address;
      if (contract.toLowerCase() !== nativeAddress)
        throw notProven(`${contract} is not its address`);
      checkHeight(item.block_height, block);
      const balance = readAmount(item.balance, 'balance');
      await checkNative(balance, wallet, work);
      return {
        contract_address: nativeAddress,
        contract_decimals: nativeDecimals,
        ...ownNamed(item, claimed),
        supports_erc: null,
        block_height: block,
        balance: String(balance),
        verified: true,
      };
    },
    assumed: ['names', 'quotes'],
  });
  return async (answer: ListPage<NativeBalanceItem>): Promise<NativeBalanceItem> => {
    const { items, assumed } = await verifier.verified(answer);
    const [item] = items;
    // Of an account there is always a proof.
    if (item === undefined) throw notProven('the server gives no proof of the native balance');
    return { ...item, assumed };
  };
}
