/** What a token and Permit2 answer about a spender, read, and what it puts at risk. */
import {
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import { expect, test } from 'vitest';
import {
  decodeAllowed,
  permit2Address,
  permit2Call,
  spenderCall,
  toAllowanceText,
  toExpiryText,
  toRisk,
  toRiskFactor,
} from '../../../src/abi/allowances.js';
import type { Hex } from '../../../src/bytes.js';
import { fromHex } from '../../support/hex.js';

const [owner, token, spender] = ['a1', 'b0', 'c0'].map((byte): Hex => `0x${byte.repeat(20)}`) as [
  ...[Hex, Hex, Hex],
];
const permit = parseAbiParameters('uint256 amount, uint256 expiration, uint48 nonce');
const encodePermit = (amount: bigint, expiry: bigint) =>
  fromHex(encodeAbiParameters(permit, [amount, expiry, 7]));
const word = (amount: bigint) => fromHex(encodeAbiParameters([{ type: 'uint256' }], [amount]));

test('the token is asked about a spender of its own, and Permit2 about one of its', () => {
  const functionName = 'allowance';
  const data = encodeFunctionData({ abi: erc20Abi, functionName, args: [owner, spender] });
  expect(spenderCall({ spender, isPermit: false }, { owner, token })).toEqual({ to: token, data });
  const abi = parseAbi(['function allowance(address, address, address)']);
  expect(spenderCall({ spender, isPermit: true }, { owner, token })).toEqual({
    to: permit2Address,
    data: encodeFunctionData({ abi, functionName, args: [owner, token, spender] }),
  });
  expect(permit2Call(owner, token)).toEqual(
    spenderCall({ spender: permit2Address, isPermit: false }, { owner, token }),
  );
});

test('an amount is unlimited if it is the greatest of its type, and what is no answer is none', () => {
  const direct = (answer: Uint8Array | undefined) => decodeAllowed(answer, { isPermit: false });
  const permitted = (answer: Uint8Array | undefined) => decodeAllowed(answer, { isPermit: true });
  const [greatest, greatestPermit] = [2n ** 256n - 1n, 2n ** 160n - 1n];
  for (const [allowed, text, until] of [
    [direct(word(5n)), '5', null],
    [direct(word(greatestPermit)), String(greatestPermit), null],
    [direct(word(greatest)), 'UNLIMITED', null],
    [permitted(encodePermit(5n, 1_700_000_000n)), '5', '2023-11-14T22:13:20Z'],
    [
      permitted(encodePermit(greatestPermit, 253_402_300_799n)),
      'UNLIMITED',
      '9999-12-31T23:59:59Z',
    ],
    [permitted(encodePermit(0n, 253_402_300_800n)), '0', null],
  ] as const) {
    expect(allowed && [toAllowanceText(allowed), toExpiryText(allowed)]).toEqual([text, until]);
  }
  for (const answer of [undefined, new Uint8Array(0), new Uint8Array(33), new Uint8Array(96)]) {
    expect(direct(answer)).toBeUndefined();
  }
  for (const answer of [undefined, word(5n), encodePermit(greatestPermit + 1n, 5n)]) {
    expect(permitted(answer)).toBeUndefined();
  }
});

test('no more is at risk than there is, and nothing is known without a balance', () => {
  expect([toRisk(9n, 10n), toRisk(9n, 8n, 7n), toRisk(9n), toRisk(undefined, 1n)]).toEqual([
    ...[9n, 7n, 9n, undefined],
  ]);
  const allowed = { amount: 9n, isUnlimited: false, expiry: undefined };
  expect(
    [8n, 9n, 10n, undefined].map((balance) => toRiskFactor(allowed, balance) === 'LOW RISK'),
  ).toEqual([false, false, true, false]);
  expect(toRiskFactor({ ...allowed, isUnlimited: true }, 10n)).toBe('CONSIDER REVOKING');
});
