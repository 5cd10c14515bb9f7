/** Stores that a tree cannot work with, or that fail in ways of their own: the tree says so. */
import { afterEach, expect, test, vi } from 'vitest';
import { memoryStore, openStateTree, type Store, TreeError } from '../../src/tree/index.js';
import { loadingKey } from '../../src/tree/layout.js';
import { nextTurn } from '../../src/tree/meter.js';
import { withAnswers } from '../support/stores.js';

afterEach(() => vi.unstubAllGlobals());

const changes = [{ address: `0x${'11'.repeat(20)}`, account: { nonce: 1, balance: 1 } }] as const;

test('a store in memory that is closed answers nothing, not even what asks for nothing', async () => {
  const store = memoryStore();
  await store.close();
  for (const keys of [[], [Uint8Array.of(1)]]) {
    await expect(store.read({ keys, ranges: [] })).rejects.toMatchObject({ code: 'CLOSED' });
  }
  await expect(store.write({ puts: [], deletes: [] })).rejects.toMatchObject({ code: 'CLOSED' });
});

test.each([
  ['keys', 1, 0],
  ['ranges', 0, 1],
])('a store that does not answer all %s is told', async (_, fewerValues, fewerRanges) => {
  const whole = memoryStore();
  const tree = await openStateTree({ store: whole });
  await tree.applyBlock({ number: 1, changes });
  const store = withAnswers(whole, ({ keys, ranges }, answer) => ({
    values: answer.values.slice(0, Math.max(0, keys.length - fewerValues)),
    ranges: answer.ranges.slice(0, Math.max(0, ranges.length - fewerRanges)),
  }));
  const lossy = await openStateTree({ store });
  await expect(lossy.getProof(changes[0].address)).rejects.toThrow(
    /^the store did not answer all keys and ranges asked \(STORE_FAILED\)/,
  );
});

test('a load that was cut short is told to whoever may only read, and the failure of a write as it is', async () => {
  const inner = memoryStore();
  await inner.write({ puts: [{ key: loadingKey, value: Uint8Array.of(1) }], deletes: [] });
  const opened = (reason: unknown) =>
    openStateTree({ store: { ...inner, write: () => Promise.reject(reason) } }).then(
      () => 'opened',
      (error: unknown) => error,
    );
  const readOnly = new TreeError('READ_ONLY', 'it may only be read');
  expect(await opened(readOnly)).toMatchObject({ code: 'WRONG_STORE', cause: readOnly });
  const full = new TreeError('STORE_FULL', 'there is no room');
  expect(await opened(full)).toBe(full);
  // What a store of others throws, which need not be an error.
  expect(await opened(null)).toBe(null);
});

test('a store that throws what is no error does not hide why a block is refused', async () => {
  const inner = memoryStore();
  const tree = await openStateTree({ store: inner });
  await tree.applyBlock({ number: 1, changes });
  const refusal = async (reason: unknown) => {
    const store: Store = { ...inner, write: () => Promise.reject(reason) };
    const other = await openStateTree({ store });
    return other.applyBlock({ number: 1, changes }).catch(({ code }) => code);
  };
  expect(await refusal(null)).toBe('BLOCK_ORDER');
  expect(await refusal(new TreeError('OTHER_WRITER', 'another one'))).toBe('OTHER_WRITER');
});

test('others have their turn where a platform has timers alone', async () => {
  const turns: string[] = [];
  vi.stubGlobal('setImmediate', undefined);
  setTimeout(() => turns.push('another'), 0);
  await nextTurn();
  expect(turns).toEqual(['another']);
});
