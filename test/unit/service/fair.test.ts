/** One who asks for much does not keep the others waiting: neither another key, nor timers, nor `/health`. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createQueue } from '../../../src/service/limits/queue.js';
import { ask, type Served, serveWorld, world } from '../../support/service.js';
import { until } from '../../support/until.js';

describe('the queue', () => {
  /** Runs jobs of so many pieces each. @returns the order in which flows had their turns */
  async function turnsOf(jobs: readonly { flow: number; pieces: number }[]): Promise<number[]> {
    const queue = createQueue();
    const order: number[] = [];
    await Promise.all(
      jobs.map(async ({ flow, pieces }) => {
        const turns = queue.enter(flow, 1);
        for (let i = 0; i < pieces; i++) {
          await turns.next();
          order.push(flow);
        }
        turns.leave();
      }),
    );
    return order;
  }

  test('goes around flows, however many jobs one has', async () => {
    const greedy = Array.from({ length: 10 }, () => ({ flow: 0, pieces: 10 }));
    const turns = await turnsOf([...greedy, { flow: 1, pieces: 3 }, { flow: 2, pieces: 3 }]);
    expect(turns).toHaveLength(106);
    expect(turns.slice(0, 9)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });

  test('serves a flow that asks now and then before the next piece of one that always waits', async () => {
    const queue = createQueue();
    const order: string[] = [];
    const work = async (name: string, flow: number, pieces: number) => {
      const turns = queue.enter(flow, 100);
      for (let i = 0; i < pieces; i++) {
        await turns.next();
        order.push(name);
        // It comes during a piece of another, of whose flow more wait already.
        if (name === 'a' && i === 2) void work('modest', 1, 1);
      }
      turns.leave();
    };
    await Promise.all([work('a', 0, 5), work('b', 0, 5), work('c', 0, 5)]);
    const third = order.flatMap((name, i) => (name === 'a' ? [i] : []))[2] as number;
    expect(order.indexOf('modest')).toBe(third + 1);
  });

  /** Runs jobs of one flow. @returns the order in which they had their turns */
  async function namesOf(
    jobs: readonly { name: string; cost: number; pieces: number }[],
  ): Promise<string[]> {
    const queue = createQueue();
    const order: string[] = [];
    await Promise.all(
      jobs.map(async ({ name, cost, pieces }) => {
        const turns = queue.enter(0, cost);
        for (let i = 0; i < pieces; i++) {
          await turns.next();
          order.push(name);
        }
        turns.leave();
      }),
    );
    return order;
  }

  test('ends equal jobs of a flow in the order in which they came', async () => {
    const order = await namesOf(
      Array.from({ length: 64 }, (_, i) => ({ name: String(i), cost: 10, pieces: 10 })),
    );
    const ends = Array.from({ length: 64 }, (_, i) => order.lastIndexOf(String(i)));
    expect(ends).toEqual(Array.from({ length: 64 }, (_, i) => 10 * (i + 1) - 1));
  });

  test('goes around the jobs of a flow that take more pieces than they said', async () => {
    const order = await namesOf([
      { name: 'liar', cost: 1, pieces: 1000 },
      { name: 'b', cost: 1, pieces: 1 },
      { name: 'c', cost: 1, pieces: 1 },
    ]);
    expect(order.lastIndexOf('b')).toBeLessThan(6);
    expect(order.lastIndexOf('c')).toBeLessThan(8);
  });

  test('lets a light job of the same flow overtake, and the heavy ones end', async () => {
    const queue = createQueue();
    const order: string[] = [];
    const job = async (name: string, pieces: number) => {
      const turns = queue.enter(0, pieces);
      for (let i = 0; i < pieces; i++) {
        await turns.next();
        order.push(name);
      }
      turns.leave();
    };
    const heavy = Array.from({ length: 20 }, () => job('heavy', 10));
    await queue.enter(1, 1).next();
    const light = Array.from({ length: 5 }, () => job('light', 1));
    await Promise.all([...heavy, ...light]);
    const last = order.lastIndexOf('light');
    expect(last).toBeLessThan(15);
    expect(order.slice(0, last)).toContain('heavy');
    expect(order).toHaveLength(205);
  });

  test('gives way to timers and input after a few milliseconds of pieces', async () => {
    const queue = createQueue();
    let pieces = 0;
    const work = async () => {
      const turns = queue.enter(0, 1);
      for (; pieces < 40; pieces++) {
        await turns.next();
        const end = performance.now() + 1;
        while (performance.now() < end);
      }
      turns.leave();
    };
    const done = Promise.all([work(), work()]);
    const seen = new Set<number>();
    while (pieces < 40) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      seen.add(pieces);
    }
    await done;
    expect(seen.size).toBeGreaterThanOrEqual(10);
  });

  test('gives connections that have come at once most turns, and the pieces some', async () => {
    const queue = createQueue();
    let pieces = 0;
    let connections = 0;
    let isOver = false;
    // As Node does it: one connection a turn of the event loop.
    const accept = () => {
      if (isOver) return;
      connections += 1;
      queue.noteConnection();
      setImmediate(accept);
    };
    setImmediate(accept);
    const turns = queue.enter(0, 1);
    for (; pieces < 20; pieces++) {
      await turns.next();
      const end = performance.now() + 4;
      while (performance.now() < end);
    }
    turns.leave();
    isOver = true;
    // Without the word of them: about one for each piece.
    expect(connections).toBeGreaterThan(10 * pieces);
    expect(connections).toBeLessThan(20 * pieces);
  });

  test.each([
    [8, 0],
    [9, 1],
  ])('begins a request of cost %i %i turns after what is short', async (cost, later) => {
    let turn = 0;
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    const queue = createQueue();
    const began: number[] = [];
    const job = async (flow: number, cost: number) => {
      const turns = queue.enter(flow, cost);
      await turns.next();
      began.push(turn);
      turns.leave();
    };
    await Promise.all([job(0, 1), job(1, cost), job(2, 1)]);
    clearImmediate(next);
    const [first = Number.NaN, ...others] = began;
    expect(others).toEqual([first + later, first + later]);
  });

  test('paces what is short, one a turn, and hands on what its work gives', async () => {
    let turn = 0;
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    const queue = createQueue();
    const began = await Promise.all(
      [0, 0, 0, 0].map((flow) => queue.pace(flow, false, () => turn)),
    );
    clearImmediate(next);
    const [first = Number.NaN] = began;
    expect(began).toEqual([first, first + 1, first + 2, first + 3]);
    const failing = queue.pace(0, false, () => {
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    await expect(queue.enter(0, 1).next()).resolves.toBeUndefined();
  });

  test('does one piece a turn of each flow while flows take turns, and many if there is one', async () => {
    let turn = 0;
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    /** @returns in how many turns 40 pieces of a flow were done */
    async function turnsOfFlow(flow: number, queue = createQueue()): Promise<number> {
      const pieces = Array.from({ length: 40 }, async () => {
        const turns = queue.enter(flow, 1);
        await turns.next();
        turns.leave();
        return turn;
      });
      return new Set(await Promise.all(pieces)).size;
    }
    expect(await turnsOfFlow(0)).toBeLessThan(10);
    const shared = createQueue();
    const both = await Promise.all([turnsOfFlow(0, shared), turnsOfFlow(1, shared)]);
    clearImmediate(next);
    expect(both).toEqual([40, 40]);
  });

  test('begins what comes after a turn in the next one, with all else that has come', async () => {
    const queue = createQueue();
    const early = queue.enter(0, 1);
    await early.next();
    early.leave();
    // The turn has time left: as if input were read in it.
    const order: string[] = [];
    const jobs = ['a', 'b'].map(async (name) => {
      await queue.enter(0, 1).next();
      order.push(name);
    });
    await new Promise((resolve) => {
      process.nextTick(resolve);
    });
    expect(order).toEqual([]);
    await Promise.all(jobs);
    expect(order).toEqual(['a', 'b']);
  });

  test('does not wait for a piece that waits for something else', async () => {
    const queue = createQueue();
    const stuck = queue.enter(0, 1);
    void stuck.next().then(() => new Promise(() => {}));
    const other = queue.enter(0, 1);
    for (let i = 0; i < 3; i++) await other.next();
    await expect(queue.enter(1, 1).next()).resolves.toBeUndefined();
  });
});

