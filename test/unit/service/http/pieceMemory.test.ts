/** Memory of long answers: nobody has it while another one does. */
import { expect, test } from 'vitest';
import { PieceMemory } from '../../../../src/service/http/pieceMemory.js';

test('what was given back is taken next, once; nothing else of a body is', () => {
  const memory = new PieceMemory();
  const [first, second] = [memory.take(10), memory.take(32_768)];
  expect([first.length, second.length]).toEqual([10, 32_768]);
  expect(first.buffer).not.toBe(second.buffer);
  const other = new Uint8Array(32_768);
  memory.giveBack(['text', first, other]);
  // Twice would give it to two answers.
  memory.giveBack([first]);
  const again = [memory.take(32_768), memory.take(1), memory.take(1)];
  expect(again[0]?.buffer).toBe(first.buffer);
  expect(new Set([...again, second, other].map(({ buffer }) => buffer)).size).toBe(5);
});

test('a longer piece has memory of its own, and no more than 8 MiB are kept', () => {
  const memory = new PieceMemory();
  const long = memory.take(32_769);
  expect(long).toHaveLength(32_769);
  memory.giveBack([long]);
  expect(memory.take(32_768).buffer).not.toBe(long.buffer);
  const pieces = Array.from({ length: 600 }, () => memory.take(32_768));
  memory.giveBack(pieces);
  const buffers = new Set(pieces.map(({ buffer }) => buffer));
  const again = Array.from({ length: 600 }, () => memory.take(32_768));
  expect(again.filter(({ buffer }) => buffers.has(buffer))).toHaveLength(256);
});
