/** A proven history, as a command asks for it: with the endpoints and the trust of its flags, and progress on stderr. */
import type { AnchoredRoot, Network } from '../../anchor/index.js';
import type { History, LogProgress } from '../../history/index.js';
import type { Peer, PeerUser } from '../../peer.js';
import type { Transport } from '../../rpc/index.js';
import { asUsage } from '../flags/args.js';
import { anchorsOf } from '../flags/endpoints.js';
import { type GivenSources, openSources } from '../flags/trust.js';
import { type Progress, startProgress } from '../print/progress.js';
import { countText } from '../print/result.js';

type HistoryRequest = GivenSources & {
  /** Most blocks of a search; default that of the library. */
  readonly maxRange?: number;
};

/** What a question is put to. */
export interface HistorySources {
  readonly history: History;
  readonly network: Network;
  /** Answers proofs, and all else of the L2. */
  readonly l2: Transport;
  /** Shows how far a search is. */
  readonly onProgress: (progress: LogProgress) => void;
}

/** The ground of an answer. */
export interface Ground {
  readonly anchor: AnchoredRoot;
  /** Of the headers, as the history says it. */
  readonly restsOn: 'operator' | undefined;
}

/** Names of the library's options -> options of the command. */
const names = {
  l1: '--l1',
  'trusted.blockHash': '--l1-block-hash',
  maxBlocks: '--max-blocks',
  maxRange: '--max-range',
  fromBlock: '--from',
  toBlock: '--to',
  address: '--address',
  topics: '--topic',
};

/** Shows the requests of a question that does not know how many it will take, until its search begins. */
function createShow(progress: Progress) {
  let [requests, searches] = [0, false];
  return {
    watched: (transport: Transport, phase: string): Transport => ({
      call(...request) {
        requests++;
        if (!searches) progress.update({ phase, figures: countText(requests, 'request') });
        return transport.call(...request);
      },
    }),
    onProgress({ checked, total }: LogProgress) {
      searches = true;
      progress.update({
        phase: 'searching',
        share: checked / total,
        figures: `${checked} of ${countText(total, 'block')}`,
        done: checked,
      });
    },
  };
}

/**
 * Puts a question.
 *
 * @param work asks
 * @param user whose packages a missing one is named with
 * @throws CliError, errors of the history
 */
export async function askHistory<T>(
  { maxRange, ...request }: HistoryRequest,
  work: (asked: HistorySources) => Promise<T>,
  user: PeerUser<Peer> = anchorsOf('proving history'),
): Promise<Ground & { readonly answer: T }> {
  const sources = await openSources(request, user);
  const { createHistory } = await import('../../history/index.js');
  const { network } = sources;
  const progress = startProgress();
  const { watched, onProgress } = createShow(progress);
  const l2 = watched(sources.l2, 'asking the L2 server');
  try {
    const history = createHistory({
      ...sources,
      l2,
      l1: sources.l1.map((one) => watched(one, 'asking L1')),
      ...(maxRange !== undefined && { maxRange }),
      // One question needs one anchor.
      refresh: Number.POSITIVE_INFINITY,
    });
    const answer = await work({ history, network, l2, onProgress });
    return { answer, anchor: await history.anchor(), restsOn: history.restsOn() };
  } catch (cause) {
    throw asUsage(names, cause);
  } finally {
    progress.stop();
  }
}
