import { runInNewContext } from 'node:vm';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mimc, poseidon2 } from '../../../src/hash/index.js';
import { mimcConstants, mimcModulus } from '../../../src/hash/mimc.js';
import { koalaBearModulus, poseidon2Constants } from '../../../src/hash/poseidon2.js';
import { toHex } from '../../support/hex.js';
import { bytesOf, digits, digitsOf, hash, moduli } from '../../support/reference.js';
import { families, runsOf } from '../../support/runs.js';

const functions = { poseidon2, mimc };

describe.each(families)('%s', (family) => {
  const element = family === 'mimc' ? 32 : 4;
  const p = moduli[family];
  const edges = [0n, 1n, 2n, p - 1n, p - 2n, p / 2n, (p + 1n) / 2n, 1n << BigInt(element * 8 - 4)];
  const value = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: p - 1n }));
  const perBlock = 32 / element;
  const blocks = fc
    .integer({ min: 1, max: 4 })
    .chain((n) => fc.array(value, { minLength: n * perBlock, maxLength: n * perBlock }))
    .map((values) => values.map((x) => digits(x, element)).join(''));

  test('bytes of another realm are bytes', () => {
    const own = new Uint8Array(64).fill(1);
    const elsewhere = runInNewContext('new Uint8Array(64).fill(1)');
    expect(functions[family](elsewhere)).toEqual(functions[family](own));
  });

  test('is what the reference computes, at the edges of the field too', () => {
    fc.assert(
      fc.property(blocks, (data) => {
        expect(digitsOf(functions[family](bytesOf(data)))).toBe(hash(family, data));
      }),
      runsOf(family),
    );
  });

  test('hashes a view into a larger buffer, and does not change it', () => {
    const buffer = new Uint8Array(100).fill(1);
    const before = buffer.slice();
    expect(functions[family](buffer.subarray(3, 35))).toEqual(
      functions[family](buffer.slice(3, 35)),
    );
    expect(buffer).toEqual(before);
  });

  test.each([0, 1, 31, 33, 63])('%i bytes are no whole blocks', (width) => {
    expect(() => functions[family](new Uint8Array(width))).toThrow(RangeError);
  });

  test.each([new Uint16Array(32), new Float64Array(32), [1], null])(
    '%s is no Uint8Array',
    (data) => {
      expect(() => functions[family](data as unknown as Uint8Array)).toThrow(TypeError);
    },
  );

  test('elements at or above the modulus are refused', () => {
    expect(() => functions[family](bytesOf(digits(p, element).padEnd(64, '0')))).toThrow(
      RangeError,
    );
  });
});

// Figures of docs/protocol.md section 2.2, which are those of gnark-crypto.
test('MiMC constants come from their seed', () => {
  expect(mimcModulus).toBe(moduli.mimc);
  const table = bytesOf(
    mimcConstants()
      .map((c) => digits(c))
      .join(''),
  );
  expect(mimcConstants()).toHaveLength(62);
  expect(toHex(keccak_256(table))).toBe(
    '0x999259117a5597673274c4c60cd9399cf0c6cd2ffd163011bfc8fd42fd9d6e11',
  );
});

test('Poseidon2 constants come from their seed', () => {
  expect(BigInt(koalaBearModulus)).toBe(moduli.poseidon2);
  const constants = [...poseidon2Constants()];
  expect(constants).toHaveLength(117);
  expect(constants[0]).toBe(0x747e80c9);
  expect(constants[116]).toBe(0x5d61e9df);
  expect(toHex(keccak_256(bytesOf(constants.map((c) => digits(BigInt(c), 4)).join(''))))).toBe(
    '0xc81e8d04fc2ee79026b58a8b6376fb2f5fe081c761f9b9ce2a15fbd966e2121d',
  );
});

// Single figures: gnark-crypto / linea-monorepo test vectors as the shared files `hashes-*` give them.
test('published digests', () => {
  const block = bytesOf('0f28e5907bee1c81228ee33c0f6fc9315ac511110024261100a7cf124bb5832c');
  expect(toHex(poseidon2(block))).toBe(
    '0x419999040c43d42953d000a00c7d8cfd5b6cacef32aaf9e615456ae404fcf8b6',
  );
  // snarkCodeHash of an account without code, as mainnet shows it.
  expect(toHex(mimc(new Uint8Array(32)))).toBe(
    '0x0134373b65f439c874734ff51ea349327c140cde2e47a933146e6f9f2ad8eb17',
  );
});
