/** Holds the transactions of a block against it: all of them, in its order. */
import type { Hex } from '../../../bytes.js';
import type { BlockTransactionsPage, TransactionItem } from '../../items/transactionItem.js';
import { DataError } from '../../wire/errors.js';
import type { ListPage } from '../../wire/pages.js';
import type { Trust } from '../../wire/trust.js';
import { newestProven, openGround } from '../ground.js';
import { createPageVerifier } from '../provenPage.js';
import { notProven } from '../tokenCalls.js';
import type { Work } from '../work.js';
import {
  claimedTransaction,
  findTransaction,
  provenTransaction,
  type WantedMembers,
} from './transactions.js';

/** A block, by the number that the server says and the hash that was asked for. */
interface NamedBlock {
  readonly number: number;
  /** Undefined: it was asked for by its number. */
  readonly hash: string | undefined;
}

interface BlockTransactionsVerifier {
  /** The newest block whose transactions can be proven. */
  readonly newest: number;
  /** The next page of the block, with its items verified. @throws DataError, and the signal's reason */
  verified(page: ListPage<TransactionItem>, block: NamedBlock): Promise<BlockTransactionsPage>;
}

/** What is proven of a block as a whole. */
interface Whole {
  readonly hash: Hex;
  /** Its transactions. */
  readonly total: number;
}

/** @throws DataError, HistoryError, ProofError */
async function findWhole({ number, hash: asked }: NamedBlock, work: Work): Promise<Whole> {
  const history = await work.history();
  const { hash } = await history.header(number);
  if ((asked ?? hash) !== hash) throw notProven(`block ${number} has another hash`);
  return { hash, total: await history.countTransactions(number) };
}

/** @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createBlockTransactionsVerifier(
  trust: Trust,
  wanted: WantedMembers,
): BlockTransactionsVerifier {
  const ground = openGround(trust);
  /** Transactions of the block that have come. */
  let next = 0;

  /** The page, and the block if it is proven. */
  async function verify(page: ListPage<TransactionItem>, block: NamedBlock) {
    let whole: Whole | undefined;
    const found = await createPageVerifier<TransactionItem>(ground, {
      ...claimedTransaction,
      async begin(work) {
        try {
          whole = await findWhole(block, work);
        } catch (cause) {
          // That a block has no transactions may be a mere claim of the server's. A claim that is wrong is not.
          const isClaim = page.items.length === 0 && cause instanceof DataError;
          if (!isClaim) throw cause;
        }
      },
      async check(item, work) {
        if (item.block_height !== block.number) throw notProven('it is of another block');
        if (item.tx_offset !== next)
          throw notProven(`transaction ${next} of the block comes first`);
        next++;
        const history = await work.history();
        return provenTransaction(item, await findTransaction(item, history), wanted);
      },
      isOfItems: true,
    }).verified(page);
    return { found, whole };
  }

  return {
    newest: newestProven(ground),
    async verified(page, block) {
      const { found, whole } = await verify(page, block);
      if (whole === undefined) return { ...found, assumed: [...found.assumed, 'completeness'] };
      const { hash, total } = whole;
      const isComplete = next >= total;
      if (!isComplete && (page.items.length === 0 || !page.hasMore)) {
        throw notProven(
          `block ${block.number} has ${total} transactions, and ${next} of them came`,
        );
      }
      return {
        ...{ ...found, blockNumber: block.number, blockHash: hash, total },
        ...{ hasMore: !isComplete, complete: isComplete },
      };
    },
  };
}
