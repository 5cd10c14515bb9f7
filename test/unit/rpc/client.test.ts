/** The proof client against the real server's recorded answers, our own service, and servers that misbehave. */

import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { type Hex, verifyProof } from '../../../src/index.js';
import {
  createProofClient,
  createTransport,
  type ProofClientOptions,
  type ProofRequest,
  RpcError,
} from '../../../src/rpc/index.js';
import { bodyOf, startHttp } from '../../support/http.js';
import { recorded, replay } from '../../support/recorded.js';
import type { Wire } from '../../support/runs.js';
import { serveWorld, world } from '../../support/service.js';
import { rejectionOf } from '../../support/thrown.js';

const key = 'k3y-that-must-not-leak';
const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()));
});

/** A client of a server of its own. */
async function against(
  listener: RequestListener,
  options: Partial<ProofClientOptions> = {},
  maxBytes?: number,
) {
  const server = await startHttp(listener);
  closing.push(server);
  const url = `${server.url}/v3/${key}`;
  const transport = createTransport({ url, timeout: 5000, ...(maxBytes && { maxBytes }) });
  return createProofClient({ transport, ...options });
}

const address: Hex = `0x${'11'.repeat(20)}`;
const slot = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const question: ProofRequest = { address, block: 59 };

async function failure(call: Promise<unknown>): Promise<RpcError> {
  const error = await rejectionOf(RpcError, call);
  expect(JSON.stringify([error.message, error.stack, error])).not.toContain(key);
  return error;
}

describe('what the real server answers', () => {
  test.each(['ok-contract', 'ok-contract-absent-slot', 'ok-absent', 'ok-absent-with-slots'])(
    '%s verifies',
    async (name) => {
      const { claim, response } = recorded(name);
      if (!claim) throw new Error('no claim');
      const client = await against(replay(name));
      const result = await client.getProof({ ...claim, block: 59 });
      expect(result).toEqual(JSON.parse(response.body as string).result);
      expect(verifyProof(result, claim).stateRoot).toBe(claim.stateRoot);
    },
  );

  test.each<[string, Partial<RpcError>]>([
    ['block-tag-finalized', { code: 'BLOCK_NOT_HELD', status: 400, serverCode: -32600 }],
    ['block-hash-unknown', { code: 'BLOCK_NOT_HELD', status: 400 }],
    ['trace-missing', { code: 'BLOCK_NOT_HELD', status: 200 }],
    ['http-origin', { code: 'UNAUTHORIZED', status: 403 }],
    ['http-host-other', { code: 'UNAUTHORIZED', status: 403 }],
    ['block-null', { code: 'SERVER_ERROR', serverCode: -32603 }],
    ['rpc-unknown-method', { code: 'SERVER_ERROR', serverCode: -32601 }],
    ['rpc-batch', { code: 'SERVER_ERROR', serverCode: -32603 }],
    ['rpc-json-null', { code: 'HTTP_STATUS', status: 500 }],
    ['http-other-path', { code: 'HTTP_STATUS', status: 404 }],
    ['rpc-id-float', { code: 'WRONG_ID' }],
  ])('%s ends in its code', async (name, expected) => {
    const client = await against(replay(name));
    expect(await failure(client.getProof(question))).toMatchObject(expected);
  });
});

test('asks one request as the interface has it', async () => {
  const seen: unknown[] = [];
  const client = await against(
    async (request, response) => {
      const body = await bodyOf(request);
      seen.push(body);
      response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result: 7 }));
    },
    { method: 'linea_getProof' },
  );
  const upper: Hex = `0x${'AB'.repeat(20)}`;
  const blocks = [5, 255n, `0x${'cd'.repeat(32)}`, 'latest'] as const;
  for (const block of blocks) {
    expect(await client.getProof({ address: upper, storageKeys: [slot(1)], block })).toBe(7);
  }
  expect(seen).toEqual(
    ['0x5', '0xff', `0x${'cd'.repeat(32)}`, 'latest'].map((block, i) => ({
      jsonrpc: '2.0',
      id: i + 1,
      method: 'linea_getProof',
      params: [upper.toLowerCase(), [slot(1)], block],
    })),
  );
});

