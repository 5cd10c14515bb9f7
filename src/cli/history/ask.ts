/** A proven history, as a command asks for it: with the endpoints and the trust of its flags, and progress on stderr. */
import type { AnchoredRoot, Network } from '../../anchor/index.js';
import type { History, LogProgress } from '../../history/index.js';
import { loadPeer, type Peer, type PeerUser } from '../../peer.js';
import type { Transport } from '../../rpc/index.js';
import { nameBounds } from '../exit/failures.js';
import { asUsage } from '../flags/args.js';
import { anchorsOf, readEndpoints, readNetwork, withNode } from '../flags/endpoints.js';
import type { Values } from '../flags/flag.js';
import type { historySource } from '../flags/historyFlags.js';
import { openTrust, readTrust } from '../flags/trust.js';
import { type Progress, startProgress } from '../print/progress.js';
import { count } from '../print/result.js';

/** @param given names of the flags on the command line @throws UsageError */
export function readHistory(values: Values<typeof historySource>, given: ReadonlySet<string>) {
  const endpoints = readEndpoints(values);
  const { node, 'max-blocks': maxBlocks } = values;
  return { ...endpoints, node, maxBlocks, trust: readTrust(values, given) };
}

export type HistoryRequest = ReturnType<typeof readHistory> & {
  /** Most blocks of a search; default that of the library. */
  readonly maxRange?: number;
};

/** What a question is put to. */
export interface Asked {
  readonly history: History;
  readonly network: Network;
  /** Answers proofs, and all else of the L2. */
  readonly l2: Transport;
  /** Shows how far a search is. */
  readonly onProgress: (progress: LogProgress) => void;
}

/** What an answer rests on. */
export interface Ground {
  readonly anchor: AnchoredRoot;
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
        if (!searches) progress.update({ phase, figures: count(requests, 'request') });
        return transport.call(...request);
      },
    }),
    onProgress({ checked, total }: LogProgress) {
      searches = true;
      progress.update({
        phase: 'searching',
        share: checked / total,
        figures: `${checked} of ${count(total, 'block')}`,
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
  { l1, node, network: name, trust, maxBlocks, maxRange, ...request }: HistoryRequest,
  work: (asked: Asked) => Promise<T>,
  user: PeerUser<Peer> = anchorsOf('proving history'),
): Promise<Ground & { readonly answer: T }> {
  nameBounds();
  const library = await loadPeer(user, '@ethereumjs/rlp', import('../../anchor/index.js'));
  const { createHistory } = await import('../../history/index.js');
  const named = await readNetwork(library, name);
  const { network } = named;
  const opened = await openTrust(trust, named);
  const progress = startProgress();
  const { watched, onProgress } = createShow(progress);
  const both = node === undefined ? request.l2 : withNode(request.l2, node, network.method);
  const l2 = watched(both, 'asking the L2 server');
  try {
    const history = createHistory({
      l2,
      l1: l1.map((one) => watched(one, 'asking L1')),
      network,
      maxBlocks,
      ...(maxRange !== undefined && { maxRange }),
      // One question needs one anchor.
      refresh: Number.POSITIVE_INFINITY,
      ...opened,
    });
    const answer = await work({ history, network, l2, onProgress });
    return { answer, anchor: await history.anchor() };
  } catch (cause) {
    throw asUsage(names, cause);
  } finally {
    progress.stop();
  }
}
