/** Roots and hashes of blocks, rebuilt from what a node answers: real blocks, and a real node's of all types. */
import { RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { Transaction } from 'ethers';
import { describe, expect, test } from 'vitest';
import { ShapeError } from '../../../src/errors.js';
import { openObject } from '../../../src/foreign/shape.js';
import { encodeRlp } from '../../../src/mpt/encode.js';
import { UnknownTypeError } from '../../../src/mpt/errors.js';
import {
  decodeHeader,
  encodeHeader,
  headerToJson,
  parseHeader,
} from '../../../src/mpt/headerFields.js';
import { listRoot } from '../../../src/mpt/list.js';
import { encodeReceipt, parseReceipt, toBloom } from '../../../src/mpt/receipt.js';
import {
  hashTransaction,
  parseTransaction,
  transactionToJson,
} from '../../../src/mpt/transaction.js';
import { withdrawal } from '../../../src/mpt/withdrawal.js';
import { runSteps } from '../../../src/steps.js';
import { fromHex, toHex } from '../../support/hex.js';
import { hasRealBlocks, realAnswers, realPayloads } from '../../support/realBlocks.js';
import type { Wire } from '../../support/runs.js';

const rootOf = (encoded: readonly Uint8Array[]) => toHex(runSteps(listRoot(encoded)));
const valuesOf = (block: Wire) => parseHeader(openObject(block, ''));
const hashOf = (block: Wire) => toHex(keccak_256(encodeHeader(valuesOf(block))));
const parse = (json: unknown, at = '') => runSteps(parseReceipt(json, at));
const encodedReceipt = (json: Wire) => {
  const receipt = parse(json);
  return encodeReceipt(receipt, runSteps(toBloom(receipt.logs)));
};

describe.skipIf(!hasRealBlocks)('real blocks', () => {
  test('receipts rebuild the root, and blooms are computed', () => {
    const { block, receipts } = realAnswers();
    expect(receipts).toHaveLength(202);
    expect(hashOf(block)).toBe(block.hash);
    expect(rootOf(receipts.map(encodedReceipt))).toBe(block.receiptsRoot);
    for (const { logs, logsBloom } of receipts) {
      const read = parse({ status: '0x1', cumulativeGasUsed: '0x0', logs });
      expect(toHex(runSteps(toBloom(read.logs)))).toBe(logsBloom);
    }
    const withdrawals = block.withdrawals.map((item: Wire) => withdrawal.parse(item, ''));
    expect(rootOf(withdrawals.map(encodeRlp))).toBe(block.withdrawalsRoot);
    expect(withdrawals.map(withdrawal.toJson)).toEqual(block.withdrawals);
  });

  test('transactions and withdrawals rebuild the header', () => {
    const payloads = realPayloads();
    expect(payloads.length).toBeGreaterThan(1);
    const types = new Set<string>();
    for (const { name, raw, block } of payloads) {
      const read = block.transactions.map((json: Wire) => parseTransaction(json, ''));
      expect(read.map(({ encoded }: { encoded: Uint8Array }) => toHex(encoded))).toEqual(raw);
      expect(read.map((one: (typeof read)[0]) => toHex(hashTransaction(one)))).toEqual(
        raw.map((one) => Transaction.from(one).hash),
      );
      for (const [i, one] of read.entries()) {
        const { hash: _hash, from: _from, type, ...members } = block.transactions[i];
        if (type !== '0x0') delete members.v;
        expect(lowered(transactionToJson(one))).toEqual(lowered(members));
        types.add(type);
      }
      const withdrawalsRoot = rootOf(
        block.withdrawals.map((item: Wire) => encodeRlp(withdrawal.parse(item, ''))),
      );
      const transactionsRoot = rootOf(raw.map(fromHex));
      expect(hashOf({ ...block, transactionsRoot, withdrawalsRoot }), name).toBe(block.hash);
    }
    expect([...types].sort()).toEqual(['0x0', '0x2']);
  });

  test('an encoded header is read back', () => {
    const { block } = realAnswers();
    const values = valuesOf(block);
    const again = decodeHeader(encodeHeader(values), '');
    expect(again).toEqual(values);
    const names = Object.keys(headerToJson(values));
    expect(headerToJson(again)).toEqual(
      Object.fromEntries(names.map((name) => [name, block[name]])),
    );
    expect(names).toHaveLength(20);
  });
});

/** ethers writes addresses with a checksum. */
const lowered = (value: unknown) => JSON.parse(JSON.stringify(value).toLowerCase());

const header = {
  parentHash: `0x${'01'.repeat(32)}`,
  sha3Uncles: `0x${'02'.repeat(32)}`,
  miner: `0x${'03'.repeat(20)}`,
  stateRoot: `0x${'04'.repeat(32)}`,
  transactionsRoot: `0x${'05'.repeat(32)}`,
  receiptsRoot: `0x${'06'.repeat(32)}`,
  logsBloom: `0x${'07'.repeat(256)}`,
  difficulty: '0x2',
  number: '0x10',
  gasLimit: '0x100',
  gasUsed: '0x0',
  timestamp: '0xff',
  extraData: `0x${'08'.repeat(97)}`,
  mixHash: `0x${'09'.repeat(32)}`,
  nonce: `0x${'00'.repeat(8)}`,
};

describe('encoded headers', () => {
  test('a field in between may be missing only if the names are given', () => {
    const gap = { ...header, baseFeePerGas: '0x7', requestsHash: `0x${'0a'.repeat(32)}` };
    const values = valuesOf(gap);
    const encoded = encodeHeader(values);
    expect(headerToJson(decodeHeader(encoded, '', [...values.keys()]))).toEqual(gap);
    // The second of them would be the root of withdrawals.
    expect(headerToJson(decodeHeader(encoded, ''))).toEqual({
      ...header,
      baseFeePerGas: '0x7',
      withdrawalsRoot: gap.requestsHash,
    });
  });

  test('a list of another length or with a field of another form is refused', () => {
    const items = [...valuesOf(header).values()];
    const refused = (list: Parameters<typeof encodeRlp>[0]) =>
      expect(() => decodeHeader(encodeRlp(list), 'result[0]')).toThrow(ShapeError);
    expect(headerToJson(decodeHeader(encodeRlp(items), ''))).toEqual(header);
    refused(items.slice(0, 14));
    refused([...items, ...new Array(9).fill(Uint8Array.of(1))]);
    refused(items.map((item, i) => (i === 8 ? Uint8Array.of(0, 1) : item)));
    refused(items.map((item, i) => (i === 2 ? item.subarray(1) : item)));
    refused(items.map((item, i) => (i === 12 ? [item] : item)));
    refused(items.map((item, i) => (i === 12 ? new Uint8Array(4097) : item)));
    refused(Uint8Array.of(1));
  });
});

describe('what is no transaction, receipt or withdrawal', () => {
  const receipt = { type: '0x2', status: '0x1', cumulativeGasUsed: '0x5208', logs: [] };
  const legacy = {
    type: '0x0',
    nonce: '0x0',
    gasPrice: '0x1',
    gas: '0x5208',
    to: null,
    value: '0x0',
    input: '0x',
    v: '0x1b',
    r: '0x1',
    s: '0x1',
  };

  test('a type of another chain is an error of its own', () => {
    for (const type of ['0x5', '0x7e', '0x64', '0xff']) {
      expect(() => parse({ ...receipt, type }, 'r[0]')).toThrow(UnknownTypeError);
      expect(() => parseTransaction({ ...legacy, type }, 't[0]')).toThrow(UnknownTypeError);
    }
    for (const type of ['0x100', 'x', '', 2.5, {}]) {
      expect(() => parse({ ...receipt, type }, 'r[0]')).toThrow(ShapeError);
    }
  });

  test('each member that counts must be there and be of its form', () => {
    const log = { address: `0x${'11'.repeat(20)}`, topics: [`0x${'22'.repeat(32)}`], data: '0x33' };
    const whole = { ...receipt, logs: [log] };
    expect(parse(whole).logs).toHaveLength(1);
    const refused: unknown[] = [
      null,
      [],
      { ...whole, status: '0x2' },
      { ...whole, status: null },
      { ...whole, cumulativeGasUsed: `0x1${'00'.repeat(8)}` },
      { ...whole, logs: {} },
      { ...whole, logs: [{ ...log, address: '0x11' }] },
      { ...whole, logs: [{ ...log, topics: ['0x22'] }] },
      { ...whole, logs: [{ ...log, data: '0x3' }] },
    ];
    for (const value of refused) expect(() => parse(value, 'r')).toThrow(ShapeError);
    const members = ['nonce', 'gasPrice', 'gas', 'value', 'input', 'v', 'r', 's'];
    for (const name of members) {
      const { [name]: _, ...rest }: Record<string, unknown> = legacy;
      const faults = [rest, { ...legacy, [name]: 'x' }, { ...legacy, [name]: null }];
      for (const fault of faults) {
        expect(() => parseTransaction(fault, 't'), name).toThrow(ShapeError);
      }
    }
    const typed = { ...legacy, type: '0x1', chainId: '0x1', accessList: [], yParity: '0x2' };
    expect(() => parseTransaction(typed, 't')).toThrow('"t.yParity" expected 0x0 or 0x1');
    const entry = { address: log.address, storageKeys: ['0x1'] };
    const listed = { ...typed, yParity: '0x1', accessList: [entry] };
    expect(() => parseTransaction(listed, 't')).toThrow('"t.accessList[0].storageKeys[0]"');
    const blob = { ...typed, type: '0x3', yParity: '0x1', maxFeePerGas: '0x1' };
    const whole3 = {
      ...blob,
      maxPriorityFeePerGas: '0x1',
      maxFeePerBlobGas: '0x1',
      blobVersionedHashes: [],
    };
    expect(() => parseTransaction(whole3, 't')).toThrow('"t.to" expected');
  });

  test('a receipt of before Byzantium has a root in place of a status', () => {
    const root = `0x${'44'.repeat(32)}`;
    const { type: _type, status: _status, ...rest } = receipt;
    const read = parse({ ...rest, root });
    expect(toHex(read.outcome as Uint8Array)).toBe(root);
    const expected = RLP.encode([root, '0x5208', new Uint8Array(256), []]);
    expect(encodeReceipt(read, runSteps(toBloom([])))).toEqual(expected);
  });
});
