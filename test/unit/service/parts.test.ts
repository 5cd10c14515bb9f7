/** Parts of the service by themselves: what is refused for which reason, and what is left behind. */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { startDeadline } from '../../../src/deadline.js';
import { isSentToLoopback } from '../../../src/loopback.js';
import { readRequestText } from '../../../src/service/http/body.js';
import {
  createDataInterface,
  createDecoder,
  createMetrics,
  createProxy,
  createService,
  fixedFinality,
  type ServiceOptions,
  startServer,
  sumMetrics,
} from '../../../src/service/index.js';
import { createScheduler } from '../../../src/service/jsonrpc/scheduler.js';
import { createQueue } from '../../../src/service/limits/queue.js';
import { createWrongKeyLog } from '../../../src/service/watch/wrongKeys.js';
import { openStateTree, TreeError } from '../../../src/tree/index.js';
import type { RpcAnswer } from '../../support/answers.js';
import { ask, openWorld, type Served, serveWorld, world } from '../../support/service.js';

const { wallet, nobody } = world;
let served: Served | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

describe('options', () => {
  test.each<[string, Partial<ServiceOptions>]>([
    ['half a place', { limits: { concurrent: 1.5 } }],
    ['a time beyond what timers take', { limits: { time: 2 ** 31 } }],
    ['a chain of 257 bits', { chainId: 2n ** 256n }],
    ['a key that is no text', { keys: [12_345_678 as never] }],
  ])('with %s are refused', async (_, options) => {
    await expect(serveWorld(options)).rejects.toThrow(RangeError);
  });

  test('with a part of what belongs together are refused', async () => {
    const tree = await openWorld();
    const finality = fixedFinality(world.finality);
    const decoder = await createDecoder({ chains: [{ name: 'a', url: 'http://127.0.0.1:9' }] });
    const parts = 'the service expected "tree" and "finality", or a "decoder", or all three';
    const refused = async (options: object, message: string) => {
      const error = await createService(options).catch((reason) => reason);
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(message);
    };
    for (const options of [{}, { tree }, { finality }, { tree, decoder }, { finality, decoder }]) {
      await refused(options, parts);
    }
    const without = '"data" expected the "decoder" that it was made with beside it';
    await refused({ tree, finality, data: {} }, without);
    await refused({ decoder, data: {} }, '"data" expected a result of createDataInterface');
    await refused({ decoder: {} }, '"decoder" expected a result of createDecoder');
    for (const [options, message] of [
      [{ chains: { length: 1 } }, '"chains" expected an array of at least one chain'],
      [{ chains: [{ name: 'a' }], recheck: 0.5 }, '"recheck" expected a whole number from 0'],
    ] as const) {
      const made = createDataInterface({ decoder, ...options } as never);
      await expect(made).rejects.toThrow(message);
    }
    await decoder.close();
    await tree.close();
  });

  test('of a proxy are named by what is wrong', async () => {
    const provider = { request: async () => null };
    const text = '"provider" expected an object with a function "request"';
    for (const options of [{}, { provider: {} }]) {
      await expect(createProxy(options as never)).rejects.toThrow(new TypeError(text));
    }
    await expect(createProxy({ provider, cors: ['app.example'] })).rejects.toThrow(/CORS origin/);
  });
});

describe('a proxy', () => {
  const said = async (error: unknown) => {
    const proxy = await createProxy({ provider: { request: () => Promise.reject(error) } });
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ask([], 1, 'x')),
    });
    return ((await (await proxy.fetch(request)).json()) as RpcAnswer).error;
  };

  test.each<[string, unknown]>([
    ['a code that is no whole number', { code: 'ECONNREFUSED', message: 'http://127.0.0.1:1' }],
    ['a message that is no text', { code: 4001, message: 7 }],
  ])('shows no error with %s', async (_, error) => {
    expect(await said(error)).toEqual({ code: -32603, message: 'internal error' });
  });

  test('shows an error with both', async () => {
    expect(await said({ code: 4001, message: 'no' })).toEqual({ code: 4001, message: 'no' });
  });
});

