/** The head of an index: one entry that says how far it has come and what it consists of, so that a loss shows. */
import { equalBytes, joinBytes } from '../../bytes.js';
import type { Entry, StoreReader } from '../../tree/index.js';
import { readNumber, writeNumber } from '../../tree/store/numbers.js';
import { IndexError } from '../layout/errors.js';
import { blockNumberWidth, checkWidth, contractWidth, keyOf } from '../layout/layout.js';

/** A segment. A segment of a lower level is newer; within a level, the one of the higher sequence is. */
export interface Segment {
  readonly level: number;
  readonly sequence: number;
  /** Whether a merge still adds to it. */
  readonly isGrowing: boolean;
  /** The number of its first page: a merge takes pages away. */
  readonly firstPage: number;
  /** The number of its next page. */
  readonly nextPage: number;
}

/** The segment to which a merge adds, if one is unfinished. */
export const growingIn = (segments: readonly Segment[]): Segment | undefined =>
  segments.find(({ isGrowing }) => isGrowing);

/** Whether a merge takes from a segment what it adds to another. */
export const isTakenFrom = ({ level }: Segment, growing: Segment | undefined): boolean =>
  level + 1 === growing?.level;

export interface Head {
  /** Newest block applied; -1 before the first one. */
  readonly newest: number;
  /** The newest final block; -1 if none was named. */
  readonly final: number;
  /** How many contracts have numbers. */
  readonly contracts: number;
  /** How many topics have numbers. */
  readonly topics: number;
  /** Sequence of the next segment: no two have the same, so that no page of one that is gone passes for another's. */
  readonly sequence: number;
  /** The newest first. */
  readonly segments: readonly Segment[];
}

export const emptyHead: Head = {
  ...{ newest: -1, final: -1, contracts: 0, topics: 0 },
  ...{ sequence: 0, segments: [] },
};

/** Widths of the members, and of those of a segment: level, growing, sequence, first and next page. */
const fixedWidths = [blockNumberWidth, blockNumberWidth, contractWidth, contractWidth, 4];
const segmentWidths = [1, 1, 4, 4, 4];

const sumOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0);

function encode(numbers: readonly number[], widths: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(sumOf(widths));
  let at = 0;
  for (const [i, width] of widths.entries()) {
    writeNumber(bytes, at, numbers[i] as number, width);
    at += width;
  }
  return bytes;
}

function decode(bytes: Uint8Array, from: number, widths: readonly number[]): number[] {
  const numbers: number[] = [];
  let at = from;
  for (const width of widths) {
    numbers.push(readNumber(bytes, at, width));
    at += width;
  }
  return numbers;
}

/** Two entries that say the same, at either end of the store: no single loss takes both back to what they were. */
export function headEntries(head: Head): Entry[] {
  const { newest, final, contracts, topics, sequence, segments } = head;
  const parts = [
    encode([newest + 1, final + 1, contracts, topics, sequence], fixedWidths),
    ...segments.map(({ level, isGrowing, sequence, firstPage, nextPage }) =>
      encode([level, isGrowing ? 1 : 0, sequence, firstPage, nextPage], segmentWidths),
    ),
  ];
  const value = joinBytes(parts);
  return [
    { key: keyOf('head'), value },
    { key: keyOf('headCopy'), value },
  ];
}

/** @throws IndexError `DAMAGED` */
export async function readHead(reader: StoreReader): Promise<Head> {
  const keys = [keyOf('head'), keyOf('headCopy')];
  const [value, copy] = (await reader.read({ keys, ranges: [] })).values;
  if (value === undefined || copy === undefined || !equalBytes(value, copy)) {
    throw new IndexError('DAMAGED', 'the index has lost its head');
  }
  const start = sumOf(fixedWidths);
  const width = sumOf(segmentWidths);
  const count = Math.floor((value.length - start) / width);
  checkWidth(value, start + count * width, 'its head');
  const fixed = decode(value, 0, fixedWidths) as [number, number, number, number, number];
  const [newest, final, contracts, topics, sequence] = fixed;
  const segments = Array.from({ length: count }, (_, i) => {
    const numbers = decode(value, start + i * width, segmentWidths);
    const [level, growing, sequence, firstPage, nextPage] = numbers as [
      ...[number, number, number],
      ...[number, number],
    ];
    return { level, isGrowing: growing === 1, sequence, firstPage, nextPage };
  });
  return { newest: newest - 1, final: final - 1, contracts, topics, sequence, segments };
}
