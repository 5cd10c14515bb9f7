/** Looks at a database: which answers belong together, by the marks of the batches before them. */
import { expect, test } from 'vitest';
import { Looks } from '../../../src/postgres/look.js';
import type { Marked } from '../../../src/postgres/reader.js';

const request = { keys: [Uint8Array.of(1)], ranges: [] };
const answer = { values: [undefined], ranges: [] };

/** Looks at a store whose marks are given. */
function looksAt(...marks: (string | undefined | null)[]) {
  return new Looks(async (): Promise<Marked | undefined> => {
    const mark = marks.shift();
    return mark === null ? undefined : { answer, mark };
  });
}

test('answers before one batch are of one look, whichever is read first', async () => {
  const looks = looksAt('1 1', '1 1', '1 1', '1 1');
  const [one, two] = [looks.open(), looks.open()];
  expect([one.version, two.version]).toEqual([undefined, undefined]);
  for (const look of [one, two, two, one]) expect(await look.read(request)).toBe(answer);
});

test.each([
  ['a batch later', '1 2'],
  ['a writer later', '2 1'],
])('an answer %s ends it', async (_, later) => {
  const looks = looksAt('1 1', later, later, '1 1');
  const look = looks.open();
  expect(await look.read(request)).toBe(answer);
  const known = looks.open();
  expect(await look.read(request)).toBeUndefined();
  // One that names a version finds that or is over at its first read.
  expect(await known.read(request)).toBeUndefined();
  const next = looks.open();
  expect(next.version).not.toBe(known.version);
  // An answer that was on its way for longer than the one before it.
  expect(await next.read(request)).toBeUndefined();
});

test('a version that was left does not come back with its mark', async () => {
  const looks = looksAt('1 1', '1 2', '1 1');
  await looks.open().read(request);
  const { version } = looks.open();
  await looks.open().read(request);
  await looks.open().read(request);
  expect(looks.open().version).toBeGreaterThan(version as number);
});

test('an answer without a mark says nothing of the moment, and one that takes two statements ends it', async () => {
  const looks = looksAt(undefined, '1 1', undefined, '1 1', null);
  const look = looks.open();
  for (let i = 0; i < 4; i++) expect(await look.read(request)).toBe(answer);
  expect(await look.read(request)).toBeUndefined();
});

test('the next look after a write of this process knows of no version', async () => {
  const looks = looksAt('1 1', '1 2');
  await looks.open().read(request);
  looks.forget();
  const look = looks.open();
  expect(look.version).toBeUndefined();
  expect(await look.read(request)).toBe(answer);
});
