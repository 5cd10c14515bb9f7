/** Lists of a block from their bytes: real ones, and what does not rebuild the root. */
import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { describe, expect, test } from 'vitest';
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
  const refused = (list: unknown, code: string) =>
    expect(() => runSteps(decodeTransactions(list, root)), code).toThrow(
      expect.objectContaining({ code }),
    );
  refused(raw.slice(1), 'WRONG_TRANSACTIONS');
  refused([...raw.slice(1), '0x05c0'], 'UNKNOWN_TYPE');
  for (const odd of ['0x1', 'no hex', 5, null, '0x']) refused([odd, ...raw.slice(1)], 'BAD_ANSWER');
  refused('0x', 'BAD_ANSWER');
});
