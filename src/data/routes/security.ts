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
import { type ListPage, listMembers, toListPage, walkPages } from '../wire/pages.js';
import type { Query } from '../wire/query.js';
import {
  type Asked,
  addressRule,
  askedRules,
  optionalRule,
  pageSizeRule,
  readRequest,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';

/** Whose approvals are wanted. */
export interface ApprovalsRequest extends Asked {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** Approvals in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** Questions about approvals. */
export interface SecurityRoutes {
  /**
   * Who may take some of a wallet's ERC-20 tokens, a page at a time: the server's claims. A token whose spenders are on two
   * pages is on both; `total` counts approvals that were ever made.
   *
   * @throws as `decodeTransaction`
   */
  allowances(request: ApprovalsRequest): AsyncGenerator<ListPage<AllowancesItem>, void, undefined>;
  /**
   * Who may take some of a wallet's NFTs, a page at a time: the server's claims. A contract whose approvals are on two pages is
   * on both; `total` counts approvals that were ever made.
   *
   * @throws as `decodeTransaction`
   */
  nftApprovals(
    request: ApprovalsRequest,
  ): AsyncGenerator<ListPage<NftApprovalsItem>, void, undefined>;
}

const approvalsRules = {
  ...askedRules,
  address: addressRule,
  pageSize: optionalRule(pageSizeRule),
};

const members = { ...listMembers, address: z.string() };
const allowancesData = z.looseObject({ ...members, items: z.array(allowancesItem) });
const nftApprovalsData = z.looseObject({ ...members, items: z.array(nftApprovalsItem) });

export const createSecurityRoutes = ({ pathOf, ask }: Routes): SecurityRoutes => ({
  async *allowances(request) {
    const { chainName, address, pageSize, signal } = readRequest(request, approvalsRules);
    const path = `${pathOf(chainName)}approvals/${address}/`;
    const pages = walkPages(pageSize, (query: Query) =>
      ask({ path, query, schema: allowancesData, signal }),
    );
    for await (const data of pages) {
      checkAbout('address', data.address, address);
      yield toListPage(data);
    }
  },

  async *nftApprovals(request) {
    const { chainName, address, pageSize, signal } = readRequest(request, approvalsRules);
    const path = `${pathOf(chainName)}nft/approvals/${address}/`;
    const pages = walkPages(pageSize, (query: Query) =>
      ask({ path, query, schema: nftApprovalsData, signal }),
    );
    for await (const data of pages) {
      checkAbout('address', data.address, address);
      yield toListPage(data);
    }
  },
});
