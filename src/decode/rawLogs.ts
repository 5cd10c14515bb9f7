/** Logs as they came, each with the name of its contract and its arguments: for lists of logs of many transactions. */
import { createContext } from './context/decodeContext.js';
import type { LogsInput } from './context/input.js';
import { matchLog } from './context/match.js';
import type { RawLog } from './definition/types.js';
import { type LogPlace, toRawLog } from './format/metadata.js';
import type { ReceiptLog } from './receipt/receipt.js';

/** A log that was read, and its place. */
export interface PlacedLog extends LogPlace {
  readonly log: ReceiptLog;
}

/**
 * Describes logs, which may be of several transactions. Each is read by itself: `decoded` is null for a log that no event
 * fits. Logs without an emitter are left out.
 *
 * @param skipDecode whether `decoded` is null for all
 */
export function toRawLogs(
  placed: readonly PlacedLog[],
  { skipDecode, ...known }: Pick<LogsInput, 'chain' | 'tokens' | 'abis'> & { skipDecode: boolean },
): RawLog[] {
  const { chain, tokens, abis } = known;
  const context = createContext({
    ...{ chain, tokens, abis },
    ...{ logs: [], pools: undefined, prices: undefined },
  });
  return placed.flatMap(({ log, ...subject }) => {
    const match = skipDecode ? undefined : matchLog(log, context);
    return toRawLog(log, { match, subject, context }) ?? [];
  });
}
