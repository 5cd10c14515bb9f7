/** The blocks of an index that may be taken back: names blocks final, and takes others back. */
import type { Store } from '../../tree/index.js';
import type { Index } from '../holdings/indexTypes.js';
import { IndexError } from '../layout/errors.js';
import { type KeyKind, kinds } from '../layout/layout.js';
import { headEntries, readHead } from '../sealed/head.js';
import type { Numbers } from '../sealed/numbers.js';
import type { BlockEntries } from './blockEntries.js';
import { undoBatch } from './undo.js';

export function createEnds(
  store: Store,
  blocks: BlockEntries,
  numbers: readonly Numbers[],
): Pick<Index, 'finalize' | 'revert'> {
  async function finalize(block: number): Promise<void> {
    const head = await readHead(store);
    if (block <= head.final) return;
    if (block > head.newest) {
      throw new IndexError(
        'BLOCK_ORDER',
        `block ${block} is not in the index, so it cannot become final`,
      );
    }
    const puts = headEntries({ ...head, final: block });
    await store.write({ puts, deletes: await blocks.settledBy(block) });
  }

  async function revert(block: number): Promise<void> {
    const head = await readHead(store);
    if (block < head.final) {
      throw new IndexError('BLOCK_ORDER', `block ${head.final} is final and cannot be taken back`);
    }
    if (block >= head.newest) return;
    const { undos, keys } = await blocks.after(block, head.newest);
    const { puts, deletes } = undoBatch(undos);
    // The contracts and topics whose first event is taken back have the last numbers.
    const gone = (of: KeyKind) => deletes.filter(([kind]) => kind === kinds[of]).length;
    const contracts = head.contracts - gone('contract');
    const topics = head.topics - gone('topicNumber');
    const then = headEntries({ ...head, newest: block, contracts, topics });
    await store.write({ puts: [...puts, ...then], deletes: [...deletes, ...keys] });
    for (const known of numbers) known.clear();
  }

  return { finalize, revert };
}
