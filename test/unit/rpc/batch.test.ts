/** A batch against real servers: what is put together of an answer is what each question was answered, or an error. */
import { afterEach, describe, expect, test } from 'vitest';
import { createTransport, RpcError, type TransportOptions } from '../../../src/rpc/index.js';
import { bodyOf, startHttp, type TestServer } from '../../support/http.js';
import type { Wire } from '../../support/runs.js';
import { rejectionOf } from '../../support/thrown.js';

const key = 'k3y-that-must-not-leak';
const open: TestServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

interface Asked {
  readonly id: number;
  readonly method: string;
}

/** The right answer to a question: its method. */
const right = ({ id, method }: Asked) => ({ jsonrpc: '2.0', id, result: method });

interface Answering extends Partial<TransportOptions> {
  readonly status?: number;
}

/** A batch of three questions to a server that answers with a text, or a value as JSON. */
async function answered(
  answer: (asked: Asked[]) => unknown,
  { status = 200, ...options }: Answering = {},
) {
  const server = await startHttp(async (request, response) => {
    const said = answer(await bodyOf(request));
    response.writeHead(status).end(typeof said === 'string' ? said : JSON.stringify(said));
  });
  open.push(server);
  const { batch } = createTransport({ url: `${server.url}/v3/${key}`, timeout: 5000, ...options });
  return batch?.(['one', 'two', 'three'].map((method, i) => ({ method, params: [i] })));
}

async function failure(answers: Promise<unknown>): Promise<RpcError> {
  const error = await rejectionOf(RpcError, answers);
  expect(JSON.stringify([error.message, error.stack, error])).not.toContain(key);
  return error;
}

const results = ['one', 'two', 'three'].map((result) => ({ result }));

describe('a batch', () => {
  test('is one request, with ids that no other question of the transport has', async () => {
    const seen: Wire[] = [];
    const server = await startHttp(async (request, response) => {
      const body = await bodyOf(request);
      seen.push({ method: request.method, type: request.headers['content-type'], body });
      const said = Array.isArray(body) ? body.map(right) : right(body);
      response.end(JSON.stringify(said));
    });
    open.push(server);
    const transport = createTransport({ url: server.url });
    const questions = [
      { method: 'a', params: [1] },
      { method: 'b', params: [] },
    ];
    expect(await transport.batch?.(questions)).toEqual([{ result: 'a' }, { result: 'b' }]);
    expect(await transport.call('c', [])).toBe('c');
    expect(await transport.batch?.(questions)).toEqual([{ result: 'a' }, { result: 'b' }]);
    expect(seen.map(({ method, type }) => [method, type])).toEqual(
      Array(3).fill(['POST', 'application/json']),
    );
    expect(seen[0].body).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a', params: [1] },
      { jsonrpc: '2.0', id: 2, method: 'b', params: [] },
    ]);
    expect(seen[2].body.map(({ id }: Asked) => id)).toEqual([4, 5]);
  });

  test('may be answered in any order', async () => {
    expect(await answered((asked) => asked.map(right))).toEqual(results);
    expect(await answered((asked) => asked.map(right).reverse())).toEqual(results);
    expect(await answered(([a, b, c]) => [b, c, a].map((one) => right(one as Asked)))).toEqual(
      results,
    );
  });

  test('of which one question is refused answers the others', async () => {
    const error = { code: -32000, message: `no ${key}` };
    const answers = await answered((asked) =>
      asked.map((one) =>
        one.method === 'two' ? { jsonrpc: '2.0', id: one.id, error } : right(one),
      ),
    );
    expect(answers?.[0]).toEqual(results[0]);
    expect(answers?.[2]).toEqual(results[2]);
    const { error: refused } = answers?.[1] as { error: RpcError };
    expect(refused).toBeInstanceOf(RpcError);
    expect(refused).toMatchObject({ code: 'SERVER_ERROR', method: 'two', serverCode: -32000 });
    expect(JSON.stringify([refused.message, refused.stack, refused])).not.toContain(key);
  });

  test('is not sent once its signal is aborted, and ends if that happens later', async () => {
    let requests = 0;
    const server = await startHttp(() => {
      requests++;
      controller.abort(new Error('enough'));
    });
    open.push(server);
    const controller = new AbortController();
    const { batch } = createTransport({ url: server.url, timeout: 60_000 });
    const ask = () => batch?.([{ method: 'a', params: [] }], { signal: controller.signal });
    await expect(ask()).rejects.toThrow('enough');
    await expect(ask()).rejects.toThrow('enough');
    expect(requests).toBe(1);
  });
});

