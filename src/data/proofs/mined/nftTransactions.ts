/** Holds the transactions that moved a token against their blocks, and their logs against the token. */
import type { Hex } from '../../../bytes.js';
import { ownNamed } from '../../../foreign/members.js';
import { isItemMoved } from '../../../indexer/receipts/itemMoves.js';
import type { NftTransactionsItem } from '../../items/nftItem.js';
import type { TransactionItem } from '../../items/transactionItem.js';
import type { Trust } from '../../wire/trust.js';
import { openGround } from '../ground.js';
import { createOnce, createPageVerifier, type PageVerifier } from '../provenPage.js';
import { notProven } from '../tokenCalls.js';
import { findTransaction, provenTransaction, type WantedMembers } from './transactions.js';

/** Members about the contract that are the server's word. */
const claimed = [
  ...(['contract_name', 'contract_ticker_symbol', 'contract_decimals'] as const),
  ...(['supports_erc', 'logo_url', 'is_spam', 'type'] as const),
] as const;

/** Which token is meant; the contract in lower case. */
interface WantedToken {
  readonly contract: Hex;
  readonly id: bigint;
}

/** @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createNftTransactionsVerifier(
  token: WantedToken,
  trust: Trust,
  wanted: WantedMembers,
): PageVerifier<NftTransactionsItem> {
  /** Over all pages. */
  const once = createOnce();
  return createPageVerifier<NftTransactionsItem>(openGround(trust), {
    nameOf: () => `a transaction of the token ${token.id}`,
    callsOf: () => 0,
    async check(item, work) {
      // An item without transactions would count as verified though nothing was.
      if (item.nft_transactions.length === 0) throw notProven('it names no transaction');
      const history = await work.history();
      const transactions: TransactionItem[] = [];
      for (const given of item.nft_transactions) {
        once(given.tx_hash.toLowerCase());
        const found = await findTransaction(given, history);
        if (!isItemMoved(found.receipt.logs, token)) {
          throw notProven(`${given.tx_hash} did not move it`);
        }
        transactions.push(provenTransaction(given, found, wanted));
      }
      return {
        ...ownNamed(item, claimed),
        contract_address: token.contract,
        nft_transactions: transactions,
        verified: true,
      };
    },
    assumed: ['completeness', 'names', 'quotes'],
    isOfItems: true,
  });
}
