/** Stores that a tree cannot work with, or that fail in ways of their own: the tree says so. */
import { afterEach, expect, test, vi } from 'vitest';
import { yieldToEventLoop } from '../../../src/concurrent.js';
import { memoryStore, openStateTree, type Store, TreeError } from '../../../src/tree/index.js';
import { loadingKey, topNodeKey } from '../../../src/tree/layout/layout.js';
import { finallyDo } from '../../../src/tree/store/maybePromise.js';
import { withAnswers } from '../../support/stores.js';

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

test('a load that was cut short is told to a reader that may not write, and the failure of a write as it is', async () => {
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

test('others have their turn, whatever the platform has for it', async () => {
  const turns: string[] = [];
  setImmediate(() => turns.push('immediate'));
  await yieldToEventLoop();
  expect(turns).toEqual(['immediate']);
  vi.stubGlobal('setImmediate', undefined);
  setTimeout(() => turns.push('timer'), 0);
  await yieldToEventLoop();
  expect(turns).toEqual(['immediate', 'timer']);
});

test('work is ended once, when its result is there or it has failed', async () => {
  const ended: string[] = [];
  const end = (name: string) => () => void ended.push(name);
  const failing = () => {
    throw new Error('failed');
  };
  expect(finallyDo(() => 5, end('at once'))).toBe(5);
  expect(() => finallyDo(failing, end('failed'))).toThrow('failed');
  const later = finallyDo(() => Promise.resolve(6), end('later'));
  expect(ended).toEqual(['at once', 'failed']);
  expect(await later).toBe(6);
  expect(ended).toEqual(['at once', 'failed', 'later']);
});

test('a tree that is closed says so itself, whatever its store would do', async () => {
  const store: Store = { ...memoryStore(), close: async () => {} };
  const tree = await openStateTree({ store });
  await tree.close();
  await expect(tree.newestBlock()).rejects.toThrow(/^the state tree is closed \(CLOSED\)/);
  await expect(tree.openLoad()).rejects.toThrow(/^the state tree is closed \(CLOSED\)/);
});

test('a block that writes no slot of an account reads nothing of its storage', async () => {
  const inner = memoryStore();
  const read = new Set<string>();
  const store: Store = {
    ...inner,
    read(request, pause) {
      for (const key of request.keys) read.add(Buffer.from(key).toString('hex'));
      return inner.read(request, pause);
    },
  };
  const tree = await openStateTree({ store });
  const slot = { key: `0x${'22'.repeat(32)}`, value: `0x${'33'.repeat(32)}` } as const;
  await tree.applyBlock({ number: 1, changes: [{ ...changes[0], storage: [slot] }] });
  /** Whether a block has the top node of the account's storage tree read. */
  const reads = async (number: number, storage: (typeof slot)[]) => {
    read.clear();
    await tree.applyBlock({ number, changes: [{ ...changes[0], storage }] });
    return read.has(Buffer.from(topNodeKey(2)).toString('hex'));
  };
  expect(await reads(2, [slot])).toBe(true);
  expect(await reads(3, [])).toBe(false);
});
