/** Transactions with the transfers of a wallet's tokens in them, as answers have them. */
import { z } from '@hono/zod-openapi';
import { nativeAddress } from '../../../decode/index.js';
import { cleanName, cleanUrl } from '../../../decode/receipt/text.js';
import {
  readFungibleTransfers,
  type SidesWish,
  sidesOf,
  type TransferSide,
} from '../../../indexer/index.js';
import type { ChainContext } from '../../data/balances.js';
import { toQuote, toRate } from '../../data/items.js';
import { learnTokens } from '../../data/names.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { badRequest } from '../common/blocks.js';
import { amount, hex, number, text, time } from '../common/schemas.js';
import { findIndexed, type TransactionPlace } from '../items/indexed.js';
import { findPastPrices } from '../items/pastPrices.js';
import {
  explorers,
  minedItem,
  type TransactionWithBlock,
  toExplorers,
  toMinedItem,
} from '../items/transactionItem.js';

/** Transfers in one answer, unless one transaction has more. */
const mostTransfers = 20_000;

/** Transactions whose logs are held in memory at a time. */
const piece = 50;

/** Transfers that are worded in a turn. */
const worded = 256;

const transfer = z.object({
  block_signed_at: time,
  tx_hash: hex(32),
  from_address: hex(20).openapi({ description: 'The zero address if the tokens were made' }),
  from_address_label: z.null(),
  to_address: hex(20).openapi({ description: 'The zero address if they were burnt' }),
  to_address_label: z.null(),
  contract_decimals: number,
  contract_name: text,
  contract_ticker_symbol: text,
  contract_address: hex(20),
  logo_url: text,
  transfer_type: z.enum(['transfer-in', 'transfer-out']),
  delta: amount,
  balance: z.null().openapi({ description: 'Not known here' }),
  quote_rate: number,
  delta_quote: number,
  pretty_delta_quote: text,
  balance_quote: z.null(),
  method_calls: z.null(),
  explorers,
});

export const transferItem = minedItem.extend({ transfers: z.array(transfer) });

/** A transaction, and what it moved of the wallet's; its receipt has no logs any more. */
interface Moving {
  readonly mined: TransactionWithBlock;
  readonly sides: readonly TransferSide[];
}

/** Whose transfers are wanted. */
export interface TransferWish extends SidesWish {
  readonly quoteCurrency: string;
}

/** @throws HttpError, RpcError, NodeError, and what `pause` throws */
async function findMoving(
  places: readonly TransactionPlace[],
  wish: TransferWish,
  { access, context }: { access: ChainContext; context: AnswerContext },
): Promise<Moving[]> {
  const found: Moving[] = [];
  let count = 0;
  for (let from = 0; from < places.length; from += piece) {
    for (const mined of await findIndexed(places.slice(from, from + piece), access, context)) {
      const { receipt } = mined;
      const sides = sidesOf(readFungibleTransfers(receipt.logs), wish);
      // Without a contract, the transaction may have moved tokens with ids alone.
      if (sides.length === 0) continue;
      count += sides.length;
      if (count > mostTransfers && found.length > 0) {
        throw badRequest(
          `this page has more than ${mostTransfers} transfers: name a smaller page-size`,
        );
      }
      found.push({ mined: { ...mined, receipt: { ...receipt, logs: [] } }, sides });
    }
  }
  return found;
}

type TransferItem = ReturnType<typeof toMinedItem> & { readonly transfers: readonly object[] };

interface TransferItems {
  readonly items: readonly TransferItem[];
  /** Whether names and prices in them may be remembered for ever. */
  readonly isFinal: boolean;
}

/**
 * @param isFinal whether all are of final blocks
 * @throws HttpError, RpcError, NodeError, and what `pause` throws
 */
export async function toTransferItems(
  places: readonly TransactionPlace[],
  wish: TransferWish,
  { access, context, isFinal }: { access: ChainContext; context: AnswerContext; isFinal: boolean },
): Promise<TransferItems> {
  const { chain, tokens: book } = access;
  const { pause } = context;
  const moving = await findMoving(places, wish, { access, context });
  const contracts = new Set(moving.flatMap(({ sides }) => sides.map(({ contract }) => contract)));
  const named = await learnTokens(contracts, { book, isFinal, pause });
  const prices = await findPastPrices(
    access,
    wish.quoteCurrency,
    moving.map(({ mined, sides }) => ({
      timestamp: mined.block.timestamp,
      tokens: [nativeAddress, ...sides.map(({ contract }) => contract)],
    })),
  );
  const items: TransferItem[] = [];
  let count = 0;
  for (const { mined, sides } of moving) {
    const { timestamp } = mined.block;
    const item = toMinedItem(mined, chain, prices.at(timestamp, nativeAddress));
    const { block_signed_at, tx_hash } = item;
    const pages = toExplorers(chain, tx_hash);
    const transfers: object[] = [];
    for (const { contract, from, to, amount: delta, type } of sides) {
      if (count++ % worded === 0) await pause();
      const { name, symbol, decimals, logo } = named.tokens.get(contract) ?? {};
      const price = prices.at(timestamp, contract);
      const worth = toQuote(delta, decimals, price);
      transfers.push({
        block_signed_at,
        tx_hash,
        from_address: from,
        from_address_label: null,
        to_address: to,
        to_address_label: null,
        contract_decimals: decimals ?? null,
        contract_name: cleanName(name) ?? null,
        contract_ticker_symbol: cleanName(symbol) ?? null,
        contract_address: contract,
        logo_url: cleanUrl(logo) ?? null,
        transfer_type: type,
        delta: String(delta),
        balance: null,
        quote_rate: toRate(price),
        delta_quote: worth.quote,
        pretty_delta_quote: worth.pretty,
        balance_quote: null,
        method_calls: null,
        explorers: pages,
      } satisfies z.input<typeof transfer>);
    }
    items.push({ ...item, transfers });
  }
  return { items, isFinal: isFinal && named.isFinal && prices.isWhole };
}
