/** Moves of tokens with ids. */
import { addressWidth, bytesToInteger, encodeHex, type Hex } from '../../bytes.js';
import type { Entry } from '../../tree/index.js';
import { readNumber } from '../../tree/store/numbers.js';
import {
  blockNumberWidth,
  checkWidth,
  contractWidth,
  idBytes,
  idWidth,
  keyOf,
  newestBlockAt,
  newestBlockBytes,
  newestPlaceAt,
  newestPlaceBytes,
  placeWidth,
  within,
} from '../layout/layout.js';
import { bodyIn } from '../layout/record.js';
import type { Moment } from '../sealed/moment.js';
import { readRecords } from '../segments/readRecords.js';
import { type ListPart, mostRepeats, readList } from './list.js';

/** The place of a log in the chain. */
export interface LogPlace {
  readonly block: number;
  /** Number of the log in the block, from 0. */
  readonly log: number;
}

/** A move of a token with an id. */
export interface ItemMove extends LogPlace {
  /** Place of the transaction in the block. */
  readonly transaction: number;
  /** The zero address if the token was made. */
  readonly from: Hex;
  /** The zero address if it was burnt. */
  readonly to: Hex;
}

/** The ends of what moved a token, up to a block. */
export interface ItemEnds {
  readonly oldest: ItemMove;
  readonly newest: ItemMove;
}

const idAt = 1 + contractWidth;

function decodeMove({ key, value }: Entry): ItemMove {
  const blockAt = idAt + idWidth;
  const logAt = blockAt + blockNumberWidth;
  const bytes = checkWidth(key, logAt + placeWidth, 'a move of a token');
  const body = checkWidth(bodyIn(value), 2 * addressWidth + placeWidth, 'the sides of a move');
  return {
    block: newestBlockAt(bytes, blockAt),
    log: newestPlaceAt(bytes, logAt),
    transaction: readNumber(body, 2 * addressWidth, placeWidth),
    from: encodeHex(body.subarray(0, addressWidth)),
    to: encodeHex(body.subarray(addressWidth, 2 * addressWidth)),
  };
}

/** Moves of tokens, whose ends are looked for. */
class EndFinder {
  readonly found = new Map<bigint, ItemEnds>();
  /** The ids that moved more often than is read over. */
  readonly busy: bigint[] = [];
  readonly #ids: readonly bigint[];
  readonly #toBlock: number;
  #at = 0;
  #useless = 0;

  constructor(ids: readonly bigint[], toBlock: number) {
    this.#ids = ids;
    this.#toBlock = toBlock;
  }

  /** The id that is looked for next; undefined: none. */
  get next(): bigint | undefined {
    return this.#ids[this.#at];
  }

  begin(): void {
    this.#useless = 0;
  }

  /** Goes on behind an id. */
  #skip(id: bigint): void {
    while (this.next !== undefined && this.next <= id) this.#at++;
    this.#useless = 0;
  }

  /** @returns false if it is better to look for the next id */
  visit(record: Entry): boolean {
    const id = bytesToInteger(record.key.subarray(idAt, idAt + idWidth));
    while (this.next !== undefined && this.next < id) this.#at++;
    const move = decodeMove(record);
    if (id === this.next && move.block <= this.#toBlock) {
      const known = this.found.get(id);
      this.found.set(id, { oldest: move, newest: known?.newest ?? move });
      if (known === undefined) this.#useless = 0;
    }
    if (++this.#useless < mostRepeats) return this.next !== undefined;
    if (id === this.next) {
      this.busy.push(id);
      this.#skip(id);
    }
    return false;
  }
}

/** Moves of the tokens of one id. */
export function readMoves(
  moment: Moment,
  { contract, id }: { contract: Uint8Array; id: bigint },
  part: ListPart<LogPlace>,
): Promise<ItemMove[]> {
  const list = {
    kind: 'item' as const,
    prefix: [contract, idBytes(id)],
    blockBytes: newestBlockBytes,
    isNewestFirst: true,
    keyBytes: ({ block, log }: LogPlace) => [newestBlockBytes(block), newestPlaceBytes(log)],
  };
  return readList(moment, list, part, decodeMove);
}

/** The first and the last move of each token. */
export async function readEnds(
  moment: Moment,
  contract: Uint8Array,
  { ids, toBlock }: { ids: readonly bigint[]; toBlock: number },
): Promise<ReadonlyMap<bigint, ItemEnds>> {
  const finder = new EndFinder(ids, toBlock);
  const { to } = within('item', contract, idBytes(ids.at(-1) ?? 0n));
  while (finder.next !== undefined) {
    const from = keyOf('item', contract, idBytes(finder.next));
    let isCut = false;
    finder.begin();
    await readRecords(moment, { from, to }, (record) => {
      isCut = !finder.visit(record);
      return !isCut;
    });
    if (!isCut) break;
  }
  const part = { limit: 1, toBlock } as const;
  for (const id of finder.busy) {
    const [newest] = await readMoves(moment, { contract, id }, part);
    const [oldest] = await readMoves(moment, { contract, id }, { ...part, order: 'oldest' });
    if (newest && oldest) finder.found.set(id, { newest, oldest });
  }
  return finder.found;
}
