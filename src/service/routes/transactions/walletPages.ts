/** The transactions of a wallet in pages that are numbered from the oldest: a full page of final blocks never changes. */
import type { Hex } from '../../../bytes.js';
import type { ChainContext } from '../../data/balances.js';
import { badRequest } from '../common/blocks.js';
import { wrongCursor } from '../common/cursor.js';
import type { TransactionPlace } from '../items/indexed.js';

/** Transactions of a page. */
export const walletPageSize = 100;

/** Records that a jump may read over. */
const mostSkipped = 100_000;

export interface WalletPage {
  /** The oldest first. */
  readonly places: readonly TransactionPlace[];
  /** The number of this page. */
  readonly page: number;
  /** The number of the newest page; 0 for a wallet without transactions. */
  readonly newest: number;
  /** Whether a final transaction stands behind the page: it is full then, and stays so, and another one follows for good. */
  readonly isFollowed: boolean;
}

/** The page that a cursor leads to. */
export interface PageBefore {
  readonly page: number;
  /** The oldest transaction of the page that follows it. */
  readonly before: TransactionPlace;
}

/** The end of a page that is full and final, as a list goes on behind it. */
interface FinalEnd {
  readonly after: TransactionPlace;
  /** The newest final block. */
  readonly toBlock: number;
}

const newestOf = (total: number): number => Math.max(0, Math.ceil(total / walletPageSize) - 1);

/** The last transaction of a full page, if it is final: what stands before it never changes. @param places the oldest first */
async function finalEnd(
  index: ChainContext['index'],
  places: readonly TransactionPlace[],
): Promise<FinalEnd | undefined> {
  const final = (await index.finalBlock()) ?? -1;
  const last = places.at(-1);
  if (last === undefined || places.length < walletPageSize || last.block > final) return undefined;
  return { after: { block: last.block, transaction: last.transaction }, toBlock: final };
}

async function isFollowedForGood(
  index: ChainContext['index'],
  wallet: Hex,
  end: FinalEnd | undefined,
): Promise<boolean> {
  if (end === undefined) return false;
  const [next] = await index.touched(wallet, { ...end, order: 'oldest', limit: 1 });
  return next !== undefined;
}

/** The page behind a cursor. What a client made of one is noted nowhere. @throws HttpError */
export async function readPageBefore(
  { index }: ChainContext,
  wallet: Hex,
  { page, before: after }: PageBefore,
): Promise<WalletPage> {
  const newest = newestOf((await index.total(wallet)).transactions);
  const found = await index.touched(wallet, { order: 'newest', after, limit: walletPageSize });
  // A page that others follow is full.
  if (page >= newest || found.length < walletPageSize) throw wrongCursor();
  const places = found.reverse();
  const end = await finalEnd(index, places);
  return { places, page, newest, isFollowed: await isFollowedForGood(index, wallet, end) };
}

/** @param asked undefined: the newest @throws HttpError */
export async function readWalletPage(
  { index, bookmarks }: ChainContext,
  wallet: Hex,
  asked: number | undefined,
): Promise<WalletPage> {
  const { transactions: total } = await index.total(wallet);
  const newest = newestOf(total);
  const page = asked ?? newest;
  const from = page * walletPageSize;
  const count = Math.min(walletPageSize, total - from);
  if (count <= 0) return { places: [], page, newest, isFollowed: false };
  // From the end that is nearer, or from where another page ended.
  const list = `transactions ${wallet}`;
  const after = bookmarks.find<TransactionPlace>(list, page);
  const behind = total - from - count;
  const skipped = after === undefined ? Math.min(from, behind) : 0;
  if (skipped > mostSkipped) {
    throw badRequest(`page_number leads more than ${mostSkipped} transactions away from both ends`);
  }
  const isFromNewest = after === undefined && behind < from;
  const found = isFromNewest
    ? await index.touched(wallet, { order: 'newest', offset: behind, limit: count })
    : await index.touched(wallet, {
        order: 'oldest',
        limit: count,
        ...(after === undefined ? { offset: from } : { after }),
      });
  const places = isFromNewest ? found.reverse() : found;
  const end = await finalEnd(index, places);
  if (end !== undefined) bookmarks.note(list, page + 1, end.after);
  return { places, page, newest, isFollowed: await isFollowedForGood(index, wallet, end) };
}
