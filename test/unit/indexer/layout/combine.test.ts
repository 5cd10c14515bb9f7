/** Numbers of kinds that add: bytes add up as the integers that they stand for, in any order and any grouping. */
import { describe, expect, test } from 'vitest';
import { integerToBytes } from '../../../../src/bytes.js';
import {
  combineValues,
  isAdding,
  RecordSum,
  signedIn,
  totalWidth,
  writeSigned,
} from '../../../../src/indexer/layout/combine.js';
import { type RecordKind, recordKinds } from '../../../../src/indexer/layout/layout.js';
import { randomOf } from '../../../support/blocks.js';
import { toHex } from '../../../support/hex.js';

/** The shortest two's complement, by BigInt alone. */
function bytesOf(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0);
  let bits = 8;
  while (BigInt.asIntN(bits, value) !== value) bits += 8;
  return integerToBytes(BigInt.asUintN(bits, value), bits / 8);
}

/** Two bodies of a kind, put together. */
const added = (kind: RecordKind, a: Uint8Array, b: Uint8Array): Uint8Array => {
  const valueOf = (body: Uint8Array) => Uint8Array.of(1, 0, 0, 0, 0, 0, 1, ...body);
  return combineValues(recordKinds[kind], valueOf(a), valueOf(b)).subarray(7);
};

/** What is written of a number from 0. */
function written(amount: Uint8Array, isNegative: boolean): Uint8Array {
  const out = new Uint8Array(64).fill(0xaa);
  const end = writeSigned(amount, isNegative, { out, at: 3 });
  expect([...out.subarray(0, 3), ...out.subarray(end)].every((byte) => byte === 0xaa)).toBe(true);
  return out.subarray(3, end);
}

const edges = [
  ...[0n, 1n, 127n, 128n, 129n, 255n, 256n, 0x7f00n, 0x8000n, 0x8001n, 0x8100n, 0xff00n],
  ...[2n ** 64n - 1n, 2n ** 255n, 2n ** 255n + 1n, 2n ** 256n - 1n],
];
const signed = [...edges, ...edges.map((value) => -value)];

describe('signed numbers', () => {
  test('are as short as they can be, and add up', () => {
    for (const a of signed) {
      expect(signedIn(bytesOf(a))).toBe(a);
      for (const b of signed) {
        expect(toHex(added('sum', bytesOf(a), bytesOf(b)))).toBe(toHex(bytesOf(a + b)));
      }
    }
    for (const value of edges) {
      const amount = integerToBytes(value, 33);
      expect(toHex(written(amount, false))).toBe(toHex(bytesOf(value)));
      expect(toHex(written(amount, true))).toBe(toHex(bytesOf(-value)));
    }
  });

  test('add up to the same however they are grouped', () => {
    const random = randomOf(47);
    for (let run = 0; run < 200; run++) {
      const all = Array.from({ length: 2 + random(9) }, () => {
        const value = BigInt(random(2 ** 31)) ** BigInt(1 + random(8));
        return random(2) === 0 ? value : -value;
      });
      const expected = all.reduce((sum, value) => sum + value, 0n);
      let parts = all.map(bytesOf);
      while (parts.length > 1) {
        const i = random(parts.length - 1);
        const sum = added('sum', parts[i] as Uint8Array, parts[i + 1] as Uint8Array);
        parts = [...parts.slice(0, i), sum, ...parts.slice(i + 2)];
      }
      expect(toHex(parts[0] as Uint8Array)).toBe(toHex(bytesOf(expected)));
    }
  });
});

test('totals add member by member', () => {
  const total = (transactions: bigint, sent: bigint, fees: bigint) => {
    const bytes = new Uint8Array(totalWidth);
    bytes.set(integerToBytes(transactions, 6));
    bytes.set(integerToBytes(sent, 6), 6);
    bytes.set(integerToBytes(fees, 16), 12);
    return bytes;
  };
  const a = total(255n, 2n ** 40n, 2n ** 127n);
  const b = total(1n, 2n ** 40n, 2n ** 100n - 1n);
  const sum = total(256n, 2n ** 41n, 2n ** 127n + 2n ** 100n - 1n);
  expect(toHex(added('total', a, b))).toBe(toHex(sum));
});

test('two kinds add, of all others the last record counts', () => {
  const adding = (Object.keys(recordKinds) as RecordKind[]).filter((kind) =>
    isAdding(recordKinds[kind]),
  );
  expect(adding.sort()).toEqual(['sum', 'total']);
});

test('of two values put together, the later block is kept, whichever of them is called newer', () => {
  const value = (block: number, amount: number) => Uint8Array.of(1, 0, 0, 0, 0, 0, block, amount);
  const expected = toHex(value(9, 7));
  expect(toHex(combineValues(recordKinds.sum, value(9, 5), value(4, 2)))).toBe(expected);
  expect(toHex(combineValues(recordKinds.sum, value(4, 5), value(9, 2)))).toBe(expected);
});

test('records of one key add up to one record, with the newest block', () => {
  const record = (block: number, amount: bigint) => {
    const value = [1, 0, 0, 0, 0, 0, block, ...bytesOf(amount)];
    return Uint8Array.of(3, value.length, recordKinds.sum, 7, 8, ...value);
  };
  const sum = new RecordSum();
  sum.begin(Uint8Array.of(3, 8, recordKinds.sum, 7, 9, 1, 0, 0, 0, 0, 0, 0, 77, 5), 0);
  sum.begin(Uint8Array.of(9, ...record(4, 200n)), 1);
  sum.add(record(9, -(2n ** 80n)), 0);
  sum.add(record(6, -201n), 0);
  expect(toHex(sum.record())).toBe(toHex(record(9, -(2n ** 80n) - 1n)));
});
