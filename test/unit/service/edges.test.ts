/** Edges of the parts of the service: each of them decides what one answer says, or who waits for it. */
import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { multicall3 } from '../../../src/abi/multicall.js';
import { RpcError } from '../../../src/rpc/index.js';
import { createContracts } from '../../../src/service/chain/contracts.js';
import { createDecoderNode, type DecoderNode } from '../../../src/service/chain/node.js';
import { openRecords } from '../../../src/service/chain/records.js';
import { heldAt } from '../../../src/service/data/held.js';
import { limitConnections } from '../../../src/service/http/connections.js';
import { checkOrigins } from '../../../src/service/http/cors.js';
import { wholeBody } from '../../../src/service/http/http.js';
import { HttpError } from '../../../src/service/http/httpError.js';
import { createService, fixedFinality } from '../../../src/service/index.js';
import { answerBatch } from '../../../src/service/jsonrpc/answer.js';
import { readBatch } from '../../../src/service/jsonrpc/batch.js';
import { parseCall } from '../../../src/service/jsonrpc/call.js';
import type { MethodTable } from '../../../src/service/jsonrpc/method.js';
import { readLimits } from '../../../src/service/limits/limits.js';
import { createQueue } from '../../../src/service/limits/queue.js';
import { createSemaphore } from '../../../src/service/limits/semaphore.js';
import { type BlockParameter, chooseBlock } from '../../../src/service/proofs/block.js';
import { chainIdMethod } from '../../../src/service/proofs/chainId.js';
import { parseBodyMembers } from '../../../src/service/rest/request.js';
import { memoryStore, openStateTree } from '../../../src/tree/index.js';
import { openWorld, serveWorld, world } from '../../support/service.js';

const contract = `0x${'c0'.repeat(20)}` as const;
const wallet = `0x${'a1'.repeat(20)}` as const;
const pause = async () => {};

test('a batch ends as a whole if its time is up, and not if one of its calls is refused', async () => {
  const refused = async (status: number) => {
    const work = async () => {
      throw new HttpError(-32603, 'late', { status });
    };
    const call = { id: 1, isNotification: false, cost: 1, slots: 0, work };
    const batch = { isSingle: false, calls: [call], cost: 1, slots: 0 };
    const context = { pause, takesCompact: false, signal: () => new AbortController().signal };
    const { body } = await answerBatch(batch, context, { order: 'in turn', log: undefined });
    return JSON.parse(new TextDecoder().decode(wholeBody(body)));
  };
  await expect(refused(504)).rejects.toMatchObject({ message: 'late', status: 504 });
  expect(await refused(200)).toMatchObject([{ id: 1, error: { code: -32603, message: 'late' } }]);
});

test.each<BlockParameter>([
  'latest',
  'earliest',
  'finalized',
  12n,
  { hash: `0x${'01'.repeat(32)}` },
])('as long as no block is final, block %o is missing for that reason', async (block) => {
  const tree = await openWorld();
  await expect(chooseBlock(tree, async () => undefined, block)).rejects.toMatchObject({
    message: expect.stringMatching(/no block is finalized on L1/),
  });
});

test.each([['text'], [7], [true], [null], [[]]])('%j is no call', (body) => {
  expect(() => parseCall(body)).toThrow('a call is an object');
});

test.each([0, -1, 1.5, 0n, -1n, Number.NaN, 2 ** 53])('%s is no chain', (chainId) => {
  expect(() => chainIdMethod(chainId)).toThrow(RangeError);
});

test('origins are * or a form that browsers send', async () => {
  expect(() => checkOrigins(['*', 'https://app.example'])).not.toThrow();
  for (const origin of ['https://app.example/path', 'app.example', '']) {
    expect(() => checkOrigins([origin]), origin).toThrow(RangeError);
    await expect(serveWorld({ cors: [origin] }), origin).rejects.toThrow(RangeError);
  }
});

test('connections that come at once each have another one make way', async () => {
  const server = createServer();
  const limits = { most: 2, mostOfAddress: Infinity };
  const connections = limitConnections(server, limits, () => {});
  await connections.whenNone();
  const sockets = Array.from({ length: 4 }, () => {
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    server.emit('connection', socket);
    return socket;
  });
  expect(connections.count).toBe(2);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
  for (const socket of sockets) socket.destroy();
  await connections.whenNone();
});

test('a semaphore tells how many places are taken, and leaves others as many as one key has', () => {
  const told: number[] = [];
  const semaphore = createSemaphore(4, 2, (taken) => told.push(taken));
  expect([0, 0, 0].map((keyIndex) => semaphore.take(keyIndex))).toEqual([true, true, false]);
  expect(semaphore.take(1)).toBe(true);
  semaphore.leave(0);
  expect(told).toEqual([1, 2, 3, 2]);
  const own = createSemaphore(2, 1);
  expect([0, 0, 0].map((keyIndex) => own.take(keyIndex))).toEqual([true, true, false]);
});

test('many short pieces are done in one turn of the event loop', async () => {
  const queue = createQueue();
  let isOver = false;
  let turns = 0;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const work = queue.enter(0, 1);
  for (let i = 0; i < 1000; i++) await work.next();
  work.leave();
  isOver = true;
  expect(turns).toBeLessThan(500);
});

test('a service that ends says so when it is asked if it is ready', async () => {
  const finality = fixedFinality(world.finality);
  const service = await createService({ tree: await openWorld(), finality });
  const ready = async () => {
    const response = await service.fetch(new Request('http://127.0.0.1/ready'));
    return [response.status, await response.json()];
  };
  expect(await ready()).toEqual([200, { ready: true, block: world.finality }]);
  service.drain();
  const reason = 'the service is shutting down';
  expect(await ready()).toEqual([503, { ready: false, reason }]);
});

