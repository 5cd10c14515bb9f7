/** Bodies say the same in whatever pieces they come, and nothing of the one before. */
import { expect, test } from 'vitest';
import { jsonIn, readStream } from '../../../src/rpc/body.js';
import { randomOf } from '../../support/blocks.js';

/** Bytes cut at random places, also inside of a character. */
function piecesOf(bytes: Uint8Array, random: (limit: number) => number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random(random(4) === 0 ? bytes.length : 5);
    pieces.push(bytes.slice(at, end));
    at = end;
  }
  return pieces;
}

const encode = (text: string) => new TextEncoder().encode(text);

test('in any pieces, the longer and the shorter one after the other', () => {
  const random = randomOf(5);
  for (let round = 0; round < 500; round++) {
    const value = Array.from({ length: random(30) }, () => ['ä', '€', '🜁', 'a', 'b"'][random(5)]);
    expect(jsonIn(piecesOf(encode(JSON.stringify(value)), random))).toEqual(value);
  }
});

test('a body of several megabytes', () => {
  const text = '€'.repeat(2 ** 21);
  const bytes = encode(`"${text}"`);
  const pieces = Array.from({ length: 100 }, (_, i) => bytes.slice(i * 65_537, (i + 1) * 65_537));
  expect(jsonIn(pieces)).toBe(text);
  expect(jsonIn([encode('[1'), encode(',2]')])).toEqual([1, 2]);
});

test.each([
  { name: 'nothing', pieces: [] },
  { name: 'nothing but empty pieces', pieces: [encode(''), encode('')] },
  { name: 'an end that is missing', pieces: [encode('[1'), encode(',2')] },
  { name: 'a half character', pieces: [encode('"'), Uint8Array.of(0xe2, 0x82), encode('"')] },
])('$name is no JSON', ({ pieces }) => {
  // What the body before said must not complete it.
  jsonIn([encode('[1,'), encode('2,3,4,5]')]);
  expect(() => jsonIn(pieces)).toThrow();
});

test('a stream is given as it came', async () => {
  const pieces = [Uint8Array.of(1, 2), Uint8Array.of(3)];
  const stream = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
  expect(await readStream(stream(), 3)).toEqual(pieces);
  expect(await readStream(stream(), 2)).toBeNull();
});
