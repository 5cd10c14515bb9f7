/** The headers of the blocks that a page proves: each hashes to what the state holds, or to what the block after it names. */
import { hexToBytes } from '../../foreign/argument.js';
import { ownMember } from '../../foreign/members.js';
import { blockHashes, keptHashes, slotOfHash } from '../../history/verify/blockHashes.js';
import { checkHeaderNumber, readHeader, toBlockHeader } from '../../history/verify/headers.js';
import type { BlockHeader } from '../../history/verify/types.js';
import { isHeader } from '../../proven/index.js';
import type { Turns } from '../../turns.js';
import type { Ground } from './ground.js';
import type { PageState } from './pageState.js';
import { notProven } from './tokenCalls.js';

/** Blocks of a page at most. A service gives half of that at most. */
export const mostHeaders = 2048;

/** Headers that are proven. Each is verified when it is first read. All methods throw DataError, HistoryError, ProofError. */
export interface PageHeaders {
  header(number: number): Promise<BlockHeader>;
  /**
   * The headers of blocks that follow one another, the newest first: the last one is known by its hash in the state, and each
   * before by the hash that the one after it names. Asked first, the blocks need no other proof.
   *
   * @returns undefined if the page does not have all of them
   */
  range(from: number, to: number): Promise<readonly BlockHeader[] | undefined>;
}

export interface HistoryGround {
  readonly anchor: Ground['anchor'];
  readonly state: PageState;
  readonly turns: Turns;
  /** Called once a block is known by the state alone: then it hangs on the operator's word. */
  readonly onHash: () => void;
}

/** Does each piece of work once. */
export function once<K, T>(work: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const known = new Map<K, Promise<T>>();
  return (key) => {
    const found = known.get(key) ?? work(key);
    known.set(key, found);
    return found;
  };
}

/** @param given in RLP, by the numbers of blocks */
export function openPageHeaders(
  given: Readonly<Record<string, string>>,
  { anchor, state, turns, onHash }: HistoryGround,
): PageHeaders {
  const { l2BlockNumber: anchored } = anchor;

  /** The hash of a block, in the state. */
  async function hashInState(number: number): Promise<Uint8Array> {
    // The slots of other blocks hold the hashes of these.
    if (number >= anchored || number < anchored - keptHashes) {
      throw notProven(`the state of block ${anchored} holds no hash of block ${number}`);
    }
    const { slots } = await state.open(blockHashes);
    const hash = slots.get(slotOfHash(number));
    if (hash === undefined) throw notProven(`no proof of the hash of block ${number} came`);
    onHash();
    return hexToBytes(hash);
  }

  /** Known by the block after it. */
  const chained = new Map<number, BlockHeader>();

  const header = once(async (number: number): Promise<BlockHeader> => {
    await turns.tick();
    const known = chained.get(number);
    if (known) return known;
    if (isHeader(anchor) && number === anchored) {
      return toBlockHeader(readHeader(anchor.header, hexToBytes(anchor.blockHash), 'header'));
    }
    const hash = await hashInState(number);
    const text = ownMember(given, number);
    if (text === undefined) throw notProven(`the header of block ${number} did not come`);
    const read = readHeader(text, hash, 'header');
    checkHeaderNumber(read, number, 'header');
    return toBlockHeader(read);
  });

  async function range(from: number, to: number): Promise<readonly BlockHeader[] | undefined> {
    const isThere = (number: number) =>
      ownMember(given, number) !== undefined || (isHeader(anchor) && number === anchored);
    const numbers = Array.from({ length: Math.min(to - from + 1, mostHeaders) }, (_, i) => to - i);
    if (to - from >= mostHeaders || !numbers.every(isThere)) return undefined;
    const found = [await header(to)];
    for (const number of numbers.slice(1)) {
      await turns.tick();
      const { parentHash } = found.at(-1) as BlockHeader;
      const text = ownMember(given, number);
      const read = readHeader(text, hexToBytes(parentHash), 'header');
      checkHeaderNumber(read, number, 'header');
      const block = toBlockHeader(read);
      chained.set(number, block);
      found.push(block);
    }
    return found;
  }

  return { header, range };
}