describe('a failure that passes', () => {
  type Step = [status: number, headers?: Record<string, string>, error?: unknown];
  /** Fails by steps, then answers. */
  async function failing(...steps: Step[]) {
    const times: number[] = [];
    const client = await against(async (request, response) => {
      const { id } = await bodyOf(request);
      times.push(performance.now());
      const [status, headers = {}, error] = steps[times.length - 1] ?? [200];
      if (status === 0) response.destroy();
      else {
        const answer = error === undefined ? { result: 7 } : { error };
        const body = status === 200 || error ? { jsonrpc: '2.0', id, ...answer } : 'busy';
        response.writeHead(status, headers).end(JSON.stringify(body));
      }
    });
    return { client, times };
  }
  const limit = { code: -32005, message: 'limit' };

  test.each<[string, Step]>([
    ['429', [429]],
    ['502', [502]],
    ['503', [503]],
    ['504', [504]],
    ['503 with a JSON-RPC error', [503, {}, { code: -32002, message: 'busy' }]],
    ['a connection that breaks off', [0]],
    ['-32005 with Retry-After', [200, { 'retry-after': '0' }, limit]],
  ])('%s is asked again', async (_, step) => {
    const { client, times } = await failing(step, step);
    expect(await client.getProof(question)).toBe(7);
    expect(times).toHaveLength(3);
    // Later each time.
    expect(times[1] as number).toBeGreaterThanOrEqual((times[0] as number) + 240);
    expect(times[2] as number).toBeGreaterThanOrEqual((times[1] as number) + 490);
  });

  test('not before the server wants it', async () => {
    const { client, times } = await failing([429, { 'retry-after': '2' }]);
    expect(await client.getProof(question)).toBe(7);
    expect(times[1] as number).toBeGreaterThanOrEqual((times[0] as number) + 1990);
    const date = new Date(Date.now() + 3000).toUTCString();
    const dated = await failing([429, { 'retry-after': date }]);
    expect(await dated.client.getProof(question)).toBe(7);
    expect(dated.times[1] as number).toBeGreaterThanOrEqual((dated.times[0] as number) + 1000);
  }, 60_000);

  test('three times in all, and then it has its code', async () => {
    const { client, times } = await failing([429], [429], [429], [429]);
    const error = await failure(client.getProof(question));
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfter: undefined });
    expect(times).toHaveLength(3);
    const busy = await failing([503], [503], [503], [503]);
    expect(await failure(busy.client.getProof(question))).toMatchObject({ code: 'HTTP_STATUS' });
  });

  test("not if it is no error of ours: a transport of the caller's own says so itself", async () => {
    const own = Object.assign(new Error('own'), { code: 'NETWORK', status: 503 });
    let calls = 0;
    const call = async () => {
      calls++;
      throw own;
    };
    const client = createProofClient({ transport: { call } });
    await expect(client.getProof(question)).rejects.toBe(own);
    expect(calls).toBe(1);
  });

  test('not if the server wants it later than in a minute', async () => {
    const { client, times } = await failing([429, { 'retry-after': '61' }]);
    expect(await failure(client.getProof(question))).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfter: 61,
    });
    expect(times).toHaveLength(1);
  });

  test.each<[string, Step, string]>([
    ['401', [401], 'UNAUTHORIZED'],
    ['403', [403], 'UNAUTHORIZED'],
    ['404', [404], 'HTTP_STATUS'],
    ['500', [500], 'HTTP_STATUS'],
    ['a redirect', [302, { location: 'http://127.0.0.1:9/' }], 'HTTP_STATUS'],
    ['-32005 without Retry-After', [200, {}, limit], 'SERVER_ERROR'],
    [
      'a block that is missing, -32603',
      [200, {}, { code: -32603, message: 'BLOCK_MISSING_IN_CHAIN' }],
      'BLOCK_NOT_HELD',
    ],
    [
      'a block that is missing, -32602',
      [400, {}, { code: -32602, message: 'BLOCK_MISSING_IN_CHAIN: 5' }],
      'BLOCK_NOT_HELD',
    ],
    [
      'another message',
      [200, {}, { code: -32600, message: 'no BLOCK_MISSING_IN_CHAIN' }],
      'SERVER_ERROR',
    ],
    [
      'another code',
      [200, {}, { code: -32000, message: 'BLOCK_MISSING_IN_CHAIN' }],
      'SERVER_ERROR',
    ],
    [
      'a state that geth dropped',
      [
        200,
        {},
        { code: -32000, message: 'missing trie node 0a (path ) state 0x0a is not available' },
      ],
      'BLOCK_NOT_HELD',
    ],
    [
      'a state that Besu dropped',
      [400, {}, { code: -32000, message: 'World state unavailable' }],
      'BLOCK_NOT_HELD',
    ],
    [
      'a state that Nethermind dropped',
      [500, {}, { code: -32002, message: 'No state available for block 5' }],
      'BLOCK_NOT_HELD',
    ],
    [
      'a refused key, whatever the words',
      [403, {}, { code: -32000, message: 'World state unavailable' }],
      'UNAUTHORIZED',
    ],
    [
      'words of a contract',
      [200, {}, { code: 3, message: 'execution reverted: missing trie node' }],
      'SERVER_ERROR',
    ],
    ['an invalid answer', [200, {}, 7], 'BAD_ENVELOPE'],
  ])('%s is asked once', async (_, step, code) => {
    const { client, times } = await failing(step);
    expect(await failure(client.getProof(question))).toMatchObject({ code });
    expect(times).toHaveLength(1);
  });

  test('a state that is gone, or not there yet, is to be asked for at another block', async () => {
    const told = async (code: number, message: string) => {
      const { client } = await failing([200, {}, { code, message }]);
      return (await failure(client.getProof(question))).message;
    };
    expect(await told(-32000, 'World state unavailable')).toMatch(/ask for a newer finalized/);
    expect(await told(-32600, 'BLOCK_MISSING_IN_CHAIN')).toMatch(/ask for an older finalized/);
  });

  test('a 403 tells of web pages', async () => {
    const { client } = await failing([403]);
    expect((await failure(client.getProof(question))).message).toContain('403 to any Origin');
  });

  test('waiting ends when the caller gives up', async () => {
    const { client, times } = await failing([429, { 'retry-after': '30' }]);
    const controller = new AbortController();
    const reason = new Error('enough');
    const call = client.getProof({ ...question, signal: controller.signal });
    setTimeout(() => controller.abort(reason), 300);
    await expect(call).rejects.toBe(reason);
    await expect(client.getProof({ ...question, signal: controller.signal })).rejects.toBe(reason);
    expect(times).toHaveLength(1);
  });
});

