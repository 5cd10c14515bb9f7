/** Batches, by the rules of JSON-RPC 2.0 and within bounds; and the two usual libraries with their defaults. */

import { JsonRpcProvider } from 'ethers';
import { createPublicClient, http } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import { verifyProof } from '../../../../src/index.js';
import type { RpcAnswer } from '../../../support/answers.js';
import { ask, type Served, serveWorld, world } from '../../../support/service.js';

const { wallet, contract, slot } = world;
const proof = (id: unknown, slots: number[] = [], block = 'latest') =>
  ask([contract, slots.map(slot), block], id);
const range = (count: number) => Array.from({ length: count }, (_, i) => i);

let served: Served;
afterEach(() => served.close());

describe('a batch', () => {
  test('is answered call by call, in order, under the ids; the block is in no header', async () => {
    served = await serveWorld();
    const calls = [proof('a', [1]), proof(2, [2, 9], '0xa'), proof(null)];
    const { status, headers, body } = await served.post(calls);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('l2-block-number')).toBe(null);
    expect(body.map(({ id }: { id: unknown }) => id)).toEqual(['a', 2, null]);
    for (const [i, call] of calls.entries()) {
      expect(body[i]).toEqual((await served.post(call)).body);
    }
    const stateRoot = await served.tree.stateRoot(10);
    const claim = { stateRoot, address: contract, storageKeys: [slot(2), slot(9)] };
    expect(verifyProof(body[1].result, claim).storage[0]?.value).toBe(slot(12));
  });

  test('of one call is answered by a list of one', async () => {
    served = await serveWorld();
    const { body } = await served.post([proof(1)]);
    expect(body).toMatchObject([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  test('in which calls are bad: the others are answered all the same', async () => {
    served = await serveWorld();
    const bad = [7, null, [], [proof(1)], {}, 'x', ask([], 5), ask([], 6, 'eth_call')];
    const { status, body } = await served.post([proof(1), ...bad, proof(8, [], '0x1'), proof(9)]);
    expect(status).toBe(200);
    const codes = body.map(({ id, error }: RpcAnswer) => [id, error?.code]);
    expect(codes).toEqual([
      [1, undefined],
      ...range(6).map(() => [null, -32600]),
      [5, -32602],
      [6, -32601],
      [8, -32600],
      [9, undefined],
    ]);
    expect(body.at(-2).error.message).toMatch(/^BLOCK_MISSING_IN_CHAIN/);
  });

  test('notifications have no answer; if there is nothing else, neither has the batch', async () => {
    served = await serveWorld();
    const { id: _, ...note } = proof(0);
    expect((await served.post([note, proof(3), note])).body).toMatchObject([{ id: 3 }]);
    const reply = await served.post([note, note]);
    expect([reply.status, reply.body]).toEqual([204, undefined]);
  });

  test.each([0, 4, 5000])('of %d calls is one invalid request', async (count) => {
    served = await serveWorld({ limits: { batchCalls: 3, bodyBytes: 1_000_000 } });
    const { status, body } = await served.post(range(count).map((id) => proof(id)));
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: null, error: { code: -32600 } });
    expect(body.error.message).toMatch(/1 to 3 calls/);
  });

  test('has 100 calls at most, unless it is said otherwise', async () => {
    served = await serveWorld();
    expect((await served.post(range(100).map(() => 0))).body).toHaveLength(100);
    expect((await served.post(range(101).map(() => 0))).body.error.code).toBe(-32600);
  });

  test('has as many storage keys as a call; what goes beyond is refused by itself', async () => {
    served = await serveWorld({ limits: { storageKeys: 4 } });
    const calls = [[1, 2], [3, 4, 5], [6, 7], [8], []].map((slots, id) => proof(id, slots));
    const { body } = await served.post(calls);
    expect(body.map(({ error }: RpcAnswer) => error?.code)).toEqual([
      undefined,
      -32005,
      undefined,
      -32005,
      undefined,
    ]);
    expect(body[1].error.message).toMatch(/4 storage keys together/);
  });

  test('costs what its calls cost', async () => {
    served = await serveWorld({ limits: { requestsPerSecond: 10 } });
    expect((await served.post(range(20).map((id) => proof(id, [1, 2])))).status).toBe(200);
    const { status, headers } = await served.post(proof(1));
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(3);
  });

  test('that takes too long ends as a whole: 504', async () => {
    served = await serveWorld({ finality: () => new Promise(() => {}), limits: { time: 100 } });
    const { status, body } = await served.post([proof(1), proof(2)]);
    expect([status, body.id, body.error.code]).toEqual([504, null, -32603]);
  });
});

describe('eth_chainId', () => {
  test('is answered if the chain is known', async () => {
    served = await serveWorld({ chainId: 59144 });
    for (const params of [undefined, []]) {
      const { body } = await served.post(ask(params, 1, 'eth_chainId'));
      expect(body).toEqual({ jsonrpc: '2.0', id: 1, result: '0xe708' });
    }
    expect((await served.post(ask([1], 1, 'eth_chainId'))).body.error.code).toBe(-32602);
  });

  test('is no method otherwise', async () => {
    served = await serveWorld();
    expect((await served.post(ask([], 1, 'eth_chainId'))).body.error.code).toBe(-32601);
  });
});

/** What three calls at once, which a library may put into one batch, prove. */
async function expectProofs(send: (params: unknown[]) => Promise<unknown>): Promise<void> {
  const stateRoot = await served.tree.stateRoot(12);
  const results = await Promise.all([1, 2, 9].map((i) => send([contract, [slot(i)], 'latest'])));
  for (const [i, result] of results.entries()) {
    const storageKeys = [slot([1, 2, 9][i] as number)];
    const { storage } = verifyProof(result, { stateRoot, address: contract, storageKeys });
    expect(storage[0]?.value).toBe(slot([112, 12, 0][i] as number));
  }
}

describe('libraries with their defaults', () => {
  test('ethers: JsonRpcProvider', async () => {
    served = await serveWorld({ chainId: 59144, keys: ['an-api-key'] });
    const provider = new JsonRpcProvider(`${served.url}/v3/an-api-key`);
    await expectProofs((params) => provider.send('l2_getProof', params));
    expect((await provider.getNetwork()).chainId).toBe(59144n);
    await expect(provider.send('l2_getProof', [wallet, [], '0x1'])).rejects.toMatchObject({
      error: { code: -32600 },
    });
    provider.destroy();
  });

  test.each([true, false])('viem: http(url, { batch: %s })', async (batch) => {
    served = await serveWorld({ chainId: 59144, keys: ['an-api-key'] });
    const client = createPublicClient({
      transport: http(`${served.url}/v3/an-api-key`, { batch }),
    });
    const request = client.request as (call: object) => Promise<unknown>;
    await expectProofs((params) => request({ method: 'l2_getProof', params }));
    expect(await client.getChainId()).toBe(59144);
    const missing = request({ method: 'l2_getProof', params: [wallet, [], '0x1'] });
    await expect(missing).rejects.toThrow(/BLOCK_MISSING_IN_CHAIN/);
  });
});
