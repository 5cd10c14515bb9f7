/** Answers of a real node on two forks: what is verified is what the node says, and nothing else is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/bytes.js';
import type { BlockHeader } from '../../../src/history/index.js';
import {
  HistoryError,
  verifyHeaders,
  verifyReceipts,
  verifyTransactions,
} from '../../../src/history/node.js';
import { encodeRlp } from '../../../src/mpt/encode.js';
import { listRoot } from '../../../src/mpt/list.js';
import { withdrawal } from '../../../src/mpt/withdrawal.js';
import { runSteps } from '../../../src/steps.js';
import { mineAllTypes, putEmitter } from '../../support/allTypes.js';
import { type Anvil, startAnvil } from '../../support/anvil.js';
import { fromHex, toHex } from '../../support/hex.js';
import { receiptOf, transactionOf } from '../../support/normalised.js';
import { hasRealBlocks, realAnswers, realPayloads } from '../../support/realBlocks.js';
import { patience, type Wire } from '../../support/runs.js';

const replace = (list: readonly unknown[], at: number, item: unknown): unknown[] =>
  list.map((one, i) => (i === at ? item : one));

/** The code of the error that a check throws. */
function codeOf(check: () => unknown): string {
  try {
    check();
  } catch (error) {
    expect(error).toBeInstanceOf(HistoryError);
    return (error as HistoryError).code;
  }
  return 'none';
}

describe.each(['prague', 'osaka'] as const)('on %s', (fork) => {
  let node: Anvil;
  const blocks: Wire[] = [];
  const receipts: Wire[][] = [];
  let headers: BlockHeader[];

  beforeAll(async () => {
    node = await startAnvil('--hardfork', fork);
    await putEmitter(node);
    const last = await mineAllTypes(node, fork);
    for (let n = 0; n <= last; n++) {
      const number = `0x${n.toString(16)}`;
      blocks.push(await node.call('eth_getBlockByNumber', number, true));
      receipts.push(await node.call('eth_getBlockReceipts', number));
    }
    headers = verifyHeaders(blocks, { hash: blocks.at(-1).hash });
  }, patience);
  afterAll(() => node.close());

  test('headers are those of the node, and so are hashes', () => {
    expect(headers).toHaveLength(blocks.length);
    for (const [i, header] of headers.entries()) {
      expect(Object.keys(header)).toHaveLength(22);
      expect(blocks[i]).toMatchObject(header);
    }
  });

  test('transactions of all types are those of the node', () => {
    const types = new Set<string>();
    for (const [i, header] of headers.entries()) {
      const proven = verifyTransactions(blocks[i].transactions, header);
      expect(proven).toEqual(blocks[i].transactions.map(transactionOf));
      for (const { type } of proven) types.add(type);
    }
    expect([...types].sort()).toEqual(['0x0', '0x1', '0x2', '0x3', '0x4']);
  });

  test('receipts are those of the node', () => {
    for (const [i, header] of headers.entries()) {
      const transactions = verifyTransactions(blocks[i].transactions, header);
      const proven = verifyReceipts(receipts[i], header, transactions);
      expect(proven).toEqual((receipts[i] as Wire[]).map(receiptOf));
      const without = verifyReceipts(receipts[i], header);
      expect(proven).toMatchObject(without.map(({ logs: _, ...rest }) => rest));
    }
  });

  test('a header of another block, or a gap, is refused', () => {
    const { hash } = blocks.at(-1);
    const other = (list: unknown[]) => codeOf(() => verifyHeaders(list, { hash }));
    expect(other(blocks.slice(0, -1))).toBe('WRONG_HEADER');
    expect(other(blocks.filter((_, i) => i !== 2))).toBe('WRONG_HEADER');
    expect(other([...blocks].reverse())).toBe('WRONG_HEADER');
    expect(other(replace(blocks, 1, { ...blocks[1], gasUsed: '0x1' }))).toBe('WRONG_HEADER');
    expect(other(replace(blocks, 1, { ...blocks[1], logsBloom: `0x${'00'.repeat(256)}` }))).toBe(
      'WRONG_HEADER',
    );
    expect(other(replace(blocks, 1, { ...blocks[1], newField: '0x1', gasUsed: '0x1' }))).toBe(
      'UNKNOWN_HEADER_FIELD',
    );
    expect(other(replace(blocks, 1, { ...blocks[1], number: 'x' }))).toBe('BAD_ANSWER');
    expect(other(replace(blocks, 1, null))).toBe('BAD_ANSWER');
    expect(codeOf(() => verifyHeaders({}, { hash }))).toBe('BAD_ANSWER');
    expect(() => verifyHeaders(blocks, { hash: '0x' as never })).toThrow(RangeError);
  });

  test('receipts and transactions of another block, too few, too many or in another order are refused', () => {
    const [header, list, transactions] = [headers[3], receipts[3], blocks[3].transactions] as [
      BlockHeader,
      Wire[],
      Wire[],
    ];
    const given = (value: unknown) => codeOf(() => verifyReceipts(value, header));
    expect(given(list)).toBe('none');
    expect(given(receipts[1])).toBe('WRONG_RECEIPTS');
    expect(given(list.slice(1))).toBe('WRONG_RECEIPTS');
    expect(given([...list, list[0]])).toBe('WRONG_RECEIPTS');
    expect(given([...list].reverse())).toBe('WRONG_RECEIPTS');
    expect(given([])).toBe('WRONG_RECEIPTS');
    expect(given(null)).toBe('BAD_ANSWER');
    expect(given([...list, null])).toBe('BAD_ANSWER');
    expect(given(replace(list, 0, { ...list[0], type: '0x7e' }))).toBe('UNKNOWN_TYPE');
    const those = (value: unknown) => codeOf(() => verifyTransactions(value, header));
    expect(those(transactions)).toBe('none');
    expect(those(transactions.slice(1))).toBe('WRONG_TRANSACTIONS');
    expect(those(blocks[1].transactions)).toBe('WRONG_TRANSACTIONS');
    expect(those(replace(transactions, 0, { ...transactions[0], value: '0x7' }))).toBe(
      'WRONG_TRANSACTIONS',
    );
    expect(those(transactions.map(({ hash }) => hash))).toBe('BAD_ANSWER');
    const proven = verifyTransactions(transactions, header);
    expect(() => verifyReceipts(list, header, proven.slice(1))).toThrow(RangeError);
    const foreign = verifyTransactions(blocks[1].transactions, headers[1] as BlockHeader);
    expect(() => verifyReceipts(list, header, foreign)).toThrow(RangeError);
  });

  test('what the server says beside it is not read: a relabelled hash, another sender, another place', () => {
    const header = headers[3] as BlockHeader;
    const zero = `0x${'00'.repeat(32)}`;
    const lies = {
      hash: zero,
      transactionHash: zero,
      blockHash: zero,
      blockNumber: '0x7',
      from: zero,
      to: zero,
      gasUsed: '0x0',
      effectiveGasPrice: '0x0',
      contractAddress: zero,
      transactionIndex: '0x9',
      logsBloom: '0x',
      removed: true,
      logIndex: '0x5',
    };
    const honest = verifyTransactions(blocks[3].transactions, header);
    const relabelled = blocks[3].transactions.map((one: Wire) => ({
      ...one,
      ...lies,
      to: one.to,
      gasPrice: one.gasPrice,
    }));
    expect(verifyTransactions(relabelled, header)).toEqual(honest);
    const told = (receipts[3] as Wire[]).map((one) => ({
      ...one,
      ...lies,
      logs: one.logs.map((log: Wire) => ({ ...log, ...lies })),
    }));
    expect(verifyReceipts(told, header, honest)).toEqual(
      verifyReceipts(receipts[3], header, honest),
    );
  });
});

