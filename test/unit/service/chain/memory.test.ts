/** The parts of the decoder's memory, each by itself: what is read back, what is forgotten, and what a node's word costs. */
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createCache } from '../../../../src/service/chain/cache.js';
import { type BlockId, createFinalizedHead } from '../../../../src/service/chain/finalizedHead.js';
import { openRecords, type RecordKey } from '../../../../src/service/chain/records.js';
import { readToken } from '../../../../src/service/chain/tokenRecord.js';
import { memoryStore, type Store } from '../../../../src/tree/index.js';

const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const hash = word(7);
const recordKey: RecordKey = { chainId: 1, hash };
const block: BlockId = { number: 5, hash: word(5) };

test.each([
  ['null', null],
  ['a number', 7],
  ['a token without an address', { standards: [] }],
  ['a token without standards', { address: `0x${'ab'.repeat(20)}` }],
])('%s is no token that was kept', (_, value) => {
  expect(readToken(value)).toBeUndefined();
});

/** A chain that has the hashes given, all of them final. */
function chainOf(hashes: Map<number, Hex>) {
  const node = {
    // A real node is asked in hex.
    hashAt: async (number: number) => hashes.get(Number(`0x${number.toString(16)}`)),
    async finalBlock(): Promise<BlockId | undefined> {
      const number = Math.max(...hashes.keys());
      return { number, hash: hashes.get(number) as Hex };
    },
  };
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const open = (recheck: number) =>
    createFinalizedHead({ node, recheck, patience: 600_000, onError });
  return { node, errors, open };
}

describe('what a database holds', () => {
  async function open(store: Store = memoryStore()) {
    const hashes = new Map([[5, block.hash]]);
    const { node, open } = chainOf(hashes);
    const records = await openRecords(store, 1_000_000, undefined);
    const read = (value: unknown) => (typeof value === 'string' ? value : undefined);
    const head = open(0);
    await head.newest();
    const cache = createCache<string>({
      ...{ head, node, maxBytes: 10_000, sizeOf: (value) => value.length },
      database: { records, keyOf: () => recordKey, read },
    });
    return { hashes, records, cache };
  }

  const whole = { number: 5, hash: block.hash, value: 'kept' };

  /** Keeps a value, until it is there. */
  async function keep(records: Awaited<ReturnType<typeof openRecords>>, value: unknown) {
    records.set(recordKey, value);
    await expect.poll(() => records.get(recordKey)).toEqual(JSON.parse(JSON.stringify(value)));
  }

  test('is given back', async () => {
    const { records, cache } = await open();
    await keep(records, whole);
    expect(await cache.get('a')).toMatchObject({ value: 'kept', block });
  });

  test.each<[string, unknown]>([
    ['a number', 7],
    ['null', null],
    ['an entry without a height', { ...whole, number: undefined }],
    // The chain does not reach that height: it has no hash there either.
    ['an entry without a hash', { number: 1000, value: 'kept' }],
    ['an entry without a value', { ...whole, value: undefined }],
  ])('is not given back if it is %s', async (_, value) => {
    const { records, cache } = await open();
    await keep(records, value);
    expect(await cache.get('a')).toBeUndefined();
  });

  test('is forgotten once its block has left the chain, even if that comes back', async () => {
    const { hashes, records, cache } = await open();
    await keep(records, whole);
    hashes.set(5, word(99));
    expect(await cache.get('a')).toBeUndefined();
    await expect.poll(() => records.get(recordKey)).toBeUndefined();
    hashes.set(5, block.hash);
    expect(await cache.get('a')).toBeUndefined();
  });

  test('is not asked for once a change could not be written: it may be an old one', async () => {
    const inner = memoryStore();
    let isFull = false;
    const full = () => Promise.reject(new Error('the disk is full'));
    const store: Store = { ...inner, write: (batch) => (isFull ? full() : inner.write(batch)) };
    const records = await openRecords(store, 1_000_000, undefined);
    const other: RecordKey = { chainId: 2, hash };
    await keep(records, whole);
    isFull = true;
    records.delete(recordKey);
    records.set(other, whole);
    await expect.poll(() => records.get(other)).toBeUndefined();
    expect(await records.get(recordKey)).toBeUndefined();
    await records.close();
  });
});

describe("a node's word of what is final", () => {
  test('is not waited for if an answer can be given at once, and then none is needed', async () => {
    const { node, open } = chainOf(new Map([[5, block.hash]]));
    const [old, young] = [open(0), open(600_000)];
    for (const head of [old, young]) {
      await head.newest();
      const cache = createCache<string>({ head, node, maxBytes: 10_000, sizeOf: () => 1 });
      cache.set('a', { value: 'kept', block }, head.knownReorgCount);
      expect(cache.peek('a')).toBe(head === young ? 'kept' : undefined);
      expect(await cache.get('a')).toMatchObject({ value: 'kept' });
    }
  });

  test('leaves no timer behind, and its failure is told', async () => {
    const { node, errors, open } = chainOf(new Map([[5, block.hash]]));
    const head = open(0);
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
    const before = timers();
    expect(await head.reorgCount()).toBe(0);
    const failure = new Error('away');
    node.finalBlock = () => Promise.reject(failure);
    expect(await head.reorgCount()).toBe(0);
    expect(errors).toEqual([failure]);
    expect(timers()).toBe(before);
  });
});
