/** Asks a node for logs, and adds what they say to changes. */

import { FollowError } from '../../follow/node/errors.js';
import type { Node } from '../../follow/node/node.js';
import type { Patience } from '../../follow/node/patience.js';
import { FormatError } from '../../follow/node/read.js';
import type { NodeHeader } from '../../follow/node/system.js';
import type { RpcError } from '../../rpc/index.js';
import type { NodeClient } from '../../rpc/nodeClient.js';
import type { Changes } from '../layout/changes.js';
import { blockBytes } from '../layout/layout.js';
import { topics } from './events.js';
import { type AskedBlocks, LogReader } from './logs.js';
import { badReceipts, createWholeReceipts } from './wholeReceipts.js';

/** Headers that are asked for at a time. */
export const headersAtOnce = 8;

const wanted = [Object.values(topics)];

/** Statuses that blame the client, not the question: its key is refused, or it asks too often. */
const askersFault = [401, 403, 429];

/** Whether a shorter range may be answered. */
export function isRangeRefusal(error: unknown): boolean {
  if (!(error instanceof FollowError && error.code === 'NODE_FAILED')) return false;
  const { code, status } = error.cause as RpcError;
  if (code === 'HTTP_STATUS') return !askersFault.includes(status ?? 0);
  return code !== 'NETWORK';
}

export interface LogFetchOptions {
  readonly patient: NodeClient;
  /** Asks once: a node that refuses a range is asked for a shorter one at once. */
  readonly hasty: NodeClient;
  readonly node: Pick<Node, 'header'>;
  readonly patience: Patience;
  readonly signal: AbortSignal | undefined;
}

export interface LogFetch {
  /** Adds the logs of blocks. @returns what was read; undefined if the node refuses */
  addLogs(changes: Changes, asked: AskedBlocks): Promise<LogReader | undefined>;
  /**
   * Adds all logs of a block from its receipts: nodes bound the logs of a search, but not the receipts of a block.
   *
   * @returns what was read; undefined if the block is another one by now
   */
  addReceipts(header: NodeHeader, changes: Changes): Promise<LogReader | undefined>;
}

export function createLogFetch(options: LogFetchOptions): LogFetch {
  const { patient, hasty, node, patience, signal } = options;
  const receiptsOf = createWholeReceipts({ client: patient, node, patience, signal });

  async function addLogs(changes: Changes, asked: AskedBlocks): Promise<LogReader | undefined> {
    const reader = new LogReader(changes, asked);
    const range = asked.hash === undefined ? asked : { blockHash: asked.hash };
    const ask = (client: NodeClient) =>
      client.logs({ address: undefined, range, topics: wanted }, (answer, path) =>
        reader.readList(answer, path),
      );
    try {
      await ask(hasty);
    } catch (error) {
      signal?.throwIfAborted();
      if (isRangeRefusal(error)) return undefined;
      if (!(error instanceof FollowError && error.code === 'NODE_FAILED')) throw error;
      await ask(patient);
    }
    await addTimes(reader, changes);
    return reader;
  }

  async function addReceipts(header: NodeHeader, changes: Changes): Promise<LogReader | undefined> {
    const { number, hash } = header;
    const receipts = await receiptsOf(header);
    if (receipts === undefined) return undefined;
    const reader = new LogReader(changes, { from: number, to: number, hash });
    try {
      reader.readReceipts(receipts, 'result');
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause;
      throw badReceipts(cause);
    }
    await addTimes(reader, changes);
    return reader;
  }

  /** Adds the times of blocks with an event; the node is asked for those that its logs do not say. */
  async function addTimes({ times }: LogReader, changes: Changes): Promise<void> {
    const untimed = [...times.keys()].filter((block) => times.get(block) === undefined);
    for (let at = 0; at < untimed.length; at += headersAtOnce) {
      const part = untimed.slice(at, at + headersAtOnce);
      for (const header of await Promise.all(part.map((block) => node.header(block)))) {
        if (header) times.set(header.number, header.time);
      }
    }
    for (const [block, time] of times) {
      if (time === undefined) continue;
      const number = blockBytes(block);
      changes.key('time').part(number).put(number, blockBytes(time));
    }
  }

  return { addLogs, addReceipts };
}
