/** Holds transactions against their blocks: what they and their receipts say is computed, and nothing of it copied. */
import { ownNamed } from '../../../foreign/members.js';
import type { BlockHeader, BlockTransaction, Log, Receipt } from '../../../history/verify/types.js';
import type { LogItem } from '../../items/logItem.js';
import type { TransactionItem } from '../../items/transactionItem.js';
import type { Trust } from '../../wire/trust.js';
import { agreed } from '../agreed.js';
import { openGround } from '../ground.js';
import { numberOf, timeOf } from '../headerValues.js';
import type { PageHistory } from '../history.js';
import { createPageVerifier, type PageVerifier } from '../provenPage.js';
import { notProven } from '../tokenCalls.js';

/** A transaction of a block, proven. */
export interface ProvenTransaction {
  readonly header: BlockHeader;
  readonly transaction: BlockTransaction;
  readonly receipt: Receipt;
}

/** Where an item says that its transaction is. */
interface ClaimedPlace {
  readonly block_height: number;
  readonly tx_offset?: number | null | undefined;
  readonly tx_hash: string;
}

/** @throws DataError, HistoryError, ProofError if there is another transaction */
export async function findTransaction(
  { block_height: block, tx_offset: index, tx_hash: hash }: ClaimedPlace,
  history: PageHistory,
): Promise<ProvenTransaction> {
  if (typeof index !== 'number') throw notProven('its place in its block is missing');
  const header = await history.header(block);
  const transaction = await history.transaction(block, index);
  if (transaction.hash !== hash.toLowerCase()) {
    throw notProven(`transaction ${index} of block ${block} is another one`);
  }
  return { header, transaction, receipt: await history.receipt(block, index) };
}

/** The members of a log that are proven. */
export const toLog = (log: Log, header: BlockHeader) => ({
  block_signed_at: timeOf(header),
  block_height: numberOf(log.blockNumber),
  block_hash: log.blockHash,
  tx_offset: numberOf(log.transactionIndex),
  log_offset: numberOf(log.logIndex),
  tx_hash: log.transactionHash,
  sender_address: log.address,
  raw_log_topics: [...log.topics],
  raw_log_data: log.data,
});

/** What is said of the contract of a log: it stays as the server words it. */
const claimedOfLog = [
  ...(['sender_name', 'sender_contract_ticker_symbol', 'sender_contract_decimals'] as const),
  ...(['sender_logo_url', 'supports_erc'] as const),
] as const;

/** A log as it is proven, with what its server says of its contract. @throws DataError if the server says another thing */
export const provenLog = (given: Partial<LogItem>, log: Log, header: BlockHeader): LogItem => ({
  ...ownNamed(given, claimedOfLog),
  ...agreed(given, toLog(log, header)),
});

/** The members of a transaction that are proven, but for its logs. */
export const toMined = ({ header, transaction, receipt }: ProvenTransaction) => ({
  block_signed_at: timeOf(header),
  block_height: numberOf(header.number),
  block_hash: header.hash,
  tx_hash: transaction.hash,
  tx_offset: numberOf(transaction.transactionIndex),
  successful: receipt.status === '0x1',
  miner_address: header.miner,
  from_address: transaction.from,
  to_address: transaction.to,
  value: String(BigInt(transaction.value)),
  gas_offered: numberOf(transaction.gas),
  gas_spent: numberOf(receipt.gasUsed),
  gas_price: numberOf(receipt.effectiveGasPrice),
  fees_paid: String(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)),
});

/** Members that stay as the server words them. */
export const claimedOfMined = [
  ...(['value_quote', 'pretty_value_quote', 'gas_quote', 'pretty_gas_quote'] as const),
  ...(['gas_quote_rate', 'gas_metadata'] as const),
] as const;

/** What is wanted beside a transaction. */
export interface WantedMembers {
  readonly logs: boolean;
  readonly input: boolean;
}

/** @throws DataError if the server has other logs, more or fewer */
function provenLogs(
  item: TransactionItem,
  { receipt: { logs }, header }: ProvenTransaction,
): LogItem[] {
  const given = item.log_events;
  if (given && given.length !== logs.length) {
    throw notProven(`it has ${logs.length} logs, and the server gives ${given.length}`);
  }
  return logs.map((log, i) => provenLog(given?.[i] ?? {}, log, header));
}

/** The first four bytes of call data; null if there are fewer. */
const methodOf = ({ input }: BlockTransaction): string | null =>
  input.length < 10 ? null : input.slice(0, 10);

/** The members that are proven, and what is known to be the server's word. @throws DataError if it says something else */
export function provenTransaction(
  item: TransactionItem,
  found: ProvenTransaction,
  wanted: WantedMembers,
): TransactionItem {
  const input = { method_id: methodOf(found.transaction) };
  return {
    ...ownNamed(item, claimedOfMined),
    ...agreed(item, toMined(found)),
    log_events: wanted.logs ? provenLogs(item, found) : null,
    ...(wanted.input && { input_data: agreed(item.input_data ?? {}, input) }),
    verified: true,
  };
}

/** What rules for transactions share. */
export const claimedTransaction = {
  nameOf: ({ tx_hash: hash }: TransactionItem) => `transaction ${hash}`,
  callsOf: () => 0,
  assumed: ['names', 'quotes'],
};

/** @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createTransactionVerifier(
  trust: Trust,
  wanted: WantedMembers,
): PageVerifier<TransactionItem> {
  return createPageVerifier<TransactionItem>(openGround(trust), {
    ...claimedTransaction,
    async check(item, work) {
      return provenTransaction(item, await findTransaction(item, await work.history()), wanted);
    },
    isOfItems: true,
  });
}
