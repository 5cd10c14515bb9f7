/** The changes of an index come in the order of their keys, however much of them is the same. */
import { expect, test } from 'vitest';
import { Changes } from '../../../../src/indexer/layout/changes.js';
import { blockBytes } from '../../../../src/indexer/layout/layout.js';
import { keyAt, type Records } from '../../../../src/indexer/layout/record.js';
import { toHex } from '../../../support/hex.js';

/** A wallet or an id of one byte again and again, with another one at its end. */
const bytesOf = (width: number, byte: number, last: number) =>
  new Uint8Array(width).fill(byte).fill(last, width - 1);

const block = blockBytes(7);

test('records come in the order of their keys, each once', () => {
  const changes = new Changes();
  const expected = new Set<string>();
  for (let i = 0; i < 6000; i++) {
    // Wallets that share nothing, some bytes, or all of them.
    const wallet = bytesOf(20, [0, 0x80, 0xff][i % 3] as number, (i * 7) % 5);
    const contract = (i * 7919) % 700;
    const standard = 1 + (i % 2);
    changes.key('holding').part(wallet).byte(standard).ofContract(contract).put(block);
    const number = contract.toString(16).padStart(10, '0');
    expected.add(`0x68${toHex(wallet).slice(2)}0${standard}${number}`);
    const id = bytesOf(32, 0, (i * 31) % 256);
    changes.key('token').part(wallet).byte(2).ofContract(contract).part(id).delete(block);
    expected.add(`0x74${toHex(wallet).slice(2)}02${number}${toHex(id).slice(2)}`);
  }
  changes.number({ contracts: Array.from({ length: 700 }, (_, i) => i), topics: [] });
  const keys: string[] = [];
  const sink = {
    add: ({ bytes }: Records, at: number) => void keys.push(toHex(keyAt(bytes, at))),
  };
  for (const records of changes.byKind()) records.inOrder(sink);
  expect(keys.length).toBeGreaterThan(2000);
  expect(keys).toEqual([...expected].sort());
  expect(
    changes
      .entries()
      .map(({ key }) => toHex(key))
      .sort(),
  ).toEqual(keys);
});

/** Writes a record of each kind: it is replaced, is taken away, names a topic, or adds up with others of its key. */
function write(changes: Changes, i: number): void {
  const wallet = bytesOf(20, i % 3, i % 7);
  const contract = changes.contract(`0x${toHex(bytesOf(20, 1, (i * 13) % 50)).slice(2)}`);
  const topic = changes.topic(`0x${toHex(bytesOf(32, 2, (i * 11) % 30)).slice(2)}`);
  const number = new Uint8Array(8);
  new DataView(number.buffer).setUint32(4, i);
  changes.key('holding').part(wallet).byte(1).ofContract(contract).put(blockBytes(i));
  const token = changes
    .key('token')
    .part(wallet)
    .byte(2)
    .ofContract(contract)
    .part(bytesOf(32, 0, i % 5));
  if (i % 2 === 0) token.put(blockBytes(i));
  else token.delete(blockBytes(i));
  changes.key('topic').ofTopic(topic).part(number).put(blockBytes(i));
  const sum = changes.key('sum').ofContract(contract).part(wallet).value(blockBytes(i));
  sum.signed(Uint8Array.of(i % 9), i % 4 === 0).end();
}

/** Entries with the index's numbers: each contract and topic has the one that its own text gives. */
function entriesOf(changes: Changes): [string, string][] {
  const numbersOf = (names: readonly string[]) =>
    names.map((name) => 1000 + Number.parseInt(name.slice(-2), 16));
  changes.number({ contracts: numbersOf(changes.contracts), topics: numbersOf(changes.topics) });
  return changes.entries().map(({ key, value }) => [toHex(key), toHex(value as Uint8Array)]);
}

test.each([0, 1, 40, 399, 400])(
  'changes behind %i others are what all of them are in one',
  (first) => {
    const count = 400;
    const whole = new Changes();
    for (let i = 0; i < count; i++) write(whole, i);
    const parts = new Changes();
    for (let i = 0; i < first; i++) write(parts, i);
    // Written after a mark, and taken back: nothing of it is left, nor of names that came with it.
    const mark = parts.mark();
    parts.contract(`0x${'ee'.repeat(20)}`);
    for (let i = count; i < count + 50; i++) write(parts, i);
    parts.backTo(mark);
    const later = new Changes();
    for (let i = first; i < count; i++) write(later, i);
    parts.append(later);
    expect(parts.size).toBe(whole.size);
    expect(parts.contracts).toEqual(whole.contracts);
    expect(parts.topics).toEqual(whole.topics);
    expect(entriesOf(parts)).toEqual(entriesOf(whole));
  },
);

test.each([1, 2, 50, 333])(
  'what %i changes add up to has room behind those that were appended',
  (count) => {
    const [changes, later] = [new Changes(), new Changes()];
    const contract = later.contract(`0x${'ab'.repeat(20)}`);
    for (let i = 0; i < count; i++) {
      const sum = later
        .key('sum')
        .ofContract(contract)
        .part(bytesOf(20, 1, 1))
        .value(block);
      sum.signed(new Uint8Array(32).fill(1), false).end();
    }
    changes.append(later);
    const [[, value] = ['', '']] = entriesOf(changes);
    const expected = (BigInt(`0x${'01'.repeat(32)}`) * BigInt(count)).toString(16);
    expect(value.endsWith(expected)).toBe(true);
  },
);

test('changes that were put into order can be taken back', () => {
  const [changes, expected] = [new Changes(), new Changes()];
  for (let i = 0; i < 200; i++) for (const each of [changes, expected]) write(each, i);
  const mark = changes.mark();
  for (let i = 200; i < 300; i++) write(changes, i);
  changes.entries();
  changes.backTo(mark);
  expect(changes.size).toBe(expected.size);
  expect(entriesOf(changes)).toEqual(entriesOf(expected));
});
