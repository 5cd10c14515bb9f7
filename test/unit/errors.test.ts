/** What errors carry beside their message, and what messages name. */
import { afterEach, describe, expect, test } from 'vitest';
import { AnchorError } from '../../src/anchor/index.js';
import { DataError } from '../../src/data/index.js';
import { DecodeError } from '../../src/decode/index.js';
import {
  hashOption,
  ShapeError,
  setWords,
  VerificationError,
  wordFor,
  wrongRange,
  wrongType,
} from '../../src/errors.js';
import { FollowError } from '../../src/follow/index.js';
import { RpcError } from '../../src/rpc/index.js';
import { TreeError } from '../../src/tree/index.js';

test.each([
  [
    new VerificationError('ROOT_MISMATCH', 'a.b[3]', 'is c'),
    '"a.b[3]" is c (ROOT_MISMATCH)',
    'a.b[3]',
  ],
  [new VerificationError('ROOT_MISMATCH', '', 'is c'), 'is c (ROOT_MISMATCH)', ''],
  [new ShapeError('a', 'is c'), '"a" is c', 'a'],
  [new AnchorError('STALE', 'is c', { path: 'a' }), 'is c (STALE)', 'a'],
  [new AnchorError('STALE', 'is c'), 'is c (STALE)', undefined],
  [new DecodeError('MISMATCH', 'is c', { path: 'a' }), '"a" is c (MISMATCH)', 'a'],
  [new DecodeError('MISMATCH', 'is c'), 'is c (MISMATCH)', ''],
  [new RpcError('NETWORK', 'eth_call', 'is c'), 'eth_call: is c (NETWORK)', undefined],
  [new DataError('NETWORK', 'is c'), 'is c (NETWORK)', undefined],
  [new FollowError('BAD_FILE', 'is c', { line: 2 }), 'is c (BAD_FILE)', undefined],
  [new TreeError('WRONG_STORE', 'is c'), 'is c (WRONG_STORE)', undefined],
])('%s: its sentence, and its path', (error, message, path) => {
  expect(error).toMatchObject({ message, reason: 'is c' });
  expect(error.path).toBe(path);
  expect('path' in error).toBe(path !== undefined);
});

test('a cause and a detail are there if they were given', () => {
  const cause = new Error('below');
  const error = new TreeError('WRONG_STORE', 'is c', { cause, detail: 'NO_STORE' });
  expect(error).toMatchObject({ cause, detail: 'NO_STORE' });
  expect(new TreeError('WRONG_STORE', 'is c')).not.toHaveProperty('detail');
  expect(new TreeError('WRONG_STORE', 'is c')).not.toHaveProperty('cause');
  const anchor = new AnchorError('STALE', 'is c', { cause, path: 'a' }).restate('is d');
  expect(anchor).toMatchObject({ message: 'is d (STALE)', reason: 'is d', path: 'a', cause });
});

test('a wrong argument is a plain error that says which', () => {
  const type = wrongType('a[1]', 'expected b', { cause: 'c' });
  expect([type.name, type.message]).toEqual(['TypeError', '"a[1]" expected b']);
  expect([type.argument, type.reason, type.cause]).toEqual(['a[1]', 'expected b', 'c']);
  expect(Object.keys(type)).toEqual([]);
  const range = wrongRange('a', 'is b');
  expect([range.constructor, range.message, range.argument, range.reason]).toEqual([
    RangeError,
    '"a" is b',
    'a',
    'is b',
  ]);
});

describe('what messages name', () => {
  afterEach(() => setWords({ mints: undefined, hash: undefined } as never));

  test('is the library by default, and the words of the process once it has some', () => {
    expect([wordFor('mints', 'mints: true'), hashOption('mimc')]).toEqual([
      'mints: true',
      "hash: 'mimc'",
    ]);
    setWords({ mints: '--mints' });
    setWords({ hash: (family) => `--hash ${family}` });
    expect([wordFor('mints', 'mints: true'), hashOption('mimc')]).toEqual([
      '--mints',
      '--hash mimc',
    ]);
    expect(wordFor('reads', 'maxReads')).toBe('maxReads');
  });
});
