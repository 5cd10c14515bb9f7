/** All receipts of a block, and whether they are all: a node behind a load balancer may leave logs out of an answer. */
import type { Hex } from '../../bytes.js';
import { FollowError } from '../../follow/node/errors.js';
import type { Node } from '../../follow/node/node.js';
import type { Patience } from '../../follow/node/patience.js';
import {
  as,
  asList,
  FormatError,
  read,
  readArray,
  readObject,
  readWord,
} from '../../follow/node/read.js';
import type { NodeHeader } from '../../follow/node/system.js';
import type { ValueReader } from '../../foreign/reader.js';
import { hexBytes } from '../../foreign/values.js';
import { addToBloom, bloomWidth, covers } from '../../mpt/bloom.js';
import { RpcError } from '../../rpc/index.js';
import { type NodeClient, unlessNull, unread } from '../../rpc/nodeClient.js';
import { methodNotFound } from '../../rpc/noMethod.js';
import { wait } from '../../rpc/retry.js';

/** Receipts that are asked for at a time, of a node that gives them one by one. */
const receiptsAtOnce = 8;

const asBytes = (width: number) =>
  as((value) => hexBytes(value, width), `0x and ${2 * width} hex digits`);
const readEmitter = asBytes(20);
const readTopics = asList(asBytes(32));

/** The parts of a log that its bloom holds: its address and its topics. */
const readItems: ValueReader<Uint8Array[]> = (value, path) => {
  const log = readObject(value, path);
  return [read(log, 'address', readEmitter), ...read(log, 'topics', readTopics)];
};
const readLogs = asList(readItems);

/**
 * What receipts lack of being all of a block: one for each transaction, in order, of this very block, with logs for all
 * that its header's bloom holds. Chains whose headers have an empty bloom are believed.
 *
 * @returns undefined if they lack nothing
 * @throws FormatError
 */
export function findLack(
  receipts: readonly unknown[],
  header: Pick<NodeHeader, 'transactions' | 'hash' | 'logsBloom'>,
): string | undefined {
  const { transactions, hash } = header;
  if (receipts.length !== transactions.length) {
    return `${receipts.length} receipts of ${transactions.length} transactions`;
  }
  const bloom = new Uint8Array(bloomWidth);
  for (const [i, item] of receipts.entries()) {
    if (item === null) return 'no receipt of one of its transactions';
    const receipt = readObject(item, `result[${i}]`);
    const ofBlock = read(receipt, 'blockHash', readWord);
    const of = read(receipt, 'transactionHash', readWord);
    if (ofBlock !== hash || of !== transactions[i]) return 'receipts of another block';
    for (const log of read(receipt, 'logs', readLogs)) {
      for (const item of log) addToBloom(bloom, item);
    }
  }
  const isWhole = header.logsBloom === undefined || covers(bloom, header.logsBloom);
  return isWhole ? undefined : 'receipts without logs that its bloom holds';
}

interface WholeReceiptsOptions {
  readonly client: NodeClient;
  readonly node: Pick<Node, 'header'>;
  readonly patience: Patience;
  readonly signal: AbortSignal | undefined;
}

/** Whether the node has no such method. */
const hasNoMethod = (error: unknown): boolean =>
  error instanceof FollowError &&
  (error.cause as RpcError | undefined)?.serverCode === methodNotFound;

/**
 * Asks for all receipts of a block until they are all.
 *
 * @returns undefined if the block is another one by now
 * @throws FollowError `NODE_FAILED` if they still are not
 */
export function createWholeReceipts({ client, node, patience, signal }: WholeReceiptsOptions) {
  const receiptOf = (transaction: Hex) => client.receipt(transaction, unread);

  async function oneByOne({ transactions }: NodeHeader): Promise<unknown[]> {
    const receipts: unknown[] = [];
    for (let at = 0; at < transactions.length; at += receiptsAtOnce) {
      const part = transactions.slice(at, at + receiptsAtOnce);
      receipts.push(...(await Promise.all(part.map(receiptOf))));
    }
    return receipts;
  }

  async function ask(header: NodeHeader): Promise<readonly unknown[]> {
    try {
      return (await client.receipts(header.number, unlessNull(readArray))) ?? [null];
    } catch (error) {
      if (!hasNoMethod(error)) throw error;
      return oneByOne(header);
    }
  }

  function look(receipts: readonly unknown[], header: NodeHeader): string | undefined {
    try {
      return findLack(receipts, header);
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause;
      throw badReceipts(cause);
    }
  }

  return async (header: NodeHeader): Promise<readonly unknown[] | undefined> => {
    for (let attempt = 1; ; attempt++) {
      const receipts = await ask(header);
      const lack = look(receipts, header);
      if (lack === undefined) return receipts;
      // They are asked for by number, so they are another block's if that block took this one's place meanwhile.
      if ((await node.header(header.number))?.hash !== header.hash) return undefined;
      if (attempt >= patience.tries) throw logsLeftOut(header.number, lack);
      await wait(patience.delay * attempt, signal);
    }
  };
}

export const badReceipts = (cause: FormatError): FollowError =>
  new FollowError(
    'BAD_ANSWER',
    `the L2 node answered eth_getBlockReceipts with something else: ${cause.message}`,
    { cause },
  );

/** The node is asked again later: another one behind the same URL may have what this one lacks. */
export function logsLeftOut(block: number, lack: string): FollowError {
  const cause = new RpcError('SERVER_ERROR', 'eth_getBlockReceipts', 'logs were left out');
  const text = `the L2 node leaves logs out of block ${block}: ${lack}`;
  return new FollowError('NODE_FAILED', text, { cause });
}
