/** What contracts return, and what no contract should: it is read to its end and no further, or not at all. */
import { describe, expect, test } from 'vitest';
import {
  decodeDecimals,
  decodeString,
  decodeText,
  decodeUint256,
} from '../../../src/abi/answers.js';
import { decodeAggregate } from '../../../src/abi/multicall.js';

const word = (value: number | bigint) => value.toString(16).padStart(64, '0');

describe('answers of contracts', () => {
  /** Words back to back; a word of 2^256 - 1 is no number of ours. */
  const data = (...words: (number | bigint)[]) =>
    Uint8Array.from(Buffer.from(words.map((one) => word(one)).join(''), 'hex'));
  const far = 2n ** 256n - 1n;

  test('that are shorter than a word are no text', () => {
    expect(decodeText(new Uint8Array(30))).toBeUndefined();
    expect(decodeText(new Uint8Array(0))).toBeUndefined();
  });

  test('that point outside, or claim more than there is, are no text', () => {
    expect(decodeText(data(1000, 0))).toBeUndefined();
    expect(decodeText(data(far, 0))).toBeUndefined();
    expect(decodeText(data(32, 33, 0))).toBeUndefined();
    expect(decodeText(data(32, 32, 0))).toBe('\0'.repeat(32));
  });

  test('with a text of a megabyte are read at its beginning alone', () => {
    const name = 'a'.repeat(2 ** 20);
    const long = Buffer.concat([data(32, name.length), Buffer.from(name)]);
    const text = decodeText(long) as string;
    expect(text.length).toBeGreaterThanOrEqual(256);
    expect(text.length).toBeLessThanOrEqual(1024);
    expect(name.startsWith(text)).toBe(true);
  });

  test('are a whole string only if they are valid UTF-8, and no bytes32', () => {
    const string = (bytes: Uint8Array) =>
      Buffer.concat([data(32, bytes.length), bytes, new Uint8Array(31)]);
    const text = `https://a.example/${'é'.repeat(1000)}`;
    expect(decodeString(string(Buffer.from(text)))).toBe(text);
    expect(decodeString(string(new Uint8Array(0)))).toBe('');
    expect(decodeString(string(Uint8Array.from([0x61, 0xff])))).toBeUndefined();
    // Half a character at the end.
    expect(decodeString(string(Buffer.from('é').subarray(0, 1)))).toBeUndefined();
    const word = Buffer.alloc(32, 'https://a.example/');
    expect(decodeText(word)).toContain('https://a.example/');
    expect(decodeString(word)).toBeUndefined();
    for (const words of [[], [1000, 0], [far, 0], [32, 33, 0]]) {
      expect(decodeString(data(...words))).toBeUndefined();
    }
  });

  test('of decimals beyond 2^32 are not taken', () => {
    expect(decodeDecimals(data(18))).toBe(18);
    expect(decodeDecimals(data(2n ** 32n + 18n))).toBeUndefined();
  });

  test.each<[string, Uint8Array, number]>([
    ['nothing', new Uint8Array(0), 0],
    ['a start far outside', data(2n ** 200n), 0],
    ['another count', data(32, 2, 64), 1],
    ['a result that points outside', data(32, 1, 1000), 1],
    ['no result where one should be', data(32, 1, 32), 1],
    ['an invalid success flag', data(32, 1, 32, far, 64, 0), 1],
    ['a failure without its place', data(32, 1, 32, 0, far, 0), 1],
  ])('together, with %s, are refused as a whole', (_, answer, count) => {
    expect(decodeAggregate(answer, count)).toBeUndefined();
  });

  test('together are those of each call, null for one that failed', () => {
    expect(decodeAggregate(data(32, 1, 32, 0, 64, 0), 1)).toEqual([null]);
    expect(decodeAggregate(data(32, 1, 32, 1, 64, 0), 1)).toEqual([new Uint8Array(0)]);
  });

  test('that are a number of 256 bits are one word', () => {
    expect(decodeUint256(data(far))).toBe(far);
    expect(decodeUint256(data(7, 7))).toBeUndefined();
    expect(decodeUint256(new Uint8Array(31))).toBeUndefined();
    expect(decodeUint256(undefined)).toBeUndefined();
  });
});
