/** Lists of transactions as items: with logs, traces and prices, as they were asked for. */

import type { ChainContext } from '../../data/balances.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { flagParameter } from '../../rest/table.js';
import { quoteCurrency } from '../common/parameters.js';
import { checkLogCount } from './indexed.js';
import { type OriginLog, toLogItems } from './logItem.js';
import { findNativePrices } from './pastPrices.js';
import { findTraces } from './traces.js';
import { type TransactionWithBlock, toTransactionItem } from './transactionItem.js';

/** The members of a query that say what stands beside transactions. */
export const transactionQuery = {
  'quote-currency': quoteCurrency,
  'no-logs': flagParameter.openapi({ description: 'Whether `log_events` is null' }),
  'with-internal': flagParameter.openapi({
    description: 'Transfers of the native token between contracts, if the service asks for traces',
  }),
  'with-state': flagParameter.openapi({
    description: 'Changes of state, if the service asks for traces',
  }),
  'with-input-data': flagParameter.openapi({ description: 'Whether `input_data` is given' }),
};

/** What is wanted beside transactions. */
export interface WantedParts {
  readonly quoteCurrency: string;
  readonly noLogs: boolean;
  readonly internal: boolean;
  readonly state: boolean;
  readonly input: boolean;
}

export const toParts = (read: {
  readonly 'quote-currency': string | undefined;
  readonly 'no-logs': boolean;
  readonly 'with-internal': boolean;
  readonly 'with-state': boolean;
  readonly 'with-input-data': boolean;
}): WantedParts => ({
  quoteCurrency: read['quote-currency'] ?? 'USD',
  noLogs: read['no-logs'],
  internal: read['with-internal'],
  state: read['with-state'],
  input: read['with-input-data'],
});

/** All that decides what is beside a transaction, as text. */
export const partsKey = ({ quoteCurrency, noLogs, internal, state, input }: WantedParts): string =>
  `${quoteCurrency} ${noLogs} ${internal} ${state} ${input}`;

const toOriginLogs = ({ transaction, receipt, block }: TransactionWithBlock): OriginLog[] => {
  const { hash, index: transactionIndex } = transaction;
  const place = { hash, blockNumber: block.number, transactionIndex };
  return receipt.logs.map((log) => ({ log, receipt: place, block }));
};

interface TransactionItems {
  readonly items: readonly ReturnType<typeof toTransactionItem>[];
  /** Whether names and prices beside them may be remembered for ever. */
  readonly isFinal: boolean;
}

/**
 * @param isFinal whether all are of final blocks
 * @throws RpcError, NodeError, HttpError, and any error of `pause`
 */
export async function toTransactionItems(
  mined: readonly TransactionWithBlock[],
  parts: WantedParts,
  { access, context, isFinal }: { access: ChainContext; context: AnswerContext; isFinal: boolean },
): Promise<TransactionItems> {
  const { pause } = context;
  const { chain } = access;
  const times = mined.map(({ block }) => block.timestamp);
  const prices = await findNativePrices(access, parts.quoteCurrency, times);
  const logs = parts.noLogs ? [] : mined.flatMap(toOriginLogs);
  checkLogCount(logs.length);
  const named = await toLogItems(logs, access, { isFinal, pause });
  const items: ReturnType<typeof toTransactionItem>[] = [];
  let at = 0;
  for (const one of mined) {
    const count = parts.noLogs ? 0 : one.receipt.logs.length;
    const own = named.items.slice(at, at + count);
    at += count;
    const traces = await findTraces(one.transaction.hash, parts, { access, context });
    const more = { ...traces, logs: parts.noLogs ? null : own, isInputWanted: parts.input };
    items.push(toTransactionItem(one, chain, { ...more, price: prices.at(one.block.timestamp) }));
  }
  return { items, isFinal: isFinal && named.isFinal && prices.isWhole };
}
