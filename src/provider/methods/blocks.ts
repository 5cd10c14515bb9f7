/** Blocks, transactions, receipts and logs: answered from what hashes to a proven header. */
import { toQuantity } from '../../foreign/values.js';
import type { ReadBlock } from '../../history/client/blockRef.js';
import type { HistoryErrorCode } from '../../history/verify/errors.js';
import type { Log } from '../../history/verify/types.js';
import { invalidParams } from '../params/errors.js';
import {
  type ReadLogQuestion,
  readBlockRef,
  readFlag,
  readHashParam,
  readIndex,
  readLogQuestion,
  readNumbered,
} from '../params/historyParams.js';
import type { Params } from '../params/params.js';
import type { ProvenHistory } from '../state/histories.js';
import { readFeeHistory } from './feeHistory.js';
import type { ProvenAnswer, ProvenMethod } from './methods.js';

/** Reads the parameters of a method about blocks. */
type ReadQuestion = (params: Params) => (history: ProvenHistory) => Promise<unknown>;

/** A method about blocks. */
export const historyMethod = (
  params: number,
  read: ReadQuestion,
  absent: readonly HistoryErrorCode[] = [],
): ProvenMethod<ProvenAnswer> => ({
  params,
  block: undefined,
  absent,
  read(given) {
    const answer = read(given);
    return async (_view, { history }) => {
      const [result, isOnBlockHashes] = await history(
        async (blocks) => [await answer(blocks), blocks.view.isOnBlockHashes] as const,
      );
      return { result, assumed: [], isOnBlockHashes, isOfHistory: true };
    };
  },
});

/** The first parameter names a block by its number or a tag, by its hash, or by any of them. */
const blockReaders = {
  ByNumber: (block: unknown) => ({ number: readNumbered(block, 'params[0]') }),
  ByHash: (block: unknown) => ({ hash: readHashParam(block, 'params[0]') }),
  any: (block: unknown) => readBlockRef(block, 'params[0]'),
} as const satisfies Record<string, (block: unknown) => ReadBlock>;

/** The newest block is the one that is current, which may be older than the newest that is proven. */
const named = (block: ReadBlock, { newest }: ProvenHistory): ReadBlock =>
  'hash' in block ? block : { number: block.number ?? newest };

/** What is not there yet, as far as it is proven. */
const notYet: readonly HistoryErrorCode[] = ['TOO_NEW'];
/** The server alone says that there is nothing of a hash. */
const unknownHash: readonly HistoryErrorCode[] = ['NOT_PROVEN', ...notYet];

/** A method about one block, under the names of its forms. */
function ofBlock(
  [before, after]: readonly [string, string?],
  most: number,
  read: (params: Params) => (history: ProvenHistory, block: ReadBlock) => Promise<unknown>,
): [string, ProvenMethod<ProvenAnswer>][] {
  return (['ByNumber', 'ByHash'] as const).map((form) => [
    after === undefined ? `${before}${form}` : `${before}${form.replace('By', 'ByBlock')}${after}`,
    historyMethod(
      most,
      (params) => {
        const block = blockReaders[form](params[0]);
        const answer = read(params);
        return (history) => answer(history, named(block, history));
      },
      form === 'ByHash' ? unknownHash : notYet,
    ),
  ]);
}

/** A method about the transaction of a hash. */
const ofTransaction = (answer: 'transaction' | 'receipt'): ProvenMethod<ProvenAnswer> =>
  historyMethod(
    1,
    (params) => {
      const hash = readHashParam(params[0], 'params[0]');
      return ({ view, work }) => view[answer](hash, work);
    },
    unknownHash,
  );

/** Asks for logs. @throws ProviderError for a range that runs backwards, beside any error of a search */
export async function findLogs(
  { filter, range }: ReadLogQuestion,
  { view, work, newest }: ProvenHistory,
): Promise<Log[]> {
  if ('hash' in range) return view.logs({ filter, range }, work);
  const { from = newest, to = newest } = range;
  if (from > to) throw invalidParams(`the range of blocks begins at ${from} and ends at ${to}`);
  return view.logs({ filter, range: { from, to } }, work);
}

/** The methods about blocks, but for filters. */
export const blockMethods: readonly [string, ProvenMethod<ProvenAnswer>][] = [
  ...ofBlock(['eth_getBlock'], 2, (params) => {
    const isWhole = readFlag(params[1], 'params[1]');
    return ({ view, work }, block) => view.block(block, isWhole, work);
  }),
  ...ofBlock(
    ['eth_getHeader'],
    1,
    () =>
      ({ view, work }, block) =>
        view.header(block, work),
  ),
  ...ofBlock(['eth_getBlockTransactionCount'], 1, () => async ({ view, work }, block) => {
    const { transactions } = await view.block(block, false, work);
    return toQuantity(transactions.length);
  }),
  ...ofBlock(['eth_getTransaction', 'AndIndex'], 2, (params) => {
    const index = readIndex(params[1], 'params[1]');
    // That the block has fewer is proven.
    return async ({ view, work }, block) => (await view.transactionAt(block, index, work)) ?? null;
  }),
  [
    'eth_getBlockReceipts',
    historyMethod(
      1,
      (params) => {
        const block = blockReaders.any(params[0] ?? 'latest');
        return (history) => history.view.receipts(named(block, history), history.work);
      },
      unknownHash,
    ),
  ],
  ['eth_getTransactionByHash', ofTransaction('transaction')],
  ['eth_getTransactionReceipt', ofTransaction('receipt')],
  [
    'eth_getLogs',
    historyMethod(1, (params) => {
      const question = readLogQuestion(params[0], 'params[0]');
      return (history) => findLogs(question, history);
    }),
  ],
  ['eth_feeHistory', historyMethod(3, readFeeHistory)],
];
