/** Memory of pages is used again once it is given back, and by one writer at a time. */
import { expect, test } from 'vitest';
import { Records } from '../../../../src/indexer/layout/record.js';
import { PageMemory, PageWriter } from '../../../../src/indexer/segments/pages.js';
import { toHex } from '../../../support/hex.js';

const width = 100;

/** Records of 40 bytes: two fill a page. */
function fill(writer: PageWriter, byte: number, count: number) {
  const bytes = new Uint8Array(40).fill(byte);
  bytes.set([20, 18]);
  for (let i = 0; i < count; i++) writer.add(new Records(bytes), 0);
  return () => writer.pages().map(toHex);
}

test('two writers have pages of their own', () => {
  const memory = new PageMemory(width);
  const [first, second] = [new PageWriter(memory), new PageWriter(memory)];
  const pages = fill(first, 1, 5);
  const before = pages();
  fill(second, 2, 5);
  expect(pages()).toEqual(before);
});

test('a writer takes the memory that another one gave back, once', () => {
  const memory = new PageMemory(width);
  const first = new PageWriter(memory);
  fill(first, 1, 5);
  const buffers = new Set(first.pages().map(({ buffer }) => buffer));
  first.release();
  first.release();
  const second = new PageWriter(memory);
  const pages = fill(second, 2, 5);
  const before = pages();
  expect(second.pages().every(({ buffer }) => buffers.has(buffer))).toBe(true);
  const third = new PageWriter(memory);
  fill(third, 3, 5);
  expect(third.pages().some(({ buffer }) => buffers.has(buffer))).toBe(false);
  expect(pages()).toEqual(before);
});

test('no more pages are kept than a long segment has', () => {
  const memory = new PageMemory(width);
  const writer = new PageWriter(memory);
  fill(writer, 1, 2 * 1500);
  const buffers = new Set(writer.pages().map(({ buffer }) => buffer));
  writer.release();
  const next = new PageWriter(memory);
  fill(next, 2, 2 * 1500);
  expect(next.pages().filter(({ buffer }) => buffers.has(buffer))).toHaveLength(1024);
});
