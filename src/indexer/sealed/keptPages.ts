/**
 * Pages of segments that were read last. Who reads on in a list needs, of nearly all segments, the pages that were read for
 * the part before. To read one again costs as much as ten of its records: the store copies it, and its checksum and each
 * record are looked at.
 */

import { firstWhere } from '../../tree/store/search.js';
import type { SegmentPage } from '../layout/page.js';
import type { Head, Segment } from './head.js';

/** Pages of an index that are kept, of some 8 kB each, before all are dropped. */
const mostPages = 1024;

/** Whether a record stands before all that are wanted, in the direction in which records are read. */
type IsUnwanted = (bytes: Uint8Array, at: number) => boolean;

/** The pages of one segment that are kept. */
export class KeptSegment {
  readonly #segment: Segment;
  /** In the order of their numbers. */
  readonly #pages: SegmentPage[] = [];

  constructor(segment: Segment) {
    this.#segment = segment;
  }

  get count(): number {
    return this.#pages.length;
  }

  /** Whether it is that segment, with all its pages: an index that was fed anew may give its place to another. */
  isOf({ level, sequence, firstPage, nextPage }: Segment): boolean {
    const own = this.#segment;
    return (
      own.level === level &&
      own.sequence === sequence &&
      own.firstPage === firstPage &&
      own.nextPage === nextPage
    );
  }

  /** The page of a number. */
  at(number: number): SegmentPage | undefined {
    const page = this.#pages[this.#placeOf(number)];
    return page?.number === number ? page : undefined;
  }

  /** Keeps a page. @returns a copy: what a store gives may be a part of much more memory */
  keep({ bytes, ...page }: SegmentPage): SegmentPage {
    const kept = { bytes: bytes.slice(), ...page };
    this.#pages.splice(this.#placeOf(page.number), this.at(page.number) ? 1 : 0, kept);
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

  /**
   * What is kept of each segment of a head; those of others are dropped. Undefined of a segment that a merge adds to or takes
   * from: its pages are changed.
   */
  of({ segments }: Head): (KeptSegment | undefined)[] {
    const growing = segments.find(({ isGrowing }) => isGrowing);
    const count = this.#segments.reduce((sum, { count }) => sum + count, 0);
    const known = count > mostPages ? [] : this.#segments;
    const found = segments.map((segment) => {
      if (growing && (segment === growing || segment.level === growing.level - 1)) return undefined;
      return known.find((kept) => kept.isOf(segment)) ?? new KeptSegment(segment);
    });
    this.#segments = found.filter((kept) => kept !== undefined);
    return found;
  }
}