test('a service whose state is marked as wrong says so too, and not why', async () => {
  const tree = await openStateTree();
  await tree.applyBlock({ number: 1, changes: [] });
  const service = await createService({ tree, finality: fixedFinality(1) });
  await tree.distrust('block 1 has another root on L1');
  const response = await service.fetch(new Request('http://127.0.0.1/ready'));
  const reason = 'the state was found to be wrong; the log says why';
  expect([response.status, await response.json()]).toEqual([503, { ready: false, reason }]);
});

test('the calls for holdings are counted before they are made', async () => {
  const steps: (string | number)[] = [];
  const amounts = {
    balanceAt: async () => 0n,
    async call(calls: readonly unknown[]) {
      steps.push('called');
      return calls.map(() => undefined);
    },
  };
  const holdings = [contract, wallet].map((address) => ({
    standard: 'erc20' as const,
    contract: address,
  }));
  const charge = (calls: number) => steps.push(calls);
  const question = { wallet, block: 1, pause };
  const held = await heldAt(holdings as never, question, { index: {} as never, amounts, charge });
  expect(held).toEqual([]);
  expect(steps).toEqual([2, 'called']);
});

test('a chain without Multicall3 is asked for it once; a node that is away fails the question', async () => {
  const asked: string[] = [];
  let isAway = false;
  const callAt: DecoderNode['callAt'] = async ({ to }) => {
    asked.push(to);
    if (to !== multicall3 && isAway) throw new RpcError('NETWORK', 'eth_call', 'away');
    return new Uint8Array(0);
  };
  const contracts = createContracts({ callAt } as DecoderNode);
  const question = { tokens: [contract], pools: [], block: undefined };
  for (let i = 0; i < 2; i++) await contracts.ask(question);
  expect(asked.filter((to) => to === multicall3)).toHaveLength(1);
  isAway = true;
  await expect(contracts.ask(question)).rejects.toMatchObject({ code: 'NETWORK' });
});

test('a transaction and a receipt of two blocks do not fit together', async () => {
  const word = (digits: string) => `0x${digits.repeat(32)}` as const;
  const [hash, mined, other] = [word('11'), word('22'), word('33')];
  const results: Record<string, unknown> = {
    eth_getTransactionByHash: { hash, blockHash: other },
    eth_getTransactionReceipt: { transactionHash: hash, blockHash: mined, blockNumber: '0x5' },
    eth_getBlockByNumber: { number: '0x5', hash: mined },
  };
  const node = createDecoderNode({
    url: 'http://127.0.0.1:9',
    fetch: async (_, init) => {
      const { id, method } = JSON.parse(String(init?.body));
      return Response.json({ jsonrpc: '2.0', id, result: results[method] });
    },
  });
  await expect(node.mined(hash)).rejects.toMatchObject({ code: 'BAD_ANSWER' });
  results.eth_getTransactionByHash = { hash, blockHash: mined };
  expect(await node.mined(hash)).toMatchObject({ at: { number: 5, hash: mined } });
});

test('a store with other bytes in place of the header is left as it is', async () => {
  const store = memoryStore();
  for (const value of [new Uint8Array(64), new Uint8Array(2)]) {
    await store.write({ puts: [{ key: Uint8Array.of(0), value }], deletes: [] });
    await expect(openRecords(store, 1000, undefined)).rejects.toMatchObject({
      code: 'WRONG_CACHE',
    });
    const { values } = await store.read({ keys: [Uint8Array.of(0)], ranges: [] });
    expect(values).toEqual([value]);
  }
});

test.each([
  ['strings', `{"a":[${'"y",'.repeat(16_000)}"y"]}`],
  ['numbers', `{"a":[${'1,'.repeat(30_000)}1]}`],
  ['lists', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ['objects', `{"a":${'{"b":'.repeat(10_000)}1${'}'.repeat(10_000)}}`],
])('a body of very many %s is refused before it is parsed', (_, text) => {
  expect(parseBodyMembers(text)).toBe('the body has too many values');
  const [call] = readBatch(text, new Map(), readLimits()).calls;
  expect(call?.work).toMatchObject({
    code: -32700,
    message: 'the body has too many values; send the calls of a batch in several',
  });
});

test('the longest batch that keeps to the limits is read, with spaces and members that nobody asked for', () => {
  const keys = Array.from({ length: 256 }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`);
  const calls = Array.from({ length: 100 }, (_, id) => ({
    ...{ jsonrpc: '2.0', id, method: 'l2_getProof', extra: { a: ['b', 'c'], d: 'e' } },
    params: [`0x${'11'.repeat(20)}`, id === 0 ? keys : [], { blockNumber: '0x1' }],
  }));
  const text = JSON.stringify(calls, null, 2);
  const seen: unknown[] = [];
  const method = {
    read: (params: unknown) => seen.push(params),
    cost: () => 1,
    run: async () => ({ result: null }),
  };
  const methods = new Map([['l2_getProof', method]]) as unknown as MethodTable;
  expect(readBatch(text, methods, readLimits()).calls).toHaveLength(100);
  expect(seen).toEqual(calls.map(({ params }) => params));
});

test.each(['7', '"text"', 'true', 'null', '[]'])('a body of %s is no object', (text) => {
  expect(parseBodyMembers(text)).toBe('the body must be an object');
});
