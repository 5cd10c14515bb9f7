/** What is written is sealed in memory that is used again: not before the store below has it. */
import { expect, test } from 'vitest';
import { keyOf } from '../../../../src/indexer/layout/layout.js';
import { sealed } from '../../../../src/indexer/sealed/sealedStore.js';
import { type Batch, memoryStore, type Store } from '../../../../src/tree/index.js';
import { randomOf } from '../../../support/blocks.js';
import { toHex } from '../../../support/hex.js';

/** A store that reads what it is to write only later, as a database does. */
function slowStore() {
  const inner = memoryStore();
  const begun: (() => void)[] = [];
  const store: Store = {
    ...inner,
    async write(batch: Batch) {
      await new Promise<void>((resolve) => begun.push(resolve));
      await inner.write(batch);
    },
  };
  /** Lets the store read the writes that wait, in some order. */
  const goOn = async (random: (limit: number) => number) => {
    while (begun.length > 0) {
      begun.splice(random(begun.length), 1)[0]?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { store, begun, goOn };
}

test('writes that wait for the store at once keep their values', async () => {
  const random = randomOf(70);
  const { store: inner, begun, goOn } = slowStore();
  const store = sealed(inner);
  const expected = new Map<string, string>();
  for (let round = 0; round < 20; round++) {
    const writes: Promise<void>[] = [];
    for (let i = 0; i <= random(4); i++) {
      const puts = Array.from({ length: 1 + random(5) }, (_, j) => ({
        key: keyOf('undo', Uint8Array.of(round, i, j)),
        value: Uint8Array.from({ length: random(600) }, () => random(256)),
      }));
      for (const { key, value } of puts) expected.set(toHex(key), toHex(value));
      writes.push(store.write({ puts, deletes: [] }));
    }
    while (begun.length < writes.length) await new Promise((resolve) => setImmediate(resolve));
    await goOn(random);
    await Promise.all(writes);
  }
  const all = { from: keyOf('undo'), to: undefined, limit: 1000, reverse: false };
  const { ranges } = await store.read({ keys: [], ranges: [all] });
  const read = (ranges[0] ?? []).filter(({ key }) => expected.has(toHex(key)));
  expect(read.map(({ key, value }) => [toHex(key), toHex(value)])).toEqual([...expected].sort());
  expect(expected.size).toBeGreaterThan(50);
});

test('memory of a write that failed is not used again: the store may still read it', async () => {
  const held: Batch[] = [];
  let isBroken = true;
  const inner = memoryStore();
  const store = sealed({
    ...inner,
    async write(batch: Batch) {
      held.push(batch);
      if (isBroken) throw new Error('out of order');
    },
  });
  const put = (byte: number) => ({
    puts: [{ key: keyOf('undo', Uint8Array.of(byte)), value: new Uint8Array(50).fill(byte) }],
    deletes: [],
  });
  await expect(store.write(put(1))).rejects.toThrow('out of order');
  isBroken = false;
  await store.write(put(2));
  const valueOf = (batch?: Batch) =>
    toHex(batch?.puts[0]?.value.subarray(0, 50) ?? Uint8Array.of());
  expect(valueOf(held[0])).toBe(toHex(new Uint8Array(50).fill(1)));
  expect(valueOf(held[1])).toBe(toHex(new Uint8Array(50).fill(2)));
});
