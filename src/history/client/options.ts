/** The options of a history, checked before any request is sent. */
import { checkAnchored } from '../../anchor/checkAnchored.js';
import {
  type AnchoredRoot,
  defineNetwork,
  fetchAnchor,
  fetchState,
  type Network,
} from '../../anchor/index.js';
import {
  type AnchorOptions,
  anchorOptionNames,
  checkAnchorOptions,
  strengtheningNames,
} from '../../anchor/options.js';
import { wrongRange, wrongType } from '../../errors.js';
import { checkCount, ownOptions, pickMembers } from '../../foreign/argument.js';
import type { Transport } from '../../rpc/index.js';
import { blockHashes } from '../verify/blockHashes.js';
import type { FindAnchor } from './earlier.js';

/** Options of {@link createHistory} beside the anchor. */
interface HistoryBase {
  /** The L2 endpoint, which needs no trust: it answers proofs, blocks and receipts. */
  readonly l2: Transport;
  /** The rollup network. */
  readonly network: Network;
  /**
   * Most blocks that are walked from parent to parent to reach one that the anchored state does not name, 0.7 kB each or
   * more; default 50,000.
   */
  readonly maxBlocks?: number | undefined;
  /** Most blocks in one search for logs; default 1,000. */
  readonly maxRange?: number | undefined;
}

/** An anchor from elsewhere. */
export interface GivenAnchor extends HistoryBase {
  /** The anchor, or a function that gives one, which is called with each question. */
  readonly anchor: AnchoredRoot | (() => Promise<AnchoredRoot>);
}

/** An anchor from L1: what `fetchAnchor` takes. */
export interface FetchedAnchor
  extends HistoryBase,
    Omit<AnchorOptions, 'l2' | 'signal' | 'after' | 'before'> {
  /** Ms after which the next question looks for a newer block; default 60,000; `Infinity` for never. */
  readonly refresh?: number | undefined;
}

/** Options of {@link createHistory}: with an `anchor`, or with what `fetchAnchor` takes to find one. */
export type HistoryOptions = GivenAnchor | FetchedAnchor;

/** The same, checked. */
interface HistoryParts {
  readonly l2: Transport;
  readonly network: Network;
  readonly maxBlocks: number;
  readonly maxRange: number;
  /** Asks for an anchor. */
  readonly fetch: (after: AnchoredRoot | undefined) => Promise<AnchoredRoot>;
  /** Undefined if the caller gives the anchor. */
  readonly findAnchor: FindAnchor | undefined;
  /** Ms for which an anchor is good. */
  readonly refresh: number;
}

const ownNames = ['signal', 'after', 'before'] as const;
const isFound = (
  name: (typeof anchorOptionNames)[number],
): name is Exclude<typeof name, (typeof ownNames)[number]> => !ownNames.some((own) => own === name);
const foundNames = anchorOptionNames.filter(isFound);
const names = [
  'l2',
  'network',
  'maxBlocks',
  'maxRange',
  'refresh',
  'anchor',
  ...foundNames,
] as const;

type Given = Partial<GivenAnchor & FetchedAnchor>;

/** @throws TypeError or RangeError */
function sourceOf(
  given: Given,
  network: Network,
): Pick<HistoryParts, 'fetch' | 'findAnchor' | 'refresh'> {
  const { anchor, l2, refresh = 60_000 } = given;
  if (anchor === undefined) {
    if (typeof refresh !== 'number' || !(refresh >= 0)) {
      throw wrongRange('refresh', 'expected ms from 0, or Infinity');
    }
    const found = pickMembers(given as FetchedAnchor, foundNames, 'options');
    checkAnchorOptions(found);
    const question = { address: blockHashes, l2: l2 as Transport };
    // With a proof of L2, so that it is a block whose state the server holds.
    const fetch = async (after: AnchoredRoot | undefined) =>
      (await fetchState({ ...found, ...question, ...(after && { after }) })).anchor;
    const { l2BlockNumber: _, ...everywhere } = found;
    const findAnchor: FindAnchor = (before, signal) =>
      fetchAnchor({ ...everywhere, before, signal });
    return { fetch, findAnchor, refresh };
  }
  const other = [...foundNames, 'refresh' as const].find(
    (name) => name !== 'network' && name !== 'l2' && given[name] !== undefined,
  );
  if (other !== undefined) throw wrongType('anchor', `or "${other}" expected, not both`);
  if (typeof anchor === 'function') {
    const fetch = async () => checkAnchored(await anchor(), network);
    return { fetch, findAnchor: undefined, refresh: 0 };
  }
  const fixed = checkAnchored(anchor, network);
  return { fetch: async () => fixed, findAnchor: undefined, refresh: Infinity };
}

/** @throws TypeError or RangeError that names the option */
export function checkHistoryOptions(options: HistoryOptions): HistoryParts {
  const strengthening = [
    'anchor',
    ...strengtheningNames.filter((name) => name !== 'after'),
  ] as const;
  const given: Given = ownOptions(options as Given & object, names, 'options', strengthening);
  const { l2, maxBlocks = 50_000, maxRange = 1000 } = given;
  if (typeof l2?.call !== 'function') throw wrongType('l2', 'expected a transport');
  const network = defineNetwork(given.network as Network);
  return {
    l2,
    network,
    maxBlocks: checkCount(maxBlocks, 'maxBlocks', 0),
    maxRange: checkCount(maxRange, 'maxRange', 1),
    ...sourceOf(given, network),
  };
}