const { wallet, contract, slot } = world;
const light = JSON.stringify(ask([wallet, [], 'latest']));
const slots = Array.from({ length: 256 }, (_, i) => slot(1000 + i));
const heavy = JSON.stringify(ask([contract, slots, 'latest']));

let served: Served | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

test('during 20 requests of 256 slots, /health and another key are answered', async () => {
  served = await serveWorld({
    keys: ['greedy-key', 'modest-key'],
    limits: { requestsPerSecond: Infinity, time: 120_000 },
  });
  const { url } = served;
  const post = async (key: string, body: string) => {
    const response = await fetch(`${url}/v3/${key}`, { method: 'POST', body });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  };
  // Saved from here on: the heavy requests are new to the server, this one is not.
  await post('modest-key', light);

  let ended = 0;
  const burst = Array.from({ length: 20 }, async () => {
    await post('greedy-key', heavy);
    ended++;
  });
  // Counted, not timed: requests that are made one after the other leave no turn to another key before they end.
  let answered = 0;
  while (ended === 0) {
    await post('modest-key', light);
    await (await fetch(`${url}/health`)).text();
    answered++;
  }
  await Promise.all(burst);
  expect(answered).toBeGreaterThan(10);
}, 240_000);

test.each([
  ['/health', {}, 0.5],
  ['/nowhere', {}, 0.5],
  ['/v3/wrong-key', { method: 'POST', body: light }, 0.5],
  ['/v3/modest-key', { method: 'POST', body: '{' }, 1],
])('what nobody pays for is answered so often at most: %s %o', async (path, init, ms) => {
  served = await serveWorld({ keys: ['modest-key'] });
  const { url } = served;
  const start = performance.now();
  const all = Array.from({ length: 60 }, async () => (await fetch(url + path, init)).text());
  await Promise.all(all);
  expect(performance.now() - start).toBeGreaterThan(59 * ms - 2);
});

