/** The logs of a range, for people. All of it was proven, and no log is left out. */
import type { Log } from '../../history/index.js';
import { columns } from '../print/print.js';
import { countText } from '../print/result.js';
import { secondsText } from '../print/units.js';
import { logRows } from './transactionText.js';

/** The blocks that were searched. */
export interface SearchedBlocks {
  readonly from: number;
  readonly to: number;
}

function logText(log: Log): string {
  const { blockNumber, logIndex, blockTimestamp, transactionHash } = log;
  const head = `block ${BigInt(blockNumber)}, log ${BigInt(logIndex)}, ${secondsText(blockTimestamp)}`;
  return `${head}\n${columns([['transaction', transactionHash], ...logRows('contract', log)])}`;
}

export function logsText(logs: readonly Log[], { from, to }: SearchedBlocks): string {
  const where = from === to ? `block ${from}` : `blocks ${from} to ${to}`;
  const found = `${logs.length === 0 ? 'no logs' : countText(logs.length, 'log')} in ${where}, none left out`;
  return [found, ...logs.map(logText)].join('\n\n');
}
