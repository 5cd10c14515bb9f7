/** Logs as answers have them, with the names of their contracts and their arguments. */
import { z } from '@hono/zod-openapi';
import { type PlacedLog, toRawLogs } from '../../../decode/rawLogs.js';
import type { ChainContext } from '../../data/balances.js';
import { learnTokens } from '../../data/names.js';
import type { Pause } from '../../jsonrpc/method.js';
import type { FoundLog, LedgerBlock, LedgerLog } from '../../ledger/types.js';
import { toTime } from '../common/json.js';
import { bytes, count, hex, number, text, time } from '../common/schemas.js';

const decoded = z.object({
  name: z.string(),
  signature: z.string(),
  params: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      indexed: z.boolean(),
      decoded: z.boolean(),
      value: z.string(),
    }),
  ),
});

export const logItem = z.object({
  block_signed_at: time,
  block_height: count,
  tx_offset: count,
  log_offset: count.openapi({ description: 'Place of the log in its block' }),
  tx_hash: hex(32),
  raw_log_topics: z.array(hex(32)),
  sender_contract_decimals: number,
  sender_name: text,
  sender_contract_ticker_symbol: text,
  sender_address: hex(20).openapi({ description: 'The contract that emitted it' }),
  sender_address_label: z.null(),
  sender_logo_url: text,
  supports_erc: z.array(z.string()).nullable(),
  sender_factory_address: z.null(),
  raw_log_data: bytes,
  decoded: decoded.nullable().openapi({ description: 'Null for an event that is not known here' }),
});

/** A log, and where it is from. */
export interface OriginLog extends PlacedLog {
  readonly log: LedgerLog;
  readonly block: LedgerBlock;
}

/** A log that was searched for. @param block its own */
export const toOriginLog = (log: FoundLog, block: LedgerBlock): OriginLog => ({
  log,
  receipt: {
    hash: log.transactionHash,
    blockNumber: log.blockNumber,
    transactionIndex: log.transactionIndex,
  },
  block,
});

/** Logs that are decoded in a turn: some milliseconds of work. */
const piece = 128;

/** Logs as items, in their order. */
export interface LogItems {
  readonly items: readonly ReturnType<typeof withTime>[];
  /** Whether all that is said of their contracts may be remembered for ever. */
  readonly isFinal: boolean;
}

const withTime = (item: ReturnType<typeof toRawLogs>[number], { block }: OriginLog) =>
  // Not spread: on Node 20, that takes ten times as long.
  Object.assign({}, item, { block_signed_at: toTime(block.timestamp) });

/**
 * @param isFinal whether the logs are of final blocks
 * @param skipDecode whether `decoded` is null for all
 * @throws RpcError, NodeError, and any error of `pause`
 */
export async function toLogItems(
  logs: readonly OriginLog[],
  { chain, abis, tokens: book }: ChainContext,
  { isFinal, skipDecode = false, pause }: { isFinal: boolean; skipDecode?: boolean; pause: Pause },
): Promise<LogItems> {
  const emitters = logs.map(({ log }) => log.address);
  const learnt = await learnTokens(emitters, { book, isFinal, pause });
  const items: ReturnType<typeof withTime>[] = [];
  for (let from = 0; from < logs.length; from += piece) {
    await pause();
    const part = logs.slice(from, from + piece);
    const known = part.flatMap(({ log }) => learnt.tokens.get(log.address) ?? []);
    const raw = toRawLogs(part, { chain, tokens: known, abis, skipDecode });
    items.push(...raw.map((item, i) => withTime(item, part[i] as OriginLog)));
  }
  return { items, isFinal: learnt.isFinal };
}
