/** Headers that a caller hands in. */
import { expect, test } from 'vitest';
import { verifyReceipts, verifyTransactions } from '../../../../src/history/node.js';

/** The root of an empty list: keccak-256 of 0x80. */
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const header = {
  hash: `0x${'aa'.repeat(32)}`,
  number: '0x1',
  timestamp: '0x2',
  baseFeePerGas: '0x7',
  transactionsRoot: emptyRoot,
  receiptsRoot: emptyRoot,
} as const;

test('a header without a member that is needed, or with a wrong one, is refused', () => {
  expect(verifyReceipts([], header)).toEqual([]);
  expect(verifyTransactions([], header)).toEqual([]);
  const { baseFeePerGas: _, ...before } = header;
  expect(verifyTransactions([], before)).toEqual([]);
  const wrong: Record<keyof typeof header, unknown[]> = {
    hash: [undefined, '0xaa', 7],
    number: [undefined, null, 1, 1n, '1', '0x', `0x1${'0'.repeat(64)}`],
    timestamp: [undefined, 2, '0xg'],
    baseFeePerGas: [null, 7, '-0x7'],
    transactionsRoot: [undefined, '0x'],
    receiptsRoot: [null, emptyRoot.slice(0, -1)],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const given = { ...header, [name]: value } as typeof header;
      for (const verify of [verifyReceipts, verifyTransactions]) {
        expect(() => verify([], given), `${name} ${value}`).toThrow(`"header.${name}"`);
      }
    }
  }
});
