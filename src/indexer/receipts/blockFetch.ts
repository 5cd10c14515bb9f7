/** Asks an ordinary L2 node for blocks with their receipts: some tens in a batch, fewer if it refuses, or one by one. */
import type { Hex } from '../../bytes.js';
import { FollowError } from '../../follow/node/errors.js';
import { createNode, type Node } from '../../follow/node/node.js';
import { createPatientClient, type Patience } from '../../follow/node/patience.js';
import type { NodeHeader } from '../../follow/node/system.js';
import type { RpcError, Transport } from '../../rpc/index.js';
import { type NodeClient, unread } from '../../rpc/nodeClient.js';
import { wait } from '../../rpc/retry.js';
import { isRangeRefusal } from '../logs/fetchLogs.js';
import { createWholeReceipts, logsLeftOut } from '../logs/wholeReceipts.js';
import { createBatchWidth } from './batchWidth.js';

/** Longest answer with the receipts of a batch, in bytes; a longer one is split. */
const longestBatch = 64 * 1024 * 1024;

/** The node's code for params that it does not take. */
const invalidParams = -32602;

/** A block with its receipts, unread. */
export interface FetchedReceipts {
  readonly header: NodeHeader;
  readonly receipts: unknown;
}

export interface BlockFetch {
  readonly client: NodeClient;
  readonly node: Node;
  /** Asks once. */
  readonly hasty: Node;
  /** How many blocks may be asked for at a time. */
  width(): number;
  /** Blocks next to each other; fewer if the node does not have the last of them. */
  batch(from: number, to: number): Promise<FetchedReceipts[]>;
  /** A block, whose receipts are whole; none if the node does not have it. */
  one(number: number): Promise<FetchedReceipts[]>;
  /** The same of a header; undefined if the block is another one by now. */
  whole(header: NodeHeader): Promise<FetchedReceipts | undefined>;
}

/** Whether a block has transactions. Of one without any, some nodes answer null. */
const isFull = ({ transactions }: NodeHeader): boolean => transactions.length > 0;

/** The server's code of a question that failed. */
const serverCodeOf = (error: unknown): number | undefined =>
  error instanceof FollowError ? (error.cause as RpcError | undefined)?.serverCode : undefined;

/** @param patience with a node that does not answer; one that refuses a batch is asked for a shorter one at once */
export function createBlockFetch(
  l2: Transport,
  patience: Patience,
  signal: AbortSignal | undefined,
): BlockFetch {
  const patient = createPatientClient('the L2 node', l2, patience, signal);
  const hasty = createPatientClient('the L2 node', l2, { ...patience, tries: 1 }, signal);
  const node = createNode(patient);
  const hastyNode = createNode(hasty);
  const wholeReceipts = createWholeReceipts({ client: patient, node, patience, signal });
  const width = createBatchWidth();
  /** Whether the node takes the hash of a block. If not, what it answers by number still must have that hash. */
  let takesHash = true;

  async function receiptsOf(headers: readonly NodeHeader[]): Promise<unknown[]> {
    const ask = (blocks: readonly (number | Hex)[]) =>
      hasty.receiptsOf(blocks, unread, longestBatch);
    if (takesHash) {
      try {
        return await ask(headers.map(({ hash }) => hash));
      } catch (error) {
        if (serverCodeOf(error) !== invalidParams) throw error;
        takesHash = false;
      }
    }
    return ask(headers.map(({ number }) => number));
  }

  /** One block, and the node is asked again until its receipts are whole. */
  async function fetchWhole(header: NodeHeader): Promise<FetchedReceipts | undefined> {
    const receipts = isFull(header) ? await wholeReceipts(header) : [];
    return receipts && { header, receipts };
  }

  async function fetchOne(number: number): Promise<FetchedReceipts[]> {
    const header = await node.header(number);
    if (header === undefined) return [];
    const fetched = await fetchWhole(header);
    if (fetched === undefined) throw logsLeftOut(number, 'it names another block each time');
    return [fetched];
  }

  /** Blocks next to each other; fewer if the node does not have the last of them. */
  async function fetchBatch(from: number, to: number): Promise<FetchedReceipts[]> {
    if (from === to) return fetchOne(from);
    try {
      const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
      const found = await hastyNode.headers(numbers);
      const missing = found.indexOf(undefined);
      const headers = (missing < 0 ? found : found.slice(0, missing)) as NodeHeader[];
      const full = headers.filter(isFull);
      const receipts = full.length === 0 ? [] : await receiptsOf(full);
      width.answered();
      let next = 0;
      return headers.map((header) => ({
        header,
        receipts: isFull(header) ? receipts[next++] : [],
      }));
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof FollowError && error.code === 'NODE_FAILED')) throw error;
      if (isRangeRefusal(error)) width.refused(to - from + 1);
      await wait(patience.delay, signal);
    }
    const middle = Math.floor((from + to) / 2);
    const first = await fetchBatch(from, middle);
    if (first.length < middle - from + 1) return first;
    return [...first, ...(await fetchBatch(middle + 1, to))];
  }

  return {
    ...{ client: patient, node, hasty: hastyNode },
    width: width.get,
    batch: fetchBatch,
    one: fetchOne,
    whole: fetchWhole,
  };
}
