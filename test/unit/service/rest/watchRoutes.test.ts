/** What an operator sees of a service: health, readiness, metrics and log lines; and what nobody sees. */
import { PerformanceObserver } from 'node:perf_hooks';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMetrics } from '../../../../src/service/index.js';
import { ask, type Served, serveWorld, world } from '../../../support/service.js';

const { wallet, contract, slot } = world;
const key = 'k3y-that-must-not-leak';

let served: Served;
afterEach(() => served.close());

const get = async (path: string) => {
  const response = await fetch(served.url + path);
  return { status: response.status, text: await response.text(), headers: response.headers };
};

describe('/health and /ready', () => {
  test('say that the process answers, and which block it would', async () => {
    served = await serveWorld({ keys: [key] });
    expect(await get('/health')).toMatchObject({ status: 200, text: '{"healthy":true}' });
    expect(await get('/ready')).toMatchObject({ status: 200, text: '{"ready":true,"block":12}' });
  });

  test.each<[string, () => Promise<number>, RegExp]>([
    ['no block is finalized', async () => 9, /no finalized block is held/],
    ['finality is not known', () => Promise.reject(new Error('x')), /not known right now/],
    ['finality does not answer', () => new Promise(() => {}), /late/],
  ])('not ready while %s', async (_, finality, reason) => {
    served = await serveWorld({ finality, limits: { time: 100 } });
    const { status, text } = await get('/ready');
    expect(status).toBe(503);
    expect(JSON.parse(text)).toEqual({ ready: false, reason: expect.stringMatching(reason) });
    expect((await get('/health')).status).toBe(200);
  });
});

/** The value of a sample, by its name and labels as they are written. */
const sample = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
};

describe('/metrics', () => {
  test('counts what was answered, by status and code', async () => {
    served = await serveWorld({ keys: [key], metrics: await createMetrics() });
    const good = ask([wallet, [], 'latest']);
    for (const body of [good, good, ask([]), '{', ask([wallet, [], '0x1'])]) {
      await served.post(body);
    }
    await served.post({ jsonrpc: '2.0', method: 'l2_getProof' });
    await served.post(good, '/v3/another-key');
    const { status, text, headers } = await get('/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=/);
    const count = (labels: string) => sample(text, `l2proof_requests_total{${labels}}`);
    expect(count('status="200",code="0"')).toBe(2);
    expect(count('status="200",code="-32602"')).toBe(1);
    expect(count('status="200",code="-32700"')).toBe(1);
    expect(count('status="200",code="-32600"')).toBe(1);
    expect(count('status="204",code="0"')).toBe(1);
    expect(count('status="401",code="-32600"')).toBe(1);
    expect(sample(text, 'l2proof_request_seconds_count')).toBe(7);
    expect(sample(text, 'l2proof_proofs_running')).toBe(0);
    expect(sample(text, 'l2proof_newest_block')).toBe(12);
    expect(sample(text, 'process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(text).not.toContain(key);
  });

  test('are made once for all who ask at the same time, and in the second after it', async () => {
    const metrics = await createMetrics();
    let reads = 0;
    const read = () => {
      reads += 1;
      return metrics.read();
    };
    served = await serveWorld({ metrics: { ...metrics, read } });
    const texts = await Promise.all(Array.from({ length: 64 }, () => get('/metrics')));
    expect(new Set(texts.map(({ text }) => text)).size).toBe(reads);
    // More than one only if the machine takes longer than a second for them.
    expect(reads).toBeLessThan(8);
    const later = performance.now() + 10_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
    try {
      const before = reads;
      await get('/metrics');
      clock.mockReturnValue(later + 999);
      await get('/metrics');
      expect(reads).toBe(before + 1);
      clock.mockReturnValue(later + 1000);
      await get('/metrics');
      expect(reads).toBe(before + 2);
    } finally {
      clock.mockRestore();
    }
  });

  test('that cannot be made are tried again', async () => {
    const metrics = await createMetrics();
    let fails = true;
    const read = async () => {
      if (fails) throw new Error('x');
      return metrics.read();
    };
    served = await serveWorld({ metrics: { ...metrics, read } });
    expect((await get('/metrics')).status).toBe(500);
    fails = false;
    expect((await get('/metrics')).status).toBe(200);
  });

  test('of many services watch the process once', async () => {
    await createMetrics();
    const observe = vi.spyOn(PerformanceObserver.prototype, 'observe');
    const metrics = await createMetrics();
    expect(observe).not.toHaveBeenCalled();
    observe.mockRestore();
    served = await serveWorld({ metrics });
    const { text } = await get('/metrics');
    expect(text.match(/^process_cpu_seconds_total /gm)).toHaveLength(1);
  });

  test('no gauge has the ending of a counter, which `promtool check metrics` refuses', async () => {
    const metrics = await createMetrics();
    served = await serveWorld({ metrics });
    const { text } = await get('/metrics');
    const gauges = [...text.matchAll(/^# TYPE (\w+) gauge$/gm)].map(([, name]) => name as string);
    expect(gauges).toEqual(
      expect.arrayContaining(['nodejs_active_handles', 'l2proof_newest_block']),
    );
    expect(gauges.filter((name) => name.endsWith('_total'))).toEqual([]);
  });

  test('of two services do not mix', async () => {
    const [metrics, other] = await Promise.all([createMetrics(), createMetrics()]);
    served = await serveWorld({ metrics });
    await served.post(ask([wallet, [], 'latest']));
    const name = 'l2proof_requests_total{status="200",code="0"}';
    expect(sample((await metrics.read()).text, name)).toBe(1);
    expect(sample((await other.read()).text, name)).toBe(undefined);
  });
});

test('a line per request says what was asked and came of it, and neither key, address nor body', async () => {
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  served = await serveWorld({ keys: ['another-key', key], log: pino({ base: null }, stream) });
  const path = `/v3/${key}`;
  await served.post(ask([contract, [slot(1), slot(2)], 'earliest'], 'an-id'), path);
  await served.post(ask([contract, [], '0x77']), path);
  await served.post(`{"${key}"`, path);
  await served.post(ask([contract, [], 'latest']), `/v3/${key}x`);
  await served.tree.close();
  await served.post(ask([contract, [], 'latest']), path);

  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const usual = { level: 30, msg: 'request', time: expect.any(Number), ms: expect.any(Number) };
  expect(lines).toEqual([
    { ...usual, status: 200, code: 0, key: 2, block: 10, slots: 2 },
    { ...usual, status: 200, code: -32600, key: 2, slots: 0 },
    { ...usual, status: 200, code: -32700, key: 2 },
    { ...usual, status: 401, code: -32600 },
    expect.objectContaining({ level: 50, msg: 'internal error' }),
    { ...usual, status: 200, code: -32603, key: 2, slots: 0 },
  ]);
  for (const secret of [key, 'another-key', contract.slice(2), 'an-id', slot(1).slice(2)]) {
    expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
  }
});
