/** Logs: of a range of blocks, of a contract, of an event. */
import type { Hex } from '../../bytes.js';
import { type LogItem, type LogsPage, logSchema } from '../items/logItem.js';
import { aboutOther, checkAbout } from '../wire/answer.js';
import { allItems, type ListPage, provableList, toListPage } from '../wire/pages.js';
import {
  type Asked,
  addressRule,
  askedRules,
  blockRule,
  flagRule,
  hashesRule,
  hashRule,
  optionalRule,
  pageSizeRule,
  readRequest,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { type Trusting, toProofsQuery, trustNames, trustRules } from '../wire/trust.js';
import { verifiedPages } from '../wire/verifiedPages.js';

/** The logs of which blocks are wanted. */
export interface RangeLogsRequest extends Asked, Trusting {
  /** The first block. Default: the last one. */
  fromBlock?: number | undefined;
  /** The last block. Default: the newest. */
  toBlock?: number | undefined;
  /** Hash of the one block, 32 bytes, in place of a range. */
  blockHash?: Hex | undefined;
  /** The contract, 20 bytes. Default: any. */
  address?: Hex | undefined;
  /** Hashes of events, 32 bytes each: logs whose first topic is any of them. Default: any log. */
  topics?: readonly Hex[] | undefined;
  /** Whether `decoded` is left out. Default false. */
  withoutDecoded?: boolean | undefined;
}

/** Which logs are wanted: of a contract, or of an event. */
export interface ListedLogsRequest extends Asked, Trusting {
  /** The contract, 20 bytes; this or `topic`. */
  address?: Hex | undefined;
  /** The hash of the event, 32 bytes; this or `address`. */
  topic?: Hex | undefined;
  /** The first block. Default: that of the chain. */
  fromBlock?: number | undefined;
  /** The last block. Default: the newest. */
  toBlock?: number | undefined;
  /** With `topic`: words of 32 bytes, of which a log must have one as a further topic. Default: any log. */
  furtherTopics?: readonly Hex[] | undefined;
  /** Logs in a page, 1 to 1,000, with an `anchor` to 100; default: the server's. */
  pageSize?: number | undefined;
}

/** Questions about logs. All answers are claims of the server, unless the request or the client has an `anchor`: then logs are verified. */
export interface LogRoutes {
  /**
   * The logs of a range of blocks, or of one block, at once, the oldest first. A server bounds them: one of this library
   * answers 2,000 blocks, or a longer range with 10,000 logs; the message of its refusal names a range that works. With an
   * anchor, `complete` says whether a range of up to 1,000 blocks is proven to have no other such logs.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the log, also one that was left out
   */
  rangeLogs(request?: RangeLogsRequest): Promise<LogsPage>;
  /**
   * The logs of a contract or an event, a page at a time, the oldest first. That nothing is left out is never proven.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the log
   */
  listedLogs(request: ListedLogsRequest): AsyncGenerator<ListPage<LogItem>, void, undefined>;
}

const spanRules = { fromBlock: optionalRule(blockRule), toBlock: optionalRule(blockRule) };

const rangeLogsRules = {
  ...askedRules,
  ...spanRules,
  blockHash: optionalRule(hashRule),
  address: optionalRule(addressRule),
  topics: optionalRule(hashesRule),
  withoutDecoded: optionalRule(flagRule),
  ...trustRules,
};

const listedLogsRules = {
  ...askedRules,
  ...spanRules,
  address: optionalRule(addressRule),
  topic: optionalRule(hashRule),
  furtherTopics: optionalRule(hashesRule),
  pageSize: optionalRule(pageSizeRule),
  ...trustRules,
};

const logsData = provableList(logSchema);

/** What each log of an answer must be like. */
interface LogsWanted {
  readonly address?: Hex | undefined;
  /** What the first topic may be. */
  readonly topics?: readonly Hex[] | undefined;
  /** Of which the others must have one. */
  readonly furtherTopics?: readonly Hex[] | undefined;
  readonly fromBlock?: number | undefined;
  readonly toBlock?: number | undefined;
}

/** @throws DataError `BAD_ANSWER` */
function checkLogs(logs: readonly LogItem[], wanted: LogsWanted): void {
  const { address, topics, furtherTopics, fromBlock = 0, toBlock = Infinity } = wanted;
  for (const { sender_address: sender, raw_log_topics: own, block_height: height } of logs) {
    if (address !== undefined) checkAbout('contract', sender, address);
    if (topics?.some((topic) => topic === own[0]?.toLowerCase()) === false) {
      throw aboutOther('event');
    }
    const further = own.slice(1).map((topic) => topic.toLowerCase());
    if (furtherTopics?.some((topic) => further.includes(topic)) === false) {
      throw aboutOther('event');
    }
    if (height < fromBlock || height > toBlock) throw aboutOther('block');
  }
}

export const createLogRoutes = ({ pathOf, ask, trustOf }: Routes): LogRoutes => ({
  async rangeLogs(request = {}) {
    const given = readRequest(request, rangeLogsRules, trustNames);
    const { chainName, fromBlock, toBlock, blockHash, address, topics, signal } = given;
    if (blockHash !== undefined && (fromBlock ?? toBlock) !== undefined) {
      throw new TypeError('the request expected "blockHash" or a range, not both');
    }
    const path = `${pathOf(chainName)}events/`;
    const trust = await trustOf(given);
    const wanted = {
      filter: { address, topics: topics && [topics] },
      ...{ fromBlock: fromBlock ?? toBlock, toBlock, blockHash },
    };
    const verified =
      trust && (await import('../proofs/mined/logs.js')).createRangeVerifier(wanted, trust);
    const data = await ask({
      path,
      query: {
        'starting-block': fromBlock,
        'ending-block': toBlock,
        'block-hash': blockHash,
        ...{ address, topics: topics?.join(',') },
        'skip-decode': given.withoutDecoded || undefined,
        ...toProofsQuery(trust),
      },
      ...{ schema: logsData, signal },
    });
    const items = allItems(data);
    checkLogs(items, { address, topics, fromBlock: fromBlock ?? toBlock, toBlock });
    if (blockHash !== undefined) {
      for (const { block_hash: own } of items) checkAbout('block', own ?? '', blockHash);
    }
    const page = toListPage(data);
    return verified ? verified(page) : page;
  },

  async *listedLogs(request) {
    const given = readRequest(request, listedLogsRules, trustNames);
    const { chainName, address, topic, fromBlock, toBlock, furtherTopics, signal } = given;
    if ((address === undefined) === (topic === undefined)) {
      throw new TypeError('the request expected either "address" or "topic"');
    }
    if (furtherTopics !== undefined && topic === undefined) {
      throw new TypeError('the request expected "topic" beside "furtherTopics"');
    }
    const of = address === undefined ? `topics/${topic}` : `address/${address}`;
    const path = `${pathOf(chainName)}events/${of}/`;
    const trust = await trustOf(given);
    const verifier = trust && (await import('../proofs/mined/logs.js')).createLogVerifier(trust);
    const query = {
      'starting-block': fromBlock,
      'ending-block': toBlock,
      'secondary-topics': furtherTopics?.join(','),
      ...toProofsQuery(trust),
    };
    const topics = topic === undefined ? undefined : [topic];
    const wanted = { address, topics, furtherTopics, fromBlock, toBlock };
    yield* verifiedPages(ask, {
      ...{ path, query, schema: logsData, signal, pageSize: given.pageSize, verifier },
      check: (data) => checkLogs(allItems(data), wanted),
    });
  },
});
