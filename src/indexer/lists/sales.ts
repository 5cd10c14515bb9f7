/** Sales of the tokens of a contract. */
import { bytesToInteger, type Hex } from '../../bytes.js';
import type { Entry, Store } from '../../tree/index.js';
import { unsignedIn } from '../layout/combine.js';
import { IndexError } from '../layout/errors.js';
import {
  blockNumberWidth,
  checkWidth,
  contractWidth,
  idWidth,
  newestBlockAt,
  newestBlockBytes,
  newestPlaceAt,
  newestPlaceBytes,
  numberIn,
  placeWidth,
} from '../layout/layout.js';
import { bodyIn } from '../layout/record.js';
import { atMoment } from '../sealed/moment.js';
import { contractNumber, contractsOf } from '../sealed/numbers.js';
import type { LogPlace } from './itemMoves.js';
import { type ListPart, readList } from './list.js';

/** A trade of one order on Seaport. */
export interface Sale extends LogPlace {
  /** Place of the transaction in the block. */
  readonly transaction: number;
  /** Of the token; of a bundle, the first one's. */
  readonly id: bigint;
  /** What all of it cost; undefined for a bundle, and for a price in several currencies. */
  readonly price: SalePrice | undefined;
}

export interface SalePrice {
  /** The zero address is the native token. */
  readonly currency: Hex;
  /** In smallest units of the currency. */
  readonly amount: bigint;
}

export interface SaleLists {
  /** Sales of the tokens of a contract, the newest first, from a place on. */
  sales(contract: Hex, part: ListPart<LogPlace>): Promise<Sale[]>;
}

/** A sale whose currency is still a number. */
type NumberedSale = Omit<Sale, 'price'> & { readonly currency?: number; readonly amount: bigint };

function decodeSale({ key, value }: Entry): NumberedSale {
  const blockAt = 1 + contractWidth;
  const logAt = blockAt + blockNumberWidth;
  const bytes = checkWidth(key, logAt + placeWidth, 'a sale');
  const body = bodyIn(value);
  const currencyAt = idWidth + placeWidth;
  const amountAt = currencyAt + contractWidth;
  const hasPrice = body.length > currencyAt;
  if (body.length < (hasPrice ? amountAt : currencyAt)) {
    throw new IndexError('DAMAGED', 'the index holds half a sale');
  }
  return {
    block: newestBlockAt(bytes, blockAt),
    log: newestPlaceAt(bytes, logAt),
    transaction: numberIn(body.subarray(idWidth, currencyAt)),
    id: bytesToInteger(body.subarray(0, idWidth)),
    ...(hasPrice && { currency: numberIn(body.subarray(currencyAt, amountAt)) }),
    amount: unsignedIn(body.subarray(amountAt)),
  };
}

export const createSaleLists = (store: Store): SaleLists => ({
  sales: (contract, part) =>
    atMoment(store, async (moment) => {
      const number = await contractNumber(moment, contract);
      if (number === undefined) return [];
      const list = {
        kind: 'sale' as const,
        prefix: [number],
        blockBytes: newestBlockBytes,
        isNewestFirst: true,
        keyBytes: ({ block, log }: LogPlace) => [newestBlockBytes(block), newestPlaceBytes(log)],
      };
      const found = await readList(moment, list, part, decodeSale);
      const numbers = [...new Set(found.flatMap(({ currency }) => currency ?? []))];
      const currencies = await contractsOf(moment, numbers);
      const byNumber = new Map(numbers.map((one, i) => [one, currencies[i] as Hex]));
      return found.map(({ currency, amount, ...sale }) => {
        const name = currency === undefined ? undefined : byNumber.get(currency);
        return { price: name && { currency: name, amount }, ...sale };
      });
    }),
});
