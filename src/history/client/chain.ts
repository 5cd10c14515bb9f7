/**
 * The way from a proven state to the headers of the blocks before it (EIP-2935): the state after block N holds the hashes of
 * the 8,191 blocks before N in the storage of a contract, and each header names the hash of the block before.
 */
import type { AnchoredRoot } from '../../anchor/index.js';
import { type Hex, isZero } from '../../bytes.js';
import { wordFor } from '../../errors.js';
import { checkHex, hexToBytes } from '../../foreign/argument.js';
import { LruCache } from '../../lru.js';
import { isHeader } from '../../proven/index.js';
import { SharedWork } from '../../sharedWork.js';
import { blockHashes, keptHashes, slotOfHash } from '../verify/blockHashes.js';
import { HistoryError } from '../verify/errors.js';
import { type ProvenHeader, readHeader } from '../verify/headers.js';
import type { Archive } from './archive.js';
import type { IsBound } from './bound.js';
import { type FindAnchor, openEarlier, type ReadHash } from './earlier.js';
import { type KnownBlock, parentOf } from './headers.js';
import { longestRange } from './server.js';
import type { Work } from './work.js';

/** Reads slots of an account from the state of an anchored block, proven. @returns 32 bytes each */
export type ReadSlots = (
  anchor: AnchoredRoot,
  question: { readonly address: Hex; readonly storageKeys: readonly Hex[] },
  signal: AbortSignal | undefined,
) => Promise<readonly Hex[]>;

/** Blocks whose hashes are kept for each anchor: more than the cache of headers holds would be of no use. */
const maxHashes = 2 ** 17;

export interface ProvenChain {
  readonly anchor: AnchoredRoot;
  /** The newest block whose header is proven: the one before the anchored one, or that itself if L1 holds its hash. */
  readonly newest: number;
  /** Whether a header so far hangs on the operator's word: on a hash in a state that no validity proof is known to bind. */
  readonly isOnBlockHashes: boolean;
  /** @throws HistoryError `TOO_NEW`, `TOO_OLD`, `NO_BLOCK_HASHES` and those of answers; RpcError */
  header(number: number, work: Work): Promise<ProvenHeader>;
  /**
   * Headers of a range, without a gap, in pieces from the newest down.
   *
   * @throws as `header`
   */
  descend(
    range: { readonly from: number; readonly to: number },
    work: Work,
  ): AsyncGenerator<ProvenHeader[]>;
}

interface ChainOptions {
  readonly archive: Archive;
  readonly readSlots: ReadSlots;
  /** Undefined if the caller knows one anchor alone. */
  readonly findAnchor?: FindAnchor | undefined;
  readonly isBound: IsBound;
  /** Most blocks that are walked from parent to parent in one question, before the range that is asked for. */
  readonly maxBlocks: number;
}

function tooNew(number: number, anchor: AnchoredRoot): HistoryError {
  const { l2BlockNumber } = anchor;
  const text = isHeader(anchor)
    ? `block ${number} is after block ${l2BlockNumber}, the anchored one`
    : `block ${number} is not before block ${l2BlockNumber}, the anchored one, whose state holds the hashes of earlier blocks`;
  return new HistoryError('TOO_NEW', text);
}

function tooOld(
  number: number,
  top: KnownBlock,
  { anchor, maxBlocks }: { anchor: AnchoredRoot; maxBlocks: number },
): HistoryError {
  const distance = top.number - number;
  const text = `block ${number} is ${distance} blocks before block ${top.number}, whose hash the state of block ${anchor.l2BlockNumber} proves: more than ${wordFor('maxBlocks', '"maxBlocks"')}, ${maxBlocks}; raise it, or anchor an older finalization`;
  return new HistoryError('TOO_OLD', text);
}

export function openChain(
  anchor: AnchoredRoot,
  { archive, readSlots, findAnchor, isBound, maxBlocks }: ChainOptions,
): ProvenChain {
  const { l2BlockNumber } = anchor;
  const own = isHeader(anchor)
    ? readHeader(anchor.header, hexToBytes(anchor.blockHash), 'header')
    : undefined;
  const newest = own ? l2BlockNumber : l2BlockNumber - 1;
  let isOnBlockHashes = own === undefined;
  const oldest = Math.max(0, l2BlockNumber - keptHashes);
  const hashes = new LruCache<number, Uint8Array>(maxHashes);
  const proofs = new SharedWork<number, Uint8Array | undefined>();
  const readHash: ReadHash = async (of, number, signal) => {
    const question = { address: blockHashes, storageKeys: [slotOfHash(number)] };
    const [word] = await readSlots(of, question, signal);
    const hash = checkHex(word, 32, 'slot');
    if (isZero(hash)) return undefined;
    if (!isOnBlockHashes) isOnBlockHashes = !(isHeader(of) && (await isBound(number, signal)));
    return hash;
  };
  // Bound by the header itself, and there without a proof.
  if (own) learn([own]);
  const findInEarlier = openEarlier(findAnchor, { oldest, reach: keptHashes, readHash });

  /** The hash of a block by the state; undefined if it has none, because the fork is younger. */
  const hashInState = (number: number, { signal }: Work): Promise<Uint8Array | undefined> =>
    proofs.run(number % keptHashes, signal, (own) => readHash(anchor, number, own));

  /** The block to begin at: as near above as a state goes. @throws HistoryError `NO_BLOCK_HASHES` */
  async function start(number: number, work: Work): Promise<KnownBlock> {
    const found = await findInEarlier(number, work.signal);
    if (found) return { number, hash: found };
    const nearest = Math.max(number, oldest);
    const hash = await hashInState(nearest, work);
    if (hash) return { number: nearest, hash };
    const last = nearest === newest ? undefined : await hashInState(newest, work);
    if (last) return { number: newest, hash: last };
    throw new HistoryError(
      'NO_BLOCK_HASHES',
      `the state of block ${l2BlockNumber} holds no hashes of blocks; they begin with the fork Prague`,
    );
  }

  function learn(headers: readonly ProvenHeader[]): void {
    for (const header of headers) {
      hashes.set(header.number, header.hash);
      const { number, hash } = parentOf(header);
      hashes.set(number, hash);
    }
  }

  /** From one block down to another, in pieces. */
  async function* walk(from: KnownBlock, to: number, work: Work): AsyncGenerator<ProvenHeader[]> {
    let next = from;
    while (next.number >= to) {
      const count = Math.min(longestRange, next.number - to + 1);
      const piece = await archive.headers(next, count, work);
      learn(piece);
      yield piece;
      next = parentOf(piece.at(-1) as ProvenHeader);
    }
  }

  async function hashOf(number: number, work: Work): Promise<Uint8Array> {
    if (number > newest) throw tooNew(number, anchor);
    if (number === own?.number) return own.hash;
    const kept = hashes.get(number);
    if (kept) return kept;
    const top = await start(number, work);
    hashes.set(top.number, top.hash);
    const distance = top.number - number;
    if (distance > maxBlocks) throw tooOld(number, top, { anchor, maxBlocks });
    if (distance > 0) for await (const _ of walk(top, number + 1, work));
    return hashes.get(number) as Uint8Array;
  }

  return {
    anchor,
    newest,
    get isOnBlockHashes() {
      return isOnBlockHashes;
    },
    async header(number, work) {
      if (number === own?.number) return own;
      const [header] = await archive.headers({ number, hash: await hashOf(number, work) }, 1, work);
      return header as ProvenHeader;
    },
    async *descend({ from, to }, work) {
      yield* walk({ number: to, hash: await hashOf(to, work) }, from, work);
    },
  };
}
