/** What a call costs before it runs, by fork: the figures are those of the EIPs. */
import { expect, test } from 'vitest';
import { baseGas, maxInitCode, refundOf } from '../../../../src/evm/call/gas.js';
import { fromHex } from '../../../support/hex.js';

/** 3 bytes that are not zero and 2 that are. */
const data = fromHex('0x0001020003');
const to = `0x${'11'.repeat(20)}` as never;
const list = [{ address: to, storageKeys: ['0x01', '0x02'] }] as never;

test('a call pays for its bytes, and for its list (EIP-2028, EIP-2930)', () => {
  const plain = 21_000n + 3n * 16n + 2n * 4n;
  expect(baseGas({ to, data, accessList: [] }, 'london').intrinsic).toBe(plain);
  expect(baseGas({ to, data, accessList: list }, 'london').intrinsic).toBe(
    plain + 2400n + 2n * 1900n,
  );
});

test('a creation pays more, and for each word of its code since Shanghai (EIP-3860)', () => {
  const creation = { to: undefined as never, data, accessList: [] };
  const before = 21_000n + 32_000n + 3n * 16n + 2n * 4n;
  expect(baseGas(creation, 'london').intrinsic).toBe(before);
  expect(baseGas(creation, 'shanghai').intrinsic).toBe(before + 2n);
  expect([maxInitCode('london'), maxInitCode('shanghai')]).toEqual([undefined, 49_152]);
});

test('since Prague a call costs at least ten for each token of its data (EIP-7623)', () => {
  expect(baseGas({ to, data, accessList: [] }, 'cancun').floor).toBe(0n);
  expect(baseGas({ to, data, accessList: [] }, 'prague').floor).toBe(21_000n + 10n * (2n + 12n));
});

test('a fifth of the gas used is refunded at most (EIP-3529)', () => {
  expect([refundOf(1000n, 100n), refundOf(1000n, 300n)]).toEqual([100n, 200n]);
});
