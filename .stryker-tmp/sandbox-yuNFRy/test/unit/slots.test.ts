/** Storage keys as Solidity lays them out; the expected ones come from ethers 6.17.0 and viem 2.57.1, which agree. */
// @ts-nocheck

import { afterAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../src/bytes.js';
import { mappingSlot, slotKey } from '../../src/index.js';
import { type Anvil, rollupCode, startAnvil, word } from '../support/anvil.js';

const owner = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
const spender = '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45';
const greatest = 2n ** 256n - 1n;

const expected = {
  balance: '0xbf4954ae1137d99a74d9587692d0c99fcc87859496c91311c267c25a44a35f95',
  allowance: '0x464f2cba0f8b50b9b5e60b2feb3aeb8e00c523c238b25b281f5cf583d2b087fb',
  root: '0x60f665223f24cb0ab554a81ab1a7b2703a648d619d8c5aecb31f09210f360005',
  zero: '0xad3228b676f7d3cd4284a5443f17f1962b36e491b30a40b2405849e597ba5fb5',
  greatest: '0xbd8b151773dbbefd7b0df67f2dcc482901728b6df477f4fb2f192733a005d396',
  word: '0xb99e7a1cda22ac2911199b4b41cb3f7f9ead822556681b15445789ab8b903e7f',
} as const;

describe('slotKey', () => {
  test('is a word, big-endian', () => {
    expect(slotKey(0)).toBe(`0x${'00'.repeat(32)}`);
    expect(slotKey(282)).toBe(`0x${'00'.repeat(30)}011a`);
    expect(slotKey(282n)).toBe(slotKey(282));
    expect(slotKey(Number.MAX_SAFE_INTEGER)).toBe(`0x${'00'.repeat(25)}1fffffffffffff`);
    expect(slotKey(greatest)).toBe(`0x${'ff'.repeat(32)}`);
    // ERC-1967: where proxies keep the address of their implementation.
    const implementation = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn;
    expect(slotKey(implementation)).toBe(
      '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
    );
  });

  test.each([-1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, -1n, 2n ** 256n])(
    '%s is out of range',
    (n) => {
      expect(() => slotKey(n)).toThrow(RangeError);
      expect(() => slotKey(n)).toThrow(/^"n" /);
    },
  );

  test.each([undefined, null, '1', '0x1', true, {}, []])('%j is no number', (n) => {
    expect(() => slotKey(n as never)).toThrow(TypeError);
    expect(() => slotKey(n as never)).toThrow(/^"n" /);
  });
});

describe('mappingSlot', () => {
  test.each<[string, Hex, Hex]>([
    ['a balance, slot 9', mappingSlot(owner, 9), expected.balance],
    [
      'the same with upper-case digits',
      mappingSlot(`0x${owner.slice(2).toUpperCase()}`, 9n),
      expected.balance,
    ],
    ['an allowance, slot 1', mappingSlot(spender, mappingSlot(owner, 1)), expected.allowance],
    ['a root of the rollup contract', mappingSlot(1_000_000n, 282), expected.root],
    ['zero in zero', mappingSlot(0n, 0), expected.zero],
    ['the greatest in the greatest', mappingSlot(greatest, greatest), expected.greatest],
    [
      'a word that begins with zeros or not',
      mappingSlot(`0x${'ab'.repeat(31)}01`, 6),
      expected.word,
    ],
  ])('%s', (_, slot, known) => {
    expect(slot).toBe(known);
  });

  test('a slot may be given as a number, a bigint or a word, a key as an integer or its word', () => {
    expect(mappingSlot(owner, slotKey(9))).toBe(expected.balance);
    expect(mappingSlot(BigInt(owner), 9n)).toBe(expected.balance);
    expect(mappingSlot(slotKey(BigInt(owner)), 9n)).toBe(expected.balance);
  });

  const wrong = [
    '0x',
    '0x12',
    owner.slice(2),
    `${owner}0`,
    `${owner}00`,
    `0x${'zz'.repeat(20)}`,
    '',
  ];
  test.each([...wrong, -1n, 2n ** 256n])('the key %s is out of range', (key) => {
    expect(() => mappingSlot(key as Hex, 0)).toThrow(RangeError);
    expect(() => mappingSlot(key as Hex, 0)).toThrow(/^"key" /);
  });
  test.each([undefined, null, 1, true, {}])('the key %j is of another type', (key) => {
    expect(() => mappingSlot(key as never, 0)).toThrow(TypeError);
    expect(() => mappingSlot(key as never, 0)).toThrow(/^"key" /);
  });

  // An address is no slot.
  test.each([...wrong, owner, -1, 1.5, 2 ** 53, -1n, 2n ** 256n])(
    'the slot %s is out of range',
    (slot) => {
      expect(() => mappingSlot(owner, slot as Hex)).toThrow(RangeError);
      expect(() => mappingSlot(owner, slot as Hex)).toThrow(/^"slot" /);
    },
  );
  test.each([undefined, null, true, {}])('the slot %j is of another type', (slot) => {
    expect(() => mappingSlot(owner, slot as never)).toThrow(TypeError);
    expect(() => mappingSlot(owner, slot as never)).toThrow(/^"slot" /);
  });
});

describe('a contract in an EVM', () => {
  let node: Anvil | undefined;
  afterAll(() => node?.close());

  test('reads what was stored there: a root of the rollup contract, in the mapping at slot 282', async () => {
    node = await startAnvil();
    const rollup = `0x${'1a'.repeat(20)}`;
    const root = `0x${'5e'.repeat(32)}`;
    await node.call('anvil_setCode', rollup, rollupCode);
    await node.call('anvil_setStorageAt', rollup, mappingSlot(1_000_000n, 282), root);
    const data = `0x8be745d1${word(1_000_000)}`;
    expect(await node.call('eth_call', { to: rollup, data }, 'latest')).toBe(root);
  });
});
