/** The batch of an index lies in the order of its keys, however much of them is the same. */
// @ts-nocheck

import { expect, test } from 'vitest';
import { Changes } from '../../src/indexer/changes.js';
import { blockBytes } from '../../src/indexer/layout.js';
import { toHex } from '../support/hex.js';

/** A wallet or an id of one byte again and again, with another one at its end. */
const bytesOf = (width: number, byte: number, last: number) =>
  new Uint8Array(width).fill(byte).fill(last, width - 1);

const block = blockBytes(7);

test('a batch is in the order of its keys, and holds each once', () => {
  const changes = new Changes();
  const expected = new Set<string>();
  for (let i = 0; i < 6000; i++) {
    // Wallets that share nothing, some bytes, or all of them.
    const wallet = bytesOf(20, [0, 0x80, 0xff][i % 3] as number, (i * 7) % 5);
    const contract = (i * 7919) % 700;
    const standard = 1 + (i % 2);
    changes.key('holding').part(wallet).byte(standard).ofContract(contract).put(block);
    const number = contract.toString(16).padStart(10, '0');
    expected.add(`0x48${toHex(wallet).slice(2)}0${standard}${number}`);
    const id = bytesOf(32, 0, (i * 31) % 256);
    changes.key('token').part(wallet).byte(2).ofContract(contract).part(id).delete();
    expected.add(`0x4e${toHex(wallet).slice(2)}02${number}${toHex(id).slice(2)}`);
  }
  const { puts, deletes } = changes.toBatch();
  const put = puts.map(({ key }) => toHex(key));
  const deleted = deletes.map(toHex);
  expect(put.length).toBeGreaterThan(1000);
  expect(deleted.length).toBeGreaterThan(1000);
  expect([...put, ...deleted]).toEqual([...expected].sort());
});
