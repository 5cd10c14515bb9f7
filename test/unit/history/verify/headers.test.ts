/** Headers as hex of their RLP, and headers whose numbers are no sequence: encoded and hashed by ethereumjs. */
import { createBlockHeader } from '@ethereumjs/block';
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { verifyHeaders } from '../../../../src/history/node.js';
import { toHex } from '../../../support/hex.js';

const common = createCustomCommon({ chainId: 31337 }, Mainnet, { hardfork: Hardfork.London });

/** A header of a number, and one that names it as the block before. */
function pairOf(numbers: readonly [number, number]) {
  const options = { common, setHardfork: false, skipConsensusFormatValidation: true };
  const of = (members: object) =>
    createBlockHeader({ gasLimit: 30_000_000, baseFeePerGas: 7, ...members }, options);
  const parent = of({ number: numbers[0] });
  const child = of({ number: numbers[1], parentHash: parent.hash() });
  const both = [parent, child];
  return {
    encoded: both.map((one) => toHex(one.serialize())),
    hashes: both.map((one) => toHex(one.hash()) as Hex),
    hash: toHex(child.hash()) as Hex,
  };
}

test('hex of the RLP is read as the header that it is', () => {
  const { encoded, hashes, hash } = pairOf([5, 6]);
  const proven = verifyHeaders(encoded, { hash });
  expect(proven.map((one) => one.hash)).toEqual(hashes);
  expect(proven).toMatchObject([
    { number: '0x5', gasLimit: '0x1c9c380', baseFeePerGas: '0x7' },
    { number: '0x6', parentHash: hashes[0] },
  ]);
  expect(proven[1]).not.toHaveProperty('withdrawalsRoot');
});

test('hex that is none, too long or of another header is refused', () => {
  const { encoded, hash } = pairOf([5, 6]);
  const [parent, child] = encoded as [string, string];
  for (const [last, code] of [
    [child.slice(0, -1), 'BAD_ANSWER'],
    [`${child.slice(0, -2)}zz`, 'BAD_ANSWER'],
    [`0x${'00'.repeat(8193)}`, 'BAD_ANSWER'],
    ['', 'BAD_ANSWER'],
    [`0x${'00'.repeat(8192)}`, 'WRONG_HEADER'],
    [parent, 'WRONG_HEADER'],
    [`${child}00`, 'WRONG_HEADER'],
  ]) {
    const check = () => verifyHeaders([parent, last], { hash });
    expect(check).toThrow(expect.objectContaining({ name: 'HistoryError', code, path: '[1]' }));
  }
});

test('a header that is named as the block before, of another number, is refused', () => {
  for (const numbers of [
    [5, 7],
    [6, 6],
    [7, 6],
  ] as const) {
    const { encoded, hash } = pairOf(numbers);
    expect(() => verifyHeaders(encoded, { hash })).toThrow(
      expect.objectContaining({
        code: 'WRONG_HEADER',
        path: '[0]',
        reason: expect.stringContaining(`is of block ${numbers[0]}, and not of ${numbers[1] - 1}`),
      }),
    );
  }
});
