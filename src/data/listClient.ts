/** Asks for transactions, blocks and logs: one at once, or a page at a time. */
import type { core } from 'zod/mini';
import type { Hex } from '../bytes.js';
import { wrongRange } from '../errors.js';
import { ownMembers } from '../foreign/argument.js';
import { hexText } from '../foreign/values.js';
import { type BlockItem, type LogItem, listSchemas, type TransactionItem } from './lists.js';
import { DataError } from './wire/errors.js';

/** What each of these questions may have besides. */
interface Asked {
  /** Default: the client's `chain`. */
  chainName?: string | undefined;
  /** Ends the request and its repetitions; what was asked then fails with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** Whose transactions are wanted. */
export interface TransactionsRequest extends Asked {
  /** The wallet, 20 bytes. */
  address: Hex;
}

/** Which transaction is wanted. */
export interface TransactionRequest extends Asked {
  /** 32 bytes. */
  txHash: Hex;
}

/** Which block is wanted. */
export interface BlockRequest extends Asked {
  /** Its number; default: the newest of the server. */
  block?: number | undefined;
}

/** Which logs are wanted: of a contract, or of an event. */
export interface ListedLogsRequest extends Asked {
  /** The contract, 20 bytes; this or `topic`. */
  address?: Hex | undefined;
  /** The hash of the event, 32 bytes; this or `address`. */
  topic?: Hex | undefined;
  /** The first block. Default: that of the chain. */
  fromBlock?: number | undefined;
  /** The last block. Default: the newest. */
  toBlock?: number | undefined;
  /** Logs in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** The questions about lists of a chain. All answers are claims of the server. */
export interface ListClient {
  /** A mined transaction, with its logs. @throws as `decodeTransaction` */
  transaction(request: TransactionRequest): Promise<TransactionItem>;
  /** The transactions of a wallet, a page at a time, the newest first. @throws as `decodeTransaction` */
  transactions(
    request: TransactionsRequest,
  ): AsyncGenerator<readonly TransactionItem[], void, undefined>;
  /** A block. @throws as `decodeTransaction` */
  block(request?: BlockRequest): Promise<BlockItem>;
  /** The logs of a contract or an event, a page at a time, the oldest first. @throws as `decodeTransaction` */
  listedLogs(request: ListedLogsRequest): AsyncGenerator<readonly LogItem[], void, undefined>;
}

/** Asks one route. */
type AskRoute = <T>(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  schema: core.$ZodType<T>,
  signal: AbortSignal | undefined,
) => Promise<T>;

/** Pages of one list that are asked for: a server that always has more must not keep a reader for ever. */
const mostPages = 100_000;

const tooManyPages = () =>
  new DataError('BAD_ANSWER', `the server has more than ${mostPages} pages`);
const aboutOther = (what: string) =>
  new DataError('BAD_ANSWER', `the answer is about another ${what}`);

/** @throws RangeError */
function checkHexOf(value: unknown, width: number, name: string): Hex {
  const hex = hexText(value, width);
  if (hex === undefined) throw wrongRange(name, `expected 0x and ${2 * width} hex digits`);
  return hex;
}

/** @throws RangeError */
function checkCount(value: number | undefined, least: number, name: string): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw wrongRange(name, `expected a whole number from ${least}`);
}

const shared = ['chainName', 'signal'] as const;
const logNames = [
  ...shared,
  ...(['address', 'topic', 'fromBlock', 'toBlock', 'pageSize'] as const),
] as const;

/** The path of the list that logs are asked for by. @throws TypeError or RangeError */
function logsPath({ address, topic }: ListedLogsRequest): string {
  if ((address === undefined) === (topic === undefined)) {
    throw new TypeError('the request expected either "address" or "topic"');
  }
  return address === undefined
    ? `events/topics/${checkHexOf(topic, 32, 'topic')}/`
    : `events/address/${checkHexOf(address, 20, 'address')}/`;
}

/** @param chainPath the path of a chain's routes; throws if no chain is named */
export function createListClient(
  ask: AskRoute,
  chainPath: (chainName: string | undefined) => string,
): ListClient {
  return {
    async transaction(request) {
      const { chainName, txHash, signal } = ownMembers(request, [...shared, 'txHash'], 'request');
      const hash = checkHexOf(txHash, 32, 'txHash');
      const path = `${chainPath(chainName)}transaction_v2/${hash}/`;
      const [item] = (await ask(path, {}, listSchemas.transactions, signal)).items;
      if (item?.tx_hash.toLowerCase() !== hash) throw aboutOther('transaction');
      return item as TransactionItem;
    },
    async *transactions(request) {
      const given = ownMembers(request, [...shared, 'address'], 'request');
      const { chainName, signal } = given;
      const address = checkHexOf(given.address, 20, 'address');
      const path = `${chainPath(chainName)}address/${address}/transactions_v3/`;
      const newest = await ask(path, {}, listSchemas.walletPage, signal);
      if (newest.current_page >= mostPages) throw tooManyPages();
      yield newest.items;
      // By their numbers: a key must not travel to a place that the server names in a link.
      for (let page = newest.current_page - 1; page >= 0; page--) {
        yield (await ask(`${path}page/${page}/`, {}, listSchemas.walletPage, signal)).items;
      }
    },
    async block(request = {}) {
      const { chainName, block, signal } = ownMembers(request, [...shared, 'block'], 'request');
      checkCount(block, 0, 'block');
      const path = `${chainPath(chainName)}block_v2/${block ?? 'latest'}/`;
      const [item] = (await ask(path, {}, listSchemas.blocks, signal)).items;
      if (item === undefined || (block !== undefined && item.height !== block)) {
        throw aboutOther('block');
      }
      return item;
    },
    async *listedLogs(request) {
      const given = ownMembers(request, logNames, 'request');
      const { chainName, fromBlock, toBlock, pageSize, signal } = given;
      const path = chainPath(chainName) + logsPath(given);
      checkCount(fromBlock, 0, 'fromBlock');
      checkCount(toBlock, 0, 'toBlock');
      checkCount(pageSize, 1, 'pageSize');
      for (let page = 0; page < mostPages; page++) {
        const query = {
          'starting-block': fromBlock,
          'ending-block': toBlock,
          'page-size': pageSize,
          'page-number': page,
        };
        const { items, pagination } = await ask(path, query, listSchemas.logs, signal);
        yield items;
        if (pagination?.has_more !== true) return;
      }
      throw tooManyPages();
    },
  };
}
