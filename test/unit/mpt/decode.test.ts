/** Transactions and receipts from their bytes: real ones, of all types, and what is none. */
import { RLP } from '@ethereumjs/rlp';
import { Transaction, Wallet } from 'ethers';
import { describe, expect, test } from 'vitest';
import { ShapeError } from '../../../src/errors.js';
import { decodeReceipt, decodeTransaction } from '../../../src/mpt/decode.js';
import { UnknownTypeError } from '../../../src/mpt/errors.js';
import { encodeReceipt, parseReceipt } from '../../../src/mpt/receipt.js';
import {
  hashTransaction,
  parseTransaction,
  transactionToJson,
} from '../../../src/mpt/transaction.js';
import { runSteps } from '../../../src/steps.js';
import { randomOf } from '../../support/blocks.js';
import { fromHex, toHex } from '../../support/hex.js';
import {
  hasRealBlocks,
  realAnswers,
  realPayloads,
  transactionJson,
} from '../../support/realBlocks.js';

const decode = (hex: string) => decodeTransaction(fromHex(hex), 'here');
const key = new Wallet(`0x${'11'.repeat(32)}`);
const to = `0x${'aa'.repeat(20)}`;
const word = `0x${'bb'.repeat(32)}`;
const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 2n };
const entries = [{ address: to, storageKeys: [word, word] }];
const common = { chainId: 5n, nonce: 300, gasLimit: 70_000n, value: 2n ** 200n, data: '0x00ff' };

/** One of each type, and a creation, signed and encoded by another implementation. */
const signed = async (): Promise<string[]> =>
  Promise.all(
    [
      { ...common, type: 0, to, gasPrice: 7n },
      { ...common, type: 0, gasPrice: 7n },
      { ...common, type: 1, to, gasPrice: 7n, accessList: entries },
      { ...common, type: 2, to, ...fees, accessList: [] },
      { ...common, type: 2, ...fees, accessList: entries },
      {
        ...{ ...common, type: 3, to, ...fees, maxFeePerBlobGas: 4n },
        blobVersionedHashes: [`0x01${'cc'.repeat(31)}`],
      },
      {
        ...{ ...common, type: 4, to, ...fees },
        authorizationList: [await key.authorize({ address: to, nonce: 3, chainId: 0 })],
      },
    ].map((each) => key.signTransaction(each)),
  );

/** A receipt of each type, without and with logs, encoded by another implementation. */
const receipts = (): { type: number; bytes: Uint8Array }[] =>
  [0, 1, 2, 3, 4].flatMap((type) =>
    [
      ['0x01', '0x5208', `0x${'00'.repeat(256)}`, []],
      [
        '0x',
        '0x01',
        `0x${'01'.repeat(256)}`,
        [
          [to, [word, word], '0x1234'],
          [to, [], '0x'],
        ],
      ],
      [word, '0x01', `0x${'01'.repeat(256)}`, []],
    ].map((items) => ({
      type,
      bytes: Uint8Array.from([...(type === 0 ? [] : [type]), ...RLP.encode(items as never)]),
    })),
  );

