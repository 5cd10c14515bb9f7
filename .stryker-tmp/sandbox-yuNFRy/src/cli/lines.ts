/** Lines of a byte stream, one at a time, however long the stream is. */
// @ts-nocheck


/** Bytes of the longest line that is kept; far above any answer, far below what a process can hold. */
export const maxLineLength = 64 * 1024 * 1024;

const newline = 0x0a;

/** Text without the byte order mark that some editors put before it. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/**
 * Splits a stream at newlines; the last line may go without one.
 *
 * @returns the text of each line, or null if it is longer than {@link maxLineLength}
 */
export async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let length = 0;
  let isFirst = true;
  const keep = (part: Buffer) => {
    length += part.length;
    if (length > maxLineLength) parts = [];
    else parts.push(part);
  };
  const take = () => {
    const line = length > maxLineLength ? null : Buffer.concat(parts).toString('utf8');
    const text = isFirst && line !== null ? withoutMark(line) : line;
    parts = [];
    length = 0;
    isFirst = false;
    return text;
  };
  for await (const chunk of source) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(newline, start);
      if (end < 0) break;
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
