/** Replies as `Response`. */
import { expect, test } from 'vitest';
import { pieceMemory } from '../../../../src/service/http/pieceMemory.js';
import { toResponse } from '../../../../src/service/jsonrpc/web.js';

test('the memory of a long answer is used again, and the answer stays', async () => {
  const piece = pieceMemory.take(4);
  piece.set([0x31, 0x32, 0x33, 0x34]);
  const headers = { 'content-type': 'application/json' };
  const response = toResponse({ status: 200, headers, body: ['[', piece, ']'] });
  const next = pieceMemory.take(4);
  expect(next.buffer).toBe(piece.buffer);
  next.fill(0x30);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.text()).toBe('[1234]');
});

test('a reply without a body has none', async () => {
  const response = toResponse({ status: 204, headers: {}, body: undefined });
  expect(response.body).toBeNull();
});
