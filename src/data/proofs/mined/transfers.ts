/** Holds the transfers of a wallet against the logs of their transactions, which are proven by their blocks. */
import { ownNamed } from '../../../foreign/members.js';
import type { BlockHeader } from '../../../history/verify/types.js';
import {
  readFungibleTransfers,
  type SidesWish,
  sidesOf,
  type TransferSide,
} from '../../../indexer/receipts/fungible.js';
import type { TransferItem, TransfersItem } from '../../items/transferItem.js';
import type { Trust } from '../../wire/trust.js';
import { agreed } from '../agreed.js';
import { openGround } from '../ground.js';
import { timeOf } from '../headerValues.js';
import type { PageHistory } from '../history.js';
import { createOnce, createPageVerifier, type PageVerifier } from '../provenPage.js';
import { notProven } from '../tokenCalls.js';
import { claimedOfMined, findTransaction, toMined } from './transactions.js';

/** Members that carry no amount of the token and no address: they stay as the server words them. */
const claimed = [
  ...(['contract_decimals', 'contract_name', 'contract_ticker_symbol', 'logo_url'] as const),
  ...(['quote_rate', 'delta_quote', 'pretty_delta_quote'] as const),
] as const;

const toTransfer = (side: TransferSide, header: BlockHeader, hash: string) => ({
  block_signed_at: timeOf(header),
  tx_hash: hash,
  from_address: side.from,
  to_address: side.to,
  contract_address: side.contract,
  transfer_type: side.type,
  delta: String(side.amount),
});

/** @throws DataError, HistoryError, ProofError */
async function provenTransfers(
  item: TransfersItem,
  wish: SidesWish,
  history: PageHistory,
): Promise<TransfersItem> {
  const found = await findTransaction(item, history);
  const { header, transaction, receipt } = found;
  const sides = sidesOf(readFungibleTransfers(receipt.logs), wish);
  const { transfers: given } = item;
  if (sides.length === 0 || given.length !== sides.length) {
    throw notProven(`it has ${sides.length} such transfers, and the server gives ${given.length}`);
  }
  return {
    ...ownNamed(item, claimedOfMined),
    ...agreed(item, toMined(found)),
    transfers: sides.map((side, i) => {
      const said = given[i] as TransferItem;
      return {
        ...ownNamed(said, claimed),
        ...agreed(said, toTransfer(side, header, transaction.hash)),
      };
    }),
    verified: true,
  };
}

/** @param wish addresses in lower case @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createTransferVerifier(wish: SidesWish, trust: Trust): PageVerifier<TransfersItem> {
  /** Over all pages: a transfer that came twice would count twice. */
  const once = createOnce();
  return createPageVerifier<TransfersItem>(openGround(trust), {
    nameOf: ({ tx_hash: hash }) => `transaction ${hash}`,
    callsOf: () => 0,
    async check(item, work) {
      once(item.tx_hash.toLowerCase());
      return provenTransfers(item, wish, await work.history());
    },
    assumed: ['completeness', 'names', 'quotes'],
    isOfItems: true,
  });
}