const lightCall = (key: string, body = light) =>
  `POST /v3/${key} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

test.each([
  ['/health', get('/health')],
  ['/ready', get('/ready')],
  ['a path that is not there', get('/nowhere')],
  ['a wrong key', lightCall('wrong-key')],
  ['a body that is no JSON', lightCall('greedy-key', '{')],
])(
  'a crowd that asks for %s, which takes no work, does not go before a light request',
  async (_, asked) => {
    served = await serveWorld({ keys: ['greedy-key', 'modest-key'] });
    const { port } = served.server;
    const open = async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    };
    const crowd = await Promise.all(Array.from({ length: 100 }, open));
    const modest = await open();
    let answers = 0;
    for (const socket of crowd) {
      socket.on('data', () => {
        answers += 1;
      });
    }
    for (const socket of crowd) socket.write(asked);
    modest.write(lightCall('modest-key'));
    await once(modest, 'data');
    // Counted, not timed: they came first, and were answered first, all of them.
    expect(answers).toBeLessThan(70);
    await until(() => answers === 100, 'all are answered');
    for (const socket of [...crowd, modest]) socket.destroy();
  },
);

test('one request of many slots ends with its time, although it never waits for anything', async () => {
  served = await serveWorld({ limits: { time: 50, storageKeys: 16_384, bodyBytes: 2_000_000 } });
  const many = Array.from({ length: 16_384 }, (_, i) => slot(1000 + i));
  const reply = await served.post(ask([contract, many, 'latest']));
  // The time may be over while the body is still on its way: that depends on the machine.
  expect([
    [408, 'the body did not come in 50 ms'],
    [504, 'no answer within 50 ms'],
  ]).toContainEqual([reply.status, reply.body.error.message]);
});
