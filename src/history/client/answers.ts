/** Answers under one anchor: each is computed from what hashes to a proven header. */
import { encodeHex, type Hex } from '../../bytes.js';
import { toQuantity } from '../../foreign/values.js';
import { encodedLength, encodeRlp } from '../../mpt/encode.js';
import { hashTransaction, type RlpTransaction } from '../../mpt/transaction.js';
import { withdrawal } from '../../mpt/withdrawal.js';
import { runStepsInTurns } from '../../steps.js';
import { HistoryError } from '../verify/errors.js';
import { type ProvenHeader, toBlockHeader } from '../verify/headers.js';
import { joinReceipt, toBlockReceipts } from '../verify/receipts.js';
import { toBlockTransaction } from '../verify/transactions.js';
import type {
  Block,
  BlockHeader,
  BlockReceipt,
  BlockTransaction,
  Receipt,
  Withdrawal,
} from '../verify/types.js';
import type { Archive } from './archive.js';
import type { ReadBlock } from './blockRef.js';
import { type Body, checkPairs } from './bodies.js';
import type { ProvenChain } from './chain.js';
import { type Found, openFinder } from './find.js';
import type { Work } from './work.js';

/** The root of uncles of a block without: keccak-256 of an empty list. */
const noUncles: Hex = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';

/** Bytes of a block in RLP. */
function sizeOf({ encoded }: ProvenHeader, { transactions, withdrawals }: Body): number {
  const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0);
  const each = transactions.map(({ type, covered }) =>
    // Inside a block, one of another type than the first is a string.
    type === 0 ? covered.length : encodedLength(covered.length),
  );
  const withdrawn = withdrawals?.map((item) => encodeRlp(item).length);
  const lists = [sum(each), 0, ...(withdrawn ? [sum(withdrawn)] : [])];
  return encodedLength(encoded.length + sum(lists.map(encodedLength)));
}

export interface Answers {
  find(block: ReadBlock, work: Work): Promise<ProvenHeader>;
  block(header: ProvenHeader, isWhole: boolean, work: Work): Promise<Block>;
  transactions(header: ProvenHeader, work: Work): Promise<BlockTransaction[]>;
  /** Undefined if the block has no transaction at that index, which is proven. */
  transactionAt(
    header: ProvenHeader,
    index: number,
    work: Work,
  ): Promise<BlockTransaction | undefined>;
  transaction(hash: Hex, work: Work): Promise<BlockTransaction>;
  receipts(header: ProvenHeader, work: Work): Promise<Receipt[]>;
  receipt(hash: Hex, work: Work): Promise<Receipt>;
}

/** Who signed transactions that are kept: to find that out takes longer than all else that is done with one. */
const senders = new WeakMap<RlpTransaction, Hex>();

export function openAnswers(chain: ProvenChain, archive: Archive): Answers {
  const finder = openFinder(chain, archive);

  /** The curve is loaded with the first sender that is asked for: it is larger than all the rest. */
  async function complete(
    { transactions, header }: Pick<Found, 'transactions' | 'header'>,
    index: number,
    { tick }: Work,
  ): Promise<BlockTransaction> {
    const { recoverSender } = await import('../verify/sender.js');
    const transaction = transactions[index] as RlpTransaction;
    const from = senders.get(transaction) ?? recoverSender(transaction, `transactions[${index}]`);
    senders.set(transaction, from);
    await tick();
    return toBlockTransaction(transaction, { index, from, header: toBlockHeader(header) });
  }

  const bare = async (header: ProvenHeader, work: Work) =>
    runStepsInTurns(
      toBlockReceipts(await archive.receipts(header, work), toBlockHeader(header)),
      work.tick,
    );

  const answers: Answers = {
    find: async (block, work) =>
      'hash' in block
        ? finder.block(block.hash, work)
        : chain.header(block.number ?? chain.newest, work),
    async block(header, isWhole, work) {
      const json: BlockHeader = toBlockHeader(header);
      if (json.sha3Uncles !== noUncles) {
        throw new HistoryError('HAS_UNCLES', `block ${header.number} names uncles`);
      }
      const body = await archive.body(header, work);
      const { transactions, withdrawals } = body;
      return {
        ...json,
        size: toQuantity(sizeOf(header, body)),
        transactions: isWhole
          ? await answers.transactions(header, work)
          : transactions.map((one) => encodeHex(hashTransaction(one))),
        uncles: [],
        ...(withdrawals && { withdrawals: withdrawals.map(withdrawal.toJson) as Withdrawal[] }),
      };
    },
    async transactions(header, work) {
      const { transactions } = await archive.body(header, work);
      const all: BlockTransaction[] = [];
      for (const index of transactions.keys()) {
        all.push(await complete({ transactions, header }, index, work));
      }
      return all;
    },
    async transactionAt(header, index, work) {
      const { transactions } = await archive.body(header, work);
      if (index >= transactions.length) return undefined;
      return complete({ transactions, header }, index, work);
    },
    async transaction(hash, work) {
      const found = await finder.transaction(hash, work);
      return complete(found, found.index, work);
    },
    async receipts(header, work) {
      const receipts = await bare(header, work);
      const transactions = await answers.transactions(header, work);
      checkPairs(header, { transactions, receipts });
      return receipts.map((receipt, i) =>
        joinReceipt(receipt, transactions[i] as BlockTransaction),
      );
    },
    async receipt(hash, work) {
      const found = await finder.transaction(hash, work);
      const receipts = await bare(found.header, work);
      checkPairs(found.header, { transactions: found.transactions, receipts });
      const receipt = receipts[found.index] as BlockReceipt;
      return joinReceipt(receipt, await complete(found, found.index, work));
    },
  };
  return answers;
}