describe.skipIf(!hasRealBlocks)('real blocks', () => {
  test('transactions are those that their JSON says', () => {
    let count = 0;
    for (const { raw, block } of realPayloads()) {
      for (const [i, hex] of raw.entries()) {
        expect(decode(hex)).toEqual(parseTransaction(block.transactions[i], ''));
        count++;
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  test('receipts are those that their JSON says, and are written as they came', () => {
    for (const json of realAnswers().receipts) {
      const read = runSteps(parseReceipt(json, ''));
      const bytes = encodeReceipt(read, fromHex(json.logsBloom));
      const { bloom, ...decoded } = decodeReceipt(bytes, '');
      expect(toHex(bloom)).toBe(json.logsBloom);
      expect(decoded).toEqual(read);
      expect(toHex(encodeReceipt(decoded, bloom))).toBe(toHex(bytes));
    }
  });
});

describe('of all types', () => {
  test('transactions have the members and the hash that another implementation says', async () => {
    for (const hex of await signed()) {
      const read = decode(hex);
      const json = transactionJson(hex);
      expect(toHex(read.covered)).toBe(hex);
      expect(toHex(hashTransaction(read))).toBe(Transaction.from(hex).hash);
      const { authorizationList: authorizations, ...members } = transactionToJson(read);
      const lowered = JSON.stringify(json).replace(/0x[0-9A-F]+/gi, (text) => text.toLowerCase());
      expect(JSON.parse(lowered)).toMatchObject(members);
      if (read.type === 4) expect(authorizations).toMatchObject([{ address: to, nonce: '0x3' }]);
    }
  });

  test('receipts', () => {
    for (const { type, bytes } of receipts()) {
      const { bloom, ...read } = decodeReceipt(bytes, '');
      expect(read.type).toBe(type);
      expect(toHex(encodeReceipt(read, bloom))).toBe(toHex(bytes));
    }
    const [plain, logged, older] = receipts().map(({ bytes }) => decodeReceipt(bytes, ''));
    expect(plain).toMatchObject({ outcome: true, cumulativeGasUsed: 21_000n, logs: [] });
    expect(logged).toMatchObject({ outcome: false, logs: [{ topics: [{}, {}] }, { topics: [] }] });
    expect(toHex(older?.outcome as Uint8Array)).toBe(word);
  });

  test('with blobs, as one node has them in its blocks, the root covers all, and the hash the rest', async () => {
    const [hex] = (await signed()).filter((one) => one.startsWith('0x03')) as [string];
    const items = RLP.decode(fromHex(`0x${hex.slice(4)}`));
    const whole = Uint8Array.from([3, ...RLP.encode([items, [word], [word], [word]])]);
    const read = decodeTransaction(whole, '');
    expect(toHex(read.covered)).toBe(toHex(whole));
    expect(toHex(hashTransaction(read))).toBe(Transaction.from(hex).hash);
  });
});

describe('what is none', () => {
  const shapeError = expect.any(ShapeError);

  test('is refused, each fault by its own', async () => {
    const all = await signed();
    const [first, , , third] = all as [string, string, string, string];
    const items = RLP.decode(fromHex(first)) as Uint8Array[];
    const changed = (index: number, value: unknown) =>
      RLP.encode(items.map((one, i) => (i === index ? value : one)) as never);
    const faults: Record<string, Uint8Array> = {
      'no bytes': new Uint8Array(0),
      'the first type in front': fromHex(`0x00${first.slice(2)}`),
      'a string': fromHex('0x83010203'),
      'a type and no list': fromHex('0x02'),
      'a string behind a type': fromHex('0x0283010203'),
      'a byte more': fromHex(`${first}00`),
      'a byte less': fromHex(first.slice(0, -2)),
      'the items of another type': fromHex(`0x02${first.slice(2)}`),
      'an item less': RLP.encode(items.slice(1)),
      'an item more': RLP.encode([...items, items[0] as Uint8Array]),
      'an integer with a zero in front': changed(0, Uint8Array.of(0, 1)),
      'an integer that is too long': changed(0, new Uint8Array(9).fill(1)),
      'a list in place of an integer': changed(0, []),
      'a list in place of an address': changed(3, []),
      'an address that is too short': changed(3, new Uint8Array(19).fill(1)),
      'a list in place of data': changed(5, []),
      'a parity of two': RLP.encode(
        (RLP.decode(fromHex(`0x${third.slice(4)}`)) as Uint8Array[]).map((one, i) =>
          i === 9 ? Uint8Array.of(2) : one,
        ),
      ),
    };
    faults['a parity of two'] = Uint8Array.from([2, ...(faults['a parity of two'] as Uint8Array)]);
    for (const [what, bytes] of Object.entries(faults)) {
      expect(() => decodeTransaction(bytes, 'here'), what).toThrow(shapeError);
    }
    const bloom = new Uint8Array(256);
    const one = Uint8Array.of(1);
    const log = [fromHex(to), [fromHex(word)], one];
    const wrong: Record<string, unknown[]> = {
      'a status of two': [Uint8Array.of(2), one, bloom, []],
      'a short root': [new Uint8Array(31), one, bloom, []],
      'no status': [one, bloom, []],
      'a short bloom': [one, one, bloom.subarray(1), []],
      'gas with a zero in front': [one, Uint8Array.of(0), bloom, []],
      'no list of logs': [one, one, bloom, one],
      'a log of two items': [one, one, bloom, [log.slice(1)]],
      'a log without an address': [one, one, bloom, [[one, [], one]]],
      'a short topic': [one, one, bloom, [[log[0], [one], one]]],
      'topics that are no list': [one, one, bloom, [[log[0], fromHex(word), one]]],
    };
    for (const [what, items] of Object.entries(wrong)) {
      expect(() => decodeReceipt(RLP.encode(items as never), 'here'), what).toThrow(shapeError);
    }
    expect(() => decodeReceipt(RLP.encode([one, one, bloom, [log]] as never), '')).not.toThrow();
  });

  test('a type that is not known is an error of its own', () => {
    for (const type of [5, 0x7e, 0x7f]) {
      for (const read of [decodeTransaction, decodeReceipt]) {
        expect(() => read(Uint8Array.of(type, 0xc0), 'here'), String(type)).toThrow(
          UnknownTypeError,
        );
      }
    }
  });

  test('whatever is changed in one, it is refused, or written as it came', async () => {
    const random = randomOf(5);
    const all = [
      ...(await signed()).map((hex) => ({ bytes: fromHex(hex), isReceipt: false })),
      ...receipts().map(({ bytes }) => ({ bytes, isReceipt: true })),
    ];
    let read = 0;
    for (let run = 0; run < 4000; run++) {
      const { bytes, isReceipt } = all[random(all.length)] as (typeof all)[0];
      const changed = Uint8Array.from(bytes);
      changed[random(Math.min(changed.length, 300))] = random(256);
      try {
        if (isReceipt) {
          const receipt = decodeReceipt(changed, '');
          expect(toHex(encodeReceipt(receipt, receipt.bloom))).toBe(toHex(changed));
        } else expect(toHex(decodeTransaction(changed, '').encoded)).toBe(toHex(changed));
        read++;
      } catch (error) {
        if (!(error instanceof UnknownTypeError)) expect(error).toEqual(shapeError);
      }
    }
    expect(read).toBeGreaterThan(500);
  });
});
