/** Work that several ask for at once is done once, and ends when nobody waits for it any more. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SharedWork } from '../../src/sharedWork.js';

/** Work that ends when it is told to, and counts how often it was begun. */
function startable() {
  const begun: { signal: AbortSignal; end(value: string): void; fail(error: Error): void }[] = [];
  const work = (signal: AbortSignal) =>
    new Promise<string>((end, fail) => {
      begun.push({ signal, end, fail });
    });
  return { begun, work };
}

test('the same work is done once for all who ask meanwhile, and anew for who asks later', async () => {
  const shared = new SharedWork<string, string>();
  const { begun, work } = startable();
  const asked = [shared.run('a', undefined, work), shared.run('a', undefined, work)];
  const other = shared.run('b', undefined, work);
  expect(begun).toHaveLength(2);
  begun[0]?.end('first');
  begun[1]?.end('other');
  expect(await Promise.all([...asked, other])).toEqual(['first', 'first', 'other']);
  const later = shared.run('a', undefined, work);
  begun[2]?.end('second');
  expect(await later).toBe('second');
});

test('an error is told to all, and is not kept', async () => {
  const shared = new SharedWork<string, string>();
  const { begun, work } = startable();
  const asked = [1, 2].map(() => shared.run('a', undefined, work));
  const error = new Error('no answer');
  begun[0]?.fail(error);
  for (const one of asked) await expect(one).rejects.toBe(error);
  const later = shared.run('a', undefined, work);
  begun[1]?.end('answer');
  expect(await later).toBe('answer');
});

test('one who gives up leaves the work to the others, and the last one ends it', async () => {
  const shared = new SharedWork<string, string>();
  const { begun, work } = startable();
  const [first, second] = [new AbortController(), new AbortController()];
  const reason = new Error('enough');
  const asked = [first, second].map(({ signal }) => shared.run('a', signal, work));
  first.abort(reason);
  await expect(asked[0]).rejects.toBe(reason);
  expect(begun[0]?.signal.aborted).toBe(false);
  second.abort(reason);
  await expect(asked[1]).rejects.toBe(reason);
  expect(begun[0]?.signal.aborted).toBe(true);
  // Nobody hears it fail.
  begun[0]?.fail(new Error('ended'));
  await sleep(1);
  const anew = shared.run('a', undefined, work);
  expect(begun).toHaveLength(2);
  begun[1]?.end('anew');
  expect(await anew).toBe('anew');
  await expect(shared.run('a', first.signal, work)).rejects.toBe(reason);
  expect(begun).toHaveLength(2);
});
