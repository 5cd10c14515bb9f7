/** Pages of records as they are read. */
import { IndexError } from './errors.js';
import { recordWidth, stateWidth } from './record.js';

/** A page that holds whole records from its beginning to its end, and their offsets. */
export interface Page {
  readonly bytes: Uint8Array;
  readonly starts: readonly number[];
}

/** Finds the records of a page. @throws IndexError `DAMAGED` if it holds something else, too */
export function pageOf(bytes: Uint8Array): Page {
  const starts: number[] = [];
  let at = 0;
  while (at < bytes.length && bytes[at] !== 0 && (bytes[at + 1] as number) >= stateWidth) {
    starts.push(at);
    at += recordWidth(bytes, at);
  }
  if (at === bytes.length) return { bytes, starts };
  throw new IndexError('DAMAGED', 'the index holds a malformed page');
}

/** A page of a segment: one entry of the store. */
export interface SegmentPage extends Page {
  /** Of the entry. */
  readonly key: Uint8Array;
  /** Counts the pages of its segment. */
  readonly number: number;
}