describe.skipIf(!hasRealBlocks)('real blocks', () => {
  test('202 receipts are those of the node, as far as they alone prove it', () => {
    const { block, receipts } = realAnswers();
    const [header] = verifyHeaders([block], { hash: block.hash }) as [BlockHeader];
    const proven = verifyReceipts(receipts, header);
    for (const [i, { logs, ...receipt }] of proven.entries()) {
      expect(receipts[i]).toMatchObject(receipt);
      expect(logs).toHaveLength(receipts[i].logs.length);
      for (const [at, { blockTimestamp, ...log }] of logs.entries()) {
        expect(receipts[i].logs[at]).toMatchObject(log);
        expect(blockTimestamp).toBe(block.timestamp);
      }
    }
  });

  test('transactions are those that ethers reads, and so are their senders', () => {
    for (const { block, raw } of realPayloads().slice(0, 1)) {
      const withdrawals = block.withdrawals.map((one: Wire) =>
        encodeRlp(withdrawal.parse(one, '')),
      );
      const roots = {
        transactionsRoot: rootOf(raw.map(fromHex)),
        withdrawalsRoot: rootOf(withdrawals),
      };
      const headers = verifyHeaders([{ ...block, ...roots }], { hash: block.hash });
      const proven = verifyTransactions(block.transactions, headers[0] as BlockHeader);
      expect(proven).toHaveLength(raw.length);
      for (const [i, { hash, from, chainId }] of proven.entries()) {
        const { chainId: _, ...read } = block.transactions[i];
        expect({ hash, from }).toEqual({ hash: read.hash, from: read.from });
        expect(chainId).toBe('0x1');
      }
    }
  });
});

const rootOf = (encoded: readonly Uint8Array[]) => toHex(runSteps(listRoot(encoded))) as Hex;
