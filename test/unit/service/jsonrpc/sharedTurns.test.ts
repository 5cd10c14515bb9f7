/** Work that several requests wait for. */
import { expect, test } from 'vitest';
import type { AnswerContext } from '../../../../src/service/jsonrpc/method.js';
import { SharedTurns } from '../../../../src/service/jsonrpc/sharedTurns.js';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A request whose pause counts, and can be made to fail. */
function request() {
  const seen = { pauses: 0, units: 0, failure: undefined as Error | undefined };
  const context: AnswerContext = {
    async pause() {
      seen.pauses++;
      await nextTurn();
      if (seen.failure) throw seen.failure;
    },
    charge(units) {
      seen.units += units;
    },
  };
  return { seen, context };
}

/** Work of so many pieces, a unit each. */
const work =
  (pieces: number, log: string[] = []) =>
  async ({ pause, charge }: AnswerContext) => {
    try {
      for (let i = 0; i < pieces; i++) {
        await pause();
        charge(1);
        log.push(`piece ${i}`);
      }
      return log.length;
    } finally {
      log.push('end');
    }
  };

test('those who ask at once share it, and its turns and its cost', async () => {
  const shared = new SharedTurns<number>();
  const [a, b, c] = [request(), request(), request()];
  const log: string[] = [];
  const all = [a, b, c].map(({ context }) => shared.run('x', context, work(30, log)));
  expect(await Promise.all(all)).toEqual([30, 30, 30]);
  expect(log).toHaveLength(31);
  expect([a, b, c].map(({ seen }) => seen.pauses)).toEqual([10, 10, 10]);
  expect([a, b, c].map(({ seen }) => seen.units)).toEqual([10, 10, 10]);
  // Who asks afterwards has it done anew; another name is other work.
  const [d, e] = [request(), request()];
  const later = [shared.run('x', d.context, work(3)), shared.run('y', e.context, work(4))];
  expect(await Promise.all(later)).toEqual([3, 4]);
});

test('a request that ends does not end it for the others, nor do they pay for what it had done', async () => {
  const shared = new SharedTurns<number>();
  const [a, b] = [request(), request()];
  const gone = new Error('gone');
  const first = shared.run('x', a.context, work(10));
  const second = shared.run('x', b.context, work(10));
  await nextTurn();
  a.seen.failure = gone;
  await expect(first).rejects.toBe(gone);
  expect(await second).toBe(10);
  expect(a.seen.units + b.seen.units).toBe(10);
});

test('it ends once nobody waits any more, and can then be asked for anew', async () => {
  const shared = new SharedTurns<number>();
  const [a, b] = [request(), request()];
  const log: string[] = [];
  const asked = [a, b].map(({ context }) => shared.run('x', context, work(1000, log)));
  await nextTurn();
  for (const { seen } of [a, b]) seen.failure = new Error('gone');
  const ends = await Promise.allSettled(asked);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await nextTurn();
  expect(log.at(-1)).toBe('end');
  expect(log.length).toBeLessThan(10);
  expect(await shared.run('x', request().context, work(5))).toBe(5);
});

test('an error of the work is the error of all', async () => {
  const shared = new SharedTurns<number>();
  const wrong = new Error('wrong');
  const fail = async ({ pause }: AnswerContext) => {
    await pause();
    throw wrong;
  };
  const asked = [request(), request()].map(({ context }) => shared.run('x', context, fail));
  for (const one of asked) await expect(one).rejects.toBe(wrong);
});

test('pieces that run side by side each have a turn, of one request or of several', async () => {
  const shared = new SharedTurns<number>();
  const sideBySide = async ({ pause, charge }: AnswerContext) => {
    const piece = async () => {
      for (let i = 0; i < 4; i++) {
        await pause();
        charge(1);
      }
    };
    await Promise.all([piece(), piece(), piece()]);
    return 12;
  };
  const alone = request();
  expect(await shared.run('x', alone.context, sideBySide)).toBe(12);
  expect(alone.seen).toMatchObject({ pauses: 12, units: 12 });
  const [a, b] = [request(), request()];
  const both = [a, b].map(({ context }) => shared.run('y', context, sideBySide));
  expect(await Promise.all(both)).toEqual([12, 12]);
  expect(a.seen.pauses + b.seen.pauses).toBe(12);
  // One that goes away meanwhile is left out; the work goes on by the other.
  const [c, d] = [request(), request()];
  const [first, second] = [c, d].map(({ context }) => shared.run('z', context, sideBySide));
  await nextTurn();
  c.seen.failure = new Error('gone');
  await expect(first).rejects.toBe(c.seen.failure);
  expect(await second).toBe(12);
  expect(c.seen.units + d.seen.units).toBe(12);
});

test('who asks once the last one has gone has it begun anew, though what was begun has not ended yet', async () => {
  const shared = new SharedTurns<number>();
  const gone = request();
  const endless = async ({ pause }: AnswerContext): Promise<number> => {
    try {
      for (;;) await pause();
    } finally {
      await nextTurn();
    }
  };
  const asked = shared.run('x', gone.context, endless);
  await nextTurn();
  gone.seen.failure = new Error('gone');
  await expect(asked).rejects.toBe(gone.seen.failure);
  expect(await shared.run('x', request().context, work(5))).toBe(5);
});
