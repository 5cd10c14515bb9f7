/** Answers that are read in looks: a write between two reads, and what is known of an earlier version. */
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/index.js';
import {
  type Look,
  memoryStore,
  openStateTree,
  type ReadRequest,
  type StateTree,
  type Store,
  TreeError,
} from '../../../../src/tree/index.js';
import { digits } from '../../../support/reference.js';
import { looking } from '../../../support/stores.js';

const word = (value: number): Hex => `0x${digits(BigInt(value))}`;
const addressOf = (value: number): Hex => `0x${digits(BigInt(value), 20)}`;
const blockOf = (number: number) => ({
  number,
  changes: [1, 2, 3].map((i) => ({
    address: addressOf(i),
    account: { nonce: number, balance: 1 },
    storage: [{ key: word(i), value: word(number) }],
  })),
});

/** A writer, and a reader whose store has something done before each of its reads. */
async function opened(before: (reads: number, writer: StateTree) => Promise<void> | undefined) {
  const inner = memoryStore();
  const writer = await openStateTree({ store: inner });
  await writer.applyBlock(blockOf(1));
  const counts = { reads: 0, looks: 0, snapshots: 0 };
  const lookedAt = looking(inner);
  const store: Store = {
    ...lookedAt,
    look() {
      counts.looks++;
      const { version, read } = lookedAt.look?.() as Look;
      return {
        version,
        async read(request: ReadRequest) {
          counts.reads++;
          await before(counts.reads, writer);
          return read(request);
        },
      };
    },
    snapshot() {
      counts.snapshots++;
      return inner.snapshot();
    },
  };
  const reader = await openStateTree({ store });
  return { writer, reader, counts };
}

const question: [Hex, Hex[]] = [addressOf(1), [word(1), word(2)]];

test('an answer takes one look if nothing is written', async () => {
  const { writer, reader, counts } = await opened(() => undefined);
  expect(await reader.getProof(...question)).toEqual(await writer.getProof(...question));
  expect(counts).toMatchObject({ looks: 1, snapshots: 0 });
});

describe('a write before a read', () => {
  test.each([1, 2, 3])('(number %i) has the answer begin again, once', async (when) => {
    let number = 1;
    const { writer, reader, counts } = await opened(async (reads, { applyBlock }) => {
      if (reads === when) await applyBlock(blockOf(++number));
    });
    for (const block of [undefined, 1]) {
      const answer = await reader.getProof(...question, block);
      expect(answer).toEqual(await writer.getProof(...question, block));
    }
    expect(number).toBe(2);
    // Before the first read there is nothing that it could contradict.
    expect(counts).toMatchObject({ looks: when === 1 ? 2 : 3, snapshots: 0 });
  });

  test('(each of them) has it end with a snapshot', async () => {
    let number = 1;
    const { reader, counts } = await opened(async (_, { applyBlock }) => {
      await applyBlock(blockOf(++number));
    });
    const { accountProof } = await reader.getProof(...question);
    expect(counts).toMatchObject({ looks: 2, snapshots: 1 });
    // The state of the snapshot, behind the last write.
    expect(await reader.newestBlock()).toBe(number);
    expect(accountProof.key).toBe(addressOf(1));
  });
});

test('an answer that is known is not given before the store was asked whether it still holds', async () => {
  const { writer, reader, counts } = await opened(() => undefined);
  const ask = () => reader.newestBlock();
  expect([await ask(), await ask()]).toEqual([1, 1]);
  const { reads } = counts;
  expect(await ask()).toBe(1);
  // It knows the answer, and asks whether it does.
  expect(counts.reads).toBe(reads + 1);
  await writer.applyBlock(blockOf(2));
  expect(await ask()).toBe(2);
});

test('a state that is marked as wrong by another process is read no more', async () => {
  const { writer, reader } = await opened(() => undefined);
  await reader.getProof(...question);
  await writer.distrust('for a test');
  await expect(reader.getProof(...question)).rejects.toMatchObject({ code: 'DISTRUSTED' });
});

test('what else a look fails with ends the answer, and comes out as it is', async () => {
  const failure = new TreeError('STORE_FAILED', 'no connection');
  let fails = true;
  const { reader, counts } = await opened(() => (fails ? Promise.reject(failure) : undefined));
  await expect(reader.getProof(...question)).rejects.toBe(failure);
  expect(counts).toMatchObject({ looks: 1, snapshots: 0 });
  fails = false;
  await reader.getProof(...question);
});
