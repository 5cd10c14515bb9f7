/** Lines of a byte stream, one at a time, however long the stream is. */

/** Bytes of the longest line that is kept; far above any answer, far below what a process can hold. */
export const maxLineLength = 64 * 1024 * 1024;

const newline = 0x0a;

/** Text without the byte order mark that some editors put before it. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** A line of a stream. */
export interface Line {
  /** 1 is the first line of the stream. */
  readonly number: number;
  /** null if it is longer than {@link maxLineLength}. */
  readonly text: string | null;
}

/** The lines that are wanted. */
export interface LineRange {
  /** Lines that begin before this byte are counted, and passed over. */
  readonly start: number;
  /** Lines that begin at this byte or behind it are not read. */
  readonly end: number;
  /** Lines up to this number are passed over. */
  readonly after: number;
}

/** All lines. */
export const wholeStream: LineRange = { start: 0, end: Number.POSITIVE_INFINITY, after: 0 };

/** Splits a stream at newlines, from its first byte on; the last line may go without one. */
export async function* readLines(
  source: AsyncIterable<Buffer>,
  { start, end, after }: LineRange = wholeStream,
): AsyncGenerator<Line> {
  if (start >= end) return;
  let number = 1;
  /** Where the line begins, and the bytes of it that were seen. */
  let begin = 0;
  let length = 0;
  /** They too, unless it is too long, or not wanted. */
  let parts: Buffer[] = [];
  const isWanted = () => begin >= start && number > after;
  const see = (part: Buffer) => {
    length += part.length;
    if (length > maxLineLength) parts = [];
    else if (isWanted()) parts.push(part);
  };
  const text = () => {
    if (length > maxLineLength) return null;
    const line = Buffer.concat(parts).toString('utf8');
    return number === 1 ? withoutMark(line) : line;
  };
  for await (const chunk of source) {
    let from = 0;
    for (;;) {
      const to = chunk.indexOf(newline, from);
      if (to < 0) break;
      see(chunk.subarray(from, to));
      from = to + 1;
      if (isWanted()) yield { number, text: text() };
      begin += length + 1;
      if (begin >= end) return;
      number++;
      length = 0;
      parts = [];
    }
    if (from < chunk.length) see(chunk.subarray(from));
  }
  if (length > 0 && isWanted()) yield { number, text: text() };
}
