import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bytesToInteger,
  compareBytes,
  concatBytes,
  decodeHex,
  encodeHex,
  equalBytes,
  integerToBytes,
  isZero,
} from '../../src/bytes.js';
import { decodeAccount, encodeAccount } from '../../src/codec/account.js';
import { mimcSpec } from '../../src/codec/mimc.js';
import {
  decodeLeafOpening,
  decodeTopNode,
  encodeLeafOpening,
  encodeTopNode,
} from '../../src/codec/node.js';
import { specOf } from '../../src/codec/spec.js';
import { padLeft, spread, unspread } from '../../src/codec/word.js';
import { ShapeError } from '../../src/index.js';
import { toHex } from '../support/hex.js';
import { digits, digitsOf, moduli, padded } from '../support/reference.js';
import { families, runsOf } from '../support/runs.js';

const bytes = (width: number) => fc.uint8Array({ minLength: width, maxLength: width });
const index = fc.bigInt({ min: 0n, max: (1n << 40n) - 1n });
const word64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });

describe('bytes', () => {
  test('hex is read back as it was written, in digits of either case', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (data, upper) => {
        const text = encodeHex(data);
        expect(text).toBe(toHex(data));
        const out = new Uint8Array(data.length + 2);
        const asked = upper ? `0x${text.slice(2).toUpperCase()}` : text;
        expect(decodeHex(asked, data.length, out, 1)).toBe(true);
        expect(out).toEqual(Uint8Array.of(0, ...data, 0));
      }),
      runsOf(),
    );
  });

  test('text with any one character replaced by no digit is refused', () => {
    const wrong = fc.constantFrom(
      'g',
      'G',
      '/',
      ':',
      '@',
      '`',
      ' ',
      '\0',
      'é',
      '０',
      'ａ',
      '\ud800',
      '😀',
    );
    fc.assert(
      fc.property(bytes(20), fc.nat({ max: 41 }), wrong, (data, at, character) => {
        const text = encodeHex(data);
        const edited = text.slice(0, at) + character + text.slice(at + 1);
        expect(decodeHex(edited, 20, new Uint8Array(20))).toBe(false);
      }),
      runsOf(),
    );
  });

  test.each(['0X00', '00', '0x', '0x0', '0x000', '0x0000', '0x0 ', ' 0x00', '', '1x00', '0x00\n'])(
    'one byte is not written %j',
    (text) => expect(decodeHex(text, 1, new Uint8Array(1))).toBe(false),
  );

  test('bytes sort as the integers they hold', () => {
    fc.assert(
      fc.property(bytes(4), bytes(4), (a, b) => {
        const order = BigInt(toHex(a)) - BigInt(toHex(b));
        expect(Math.sign(compareBytes(a, b))).toBe(Number(order > 0n) - Number(order < 0n));
        expect(equalBytes(a, b)).toBe(order === 0n);
      }),
      runsOf(),
    );
    expect(equalBytes(Uint8Array.of(1), Uint8Array.of(1, 0))).toBe(false);
    expect(equalBytes(Uint8Array.of(1, 0), Uint8Array.of(1))).toBe(false);
  });

  test('integers and bytes are inverse', () => {
    fc.assert(
      fc.property(bytes(32), (data) => {
        expect(bytesToInteger(data)).toBe(BigInt(toHex(data)));
        expect(integerToBytes(bytesToInteger(data), 32)).toEqual(data);
        expect(isZero(data)).toBe(BigInt(toHex(data)) === 0n);
      }),
      runsOf(),
    );
    expect(isZero(new Uint8Array(32))).toBe(true);
    expect(concatBytes()).toEqual(new Uint8Array(0));
  });
});

describe('words', () => {
  test('spread and unspread are inverse, and spread is what the reference writes', () => {
    fc.assert(
      fc.property(bytes(32), (data) => {
        expect(digitsOf(spread(data))).toBe(padded(digitsOf(data)));
        expect(unspread(spread(data))).toEqual(data);
      }),
      runsOf(),
    );
  });

  test('a limb above 0xffff is no limb', () => {
    fc.assert(
      fc.property(
        bytes(32),
        fc.nat({ max: 31 }),
        fc.integer({ min: 1, max: 255 }),
        (data, at, value) => {
          const limbs = spread(data);
          limbs[4 * (at >> 1) + (at & 1)] = value;
          expect(unspread(limbs)).toBeUndefined();
        },
      ),
      runsOf(),
    );
  });

  test('a split word gives its low half first', () => {
    expect(digitsOf(mimcSpec.wordBlocks(Uint8Array.from({ length: 32 }, (_, i) => i)))).toBe(
      `${'00'.repeat(16)}101112131415161718191a1b1c1d1e1f${'00'.repeat(16)}000102030405060708090a0b0c0d0e0f`,
    );
    expect(padLeft(Uint8Array.of(1, 2, 3), 2)).toEqual(Uint8Array.of(0, 1, 2, 3));
    expect(padLeft(Uint8Array.of(1, 2), 2)).toEqual(Uint8Array.of(1, 2));
  });
});