describe('a long list of slots', () => {
  test('is asked in parts, a few at once, and put back in order: the whole verifies', async () => {
    const served = await serveWorld({ limits: { storageKeys: 3 } });
    closing.push(served);
    const url = `${served.url}/v3/anything`;
    let now = 0;
    let most = 0;
    const client = createProofClient({
      transport: createTransport({
        url,
        fetch: async (...args) => {
          now += 1;
          most = Math.max(most, now);
          // The later parts come back first.
          const { params } = JSON.parse(String(args[1]?.body));
          await new Promise((resolve) => setTimeout(resolve, 40 - Number(BigInt(params[1][0]))));
          const response = await fetch(...args);
          now -= 1;
          return response;
        },
      }),
      maxSlots: 3,
    });
    const storageKeys = [...Array.from({ length: 28 }, (_, i) => slot(i)), slot(1), slot(1)];
    const result = await client.getProof({ address: world.contract, storageKeys, block: 12 });
    const stateRoot = await served.tree.stateRoot(12);
    const state = verifyProof(result, { stateRoot, address: world.contract, storageKeys });
    expect(state.storage.map(({ key }) => key)).toEqual(storageKeys);
    expect(state.storage.filter(({ exists }) => exists).map(({ value }) => BigInt(value))).toEqual([
      112n,
      12n,
      13n,
      112n,
      112n,
    ]);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
    // In one request it would have been refused.
    const whole = createProofClient({ transport: createTransport({ url }) });
    const asked = whole.getProof({ address: world.contract, storageKeys, block: 12 });
    await expect(asked).rejects.toMatchObject({ serverCode: -32602 });
  });

  test.each([
    ['an account that does not exist', world.nobody],
    ['a contract without storage', world.pristine],
  ])('of %s has no storage proofs, in no part', async (_, of) => {
    const served = await serveWorld();
    closing.push(served);
    const transport = createTransport({ url: `${served.url}/v3/anything` });
    const client = createProofClient({ transport, maxSlots: 2 });
    const storageKeys = [1, 2, 3, 4, 5].map(slot);
    const result: Wire = await client.getProof({ address: of, storageKeys, block: 12 });
    expect(result.storageProofs).toEqual([]);
    const stateRoot = await served.tree.stateRoot(12);
    const { storage } = verifyProof(result, { stateRoot, address: of, storageKeys });
    expect(storage.map(({ exists }) => exists)).toEqual([false, false, false, false, false]);
  });

  /** Answers part after part. */
  async function parts(...results: unknown[]) {
    const client = await against(
      async (request, response) => {
        const { id, params } = await bodyOf(request);
        const result = results[Number(BigInt(params[1][0])) / 2];
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      },
      { maxSlots: 2 },
      // By itself the transport takes no answer that is so long.
      2 ** 20,
    );
    return client.getProof({ ...question, storageKeys: [0, 1, 2, 3].map(slot) });
  }
  const account = { key: '0x1', leafIndex: 5, proof: { value: '0x', proofRelatedNodes: ['0x1'] } };
  const part = (storageProofs: unknown, accountProof: unknown = account) => ({
    storageProofs,
    accountProof,
  });

  test('is put together whatever the entries are: the verifier looks at them', async () => {
    // Members in another order are the same answer.
    const { proof, ...rest } = account;
    const answer = await parts(part([1, 2]), part([null, { a: 4 }], { proof, ...rest }));
    expect(answer).toEqual({ accountProof: account, storageProofs: [1, 2, null, { a: 4 }] });
    expect(await parts(part([]), part([]))).toEqual({ accountProof: account, storageProofs: [] });
  });

  const deep = JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`);
  test.each<[string, unknown, unknown]>([
    ['another account proof', part([1, 2]), part([3, 4], { ...account, leafIndex: 6 })],
    [
      'another node of the account proof',
      part([1, 2]),
      part([3, 4], { ...account, proof: { value: '0x', proofRelatedNodes: ['0x2'] } }),
    ],
    ['one node more', part([1, 2]), part([3, 4], { ...account, more: 1 })],
    ['no account proof', part([1, 2]), { storageProofs: [3, 4] }],
    ['an account proof without end', part([1, 2], deep), part([3, 4], deep)],
    ['no entries beside entries', part([1, 2]), part([])],
    ['entries beside no entries', part([]), part([3, 4])],
    ['an entry too few', part([1, 2]), part([3])],
    ['an entry too many', part([1, 2]), part([3, 4, 5])],
    ['no list of entries', part([1, 2]), part({ 0: 3, 1: 4, length: 2 })],
    ['no entries at all', part(undefined), part([3, 4])],
    ['no object', part([1, 2]), null],
    // All parts are kept until the last has come: without a bound a server fills the memory.
    ['more values than proofs have', part([Array(4000).fill([]), 2]), part([3, 4])],
    ['more text than proofs have', part([1, 2]), part(['x'.repeat(200_000), 4])],
    ['text', 'no', 'no'],
  ])('in which a part has %s is refused', async (_, first, second) => {
    const error = await failure(parts(first, second));
    expect(error).toMatchObject({ code: 'BAD_PARTS', method: 'l2_getProof' });
  });

  test('has room for the largest proofs that are honest', async () => {
    // Two paths of 42 nodes, of 384 digits at most.
    const leaf = {
      value: `0x${'1'.repeat(384)}`,
      proofRelatedNodes: Array(42).fill(`0x${'2'.repeat(384)}`),
    };
    const entry = {
      key: slot(1),
      leftLeafIndex: 1,
      leftProof: leaf,
      rightLeafIndex: 2,
      rightProof: leaf,
    };
    const answer = { accountProof: entry, storageProofs: [entry, entry] };
    expect(await parts(answer, answer)).toMatchObject({ storageProofs: Array(4).fill(entry) });
  });

  test('fails with the first part that fails, and asks for no more', async () => {
    let asked = 0;
    const client = await against(
      (request, response) => {
        request.resume();
        asked += 1;
        if (asked === 1) response.writeHead(401).end();
      },
      { maxSlots: 1 },
    );
    const storageKeys = Array.from({ length: 100 }, (_, i) => slot(i));
    const error = await failure(client.getProof({ ...question, storageKeys }));
    expect(error.code).toBe('UNAUTHORIZED');
    expect(asked).toBeLessThanOrEqual(4);
  });

  test('ends when the caller gives up', async () => {
    const client = await against(() => {}, { maxSlots: 1 });
    const controller = new AbortController();
    const reason = new Error('enough');
    const storageKeys = [1, 2, 3].map(slot);
    setTimeout(() => controller.abort(reason), 100);
    const asked = client.getProof({ ...question, storageKeys, signal: controller.signal });
    await expect(asked).rejects.toBe(reason);
  });

  test('lets no part begin if the caller gave up before', async () => {
    const reason = new Error('enough');
    const begun: unknown[] = [];
    const transport: ProofClientOptions['transport'] = {
      call: async (_method, params, options) => {
        options?.signal?.throwIfAborted();
        begun.push(params);
      },
    };
    const client = createProofClient({ transport, maxSlots: 1 });
    const storageKeys = [1, 2, 3].map(slot);
    const asked = client.getProof({ ...question, storageKeys, signal: AbortSignal.abort(reason) });
    await expect(asked).rejects.toBe(reason);
    expect(begun).toEqual([]);
  });
});

describe('a wrong question', () => {
  const transport = { call: () => Promise.reject(new Error('it was asked')) };
  const client = createProofClient({ transport });
  const asks = (change: object) => client.getProof({ ...question, ...change } as ProofRequest);

  test('is told before anything is sent', async () => {
    for (const change of [
      { address: undefined },
      { address: 5 },
      { storageKeys: '0x1' },
      { storageKeys: [1] },
      // A hole.
      { storageKeys: new Array(1) },
      { block: undefined },
      { block: null },
      { block: { blockNumber: '0x1' } },
    ]) {
      await expect(asks(change)).rejects.toBeInstanceOf(TypeError);
    }
    for (const change of [
      { address: '0x1' },
      { storageKeys: ['0x1'] },
      { storageKeys: new Array(16385).fill(slot(1)) },
      { block: -1 },
      { block: 1.5 },
      { block: -1n },
      { block: 'newest' },
      { block: '0x' },
      { block: `0x${'1'.repeat(65)}` },
    ]) {
      await expect(asks(change)).rejects.toBeInstanceOf(RangeError);
    }
    await expect(client.getProof(undefined as never)).rejects.toBeInstanceOf(TypeError);
    expect(() => createProofClient(undefined as never)).toThrow(TypeError);
    expect(() => createProofClient({} as never)).toThrow(TypeError);
    for (const method of ['', 7 as never]) {
      expect(() => createProofClient({ transport, method })).toThrow(TypeError);
    }
    for (const maxSlots of [0, 1.5, 16385, Number.NaN]) {
      expect(() => createProofClient({ transport, maxSlots })).toThrow(RangeError);
    }
  });

  test('inherited members are not read', async () => {
    await expect(client.getProof(Object.create(question))).rejects.toBeInstanceOf(TypeError);
  });

  test("what a transport of the caller's own throws comes through", async () => {
    await expect(asks({})).rejects.toThrow('it was asked');
  });
});