test('a proxy ends the work behind a request whose time is over', async () => {
  let ended: unknown;
  const provider = {
    request: ({ signal }: { signal?: AbortSignal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          ended = signal.reason;
          reject(signal.reason);
        });
      }),
  };
  const { fetch } = await createProxy({ provider, limits: { time: 50 } });
  const response = await fetch(
    new Request('http://localhost/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ask([], 1, 'eth_call')),
    }),
  );
  expect(response.status).toBe(504);
  expect(ended).toBeDefined();
});

test.each([
  ['localhost:80', true],
  ['127.0.0.1', true],
  ['127.0.0.1 evil', false],
  ['[::1', false],
  ['localhost:port', false],
  ['LocalHost:8545', true],
  ['[::1]:8545', true],
  [undefined, true],
  ['127.0.0.1.evil.example', false],
  ['evil.example', false],
  ['localhost.evil.example', false],
  ['localhost@evil.example', false],
])('a request to the host %s is sent to this machine: %s', (host, isSent) => {
  expect(isSentToLoopback(host)).toBe(isSent);
});

describe('a body that comes as a stream', () => {
  const streamed = (text: string, headers: Record<string, string> = {}) =>
    new Request('http://x/', {
      method: 'POST',
      body: new Blob([text]).stream(),
      headers,
      duplex: 'half',
    } as RequestInit);

  test('is read up to its bound, whatever it announces', async () => {
    expect(await readRequestText(streamed('x'.repeat(1000)), 1000)).toBe('x'.repeat(1000));
    for (const headers of [{}, { 'content-length': '1001' }, { 'content-length': 'many' }]) {
      const reading = readRequestText(streamed('x'.repeat(1001), headers), 1000);
      await expect(reading).rejects.toMatchObject({ status: 413 });
    }
    // An invalid length is refused, however short the body is.
    const reading = readRequestText(streamed('x', { 'content-length': 'many' }), 1000);
    await expect(reading).rejects.toMatchObject({ status: 413 });
  });
});

test('wrong keys are one line at once, and one more for each ten seconds', () => {
  vi.useFakeTimers();
  try {
    const lines: unknown[] = [];
    const note = (fields: object) => lines.push(fields);
    const log = createWrongKeyLog({ info: note, warn: note, error: note });
    for (let i = 0; i < 4; i++) log.note({ status: 401 });
    expect(lines.splice(0)).toEqual([{ status: 401 }]);
    vi.advanceTimersByTime(10_000);
    expect(lines.splice(0)).toEqual([{ count: 3 }]);
    // The interval that was counted is followed by another one.
    log.note({ status: 401 });
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(10_000);
    expect(lines.splice(0)).toEqual([{ count: 1 }]);
    // A quiet one ends it.
    vi.advanceTimersByTime(10_000);
    expect(lines).toEqual([]);
    log.note({ status: 401 });
    log.note({ status: 401 });
    expect(lines.splice(0)).toEqual([{ status: 401 }]);
    log.flush();
    expect(lines).toEqual([{ count: 1 }]);
  } finally {
    vi.useRealTimers();
  }
});

describe('the scheduler', () => {
  const run = (isGone: () => boolean, pieces: number) =>
    createScheduler({
      limits: { concurrent: 1, time: 60_000 },
      keyCount: 1,
      queue: createQueue(),
    }).run({ isGone, clock: startDeadline(60_000), keyIndex: 0, cost: 1 }, async (pause) => {
      for (let i = 0; i < pieces; i++) await pause();
      return 'done';
    });

  test('asks whether the client has gone from the second piece on', async () => {
    let asked = 0;
    const isGone = () => {
      asked += 1;
      return asked > 1;
    };
    expect(await run(isGone, 1)).toBe('done');
    expect(asked).toBe(0);
    expect(await run(isGone, 2)).toBe('done');
    await expect(run(isGone, 3)).rejects.toMatchObject({ status: 499 });
  });
});

test('a stopped server leaves no timer that keeps the process', async () => {
  const grace = 600_123;
  const started = vi.spyOn(globalThis, 'setTimeout');
  const stopped = vi.spyOn(globalThis, 'clearTimeout');
  try {
    const tree = await openWorld();
    const service = await createService({ tree, finality: fixedFinality(12) });
    const server = await startServer(service, { grace });
    await server.stop();
    await tree.close();
    const at = started.mock.calls.findIndex(([, time]) => time === grace);
    expect(at).toBeGreaterThanOrEqual(0);
    expect(stopped.mock.calls.flat()).toContain(started.mock.results[at]?.value);
  } finally {
    vi.restoreAllMocks();
  }
});

