/** The group Transactions: one, and those of a block; those of a wallet stand in a file of their own. */
import type { Hex } from '../../bytes.js';
import {
  type BlockTransactionsPage,
  type TransactionItem,
  transactionSchema,
} from '../items/transactionItem.js';
import { aboutOther, checkAbout } from '../wire/answer.js';
import {
  allItems,
  mostWalkedPages,
  provableList,
  toListPage,
  tooManyPages,
  unprovable,
} from '../wire/pages.js';
import { blockRule, hashRule, optionalRule, readRequest } from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { type Trusting, toProofsQuery, trustNames, trustRules } from '../wire/trust.js';
import { verifiedItems } from '../wire/verifiedPages.js';
import {
  linksSchema,
  partsRules,
  type TransactionParts,
  toPartsQuery,
  toWanted,
} from './transactionParts.js';
import {
  createWalletTransactionRoutes,
  type WalletTransactionRoutes,
} from './walletTransactions.js';

/** Which transaction is wanted. */
export interface TransactionRequest extends TransactionParts, Trusting {
  /** 32 bytes. */
  txHash: Hex;
}

/** The transactions of which block are wanted. */
export interface BlockTransactionsRequest extends TransactionParts, Trusting {
  /** Its number. Default: the newest of the server, or the newest that `anchor` proves. */
  block?: number | undefined;
  /** Its hash, 32 bytes, in place of its number. */
  blockHash?: Hex | undefined;
}

/** Questions about transactions. All answers are claims of the server, but for what a request with an `anchor` has verified. */
export interface TransactionRoutes extends WalletTransactionRoutes {
  /**
   * A mined transaction, with its logs. With an anchor, it says what of it is not proven: without `verified`, everything.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the transaction
   */
  transaction(request: TransactionRequest): Promise<TransactionItem>;
  /**
   * The transactions of a block, a page at a time, in its order. With an anchor, a page whose items are verified lacks none between
   * the first of the block and its own last one.
   *
   * @throws as `transaction`
   */
  blockTransactions(
    request?: BlockTransactionsRequest,
  ): AsyncGenerator<BlockTransactionsPage, void, undefined>;
}

const blockRules = {
  ...partsRules,
  block: optionalRule(blockRule),
  blockHash: optionalRule(hashRule),
  ...trustRules,
};

const oneRules = { ...partsRules, txHash: hashRule, ...trustRules };

const transactionData = provableList(transactionSchema);
const blockData = provableList(transactionSchema, { links: linksSchema });

const createMinedRoutes = ({
  pathOf,
  ask,
  trustOf,
}: Routes): Omit<TransactionRoutes, keyof WalletTransactionRoutes> => ({
  async transaction(request) {
    const given = readRequest(request, oneRules, trustNames);
    const { chainName, txHash, signal } = given;
    const path = `${pathOf(chainName)}transaction_v2/${txHash}/`;
    const trust = await trustOf(given);
    const verifier =
      trust &&
      (await import('../proofs/mined/transactions.js')).createTransactionVerifier(
        trust,
        toWanted(given),
      );
    const query = { ...toPartsQuery(given), ...toProofsQuery(trust) };
    const [item] = await verifiedItems(ask, {
      ...{ path, query, schema: transactionData, signal, verifier },
      check(data) {
        for (const one of allItems(data)) checkAbout('transaction', one.tx_hash, txHash);
      },
    });
    if (item === undefined) throw aboutOther('transaction');
    return item;
  },

  async *blockTransactions(request = {}) {
    const given = readRequest(request, blockRules, trustNames);
    const { chainName, block, blockHash, signal } = given;
    if (block !== undefined && blockHash !== undefined) {
      throw new TypeError('the request expected "block" or "blockHash", not both');
    }
    const path = pathOf(chainName);
    const trust = await trustOf(given);
    const verifier =
      trust &&
      (await import('../proofs/mined/blockTransactions.js')).createBlockTransactionsVerifier(
        ...([trust, toWanted(given)] as const),
      );
    const query = { ...toPartsQuery(given), ...toProofsQuery(trust) };
    let hash: string | undefined = blockHash;
    let height = block ?? (blockHash === undefined ? verifier?.newest : undefined);
    for (let page = 0; page < mostWalkedPages; page++) {
      const data = await ask({
        path:
          blockHash === undefined
            ? `${path}block/${height ?? 'latest'}/transactions_v3/page/${page}/`
            : `${path}block_hash/${blockHash}/transactions_v3/`,
        ...{ query, schema: blockData, signal },
      });
      hash ??= data.block_hash?.toLowerCase();
      // A page of another block must not be taken for one of this, as it might be after a reorg.
      if (hash !== undefined) checkAbout('block', data.block_hash ?? undefined, hash);
      height ??= data.block_height ?? data.items[0]?.block_height;
      const all = [...data.items, ...(data.unproven ?? [])];
      if (all.some((item) => item.block_height !== height)) throw aboutOther('block');
      const hasMore = blockHash === undefined && typeof data.links?.next === 'string';
      const claimed = toListPage(data, hasMore);
      const found =
        verifier && height !== undefined
          ? await verifier.verified(claimed, { number: height, hash: blockHash })
          : unprovable(claimed, trust);
      yield found;
      if (!found.hasMore) return;
    }
    throw tooManyPages();
  },
});

export const createTransactionRoutes = (routes: Routes): TransactionRoutes => ({
  ...createMinedRoutes(routes),
  ...createWalletTransactionRoutes(routes),
});
