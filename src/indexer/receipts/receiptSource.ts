/** Feeds an index by whole receipts: of final blocks some tens at a time, of others one by one. */
import { yieldToEventLoop } from '../../concurrent.js';
import type { Patience } from '../../follow/node/patience.js';
import { FormatError, readSafeNumber } from '../../follow/node/read.js';
import type { NodeHeader } from '../../follow/node/system.js';
import type { Transport } from '../../rpc/index.js';
import { Changes } from '../layout/changes.js';
import { type BlockSource, manyRecords } from '../logs/blockSource.js';
import { badReceipts, logsLeftOut } from '../logs/wholeReceipts.js';
import { type BlockFetch, createBlockFetch, type FetchedReceipts } from './blockFetch.js';
import { ReceiptReader } from './receipts.js';

/** Batches that are asked for ahead of the one that is worked on. */
const batchesAhead = 4;

/**
 * Receipts that are read before others have their turn; not so few that an ordinary batch waits. What was parsed is garbage
 * the sooner the cheaper.
 */
const receiptsATurn = 1024;

/** Batches after which changes are applied in any case: a killed process would lose its work on empty blocks. */
const manyBatches = 16;

/** @throws FollowError `BAD_ANSWER` */
function readWhole(changes: Changes, { header, receipts }: FetchedReceipts): ReceiptReader {
  const reader = new ReceiptReader(changes);
  try {
    reader.read(receipts, header, 'result');
  } catch (cause) {
    throw cause instanceof FormatError ? badReceipts(cause) : cause;
  }
  return reader;
}

/** What the blocks of a batch leave. */
interface ReadBatch {
  readonly changes: Changes;
  readonly count: number;
  /** Undefined if there are no blocks. */
  readonly last: NodeHeader | undefined;
}

/** A batch that is asked for. */
interface PendingBatch {
  readonly from: number;
  readonly to: number;
  readonly read: Promise<ReadBatch>;
}

/**
 * @param readBatch is called as soon as blocks have come: parsed JSON takes several times the memory of what it leaves, and
 *   to keep it costs a collector of garbage more than all the reading
 * @returns the batch that begins with a block, up to a limit, which is not below it; asks for those behind it, too
 */
function createAhead(
  { batch, width }: BlockFetch,
  readBatch: (blocks: FetchedReceipts[]) => Promise<ReadBatch>,
) {
  let ahead: PendingBatch[] = [];
  return (from: number, limit: number): PendingBatch => {
    if (ahead[0]?.from !== from) ahead = [];
    while (ahead.length <= batchesAhead) {
      const start = (ahead.at(-1)?.to ?? from - 1) + 1;
      if (start > limit) break;
      const to = Math.min(limit, start + width() - 1);
      const read = batch(start, to).then(readBatch);
      // It may fail before it is awaited, and its error is reported only then.
      read.catch(() => {});
      ahead.push({ from: start, to, read });
    }
    return ahead.shift() as PendingBatch;
  };
}

/** @param patience with a node that does not answer; one that refuses a batch is asked for a shorter one at once */
export function createReceiptSource(
  l2: Transport,
  patience: Patience,
  signal: AbortSignal | undefined,
): BlockSource {
  const fetch = createBlockFetch(l2, patience, signal);
  const { client, node, hasty } = fetch;

  /** Adds a block; if what came is not all of it, the node is asked for this block alone. */
  async function addBlock(
    changes: Changes,
    reader: ReceiptReader,
    { header, receipts }: FetchedReceipts,
  ): Promise<ReceiptReader> {
    const before = changes.mark();
    try {
      reader.read(receipts, header, 'result');
      return reader;
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
    }
    changes.backTo(before);
    const [whole] = await fetch.one(header.number);
    if (whole === undefined) throw logsLeftOut(header.number, 'it does not have the block');
    return readWhole(changes, whole);
  }

  /** Changes that are not needed any more: memory of its own for each would be megabytes of garbage a second. */
  const spare: Changes[] = [];
  /** Those of the last range. */
  const whole = new Changes();

  /** Takes each block out as it is read: what is garbage by then need not be moved when an engine collects in between. */
  async function readBatch(blocks: FetchedReceipts[]): Promise<ReadBatch> {
    const changes = spare.pop() ?? new Changes();
    let reader = new ReceiptReader(changes);
    const { length: count } = blocks;
    const last = blocks.at(-1)?.header;
    let read = 0;
    for (let block = blocks.shift(); block; block = blocks.shift()) {
      if (read >= receiptsATurn) {
        await yieldToEventLoop();
        read = 0;
      }
      reader = await addBlock(changes, reader, block);
      read += block.header.transactions.length;
    }
    return { changes, count, last };
  }

  const nextBatch = createAhead(fetch, readBatch);

  return {
    node,
    hasty,
    chainId: () => client.chainId(readSafeNumber),
    async range(from, limit) {
      const parts: Changes[] = [];
      let size = 0;
      let last: NodeHeader | undefined;
      let next = from;
      for (let i = 0; i < manyBatches && next <= limit && size < manyRecords; i++) {
        const batch = nextBatch(next, limit);
        const read = await batch.read;
        parts.push(read.changes);
        size += read.changes.size;
        last = read.last ?? last;
        next += read.count;
        if (next <= batch.to) break;
      }
      whole.clear();
      for (const part of parts) {
        whole.append(part);
        part.clear();
        spare.push(part);
      }
      return last && { to: last.number, mark: last, changes: whole };
    },
    async block(number) {
      const header = await node.header(number);
      const fetched = header && (await fetch.whole(header));
      if (fetched === undefined) return undefined;
      const changes = new Changes();
      readWhole(changes, fetched);
      return { to: number, mark: fetched.header, parentHash: fetched.header.parentHash, changes };
    },
  };
}
