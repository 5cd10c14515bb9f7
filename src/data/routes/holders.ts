/** The group Wallet: who holds a token. */
import type { Hex } from '../../bytes.js';
import { type HoldersPage, holdersData } from '../items/holderItem.js';
import { aboutOther, checkAbout } from '../wire/answer.js';
import { toListPage, walkPages } from '../wire/pages.js';
import { type PastBlock, pastRules, toPastQuery } from '../wire/pastBlock.js';
import {
  type Asked,
  addressRule,
  askedRules,
  flagRule,
  optionalRule,
  pageSizeRule,
  readRequest,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { trustNames } from '../wire/trust.js';

/** Whose holders are wanted. Without a block or a day: at the newest block that the server has ranked holders at. */
export interface HoldersRequest extends Asked, PastBlock {
  /** The token, 20 bytes. */
  token: Hex;
  /** Whether the server ranks the holders anew, at its newest block. Default false. */
  anew?: boolean | undefined;
  /** Holders in a page, 1 to 1,000, or 100 with an anchor; default: the server's. */
  pageSize?: number | undefined;
}

/** Questions about the holders of tokens. */
export interface HolderRoutes {
  /**
   * The holders of a token, a page at a time, the largest first: the server's claims, unless there is an `anchor`. Then each
   * balance is verified, and `complete` of the last page says whether they are all there is of the token. `total` counts all
   * that the server has ranked.
   *
   * @throws as `balances`
   */
  holders(request: HoldersRequest): AsyncGenerator<HoldersPage, void, undefined>;
}

const holdersRules = {
  ...askedRules,
  token: addressRule,
  ...pastRules,
  anew: optionalRule(flagRule),
  pageSize: optionalRule(pageSizeRule),
};

export const createHolderRoutes = ({ pathOf, ask, trustOf }: Routes): HolderRoutes => ({
  async *holders(request) {
    const given = readRequest(request, holdersRules, trustNames);
    const { chainName, token, block, anew, pageSize, signal } = given;
    const path = `${pathOf(chainName)}tokens/${token}/token_holders_v2/`;
    const trust = await trustOf(given);
    const verified =
      trust && (await import('../proofs/held/holders.js')).createHoldersVerifier(token, trust);
    const past = toPastQuery(given, trust);
    let isAnew = anew || undefined;
    const pages = walkPages(pageSize, (place) => {
      const query = { ...past, 'no-snapshot': isAnew, ...place };
      // Later pages are of the ranking that the first one made.
      isAnew = undefined;
      return ask({ path, query, schema: holdersData, signal });
    });
    for await (const data of pages) {
      for (const item of data.items) {
        checkAbout('token', item.contract_address, token);
        if (block !== undefined && item.block_height !== block) throw aboutOther('block');
      }
      const page = toListPage(data);
      yield verified ? await verified(page) : page;
    }
  },
});
