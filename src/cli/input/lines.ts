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

/** Lines of a stream that came together. */
export interface LineBatch {
  /** Number of the first one. */
  readonly first: number;
  /** The lines, each with its newline but perhaps the last; null: it is one line, and longer than {@link maxLineLength}. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

/** Bytes after which no other line is added to a batch. */
const fullBatch = 128 * 1024;

/** Lines that are gathered. The bytes are copied: a batch may be handed to another thread. */
function createBatch() {
  let first = 0;
  let length = 0;
  let parts: Buffer[] = [];
  return {
    get isEmpty() {
      return length === 0;
    },
    get isFull() {
      return length >= fullBatch;
    },
    add(number: number, line: readonly Buffer[]) {
      if (length === 0) first = number;
      for (const part of line) {
        parts.push(part);
        length += part.length;
      }
    },
    take(): LineBatch {
      const bytes = new Uint8Array(length);
      let at = 0;
      for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
      }
      length = 0;
      parts = [];
      return { first, bytes };
    },
  };
}

/** Splits a stream at newlines, from its first byte on; the last line may go without one. No line waits for the next. */
export async function* readBatches(
  source: AsyncIterable<Buffer>,
  { start, end, after }: LineRange = wholeStream,
): AsyncGenerator<LineBatch> {
  if (start >= end) return;
  const batch = createBatch();
  let number = 1;
  /** Where the line begins, and the bytes of it that were seen. */
  let begin = 0;
  let length = 0;
  /** They too, unless it is too long, or not wanted. */
  let parts: Buffer[] = [];
  const isWanted = () => begin >= start && number > after;
  const see = (part: Buffer) => {
    length += part.length;
    // The newline counts for nothing.
    if (length > maxLineLength + 1) parts = [];
    else if (isWanted()) parts.push(part);
  };
  function* close(newlines: number): Generator<LineBatch> {
    if (!isWanted()) return;
    if (length - newlines > maxLineLength) {
      if (!batch.isEmpty) yield batch.take();
      yield { first: number, bytes: null };
    } else {
      batch.add(number, parts);
      if (batch.isFull) yield batch.take();
    }
  }
  for await (const chunk of source) {
    let from = 0;
    for (;;) {
      const to = chunk.indexOf(newline, from);
      if (to < 0) break;
      see(chunk.subarray(from, to + 1));
      from = to + 1;
      yield* close(1);
      begin += length;
      number++;
      length = 0;
      parts = [];
      if (begin < end) continue;
      if (!batch.isEmpty) yield batch.take();
      return;
    }
    if (from < chunk.length) see(chunk.subarray(from));
    if (!batch.isEmpty) yield batch.take();
  }
  if (length > 0) yield* close(0);
  if (!batch.isEmpty) yield batch.take();
}

/** The lines of a batch. */
export function* linesOf({ first, bytes }: LineBatch): Generator<Line> {
  if (bytes === null) {
    yield { number: first, text: null };
    return;
  }
  const buffer = Buffer.from(bytes.buffer);
  let number = first;
  for (let from = 0; from < buffer.length; number++) {
    const found = buffer.indexOf(newline, from);
    const to = found < 0 ? buffer.length : found;
    const text = buffer.toString('utf8', from, to);
    yield { number, text: number === 1 ? withoutMark(text) : text };
    from = to + 1;
  }
}

/** The lines of a stream. */
export async function* readLines(
  source: AsyncIterable<Buffer>,
  range: LineRange = wholeStream,
): AsyncGenerator<Line> {
  for await (const batch of readBatches(source, range)) yield* linesOf(batch);
}
