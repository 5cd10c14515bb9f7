/** Headers, transactions, receipts and logs of the L2, proven under anchored states. */
import { type AnchoredRoot, fetchState } from '../../anchor/index.js';
import type { Hex } from '../../bytes.js';
import { untilAborted } from '../../deadline.js';
import { wrongRange, wrongType } from '../../errors.js';
import { ownMembers } from '../../foreign/argument.js';
import { Poll } from '../../poll.js';
import { isNotHeld } from '../../rpc/errors.js';
import { checkFilter, filterNames, type LogFilter } from '../verify/filter.js';
import type { Block, BlockHeader, BlockTransaction, Log, Receipt } from '../verify/types.js';
import { type BlockRef, checkBlock, checkHash, checkNumbered } from './blockRef.js';
import type { ReadSlots } from './chain.js';
import type { LogProgress } from './logs.js';
import { checkHistoryOptions, type HistoryOptions } from './options.js';
import { type HistoryView, type LogRange, openViews } from './view.js';
import { type Work, whileAsked } from './work.js';

/** Options of one question. */
export interface QuestionOptions {
  /** Ends the question, which then fails with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Which logs, of which blocks. */
export interface LogQuestion extends LogFilter {
  /** The first block, by its number or a tag; default the newest. */
  readonly fromBlock?: BlockRef | undefined;
  /** The last block; default the newest. */
  readonly toBlock?: BlockRef | undefined;
  /** In place of both, one block by its hash, 32 bytes. */
  readonly blockHash?: Hex | undefined;
}

/** Options of a search for logs. */
export interface LogOptions extends QuestionOptions {
  /** Told of each piece of the range that is done. */
  readonly onProgress?: ((progress: LogProgress) => void) | undefined;
}

/**
 * Answers about blocks before the anchored one, in the forms of JSON-RPC. Each method throws HistoryError, RpcError,
 * AnchorError, ShapeError or VerificationError if there is no proven answer; TypeError or RangeError for a wrong argument;
 * the signal's reason once it is aborted.
 */
export interface History {
  /** The anchor that questions are answered under now. Its state proves the headers of the blocks before it. */
  anchor(options?: QuestionOptions): Promise<AnchoredRoot>;
  /**
   * `operator` if an answer so far hangs on the operator's word: on the hash of a block in a state (EIP-2935), which no validity
   * proof is known to bind. Undefined if all hang on hashes of blocks that L1 has, as from version 9 of the contract on: on
   * the header itself and the one before, and on hashes in the state from the first such block on.
   */
  restsOn(): 'operator' | undefined;
  /** The header of a block. */
  header(block: BlockRef, options?: QuestionOptions): Promise<BlockHeader>;
  /** A block with the hashes of its transactions, or with `transactions: 'whole'` with themselves. */
  block(
    block: BlockRef,
    options: QuestionOptions & {
      /** Whole, with their senders. */
      readonly transactions: 'whole';
    },
  ): Promise<Block<BlockTransaction>>;
  /** A block with the hashes of its transactions. */
  block(
    block: BlockRef,
    options?: QuestionOptions & {
      /** Default `hashes`. */
      readonly transactions?: 'hashes' | undefined;
    },
  ): Promise<Block<Hex>>;
  /** A transaction by its hash, 32 bytes. */
  transaction(hash: Hex, options?: QuestionOptions): Promise<BlockTransaction>;
  /** The receipt of a transaction by its hash, 32 bytes. */
  receipt(hash: Hex, options?: QuestionOptions): Promise<Receipt>;
  /** All receipts of a block, in order. */
  receipts(block: BlockRef, options?: QuestionOptions): Promise<Receipt[]>;
  /** All logs of a range that a filter asks for, the oldest first: none is left out. */
  logs(question: LogQuestion, options?: LogOptions): Promise<Log[]>;
}

const rangeNames = ['fromBlock', 'toBlock', 'blockHash'] as const;

/** @throws TypeError or RangeError */
function checkRange({ fromBlock, toBlock, blockHash }: LogQuestion): LogRange {
  if (blockHash === undefined) {
    return {
      from: fromBlock === undefined ? undefined : checkNumbered(fromBlock, 'fromBlock'),
      to: toBlock === undefined ? undefined : checkNumbered(toBlock, 'toBlock'),
    };
  }
  if (fromBlock !== undefined || toBlock !== undefined) {
    throw wrongType('blockHash', 'or "fromBlock" and "toBlock" expected, not both');
  }
  return { hash: checkHash(blockHash, 'blockHash') };
}

/**
 * Opens the history of an L2. Nobody is asked before the first question.
 *
 * @throws TypeError or RangeError for a wrong option
 *
 * @example
 * ```ts
 * import { networks } from 'l2proof/anchor';
 * import { createHistory } from 'l2proof/history';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const history = createHistory({
 *   l2: createTransport({ url: 'https://l2.example' }),
 *   l1: createTransport({ url: 'https://l1.example' }),
 *   network: networks.mainnet,
 * });
 * const { number, hash } = await history.header('latest');
 * console.log(Number(number), hash);
 * ```
 */
export function createHistory(options: HistoryOptions): History {
  const { l2, network, fetch, refresh, ...more } = checkHistoryOptions(options);
  const { findAnchor, maxBlocks, maxRange } = more;
  const anchors: Poll<AnchoredRoot> = new Poll(() => fetch(anchors.last), refresh);
  const readSlots: ReadSlots = async (anchor, question, signal) => {
    const { state } = await fetchState({ ...question, l2, network, anchor, signal });
    return state.storage.map(({ value }) => value);
  };
  const viewOf = openViews({ l2, readSlots, findAnchor, maxBlocks, maxRange });

  let isOnBlockHashes = false;
  /** Does work under an anchor, and remembers what it hung on. */
  async function under<T>(
    anchor: AnchoredRoot,
    signal: AbortSignal | undefined,
    work: (view: HistoryView, work: Work) => Promise<T>,
  ): Promise<T> {
    const view = viewOf(anchor);
    const answered = await whileAsked(signal, (asked) => work(view, asked));
    isOnBlockHashes ||= view.isOnBlockHashes;
    return answered;
  }

  /** Answers under the anchor of now; once more under a newer one, if the server has dropped that state meanwhile. */
  async function answer<T>(
    signal: AbortSignal | undefined,
    work: (view: HistoryView, work: Work) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const anchor = await untilAborted(anchors.get(), signal);
    try {
      return await under(anchor, signal, work);
    } catch (error) {
      if (!isNotHeld(error)) throw error;
      const newer = await untilAborted(anchors.ask(), signal);
      if (newer.l2BlockNumber <= anchor.l2BlockNumber) throw error;
      return under(newer, signal, work);
    }
  }

  const signalOf = (given: QuestionOptions) => ownMembers(given, ['signal'], 'options').signal;

  return {
    async anchor(given = {}) {
      const signal = signalOf(given);
      signal?.throwIfAborted();
      return untilAborted(anchors.get(), signal);
    },
    restsOn: () => (isOnBlockHashes ? 'operator' : undefined),
    async header(block, given = {}) {
      const read = checkBlock(block, 'block');
      return answer(signalOf(given), (view, work) => view.header(read, work));
    },
    async block(block: BlockRef, given: QuestionOptions & { transactions?: unknown } = {}) {
      const read = checkBlock(block, 'block');
      const { signal, transactions = 'hashes' } = ownMembers(
        given,
        ['signal', 'transactions'],
        'options',
      );
      if (transactions !== 'hashes' && transactions !== 'whole') {
        throw wrongRange('transactions', 'expected hashes or whole');
      }
      const isWhole = transactions === 'whole';
      return answer(signal, (view, work) => view.block(read, isWhole, work)) as never;
    },
    async transaction(hash, given = {}) {
      const read = checkHash(hash, 'hash');
      return answer(signalOf(given), (view, work) => view.transaction(read, work));
    },
    async receipt(hash, given = {}) {
      const read = checkHash(hash, 'hash');
      return answer(signalOf(given), (view, work) => view.receipt(read, work));
    },
    async receipts(block, given = {}) {
      const read = checkBlock(block, 'block');
      return answer(signalOf(given), (view, work) => view.receipts(read, work));
    },
    async logs(question, given = {}) {
      const own = ownMembers(question, [...filterNames, ...rangeNames], 'question');
      const filter = checkFilter(own);
      const range = checkRange(own);
      const { signal, onProgress } = ownMembers(given, ['signal', 'onProgress'], 'options');
      return answer(signal, (view, work) => view.logs({ filter, range, onProgress }, work));
    },
  };
}
