/** All answers under one anchor. */
import type { AnchoredRoot } from '../../anchor/index.js';
import type { Hex } from '../../bytes.js';
import { wordFor, wrongRange } from '../../errors.js';
import { LruCache } from '../../lru.js';
import type { Transport } from '../../rpc/index.js';
import { HistoryError } from '../verify/errors.js';
import type { CheckedFilter } from '../verify/filter.js';
import { toBlockHeader } from '../verify/headers.js';
import type { Block, BlockHeader, BlockTransaction, Log, Receipt } from '../verify/types.js';
import { openAnswers } from './answers.js';
import { openArchive } from './archive.js';
import type { ReadBlock } from './blockRef.js';
import { openBound } from './bound.js';
import { openChain, type ReadSlots } from './chain.js';
import type { FindAnchor } from './earlier.js';
import { type LogProgress, searchLogs } from './logs.js';
import type { Work } from './work.js';

/** Which blocks are searched for logs; undefined is the newest. */
export type LogRange =
  | { readonly from: number | undefined; readonly to: number | undefined }
  | { readonly hash: Hex };

/** The question of a search. */
interface LogSearch {
  readonly filter: CheckedFilter;
  readonly range: LogRange;
  readonly onProgress?: ((progress: LogProgress) => void) | undefined;
}

/** The answers that are proven under an anchor. All may throw HistoryError, RpcError, errors of the proof, the signal's reason. */
export interface HistoryView {
  /** The newest block that there are answers about. */
  readonly newest: number;
  /** Whether an answer so far hangs on the operator's word, as the chain of headers says. */
  readonly isOnBlockHashes: boolean;
  /** Whether the hash that the state holds of a block is known to be bound by the validity proof, as under a header alone. */
  isBound(number: number, work: Work): Promise<boolean>;
  header(block: ReadBlock, work: Work): Promise<BlockHeader>;
  /** Headers of a range, the oldest first. */
  headers(
    range: { readonly from: number; readonly to: number },
    work: Work,
  ): Promise<BlockHeader[]>;
  block(block: ReadBlock, isWhole: boolean, work: Work): Promise<Block>;
  transactions(block: ReadBlock, work: Work): Promise<BlockTransaction[]>;
  /** Undefined if the block has no transaction at that index, which is proven. */
  transactionAt(block: ReadBlock, index: number, work: Work): Promise<BlockTransaction | undefined>;
  transaction(hash: Hex, work: Work): Promise<BlockTransaction>;
  receipts(block: ReadBlock, work: Work): Promise<Receipt[]>;
  receipt(hash: Hex, work: Work): Promise<Receipt>;
  logs(search: LogSearch, work: Work): Promise<Log[]>;
}

export interface ViewOptions {
  readonly l2: Transport;
  readonly readSlots: ReadSlots;
  /** Undefined if the caller knows one anchor alone. */
  readonly findAnchor?: FindAnchor | undefined;
  readonly maxBlocks: number;
  readonly maxRange: number;
}

/** Anchors whose ways to headers are kept. */
const maxViews = 4;

/** Refuses a range that runs backwards, or is too wide. @throws RangeError, HistoryError */
function checkRange(from: number, to: number, maxRange: number): number {
  const total = to - from + 1;
  if (total < 1)
    throw wrongRange('fromBlock', `is block ${from}, after the last block of the range, ${to}`);
  if (total > maxRange) {
    throw new HistoryError(
      'RANGE_TOO_WIDE',
      `${total} blocks are more than ${wordFor('maxRange', '"maxRange"')}, ${maxRange}; ask for a part of them, or raise it`,
    );
  }
  return total;
}

/** Gives what is proven under an anchor. What was read from the server is shared by all. */
export function openViews(options: ViewOptions): (anchor: AnchoredRoot) => HistoryView {
  const archive = openArchive(options.l2);
  const isBound = openBound(options.findAnchor);

  function open(anchor: AnchoredRoot): HistoryView {
    const chain = openChain(anchor, { ...options, archive, isBound });
    const answers = openAnswers(chain, archive);
    return {
      newest: chain.newest,
      get isOnBlockHashes() {
        return chain.isOnBlockHashes;
      },
      isBound: async (number, { signal }) => anchor.kind === 'header' && isBound(number, signal),
      header: async (block, work) => toBlockHeader(await answers.find(block, work)),
      async headers(range, work) {
        checkRange(range.from, range.to, options.maxRange);
        const headers: BlockHeader[] = [];
        for await (const piece of chain.descend(range, work)) {
          headers.push(...piece.map(toBlockHeader));
        }
        return headers.reverse();
      },
      block: async (block, isWhole, work) =>
        answers.block(await answers.find(block, work), isWhole, work),
      transactions: async (block, work) =>
        answers.transactions(await answers.find(block, work), work),
      transactionAt: async (block, index, work) =>
        answers.transactionAt(await answers.find(block, work), index, work),
      transaction: answers.transaction,
      receipts: async (block, work) => answers.receipts(await answers.find(block, work), work),
      receipt: answers.receipt,
      async logs({ filter, range, onProgress }, work) {
        const search = { archive, filter, work };
        if ('hash' in range) {
          const header = await answers.find(range, work);
          return searchLogs([[header]], search, { total: 1, onProgress });
        }
        const { from = chain.newest, to = chain.newest } = range;
        const total = checkRange(from, to, options.maxRange);
        return searchLogs(chain.descend({ from, to }, work), search, { total, onProgress });
      },
    };
  }

  const views = new LruCache<string, HistoryView>(maxViews);
  return (anchor) => {
    // Not by the root alone: two headers with the same root are two blocks.
    const { kind, l2BlockNumber, hash, stateRoot, blockHash } = anchor;
    const key = `${kind} ${l2BlockNumber} ${hash} ${stateRoot} ${blockHash}`;
    const view = views.get(key) ?? open(anchor);
    views.set(key, view);
    return view;
  };
}
