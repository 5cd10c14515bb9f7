/** Holds the holders of a token against the state under a trusted root, and sees whether their balances are all there is of it. */
import { decodeUint256 } from '../../../abi/answers.js';
import { holdingCalls, questions } from '../../../abi/tokens.js';
import type { Hex } from '../../../bytes.js';
import { ownNamed } from '../../../foreign/members.js';
import type { HolderItem, HoldersPage } from '../../items/holderItem.js';
import type { ListPage } from '../../wire/pages.js';
import type { Trust } from '../../wire/trust.js';
import { agreed } from '../agreed.js';
import { openGround } from '../ground.js';
import { createOnce, createPageVerifier } from '../provenPage.js';
import { notProven } from '../tokenCalls.js';
import { askIfProven, decimalsOf } from '../work.js';

/** What a page proves of the token. */
interface ProvenToken {
  /** Undefined: it is not proven. `amount` undefined: the contract says none. */
  readonly supply: { readonly amount: bigint | undefined } | undefined;
  readonly decimals: number | null;
}

/** Members that are the server's word. */
const claimed = ['contract_name', 'contract_ticker_symbol', 'supports_erc', 'logo_url'] as const;

/**
 * @param token in lower case
 * @returns what verifies one page after the other, and fails with DataError or the signal's reason
 * @throws TypeError or RangeError for a wrong anchor, network or fork
 */
export function createHoldersVerifier(token: Hex, trust: Trust) {
  const ground = openGround(trust);
  const block = ground.anchor.l2BlockNumber;
  /** Over all pages: a balance that came twice would count twice. */
  const once = createOnce();
  /** Proven balances of all pages. */
  let sum = 0n;
  let isAllProven = true;
  let proven: ProvenToken = { supply: undefined, decimals: null };

  const verifier = createPageVerifier<HolderItem>(ground, {
    nameOf: ({ address }) => `the balance of ${address}`,
    callsOf: () => 1,
    async begin(work) {
      const supply = await askIfProven(work, { to: token, data: questions.totalSupply });
      proven = {
        supply: supply && { amount: decodeUint256(supply.answer) },
        decimals: await decimalsOf(work, token),
      };
    },
    async check(item, work) {
      const wallet = item.address.toLowerCase() as Hex;
      once(wallet);
      const [call] = holdingCalls('erc20', { contract: token, wallet }, []);
      const balance = call && decodeUint256(await work.ask(call));
      if (balance === undefined) throw notProven('the contract gives none');
      sum += balance;
      const { supply, decimals } = proven;
      return {
        ...ownNamed(item, claimed),
        total_supply: null,
        ...agreed(item, {
          contract_address: token,
          address: wallet,
          balance: String(balance),
          block_height: block,
          ...(supply && {
            total_supply: supply.amount === undefined ? null : String(supply.amount),
          }),
        }),
        contract_decimals: decimals,
        verified: true,
      };
    },
    assumed: ['completeness', 'names'],
  });

  return async (page: ListPage<HolderItem>): Promise<HoldersPage> => {
    const verified = await verifier.verified(page);
    isAllProven &&= verified.unproven.length === 0;
    if (page.hasMore) return verified;
    const complete = isAllProven && proven.supply?.amount === sum;
    const assumed = verified.assumed.filter((word) => !complete || word !== 'completeness');
    return { ...verified, assumed, complete };
  };
}
