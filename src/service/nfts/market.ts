/** Sales of the tokens of a contract, by days in UTC. */
import type { Hex } from '../../bytes.js';
import type { Index, LogPlace } from '../../indexer/index.js';
import { codes, HttpError, overloaded } from '../http/httpError.js';
import type { AnswerContext } from '../jsonrpc/method.js';

/** What was paid in a currency on a day, in its smallest units. */
export interface PaidInCurrency {
  readonly sum: bigint;
  /** The least price of one sale. */
  readonly least: bigint;
}

/** The sales of a day. */
export interface DayOfSales {
  /** Seconds at which it begins. */
  readonly start: number;
  /** How many there were; a bundle is one. */
  readonly count: number;
  /** Of the sales that have a price. The zero address is the native token. */
  readonly paid: ReadonlyMap<Hex, PaidInCurrency>;
}

/** A day that is still added to. */
interface OpenDay extends DayOfSales {
  count: number;
  readonly paid: Map<Hex, PaidInCurrency>;
}

/** Seconds. */
const secondsADay = 86_400;

/** Sales that an answer may be made of, and that are read in a piece, for a unit of cost. */
const mostSales = 100_000;
const piece = 1000;

const startOf = (time: number): number => Math.floor(time / secondsADay) * secondsADay;

function addPrice(paid: Map<Hex, PaidInCurrency>, currency: Hex, amount: bigint): void {
  const known = paid.get(currency);
  const isLeast = known === undefined || amount < known.least;
  paid.set(currency, {
    sum: (known?.sum ?? 0n) + amount,
    least: isLeast ? amount : known.least,
  });
}

/** Which sales are wanted. */
interface SalesQuestion {
  readonly contract: Hex;
  /** The last of which is that of the newest block. */
  readonly days: number;
  /** The newest block and its time in seconds. */
  readonly newest: { readonly number: number; readonly time: number };
}

/**
 * Days on which tokens of a contract were sold, the newest first.
 *
 * @throws HttpError 400 if the sales are too many; IndexError, and what `pause` throws
 */
export async function readSales(
  index: Pick<Index, 'sales' | 'blockAt' | 'blockTime'>,
  { contract, days, newest }: SalesQuestion,
  { pause, charge }: AnswerContext,
): Promise<DayOfSales[]> {
  const blockBefore = async (time: number) => (await index.blockAt(time - 1)) ?? -1;
  const first = startOf(newest.time) - (days - 1) * secondsADay;
  const fromBlock = (await blockBefore(first)) + 1;
  const found: OpenDay[] = [];
  let read = 0;
  /** The last block before the day that is added to. */
  let before = newest.number;
  let after: LogPlace | undefined;
  do {
    await pause();
    charge(1);
    const part = { after, fromBlock, toBlock: newest.number, limit: piece };
    const sales = await index.sales(contract, part);
    for (const { block, price } of sales) {
      if (block <= before) {
        const time = await index.blockTime(block);
        if (time === undefined) throw overloaded('the index moves on too fast; ask again');
        found.push({ start: startOf(time), count: 0, paid: new Map() });
        before = await blockBefore(startOf(time));
      }
      const day = found.at(-1) as OpenDay;
      day.count += 1;
      if (price) addPrice(day.paid, price.currency, price.amount);
    }
    read += sales.length;
    if (read > mostSales) {
      const text = `these days have more than ${mostSales} sales: name fewer days`;
      throw new HttpError(codes.invalidParams, text, { status: 400 });
    }
    after = sales.length === piece ? sales.at(-1) : undefined;
  } while (after !== undefined);
  return found;
}