/** Bytes that hold one node and nothing else. */
const whole = (bytes: Uint8Array) => ({ bytes, offset: 0, at: 'node' });

describe.each(families)('%s codecs', (family) => {
  const spec = specOf(family);
  const element = family === 'mimc' ? 32 : 4;
  const digest = fc
    .array(fc.bigInt({ min: 0n, max: moduli[family] - 1n }), {
      minLength: 32 / element,
      maxLength: 32 / element,
    })
    .map((elements) => Uint8Array.from(elements.flatMap((x) => [...integerToBytes(x, element)])));

  test('leaf openings are read back as they were written', () => {
    fc.assert(
      fc.property(index, index, digest, digest, (prev, next, hKey, hValue) => {
        const leaf = { prev, next, hKey, hValue };
        const encoded = encodeLeafOpening(spec, leaf);
        expect(encoded.length).toBe(family === 'mimc' ? 128 : 192);
        expect(decodeLeafOpening(spec, whole(encoded))).toEqual(leaf);
      }),
      runsOf(),
    );
  });

  test('top nodes are read back as they were written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 40n }), digest, (nextFreeNode, subTreeRoot) => {
        const encoded = encodeTopNode(spec, { nextFreeNode, subTreeRoot });
        expect(encoded.length).toBe(family === 'mimc' ? 64 : 96);
        expect(decodeTopNode(spec, whole(encoded))).toEqual({ nextFreeNode, subTreeRoot });
      }),
      runsOf(),
    );
  });

  test('accounts are read back as they were written', () => {
    const balance = fc.bigInt({
      min: 0n,
      max: family === 'mimc' ? moduli.mimc - 1n : (1n << 256n) - 1n,
    });
    fc.assert(
      fc.property(word64, balance, digest, digest, bytes(32), word64, (...fields) => {
        const [nonce, amount, storageRoot, snarkCodeHash, keccakCodeHash, codeSize] = fields;
        const account = {
          nonce,
          balance: amount,
          storageRoot,
          snarkCodeHash,
          keccakCodeHash,
          codeSize,
        };
        expect(decodeAccount(spec, encodeAccount(account), 'value')).toEqual(account);
      }),
      runsOf(),
    );
  });

  test('indices end where the tree does', () => {
    const zero = new Uint8Array(32);
    const leaf = { prev: 0n, next: 0n, hKey: zero, hValue: zero };
    const edge = 1n << 40n;
    for (const pointer of ['prev', 'next'] as const) {
      const at = (value: bigint) => encodeLeafOpening(spec, { ...leaf, [pointer]: value });
      expect(decodeLeafOpening(spec, whole(at(edge - 1n)))[pointer]).toBe(edge - 1n);
      for (const value of [edge, edge + 1n, 1n << 64n, 1n << 200n]) {
        expect(() => decodeLeafOpening(spec, whole(at(value)))).toThrow(ShapeError);
      }
    }
    const top = (nextFreeNode: bigint) => encodeTopNode(spec, { nextFreeNode, subTreeRoot: zero });
    expect(decodeTopNode(spec, whole(top(edge))).nextFreeNode).toBe(edge);
    expect(() => decodeTopNode(spec, whole(top(edge + 1n)))).toThrow(/node.nextFreeNode/);
  });

  test('elements are canonical up to the modulus, at every place', () => {
    for (let at = 0; at < 64; at += element) {
      const data = new Uint8Array(64);
      data.set(integerToBytes(moduli[family] - 1n, element), at);
      expect(spec.hasher.isCanonical(data)).toBe(true);
      for (const value of [moduli[family], moduli[family] + 1n, (1n << BigInt(8 * element)) - 1n]) {
        data.set(integerToBytes(value, element), at);
        expect(spec.hasher.isCanonical(data)).toBe(false);
      }
    }
  });

  test('the tail has the largest hKey there is', () => {
    const largest = digits(moduli[family] - 1n, element).repeat(32 / element);
    expect(digitsOf(spec.tailHKey)).toBe(largest);
  });
});
