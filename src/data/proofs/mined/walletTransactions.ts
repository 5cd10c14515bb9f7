/** Holds the transactions of a wallet against their blocks. */
import type { Hex } from '../../../bytes.js';
import type { TransactionItem } from '../../items/transactionItem.js';
import type { Trust } from '../../wire/trust.js';
import { openGround } from '../ground.js';
import { createOnce, createPageVerifier, type PageVerifier } from '../provenPage.js';
import { notProven } from '../tokenCalls.js';
import {
  claimedTransaction,
  findTransaction,
  type ProvenTransaction,
  provenTransaction,
  type WantedMembers,
} from './transactions.js';

/** Whether a wallet sent a transaction, received or was created by it, or is named in one of its logs. */
function hasPart(wallet: Hex, { transaction: { from, to }, receipt }: ProvenTransaction): boolean {
  if ([from, to, receipt.contractAddress].includes(wallet)) return true;
  const digits = wallet.slice(2);
  return receipt.logs.some(({ address, topics, data }) =>
    [address, ...topics, data].some((text) => text.includes(digits)),
  );
}

/** @param wallet in lower case @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createWalletTransactionVerifier(
  wallet: Hex,
  trust: Trust,
  wanted: WantedMembers,
): PageVerifier<TransactionItem> {
  /** Over all pages. */
  const once = createOnce();
  return createPageVerifier<TransactionItem>(openGround(trust), {
    ...claimedTransaction,
    async check(item, work) {
      once(item.tx_hash.toLowerCase());
      const found = await findTransaction(item, await work.history());
      if (!hasPart(wallet, found)) throw notProven('the wallet has no part in it');
      return provenTransaction(item, found, wanted);
    },
    assumed: [...claimedTransaction.assumed, 'completeness'],
    isOfItems: true,
  });
}
