/** The group Security: who may take what from a wallet. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import {
  type AllowancesItem,
  allowancesItem,
  type NftApprovalsItem,
  nftApprovalsItem,
} from '../items/approvalItem.js';
import { checkAbout } from '../wire/answer.js';
import { type ListPage, provableList } from '../wire/pages.js';
import {
  type Asked,
  addressRule,
  askedRules,
  optionalRule,
  pageSizeRule,
  readRequest,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { type Trusting, toProofsQuery, trustNames, trustRules } from '../wire/trust.js';
import { verifiedPages } from '../wire/verifiedPages.js';

/** Whose approvals are wanted. */
export interface ApprovalsRequest extends Asked, Trusting {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** Approvals in a page, 1 to 1,000, with an `anchor` to 100; default: the server's. */
  pageSize?: number | undefined;
}

/** Questions about approvals. */
export interface SecurityRoutes {
  /**
   * Who may take some of a wallet's ERC-20 tokens, a page at a time. The items are the server's claims, unless the request has
   * an `anchor`: then they are verified, but not that nobody is left out. A token whose spenders are on two pages is on both;
   * `total` counts approvals that were ever made.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the token
   */
  allowances(request: ApprovalsRequest): AsyncGenerator<ListPage<AllowancesItem>, void, undefined>;
  /**
   * Who may take some of a wallet's NFTs, a page at a time: claims or verified, as {@link SecurityRoutes.allowances}. A contract
   * whose approvals are on two pages is on both; `total` counts approvals that were ever made.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the contract
   */
  nftApprovals(
    request: ApprovalsRequest,
  ): AsyncGenerator<ListPage<NftApprovalsItem>, void, undefined>;
}

const approvalsRules = {
  ...askedRules,
  address: addressRule,
  pageSize: optionalRule(pageSizeRule),
  ...trustRules,
};

const members = { address: z.string() };
const allowancesData = provableList(allowancesItem, members);
const nftApprovalsData = provableList(nftApprovalsItem, members);

export const createSecurityRoutes = ({ pathOf, ask, trustOf }: Routes): SecurityRoutes => ({
  async *allowances(request) {
    const given = readRequest(request, approvalsRules, trustNames);
    const { chainName, address, pageSize, signal } = given;
    const path = `${pathOf(chainName)}approvals/${address}/`;
    const trust = await trustOf(given);
    const verifier =
      trust &&
      (await import('../proofs/held/allowances.js')).createAllowancesVerifier(address, trust);
    yield* verifiedPages(ask, {
      ...{ path, query: toProofsQuery(trust), schema: allowancesData, signal, pageSize, verifier },
      check: (data) => checkAbout('address', data.address, address),
    });
  },

  async *nftApprovals(request) {
    const given = readRequest(request, approvalsRules, trustNames);
    const { chainName, address, pageSize, signal } = given;
    const path = `${pathOf(chainName)}nft/approvals/${address}/`;
    const trust = await trustOf(given);
    const verifier =
      trust &&
      (await import('../proofs/held/nftApprovals.js')).createNftApprovalsVerifier(address, trust);
    yield* verifiedPages(ask, {
      ...{
        path,
        query: toProofsQuery(trust),
        schema: nftApprovalsData,
        signal,
        pageSize,
        verifier,
      },
      check: (data) => checkAbout('address', data.address, address),
    });
  },
});
