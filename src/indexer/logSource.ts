/** Fetches logs from an ordinary L2 node: as many blocks at a time as it answers. */
import { type Asker, createAsker, type Patience } from '../follow/asker.js';
import { FollowError } from '../follow/errors.js';
import { createNode, type Node } from '../follow/node.js';
import { readNumber } from '../follow/read.js';
import type { RpcError, Transport } from '../rpc/index.js';
import { wait } from '../rpc/retry.js';
import { type Log, topics } from './events.js';
import type { BlockMark } from './layout.js';
import { type Asked, parseLogs, parseReceipts } from './logs.js';

/** Logs of blocks next to each other. */
export interface FetchedRange {
  readonly to: number;
  /** Of the last one. */
  readonly mark: BlockMark;
  readonly logs: readonly Log[];
}

export interface LogSource {
  readonly node: Node;
  chainId(): Promise<number>;
  /**
   * Logs of final blocks from one on, and at the same time asks for those behind.
   *
   * @param limit the last block that may be asked for
   * @returns undefined if the node has no such block
   */
  range(from: number, limit: number): Promise<FetchedRange | undefined>;
  /**
   * Logs of one block that may be taken back.
   *
   * @returns undefined if the node has no such block, or took it back meanwhile
   */
  block(number: number): Promise<(FetchedRange & { parentHash: string }) | undefined>;
}

/** Blocks that are asked for at first, and at most: providers commonly refuse more. */
const firstWidth = 64;
const maxWidth = 10_000;

/** Logs of an answer that is long enough: two such are held at a time. */
const manyLogs = 4000;

/** Headers that are asked for at a time. */
const headersAtOnce = 16;

const wanted = [Object.values(topics).map((topic) => `0x${topic}`)];
const hexOf = (number: number) => `0x${number.toString(16)}`;

/** Statuses that say nothing of the question: who asks is not allowed to, or too often. */
const askersFault = [401, 403, 429];

/** Whether a shorter range may be answered. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof FollowError && error.code === 'NODE_FAILED')) return false;
  const { code, status } = error.cause as RpcError;
  if (code === 'HTTP_STATUS') return !askersFault.includes(status ?? 0);
  return code !== 'NETWORK';
}

/** How many blocks are asked for next: twice as many until the node refuses, then with care. */
function createWidth() {
  let width = firstWidth;
  let hasRefused = false;
  return {
    get: () => width,
    refused(blocks: number) {
      hasRefused = true;
      width = Math.max(1, Math.floor(blocks / 2));
    },
    answered(blocks: number, logs: number) {
      const growth = hasRefused ? Math.ceil(width / 8) : width;
      const fitting = Math.max(1, Math.floor((blocks * manyLogs) / Math.max(logs, 1)));
      width = Math.min(width + growth, fitting, maxWidth);
    },
  };
}

/** Adds the times that the node's logs do not say. */
async function withTimes(logs: readonly Log[], node: Node): Promise<readonly Log[]> {
  const untimed = [
    ...new Set(logs.flatMap(({ time, block }) => (time === undefined ? block : []))),
  ];
  if (untimed.length === 0) return logs;
  const times = new Map<number, number>();
  for (let at = 0; at < untimed.length; at += headersAtOnce) {
    const part = untimed.slice(at, at + headersAtOnce);
    const headers = await Promise.all(part.map((block) => node.header(block)));
    for (const header of headers) if (header) times.set(header.number, header.time);
  }
  return logs.map((log) => ({ ...log, time: log.time ?? times.get(log.block) }));
}

/** @param patience with a node that does not answer; one that refuses a range is asked for a shorter one at once */
export function createLogSource(
  l2: Transport,
  patience: Patience,
  signal: AbortSignal | undefined,
): LogSource {
  const patient = createAsker('the L2 node', l2, patience, signal);
  const hasty = createAsker('the L2 node', l2, { ...patience, tries: 1 }, signal);
  const node = createNode(patient);
  const width = createWidth();

  /** Undefined if the node refuses. */
  async function logsOf(filter: object, asked: Asked): Promise<Log[] | undefined> {
    const ask = ({ ask }: Asker) =>
      ask('eth_getLogs', [{ ...filter, topics: wanted }], (answer) =>
        parseLogs(answer, 'result', asked),
      );
    try {
      return await ask(hasty);
    } catch (error) {
      signal?.throwIfAborted();
      if (isRefusal(error)) return undefined;
      if (error instanceof FollowError && error.code === 'NODE_FAILED') return ask(patient);
      throw error;
    }
  }

  /** All logs of a block, the long way: nodes bound the logs that they find, but not those of a block. */
  const receiptsOf = (block: number, hash?: string): Promise<Log[]> =>
    patient.ask('eth_getBlockReceipts', [hexOf(block)], (answer) =>
      parseReceipts(answer, 'result', { from: block, to: block, hash }),
    );

  async function fetchRange(from: number, limit: number): Promise<FetchedRange | undefined> {
    for (;;) {
      const to = Math.min(limit, from + width.get() - 1);
      const range = { fromBlock: hexOf(from), toBlock: hexOf(to) };
      let logs = await logsOf(range, { from, to });
      if (logs === undefined && to > from) {
        width.refused(to - from + 1);
        await wait(patience.delay, signal);
        continue;
      }
      logs ??= await receiptsOf(from);
      width.answered(to - from + 1, logs.length);
      // Asked after the logs: a node that has not come so far answers a range with what it has.
      const header = await node.header(to);
      return header && { to, mark: header, logs: await withTimes(logs, node) };
    }
  }

  let ahead: { from: number; fetched: ReturnType<typeof fetchRange> } | undefined;
  return {
    node,
    chainId: () => patient.ask('eth_chainId', [], (answer) => readNumber(answer, 'result')),
    async range(from, limit) {
      const fetched = await (ahead?.from === from ? ahead.fetched : fetchRange(from, limit));
      ahead = undefined;
      if (fetched !== undefined && fetched.to < limit) {
        ahead = { from: fetched.to + 1, fetched: fetchRange(fetched.to + 1, limit) };
        // It may fail before anyone asks for it, and is told only then.
        ahead.fetched.catch(() => {});
      }
      return fetched;
    },
    async block(number) {
      const header = await node.header(number);
      if (header === undefined) return undefined;
      const { hash, time, parentHash } = header;
      const asked = { from: number, to: number, hash };
      const found = (await logsOf({ blockHash: hash }, asked)) ?? (await fromReceipts());
      return found && { to: number, mark: { hash, time }, parentHash, logs: found.map(timed) };

      function timed(log: Log): Log {
        return { ...log, time };
      }

      async function fromReceipts(): Promise<Log[] | undefined> {
        const outcome = await receiptsOf(number, hash).then(
          (logs) => ({ logs }),
          (error: unknown) => ({ error }),
        );
        // Receipts are asked for by number, and are another block's if it took this one's place meanwhile.
        if ((await node.header(number))?.hash !== hash) return undefined;
        if ('error' in outcome) throw outcome.error;
        return outcome.logs;
      }
    },
  };
}
