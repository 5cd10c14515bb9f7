import { expect, test, vi } from 'vitest';
import { AnswerCache, toAnswer } from '../../../../src/service/data/answers.js';

const hashOf = (digit: string) => `0x${digit.repeat(64)}` as const;
const block = { number: 7, hash: hashOf('a') };
const other = { number: 7, hash: hashOf('b') };
const at = (...blocks: (typeof block | undefined)[]) => ({ blocks, reorgCount: undefined });

test('an answer is the bytes of the envelope around its JSON', async () => {
  const { body, tag } = toAnswer('{"name":"Ω"}', 'final');
  expect(tag).toBe('final');
  expect(await new Response(body).json()).toEqual({
    ...{ data: { name: 'Ω' }, error: false, error_message: null, error_code: null },
  });
});

test('an answer of a block holds at that block alone, and for a minute', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  try {
    const cache = new AnswerCache();
    const answer = toAnswer('1');
    cache.set('a', answer, block);
    expect(cache.get('a', at(block))).toBe(answer);
    expect(cache.get('a', at(undefined, block))).toBe(answer);
    expect(cache.get('a', at(other))).toBeUndefined();
    expect(cache.get('a', at(undefined))).toBeUndefined();
    expect(cache.get('a', { blocks: [], reorgCount: 0 })).toBeUndefined();
    expect(cache.get('b', at(block))).toBeUndefined();
    vi.setSystemTime(60_000);
    expect(cache.get('a', at(block))).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test('an answer of final blocks holds at each block, until the node takes back what was final', () => {
  const cache = new AnswerCache();
  const answer = toAnswer('1', 'tag');
  cache.setFinal('a', answer, 3);
  expect(cache.get('a', { blocks: [block], reorgCount: 3 })).toBe(answer);
  expect(cache.get('a', { blocks: [other], reorgCount: 3 })).toBe(answer);
  expect(cache.get('a', { blocks: [block], reorgCount: 4 })).toBeUndefined();
  // The node was not asked lately.
  expect(cache.get('a', at(block))).toBeUndefined();
});

test('a name has the answer that was worked out last', () => {
  const cache = new AnswerCache();
  cache.set('a', toAnswer('1'), block);
  const later = toAnswer('2');
  cache.set('a', later, other);
  expect(cache.get('a', at(other))).toBe(later);
  expect(cache.get('a', at(block))).toBeUndefined();
});

test('answers take 64 MiB at most, counted in bytes', () => {
  const cache = new AnswerCache();
  // Three bytes a character, so that a count of characters would let all of them stay.
  const json = JSON.stringify('€'.repeat(2 ** 22));
  const names = Array.from({ length: 6 }, (_, i) => `answer ${i}`);
  for (const name of names) cache.set(name, toAnswer(json), block);
  const held = names.filter((name) => cache.get(name, at(block)) !== undefined);
  // 12 MiB each.
  expect(held).toEqual(names.slice(1));
});