/** An answer with one item in place of the second. */
const second = (edit: (asked: Asked) => unknown) => (asked: Asked[]) =>
  asked.map((one, i) => (i === 1 ? edit(one) : right(one)));

describe('an answer is refused', () => {
  test.each<[string, (asked: Asked[]) => unknown, string]>([
    ['that is no JSON', () => '[{"jsonrpc"', 'NOT_JSON'],
    ['that is empty', () => '', 'NOT_JSON'],
    ['of null', () => null, 'BAD_ENVELOPE'],
    ['of a number', () => 7, 'BAD_ENVELOPE'],
    ['to one question alone', ([first]) => right(first as Asked), 'BAD_ENVELOPE'],
    ['of no items', () => [], 'BAD_ENVELOPE'],
    ['that is short', (asked) => asked.slice(1).map(right), 'BAD_ENVELOPE'],
    ['that is long', (asked) => [...asked, asked[0] as Asked].map(right), 'BAD_ENVELOPE'],
    ['with one item twice', ([a, b]) => [a, b, b].map((one) => right(one as Asked)), 'WRONG_ID'],
    ['to a question that was not asked', second((one) => ({ ...right(one), id: 99 })), 'WRONG_ID'],
    ['with an id as a text', second((one) => ({ ...right(one), id: String(one.id) })), 'WRONG_ID'],
    [
      'with a result without an id',
      second(({ method }) => ({ jsonrpc: '2.0', result: method })),
      'WRONG_ID',
    ],
    ['with an item of null', second(() => null), 'WRONG_ID'],
    ['with an item of another kind', second(() => [1]), 'WRONG_ID'],
    ['with another version', second((one) => ({ ...right(one), jsonrpc: '1.0' })), 'BAD_ENVELOPE'],
    ['with neither result nor error', second(({ id }) => ({ jsonrpc: '2.0', id })), 'BAD_ENVELOPE'],
    [
      'with both',
      second((one) => ({ ...right(one), error: { code: 1, message: 'no' } })),
      'BAD_ENVELOPE',
    ],
    [
      'with an error without a code',
      second(({ id }) => ({ jsonrpc: '2.0', id, error: { message: 'no' } })),
      'BAD_ENVELOPE',
    ],
  ])('%s', async (_, answer, code) => {
    expect(await failure(answered(answer))).toMatchObject({ code });
  });

  test('that names members of all objects', async () => {
    const answer = ([a, b, c]: Asked[]) =>
      `[${JSON.stringify(right(a as Asked))},{"jsonrpc":"2.0","__proto__":{"id":${b?.id},"result":1}},${JSON.stringify(right(c as Asked))}]`;
    expect(await failure(answered(answer))).toMatchObject({ code: 'WRONG_ID' });
  });

  test('that is longer than was allowed, however many questions', async () => {
    const answer = (asked: Asked[]) =>
      asked.map((one) => ({ ...right(one), result: 'x'.repeat(999) }));
    expect(await failure(answered(answer, { maxBytes: 3000 }))).toMatchObject({
      code: 'TOO_LARGE',
    });
    expect(await answered(answer, { maxBytes: 4000 })).toHaveLength(3);
  });
});

describe('a batch as a whole is refused', () => {
  test.each([1, null, undefined])('by one error with id %s', async (id) => {
    const error = { code: -32600, message: `batch too long for ${key}` };
    const refused = await failure(answered(() => ({ jsonrpc: '2.0', id, error })));
    expect(refused).toMatchObject({ code: 'SERVER_ERROR', method: 'batch', serverCode: -32600 });
    expect(refused.message).toContain('batch too long');
  });

  test.each([413, 429, 500])('by status %i', async (status) => {
    const refused = await failure(answered(() => 'no', { status }));
    expect(refused).toMatchObject({ code: 'HTTP_STATUS', method: 'batch', status });
    // An error status with all answers is none the less one.
    const all = await failure(answered((asked) => asked.map(right), { status }));
    expect(all).toMatchObject({ code: 'HTTP_STATUS', status });
  });
});
