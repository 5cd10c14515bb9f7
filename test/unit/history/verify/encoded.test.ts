/** Lists of a block from their bytes: real ones, and what does not rebuild the root. */
import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { decodeReceipts, decodeTransactions } from '../../../../src/history/verify/encoded.js';
import { readReceipts } from '../../../../src/history/verify/receipts.js';
import { encodeReceipt } from '../../../../src/mpt/receipt.js';
import { runSteps } from '../../../../src/steps.js';
import { fromHex, toHex } from '../../../support/hex.js';
import { hasRealBlocks, realAnswers, realPayloads } from '../../../support/realBlocks.js';

/** The root of a list by another implementation. */
async function rootOfList(list: readonly string[]) {
  const trie = await createMPT();
  for (const [i, hex] of list.entries()) await trie.put(RLP.encode(i), fromHex(hex));
  return toHex(trie.root());
}

describe.skipIf(!hasRealBlocks)('real blocks', () => {
  test('receipts are those that their root covers, as nodes answer them', () => {
    const { block, receipts } = realAnswers();
    const read = runSteps(readReceipts(receipts, block.receiptsRoot));
    const encoded = read.map((one) => toHex(encodeReceipt(one, one.bloom)));
    expect(runSteps(decodeReceipts(encoded, block.receiptsRoot))).toEqual(read);
    for (const [what, list] of Object.entries({
      'one less': encoded.slice(1),
      'one more': [...encoded, encoded[0]],
      'another order': [...encoded].reverse(),
      none: [],
    })) {
      expect(() => runSteps(decodeReceipts(list, block.receiptsRoot)), what).toThrow(
        expect.objectContaining({ code: 'WRONG_RECEIPTS' }),
      );
    }
  });
});

test.skipIf(!hasRealBlocks)('transactions', async () => {
  const [{ raw }] = realPayloads() as [ReturnType<typeof realPayloads>[0]];
  const root = await rootOfList(raw);
  const read = runSteps(decodeTransactions(raw, root));
  expect(read.map(({ covered }) => toHex(covered))).toEqual(raw);
  const refused = (list: unknown, code: string, of = root) =>
    expect(() => runSteps(decodeTransactions(list, of)), code).toThrow(
      expect.objectContaining({ code }),
    );
  refused(raw.slice(1), 'WRONG_TRANSACTIONS');
  for (const odd of ['0x1', 'no hex', 5, null]) refused([odd, ...raw.slice(1)], 'BAD_ANSWER');
  refused('0x', 'BAD_ANSWER');
  // What a root covers, and is no transaction.
  const trie = await createMPT();
  for (const [odd, code] of [
    ['0x05c0', 'UNKNOWN_TYPE'],
    ['0x02c0', 'BAD_ANSWER'],
    ['0x80', 'BAD_ANSWER'],
    ['0xc1c1', 'BAD_ANSWER'],
  ] as const) {
    await trie.put(RLP.encode(0), fromHex(odd));
    refused([odd], code, toHex(trie.root()));
  }
});

test('nothing is decoded that the root does not cover', () => {
  // Decoded, each of the lists within one another would be copied, and take as much memory as the whole.
  let nested = '0xc0';
  for (let i = 0; i < 100; i++) nested = toHex(RLP.encode([fromHex(nested)]));
  const root: Hex = `0x${'11'.repeat(32)}`;
  for (const odd of ['0x', '0x05c0', '0xc1c1', nested]) {
    for (const [decode, code] of [
      [decodeTransactions, 'WRONG_TRANSACTIONS'],
      [decodeReceipts, 'WRONG_RECEIPTS'],
    ] as const) {
      expect(() => runSteps<unknown>(decode([odd], root)), odd).toThrow(
        expect.objectContaining({ code }),
      );
    }
  }
});
