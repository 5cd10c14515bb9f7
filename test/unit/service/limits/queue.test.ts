/** Pieces that begin together: short ones, of whoever is next, and no others. */
import { describe, expect, test } from 'vitest';
import { createQueue, freeFlows, type Queue } from '../../../../src/service/limits/queue.js';

/** Requests of one piece each, which takes two hops of a promise, and how many were under way when each began. */
async function run(
  queue: Queue,
  requests: readonly { flow: number; cost?: number; isShort?: boolean }[],
): Promise<{ flow: number; beside: number }[]> {
  const begun: { flow: number; beside: number }[] = [];
  let open = 0;
  await Promise.all(
    requests.map(async ({ flow, cost = 1, isShort = true }) => {
      const turns = queue.enter(flow, cost, isShort);
      await turns.next();
      begun.push({ flow, beside: open });
      open += 1;
      await undefined;
      await undefined;
      open -= 1;
      turns.leave();
    }),
  );
  return begun;
}

const besides = (begun: readonly { beside: number }[]) => begun.map(({ beside }) => beside);

describe('pieces that are short', () => {
  test('begin four at a time, and the next four when these have ended', async () => {
    const begun = await run(createQueue(), new Array(9).fill({ flow: 1 }));
    expect(besides(begun)).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0]);
  });

  test('do not wait for one that waits for something else', async () => {
    const queue = createQueue();
    const waiting = queue.enter(1, 1, true);
    await waiting.next();
    const begun = await run(queue, new Array(5).fill({ flow: 1 }));
    expect(begun).toHaveLength(5);
    waiting.leave();
  });

  test('are taken from all flows in turn', async () => {
    const flows = [1, 1, 1, 1, 1, 2].map((flow) => ({ flow }));
    const begun = await run(createQueue(), flows);
    expect(begun.slice(0, 2).map(({ flow }) => flow)).toEqual([1, 2]);
  });
});

describe('a piece that is not short', () => {
  test('begins alone', async () => {
    const begun = await run(createQueue(), new Array(5).fill({ flow: 1, isShort: false }));
    expect(besides(begun)).toEqual([0, 0, 0, 0, 0]);
  });

  test('ends a row of short ones', async () => {
    const short = { flow: 1 };
    const long = { flow: 1, cost: 5, isShort: false };
    const begun = await run(createQueue(), [short, short, long]);
    // Requests that cost least and those that came first take turns.
    expect(besides(begun)).toEqual([0, 1, 0]);
  });
});

describe('what is paced', () => {
  /** Does so many at once. @returns ms until the last is done */
  async function paceAll(queue: Queue, flow: number, isUnpaid: boolean, count: number) {
    const start = performance.now();
    const all = Array.from({ length: count }, () => queue.pace(flow, isUnpaid, () => undefined));
    await Promise.all(all);
    return performance.now() - start;
  }

  test.each([
    ['without a key', freeFlows.routes, 0.5],
    ['with a wrong one', freeFlows.refusals, 0.5],
    ['of a key, refused', 0, 1],
  ])('comes so often at most if nobody pays for it: %s', async (_, flow, ms) => {
    // A timer may be early by a part of a ms.
    expect(await paceAll(createQueue(), flow, true, 81)).toBeGreaterThan(80 * ms - 2);
  });

  test('keeps nobody else', async () => {
    const queue = createQueue();
    const ended: string[] = [];
    const slow = paceAll(queue, freeFlows.routes, true, 200).then(() => ended.push('unpaid'));
    await paceAll(queue, freeFlows.keyedRoutes, false, 20).then(() => ended.push('paid'));
    await paceAll(queue, freeFlows.refusals, true, 1).then(() => ended.push('another flow'));
    await slow;
    expect(ended).toEqual(['paid', 'another flow', 'unpaid']);
  });
});
