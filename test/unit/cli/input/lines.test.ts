import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxLineLength, readLines } from '../../../../src/cli/input/lines.js';
import { readShard, toByteRange } from '../../../../src/cli/ndjson/shard.js';
import { runsOf } from '../../../support/runs.js';

async function* chunksOf(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < bytes.length; i += length) yield bytes.subarray(i, i + length);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The lines of a text, by the platform's own split. */
function linesOf(text: string) {
  const lines = text.split('\n').map((line, i) => ({ number: i + 1, text: line }));
  return text === '' || text.endsWith('\n') ? lines.slice(0, -1) : lines;
}

/** Texts with many newlines, also at both ends and in a row, and characters of several bytes. */
const texts = fc
  .array(fc.constantFrom('\n', '\n', 'a', 'é', '𝄞', 'long '.repeat(4)), { maxLength: 60 })
  .map((parts) => parts.join(''));

test('each line is in exactly one shard, with its number in the file', async () => {
  const lengths = fc.integer({ min: 1, max: 40 });
  const counts = fc.integer({ min: 1, max: 90 });
  await fc.assert(
    fc.asyncProperty(texts, lengths, counts, async (text, length, count) => {
      const bytes = Buffer.from(text);
      const expected = linesOf(text);
      const shards = await Promise.all(
        Array.from({ length: count }, (_, i) => {
          const range = toByteRange({ index: i + 1, count }, BigInt(bytes.length));
          return all(readLines(chunksOf(bytes, length), { ...range, after: 0 }));
        }),
      );
      expect(shards.flat()).toEqual(expected);
      for (let after = 0; after <= expected.length; after++) {
        const range = { start: 0, end: Number.POSITIVE_INFINITY, after };
        const rest = await all(readLines(chunksOf(bytes, length), range));
        expect(rest).toEqual(expected.slice(after));
      }
    }),
    runsOf(),
  );
});

test('a shard reads no more than the line that crosses its end', async () => {
  const bytes = Buffer.from('line\n'.repeat(1000));
  let read = 0;
  async function* counted() {
    for await (const chunk of chunksOf(bytes, 10)) {
      read += chunk.length;
      yield chunk;
    }
  }
  const range = toByteRange({ index: 1, count: 10 }, BigInt(bytes.length));
  expect(await all(readLines(counted(), { ...range, after: 0 }))).toHaveLength(100);
  expect(read).toBe(500);
});

test('a byte order mark is taken off the first line alone', async () => {
  const bytes = Buffer.from('\ufeffa\n\ufeffb\n');
  const whole = await all(readLines(chunksOf(bytes, 3)));
  expect(whole.map(({ text }) => text)).toEqual(['a', '\ufeffb']);
  const range = toByteRange({ index: 2, count: 2 }, BigInt(bytes.length));
  const second = await all(readLines(chunksOf(bytes, 3), { ...range, after: 0 }));
  expect(second).toEqual([{ number: 2, text: '\ufeffb' }]);
});

test('a line beyond the bound is null, and is not kept', async () => {
  const chunk = Buffer.alloc(2 ** 20, 'x');
  async function* source() {
    for (let length = 0; length <= maxLineLength; length += chunk.length) yield chunk;
    yield Buffer.from('\nnext');
  }
  const lines = await all(readLines(source()));
  expect(lines).toEqual([
    { number: 1, text: null },
    { number: 2, text: 'next' },
  ]);
});

test('the shares of a file larger than 2^53 / N bytes meet', () => {
  const size = 2n ** 52n + 1n;
  const count = 9999;
  const ranges = Array.from({ length: count }, (_, i) =>
    toByteRange({ index: i + 1, count }, size),
  );
  expect(ranges[0]?.start).toBe(0);
  expect(ranges.at(-1)?.end).toBe(Number(size));
  for (const [i, { start }] of ranges.entries()) {
    if (i > 0) expect(start).toBe(ranges[i - 1]?.end);
  }
});

test.each(['', '3', '0/4', '5/4', '1/0', '01/4', '1/10000', '1/4/8', '-1/4', '1.5/4', ' 1/4'])(
  '--shard %j is refused',
  (text) => {
    expect(() => readShard(text)).toThrow(/^--shard expected K\/N/);
  },
);

test('--shard 3/16 is the third of 16', () => {
  expect(readShard('3/16')).toEqual({ index: 3, count: 16 });
});