test('the figures of several processes are added up', async () => {
  const [one, other] = await Promise.all([createMetrics(), createMetrics()]);
  one.answered(200, 0, 0.1);
  one.answered(200, 0, 0.1);
  other.answered(200, 0, 0.1);
  one.running(2);
  other.running(3);
  const { text } = await sumMetrics([await one.figures(), await other.figures()]);
  expect(text).toMatch(/^l2proof_requests_total\{status="200",code="0"\} 3$/m);
  expect(text).toMatch(/^l2proof_proofs_running 5$/m);
});

describe('a call', () => {
  test('of parameters that only look like an array is refused by its form', async () => {
    served = await serveWorld();
    const reply = await served.post(ask({ 0: wallet, 1: [], 2: 'latest', length: 3 }));
    expect(reply.body.error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^params/),
    });
  });

  test('of a block that is held but not final yet, under each name, is missing', async () => {
    served = await serveWorld({ finality: fixedFinality(9) });
    for (const block of ['earliest', 'latest', 'finalized', '0xa']) {
      const { status, body } = await served.post(ask([wallet, [], block]));
      expect([status, body.error?.code], block).toEqual([200, -32600]);
      expect(body.error.message).toMatch(/^BLOCK_MISSING_IN_CHAIN/);
    }
  });

  test('that is wrong needs no place among those that are worked on', async () => {
    let release = () => {};
    const released = new Promise<number>((resolve) => {
      release = () => resolve(12);
    });
    let waiting = 0;
    const finality = () => {
      waiting += 1;
      return released;
    };
    served = await serveWorld({ finality, limits: { concurrent: 1 } });
    const running = served.post(ask([wallet, [], 'latest']));
    await expect.poll(() => waiting).toBe(1);
    expect((await served.post(ask([wallet]))).body.error.code).toBe(-32602);
    expect((await served.post(ask([wallet, [], 'latest']))).status).toBe(503);
    release();
    expect((await running).status).toBe(200);
  });

  /** A tree in which proofs of one address fail so. */
  async function failing(failure: Error) {
    const tree = await openWorld();
    let failures = 0;
    const getProof: typeof tree.getProof = (address, ...rest) => {
      if (address !== nobody) return tree.getProof(address, ...rest);
      failures += 1;
      return Promise.reject(failure);
    };
    served = await serveWorld({ tree: { ...tree, getProof } });
    return { served, count: () => failures };
  }

  test('that fails inside leaves the others of its batch alone', async () => {
    const { served } = await failing(new Error('a disk'));
    const { status, body } = await served.post([
      ask([nobody, [], 'latest'], 1),
      ask([wallet, [], 'latest'], 2),
    ]);
    expect(status).toBe(200);
    expect(body[0]).toMatchObject({ id: 1, error: { code: -32603, message: 'internal error' } });
    expect(body[1]).toMatchObject({ id: 2, result: { accountProof: {} } });
  });

  test('of a block that is dropped meanwhile is tried once more, and is missing then', async () => {
    const { served, count } = await failing(new TreeError('BLOCK_MISSING', 'dropped'));
    const { body } = await served.post(ask([nobody, [], 'latest']));
    expect(body.error.message).toMatch(/^BLOCK_MISSING_IN_CHAIN/);
    expect(count()).toBe(2);
  });
});

test('eth_chainId takes no parameters, or an empty list', async () => {
  served = await serveWorld({ chainId: 59144 });
  for (const params of [undefined, []]) {
    expect((await served.post(ask(params, 1, 'eth_chainId'))).body.result).toBe('0xe708');
  }
  for (const params of [[1], {}, null, 'latest']) {
    const { body } = await served.post(ask(params, 1, 'eth_chainId'));
    expect(body.error).toMatchObject({ code: -32602 });
  }
});

test('a service without a block says so, and serves on', async () => {
  const tree = await openStateTree();
  const service = await createService({ tree, finality: fixedFinality(5) });
  const ready = await service.fetch(new Request('http://x/ready'));
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { ready: false, reason: 'no finalized block is held' },
  ]);
  await tree.close();
});
