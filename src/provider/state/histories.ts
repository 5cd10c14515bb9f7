/** What is proven of the blocks before the anchored one. Its code is loaded with the first question. */
import type { AnchoredRoot } from '../../anchor/index.js';
import type { ReadSlots } from '../../history/client/chain.js';
import type { FindAnchor } from '../../history/client/earlier.js';
import type { HistoryView } from '../../history/client/view.js';
import type { Work } from '../../history/client/work.js';
import type { Transport } from '../../rpc/index.js';
import type { Anchors } from './anchors.js';
import { type Current, toMissing } from './current.js';
import type { Lifetime } from './lifetime.js';
import type { View } from './view.js';

/** The blocks under an anchor, while a request is worked on. */
export interface ProvenHistory {
  readonly view: HistoryView;
  readonly work: Work;
  /** The newest block that there are answers about. */
  readonly newest: number;
}

/** Asks about blocks. @throws HistoryError, RpcError, errors of proofs; the signal's reason */
export type AskHistory = <T>(
  current: Current,
  signal: AbortSignal | undefined,
  use: (history: ProvenHistory) => Promise<T>,
) => Promise<T>;

interface HistoriesOptions {
  readonly l2: Transport;
  readonly viewOf: (anchor: AnchoredRoot) => View;
  readonly anchors: Anchors;
  readonly lifetime: Lifetime;
  readonly maxBlocks: number;
  readonly maxRange: number;
}

export function createHistories({
  l2,
  viewOf,
  anchors,
  lifetime,
  maxBlocks,
  maxRange,
}: HistoriesOptions): AskHistory {
  /** Proven slots are shared with all other reads under the same root. */
  const readSlots: ReadSlots = async (anchor, { address, storageKeys }) =>
    (await viewOf(anchor).read(address, storageKeys)).values;

  /** Asked once for all who want it. */
  const findAnchor: FindAnchor = (before) => anchors.before(before);

  async function load() {
    const [{ openViews }, { whileAsked }] = await Promise.all([
      import('../../history/client/view.js'),
      import('../../history/client/work.js'),
    ]);
    return { historyOf: openViews({ l2, readSlots, findAnchor, maxBlocks, maxRange }), whileAsked };
  }

  let loading: ReturnType<typeof load> | undefined;
  return (current, outer, use) =>
    lifetime.run(async (signal) => {
      loading ??= load();
      const { historyOf, whileAsked } = await loading.catch((error) => {
        // A page may have been offline for a moment.
        loading = undefined;
        throw error;
      });
      const { state, prover } = current;
      const view = historyOf(prover);
      const newest = state === prover ? view.newest : state.l2BlockNumber;
      try {
        return await whileAsked(signal, (work) => use({ view, work, newest }));
      } catch (error) {
        throw toMissing(error, prover, current);
      }
    }, outer);
}
