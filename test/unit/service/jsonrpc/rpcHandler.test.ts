/** When a request is read: a long one not before its turn, so that those who wait are texts. */
import { expect, test } from 'vitest';
import { createRpcHandler } from '../../../../src/service/jsonrpc/rpcHandler.js';
import { createKeyRing } from '../../../../src/service/limits/keys.js';
import { readLimits } from '../../../../src/service/limits/limits.js';
import { createQueue } from '../../../../src/service/limits/queue.js';

/** A handler that says what it does, with one method. */
function open(events: string[]) {
  const method = {
    name: 'work',
    read(params: unknown) {
      events.push(`read ${params}`);
      return params;
    },
    cost: () => 1,
    run: async (name: unknown) => {
      events.push(`run ${name}`);
      return { result: name };
    },
  };
  const rpcHandler = createRpcHandler({
    keys: createKeyRing([]),
    methods: new Map([['work', method]]),
    limits: readLimits({}),
    queue: createQueue(),
    log: undefined,
    metrics: undefined,
  });
  return async (text: string) => {
    const reply = await rpcHandler.answer(
      {
        method: 'POST',
        header: (name) => (name === 'host' ? 'localhost' : undefined),
        text: async () => text,
        isGone: () => false,
      },
      '',
    );
    const body = (reply.body ?? []).map((piece) => Buffer.from(piece).toString()).join('');
    return { status: reply.status, body: body && JSON.parse(body) };
  };
}

/** A batch of calls that is as long as a body that is read in turn. */
function batchOf(name: string, more: object = { id: 1 }): string {
  const call = { jsonrpc: '2.0', method: 'work', params: name, ...more };
  const calls = Array.from({ length: 2 }, (_, i) => ({ ...call, pad: 'x'.repeat(4096 * i) }));
  return JSON.stringify(calls);
}

test('a long body is read when its turn has come, and not before one that was read is answered', async () => {
  const events: string[] = [];
  const ask = open(events);
  await Promise.all(['a', 'b', 'c'].map((name) => ask(batchOf(name))));
  const each = (name: string) => [`read ${name}`, `read ${name}`, `run ${name}`, `run ${name}`];
  expect(events).toEqual(['a', 'b', 'c'].flatMap(each));
});

test('a short one goes before all long ones that wait', async () => {
  const events: string[] = [];
  const ask = open(events);
  const short = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'work', params: 'short' });
  await Promise.all([ask(batchOf('a')), ask(batchOf('b')), ask(short)]);
  expect(events.indexOf('run short')).toBeLessThan(events.indexOf('read b'));
});

test('a long body is answered as a short one is', async () => {
  const events: string[] = [];
  const ask = open(events);
  const answer = { jsonrpc: '2.0', id: 1, result: 'a' };
  expect(await ask(batchOf('a'))).toEqual({ status: 200, body: [answer, answer] });
  // Without an id: nobody waits for an answer.
  expect(await ask(batchOf('b', {}))).toEqual({ status: 204, body: '' });
  const single = { jsonrpc: '2.0', id: 7, method: 'work', params: 'x'.repeat(5000) };
  expect((await ask(JSON.stringify(single))).body.result).toHaveLength(5000);
  const unknown = await ask(JSON.stringify({ ...single, method: 'none' }));
  expect(unknown.body).toMatchObject({ id: 7, error: { code: -32601 } });
  const broken = await ask(`{${'x'.repeat(5000)}`);
  expect(broken.body).toMatchObject({ id: null, error: { code: -32700 } });
});
