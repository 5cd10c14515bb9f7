/**
 * Pages of segments that were read last. Who reads on in a list needs, of nearly all segments, the pages that were read for
 * the part before. To read one again costs as much as ten of its records: the store copies it, and its checksum and each
 * record are looked at.
 *
 * Only of stores on the same machine: a database can lose its last commits to a failover while it is read, and then a segment
 * may have the name of one that was lost, and other records.
 */

import { firstWhere } from '../../tree/store/search.js';
import type { SegmentPage } from '../layout/page.js';
import { growingIn, type Head, isTakenFrom, type Segment } from './head.js';
import { sealWidth } from './seal.js';

/** Pages of an index that are kept, of some 8 kB each, before all are dropped. */
const mostPages = 1024;

/** The bytes, copied if they are a part of more memory than the page of a store: what is kept would hold all of it. */
const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer.byteLength > bytes.length + sealWidth ? bytes.slice() : bytes;

/** Whether a record stands before all that are wanted, in the direction in which records are read. */
type IsUnwanted = (bytes: Uint8Array, at: number) => boolean;

/** The pages of one segment that are kept. */
export class KeptSegment {
  readonly #segment: Segment;
  readonly #makeRoom: () => void;
  /** In the order of their numbers. */
  #pages: SegmentPage[] = [];
  #isOver = false;

  /** @param makeRoom is called before a page is kept */
  constructor(segment: Segment, makeRoom: () => void) {
    this.#segment = segment;
    this.#makeRoom = makeRoom;
  }

  get count(): number {
    return this.#pages.length;
  }

  /** Whether it is that segment, with all its pages: another one may have its place in a store that was put back. */
  isOf({ level, sequence, firstPage, nextPage }: Segment): boolean {
    const own = this.#segment;
    return (
      own.level === level &&
      own.sequence === sequence &&
      own.firstPage === firstPage &&
      own.nextPage === nextPage
    );
  }

  clear(): void {
    this.#pages = [];
  }

  /** Keeps nothing any more. A reader that waits may hold it for long. */
  end(): void {
    this.clear();
    this.#isOver = true;
  }

  /** The page of a number. */
  at(number: number): SegmentPage | undefined {
    const page = this.#pages[this.#placeOf(number)];
    return page?.number === number ? page : undefined;
  }

  /** Keeps a page. @returns the page that is kept */
  keep(page: SegmentPage): SegmentPage {
    if (this.#isOver) return page;
    const { key, bytes, number, starts } = page;
    const kept = { key: ownBytes(key), bytes: ownBytes(bytes), number, starts };
    this.#makeRoom();
    this.#pages.splice(this.#placeOf(number), this.at(number) ? 1 : 0, kept);
    return kept;
  }

  /** The page with which the wanted records begin, if it is known to be that one; all records before it are unwanted. */
  startOf(isUnwanted: IsUnwanted, isReverse: boolean): SegmentPage | undefined {
    const pages = this.#pages;
    const { firstPage, nextPage } = this.#segment;
    const [first, last, step] = isReverse
      ? [nextPage - 1, firstPage, -1]
      : [firstPage, nextPage - 1, 1];
    /** In the order in which they are read. */
    const inTurn = (i: number) => pages[isReverse ? pages.length - 1 - i : i];
    const begins = ({ bytes, starts }: SegmentPage, atItsEnd: boolean) =>
      !isUnwanted(bytes, starts[atItsEnd === isReverse ? 0 : starts.length - 1] as number);
    const place = firstWhere(pages.length, (i) => begins(inTurn(i) as SegmentPage, false));
    const before = inTurn(place - 1);
    const behind = inTurn(place);
    if (before && (before.number === last || begins(before, true))) return before;
    const isNext = behind?.number === (before ? before.number + step : first);
    return isNext ? behind : undefined;
  }

  #placeOf(number: number): number {
    const pages = this.#pages;
    return firstWhere(pages.length, (i) => (pages[i] as SegmentPage).number >= number);
  }
}

/** The pages of one index that are kept. */
export class KeptPages {
  #segments: readonly KeptSegment[] = [];
  /** Pages that were kept since all were dropped. */
  #count = 0;

  readonly #makeRoom = (): void => {
    if (this.#count === mostPages) {
      for (const segment of this.#segments) segment.clear();
      this.#count = 0;
    }
    this.#count++;
  };

  /**
   * What is kept of each segment of a head; those of others are dropped. Undefined of a segment that a merge adds to or takes
   * from: its pages are changed.
   */
  of({ segments }: Head): (KeptSegment | undefined)[] {
    const growing = growingIn(segments);
    const found = segments.map((segment) => {
      if (segment.isGrowing || isTakenFrom(segment, growing)) return undefined;
      const known = this.#segments.find((kept) => kept.isOf(segment));
      return known ?? new KeptSegment(segment, this.#makeRoom);
    });
    for (const kept of this.#segments) if (!found.includes(kept)) kept.end();
    this.#segments = found.filter((kept) => kept !== undefined);
    return found;
  }
}
