/** Holds the items of pages against the state under a trusted root: one rule for each kind of list. */
import { EvmError } from '../../evm/index.js';
import { DataError } from '../wire/errors.js';
import type { ListPage } from '../wire/pages.js';
import type { Ground } from './ground.js';
import { notProven } from './tokenCalls.js';
import { openWork, type Work } from './work.js';

/** How the items of a list are verified. */
export interface ItemRule<T> {
  /** What errors call an item. */
  nameOf(item: T): string;
  /** Asks what all items of a page share, before them. @throws DataError, EvmError, ProofError */
  begin?(work: Work): Promise<void>;
  /** Looks at the page as a whole, after its items. @throws as `begin`, HistoryError */
  end?(work: Work): Promise<void>;
  /** Calls of contracts that an item takes, about. */
  callsOf(item: T): number;
  /**
   * The item, with its proven members, and those that are known to be the server's word; undefined if nothing of it can be
   * proven, though the server thinks so.
   *
   * @throws DataError, EvmError, ProofError
   */
  check(item: T, work: Work): Promise<T | undefined>;
  /** Whether the page is of a block that its items name, in place of the anchored one. */
  readonly isOfItems?: boolean;
  /** What of the list and its verified items is the server's word, see `ListPage`. */
  readonly assumed: readonly string[];
}

export interface PageVerifier<T> {
  /** The page, with its items verified. @throws DataError, and the signal's reason */
  verified(page: ListPage<T>): Promise<ListPage<T>>;
}

/** Calls of a page. A service lists 1,000 holdings and as many tokens at most. */
const mostCalls = 4096;

/** Refuses a question that comes twice: an amount that came twice would count twice. */
export function createOnce(): (question: string) => void {
  const seen = new Set<string>();
  return (question) => {
    if (seen.has(question)) throw notProven('it comes twice');
    seen.add(question);
  };
}

/** The error for an item that is not verified. */
function toFailure(name: string, cause: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (cause instanceof DataError && cause.code === 'FORK_UNKNOWN') return cause;
  if (cause instanceof EvmError && cause.code === 'MISSING_PEER') {
    return new DataError('MISSING_PEER', cause.reason, { cause });
  }
  const isOurs = cause instanceof DataError && cause.code === 'NOT_VERIFIED';
  const reason = isOurs ? cause.reason : (cause as Error).message;
  return new DataError('NOT_VERIFIED', `${name} is not verified: ${reason}`, { cause });
}

export const createPageVerifier = <T>(ground: Ground, rule: ItemRule<T>): PageVerifier<T> => ({
  async verified(page) {
    const { proofs, history, ...more } = page.more;
    const number = ground.anchor.l2BlockNumber;
    if (!rule.isOfItems && page.blockNumber !== number) {
      const block = page.blockNumber === undefined ? 'no known block' : `block ${page.blockNumber}`;
      throw notProven(`the answer is of ${block}, the root of block ${number}`);
    }
    const calls = page.items.reduce((sum, item) => sum + rule.callsOf(item), 0);
    if (calls > mostCalls) {
      throw notProven(`the page takes ${calls} calls of contracts; ask for a smaller one`);
    }
    const work = await openWork({ proofs, history }, ground);
    const items: T[] = [];
    const undecided: T[] = [];
    let name = 'the page';
    try {
      await rule.begin?.(work);
      for (const item of page.items) {
        name = rule.nameOf(item);
        const checked = await rule.check(item, work);
        if (checked === undefined) undecided.push(item);
        else items.push(checked);
      }
      name = 'the page';
      await rule.end?.(work);
    } catch (cause) {
      throw toFailure(name, cause, ground.signal);
    }
    const unproven = [...page.unproven, ...undecided];
    return { ...page, items, unproven, assumed: [...work.assumed, ...rule.assumed], more };
  },
});
