/** Whether a transaction moved a token with an id, read of its logs as the index reads them. */
import { bytesToInteger, type Hex } from '../../bytes.js';
import { parseTokenEvent } from '../logs/events.js';

/** A log, in lower case. */
interface TransactionLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** @param logs of one transaction @param item its contract in lower case */
export function isItemMoved(
  logs: readonly TransactionLog[],
  { contract, id }: { readonly contract: Hex; readonly id: bigint },
): boolean {
  return logs.some((log) => {
    const event = log.address === contract ? parseTokenEvent(log) : undefined;
    if (event?.kind === 'run') {
      return bytesToInteger(event.first) <= id && id <= bytesToInteger(event.last);
    }
    return event?.kind === 'transfer' && event.ids.some((one) => bytesToInteger(one) === id);
  });
}
