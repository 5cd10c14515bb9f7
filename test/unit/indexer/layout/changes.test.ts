/** The changes of an index come in the order of their keys, however much of them is the same. */
import { expect, test } from 'vitest';
import { Changes } from '../../../../src/indexer/layout/changes.js';
import { blockBytes } from '../../../../src/indexer/layout/layout.js';
import { keyAt } from '../../../../src/indexer/layout/record.js';
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
  changes.inOrder((bytes, at) => keys.push(toHex(keyAt(bytes, at))));
  expect(keys.length).toBeGreaterThan(2000);
  expect(keys).toEqual([...expected].sort());
  expect(
    changes
      .entries()
      .map(({ key }) => toHex(key))
      .sort(),
  ).toEqual(keys);
});
