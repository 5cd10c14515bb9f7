/** Searches the logs of a range of blocks: in as large pieces as the node answers, and not beyond a bound. */
import type { Hex } from '../../bytes.js';
import { RpcError } from '../../rpc/index.js';
import { nonsense } from '../chain/node.js';
import { chainChanged } from '../http/httpError.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import { heldBlock } from './blockTime.js';
import type { Ledger } from './ledger.js';
import type { FoundLog, LedgerBlock } from './types.js';

/** Logs that are searched for. */
interface RangeSearch {
  readonly from: number;
  readonly to: number;
  /** Undefined: of any contract. */
  readonly address: Hex | undefined;
  /** As `eth_getLogs` takes them. */
  readonly topics: readonly unknown[];
}

interface SearchResult {
  readonly logs: readonly FoundLog[];
  /** The last block whose logs are all there; below the range's end if there are too many. */
  readonly last: number;
}

/** Whether the node may answer a smaller range. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RpcError && (error.code === 'SERVER_ERROR' || error.code === 'TOO_LARGE');

/** @throws NodeError unless the logs are those that were asked for, in the order of the chain */
export function checkLogs(
  logs: readonly FoundLog[],
  { from, to, address }: Omit<RangeSearch, 'topics'>,
): void {
  let [block, index] = [from, -1];
  for (const log of logs) {
    const isNext = log.blockNumber > block || (log.blockNumber === block && log.index > index);
    if (!isNext || log.blockNumber > to)
      throw nonsense('logs', 'are not in the order of the range');
    if (address !== undefined && log.address !== address) {
      throw nonsense('logs', 'are of another contract');
    }
    [block, index] = [log.blockNumber, log.index];
  }
}

/**
 * @param most logs; the search ends at the block that goes beyond it
 * @throws RpcError, NodeError, and any error of `pause`
 */
export async function searchLedger(
  ledger: Ledger,
  { from, to, address, topics }: RangeSearch,
  { most, context }: { readonly most: number; readonly context: AnswerContext },
): Promise<SearchResult> {
  const logs: FoundLog[] = [];
  let width = to - from + 1;
  for (let next = from; next <= to; ) {
    await context.pause();
    const range = { from: next, to: Math.min(to, next + width - 1) };
    context.charge(1);
    let found: readonly FoundLog[];
    try {
      found = await ledger.logs({ address, topics, range });
    } catch (error) {
      if (!isRefusal(error) || range.to === range.from) throw error;
      width = Math.ceil((range.to - range.from + 1) / 2);
      continue;
    }
    checkLogs(found, { ...range, address });
    if (logs.length + found.length > most) {
      const over = (found[most - logs.length] as FoundLog).blockNumber;
      const fitting = found.filter(({ blockNumber }) => blockNumber < over);
      return { logs: [...logs, ...fitting], last: over - 1 };
    }
    for (const log of found) logs.push(log);
    next = range.to + 1;
  }
  return { logs, last: to };
}

/** Blocks whose headers are read for a unit of cost. */
const unit = 10;

/**
 * The blocks of logs, by number.
 *
 * @throws HttpError if the chain has left the block of a log
 * @throws RpcError, NodeError, and any error of `pause`
 */
export async function findBlocksOf(
  ledger: Ledger,
  logs: readonly Pick<FoundLog, 'blockNumber' | 'blockHash'>[],
  { pause, charge }: AnswerContext,
): Promise<Map<number, LedgerBlock>> {
  const blocks = new Map<number, LedgerBlock>();
  let asked = 0;
  for (const { blockNumber, blockHash } of logs) {
    let block = blocks.get(blockNumber);
    if (block === undefined) {
      if (ledger.knownBlock(blockNumber) === undefined) {
        await pause();
        if (asked++ % unit === 0) charge(1);
      }
      block = await heldBlock(ledger, blockNumber);
      blocks.set(blockNumber, block);
    }
    if (block.hash !== blockHash) throw chainChanged();
  }
  return blocks;
}
