/** The transactions of several addresses on several chains as one list: by time, then by chain, block and place. */
import type { Hex } from '../../../bytes.js';
import type { ChainData } from '../../data/chainData.js';
import { overloaded } from '../../http/httpError.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { checkHead, type HashedBlock } from '../common/cursor.js';
import { readSettled } from '../common/settled.js';
import type { ChainCut, Place } from './chainCuts.js';
import { askChain } from './chains.js';

/** A part of the list: the transactions next to a cut, on its older or on its newer side. */
export interface MergedPart {
  /** In lower case, each once. */
  readonly addresses: readonly Hex[];
  readonly side: 'older' | 'newer';
  /** By chain; of a chain without one, behind its newest block. */
  readonly cuts: ReadonlyMap<number, ChainCut>;
  readonly limit: number;
}

interface TimedPlace extends Place {
  /** Seconds. */
  readonly time: number;
}

/** The transactions next to the cut of a chain. */
interface ChainPlaces {
  readonly at: HashedBlock;
  readonly cut: Place;
  /** Those next to the cut first, one more than the limit if there are so many. */
  readonly places: readonly TimedPlace[];
}

/** A transaction of the merged list. */
export interface MergedPlace extends TimedPlace {
  readonly chain: ChainData;
}

/** A chain, and the cuts around its part of a page. */
export interface CutChain {
  readonly chain: ChainData;
  readonly at: HashedBlock;
  /** Leads to older ones. */
  readonly before: Place;
  /** Leads to newer ones. */
  readonly after: Place;
}

export interface MergedPage {
  /** The newest first. */
  readonly places: readonly MergedPlace[];
  readonly chains: readonly CutChain[];
  /** Whether more stand behind it, on the side that was asked for. */
  readonly hasMore: boolean;
}

const comparePlaces = (a: Place, b: Place): number =>
  a.block - b.block || a.transaction - b.transaction;

const compareMerged = (a: MergedPlace, b: MergedPlace): number =>
  a.time - b.time || a.chain.chainId - b.chain.chainId || comparePlaces(a, b);

/** Records that are read for a unit of cost. */
const unit = 1000;

const findPlaces = (
  chain: ChainData,
  { addresses, side, cuts, limit }: MergedPart,
  context: AnswerContext,
): Promise<ChainPlaces> => {
  const given = cuts.get(chain.chainId);
  const name = `merged ${addresses} ${side} ${limit} ${JSON.stringify(given)}`;
  return askChain<ChainPlaces>(chain, { name, context }, async (access, _, shared) => {
    const { index } = access;
    await shared.pause();
    shared.charge(Math.ceil((addresses.length * limit) / unit));
    const { at, found } = await readSettled(access, async (top) => {
      if (given) await checkHead(given.head, { access, at: top });
      const cut = given?.cut ?? { block: top.number + 1, transaction: 0 };
      const { block, transaction } = cut;
      const behind =
        side === 'older'
          ? ({ order: 'newest', after: cut } as const)
          : transaction === 0
            ? ({ order: 'oldest', fromBlock: block } as const)
            : ({ order: 'oldest', after: { block, transaction: transaction - 1 } } as const);
      const places = new Map<string, Place>();
      for (const address of addresses) {
        for (const one of await index.touched(address, { ...behind, limit: limit + 1 })) {
          places.set(`${one.block} ${one.transaction}`, {
            ...{ block: one.block, transaction: one.transaction },
          });
        }
      }
      const sign = side === 'older' ? -1 : 1;
      const nearest = [...places.values()].sort((a, b) => sign * comparePlaces(a, b));
      const timed: TimedPlace[] = [];
      for (const place of nearest.slice(0, limit + 1)) {
        const time = await index.blockTime(place.block);
        // A writer has taken the block back meanwhile.
        if (time === undefined) throw overloaded('the index moves on too fast; ask again');
        timed.push({ ...place, time });
      }
      return { cut, places: timed };
    });
    return { json: JSON.stringify({ at, ...found } satisfies ChainPlaces), of: at };
  });
};

/** Reads a page. @throws HttpError, RpcError, NodeError, and what `pause` throws */
export async function readMerged(
  chains: readonly ChainData[],
  part: MergedPart,
  context: AnswerContext,
): Promise<MergedPage> {
  const parts: { readonly chain: ChainData; readonly found: ChainPlaces }[] = [];
  for (const chain of chains) parts.push({ chain, found: await findPlaces(chain, part, context) });
  const sign = part.side === 'older' ? -1 : 1;
  const all = parts
    .flatMap(({ chain, found }) => found.places.map((place) => ({ ...place, chain })))
    .sort((a, b) => sign * compareMerged(a, b));
  const near = all.slice(0, part.limit);
  const places = part.side === 'older' ? near : [...near].reverse();
  return {
    places,
    hasMore: all.length > near.length,
    chains: parts.map(({ chain, found: { at, cut } }) => {
      const own = places.filter((place) => place.chain === chain);
      const [newest, oldest] = [own[0], own.at(-1)];
      return {
        ...{ chain, at },
        before: oldest ?? cut,
        after: newest ? { block: newest.block, transaction: newest.transaction + 1 } : cut,
      };
    }),
  };
}
