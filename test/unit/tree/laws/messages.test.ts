/** What the laws of a store say of one that breaks them: the first thing that is wrong, once. */
import { expect, test } from 'vitest';
import { memoryStore, type Store, storeLaws, TreeError } from '../../../../src/tree/index.js';

/** How the check of a law ends. */
const outcomeOf = (law: string, open: () => Promise<Store>): Promise<unknown> => {
  const found = storeLaws(open).find(({ name }) => name === law);
  return (found as { check: () => Promise<void> }).check().then(
    () => 'kept',
    (error: unknown) => error,
  );
};

/** The refusal of a law, by all of its message. */
const broken = (law: string, what: string) =>
  expect.objectContaining({
    code: 'LAW_BROKEN',
    message: `the store breaks the law "${law}": ${what} (LAW_BROKEN)`,
  });

const closing = 'calls that come after the end fail';
const pausing = 'what a pause throws ends the call and comes out as it is, if the store pauses';

test('a call that should have failed is named', async () => {
  const open = async () => ({ ...memoryStore(), close: async () => {} });
  expect(await outcomeOf(closing, open)).toEqual(
    broken(closing, 'a read: expected an error, but it succeeded'),
  );
});

test('a long call that fails by itself is told from one that a pause has ended', async () => {
  const inner = memoryStore();
  const open = async (): Promise<Store> => ({
    ...inner,
    read: async (request) => {
      if (request.keys.length > 1000) throw new Error('too many keys');
      return inner.read(request);
    },
  });
  expect(await outcomeOf(pausing, open)).toEqual(broken(pausing, 'a long call fails'));
});

test.each<[string, unknown, string]>([
  ['an error', new Error('no room'), 'no room'],
  ['an error of trees', new TreeError('STORE_FULL', 'no room'), 'no room (STORE_FULL)'],
  ['no error', null, 'null'],
])('what a store fails with is in the message: %s', async (_, reason, what) => {
  const open = async () => ({ ...memoryStore(), write: () => Promise.reject(reason) });
  const [law] = storeLaws(open);
  const name = (law as { name: string }).name;
  const error = await outcomeOf(name, open);
  expect(error).toEqual(broken(name, `a call fails: ${what}`));
  expect(error).toMatchObject({ cause: reason });
});
