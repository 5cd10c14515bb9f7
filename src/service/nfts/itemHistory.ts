/** The transactions that moved the tokens of one id, the newest first. */
import type { Hex } from '../../bytes.js';
import { type Index, type ItemRun, type LogPlace, maxPlace } from '../../indexer/index.js';
import type { AnswerContext } from '../jsonrpc/method.js';

/** A transaction that moved a token, and the last of its logs that was read: the list goes on behind it. */
export interface ItemTransaction extends LogPlace {
  /** Place in the block, from 0. */
  readonly transaction: number;
}

/** Records that are read in a piece, for a unit of cost. */
const piece = 1000;

type Place = Pick<ItemTransaction, 'block' | 'transaction'>;

/** Whether a transaction came before another one. */
const isBefore = (one: Place, other: Place): boolean =>
  one.block < other.block || (one.block === other.block && one.transaction < other.transaction);

/** Transactions, of which each stands once. */
class Transactions {
  readonly all: ItemTransaction[] = [];
  readonly #after: ItemTransaction | undefined;

  constructor(after: ItemTransaction | undefined) {
    this.#after = after;
  }

  /** @param log undefined: of a run, whose place in the block is not known */
  add({ block, transaction }: Place, log: number | undefined): void {
    const last = this.all.at(-1);
    const isSame = last?.block === block && last.transaction === transaction;
    const before = last ?? this.#after;
    const end = log ?? (before?.block === block ? before.log : maxPlace);
    if (isSame) this.all.pop();
    this.all.push({ block, transaction, log: end });
  }
}

/**
 * Reads transactions behind one.
 *
 * @throws IndexError, and what `pause` throws
 */
export async function readItemHistory(
  index: Pick<Index, 'itemMoves' | 'itemRuns'>,
  { contract, id }: { readonly contract: Hex; readonly id: bigint },
  { after, limit }: { readonly after: ItemTransaction | undefined; readonly limit: number },
  { pause, charge }: AnswerContext,
): Promise<ItemTransaction[]> {
  const all = (await index.itemRuns(contract, id)).filter(({ last }) => last >= id);
  const runs: ItemRun[] = all
    .filter((run) => after === undefined || isBefore(run, after))
    .sort((a, b) => b.block - a.block || b.transaction - a.transaction);
  const found = new Transactions(after);
  let behind: LogPlace | undefined = after;
  // One more than is wanted: only then the last one is read to its end.
  while (found.all.length <= limit) {
    await pause();
    charge(1);
    const moves = await index.itemMoves(contract, id, { after: behind, limit: piece });
    for (const move of moves) {
      while (runs[0] && isBefore(move, runs[0])) found.add(runs.shift() as ItemRun, undefined);
      found.add(move, move.log);
    }
    behind = moves.at(-1);
    if (moves.length === piece) continue;
    for (const run of runs) found.add(run, undefined);
    break;
  }
  return found.all.slice(0, limit);
}
