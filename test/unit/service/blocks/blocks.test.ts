/** What the service answers about blocks: what its node says, each header by its hash, and from memory what stays true. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyAccountProof } from '../../../../src/anchor/index.js';
import { createTransport } from '../../../../src/rpc/index.js';
import { trieProofMethod } from '../../../../src/service/blocks/trieProof.js';
import { emit, mineAllTypes, putEmitter } from '../../../support/allTypes.js';
import { type Anvil, startAnvil } from '../../../support/anvil.js';
import { fromHex, toHex } from '../../../support/hex.js';
import { patience, type Wire } from '../../../support/runs.js';
import { ask, type Served, serveWorld } from '../../../support/service.js';
import { until } from '../../../support/until.js';

let node: Anvil;
let served: Served;
/** Methods that reached the node. */
const asked: string[] = [];
/** How the node answers in place of itself. */
let meddle: ((method: string) => object | undefined) | undefined;
/** What the answers of the node wait for. */
let held: Promise<void> | undefined;
const blocks: Wire[] = [];
let last: number;
const quantity = (number: number) => `0x${number.toString(16)}`;

beforeAll(async () => {
  node = await startAnvil('--hardfork', 'osaka');
  await putEmitter(node);
  await mineAllTypes(node, 'osaka');
  await node.call('anvil_mine', quantity(270));
  last = await node.mine(emit([1], 'aa'), emit([2]));
  for (let n = 0; n <= last; n++) {
    blocks.push(await node.call('eth_getBlockByNumber', quantity(n), false));
  }
  const transport = createTransport({
    url: node.url,
    fetch: async (url, init) => {
      const { id, method } = JSON.parse(String(init?.body));
      asked.push(method);
      const answer = meddle?.(method);
      if (answer) return Response.json({ jsonrpc: '2.0', id, ...answer });
      await held;
      return fetch(url, init);
    },
  });
  served = await serveWorld({ node: transport });
}, patience);
afterAll(async () => {
  await served.close();
  await node.close();
});
beforeEach(() => {
  asked.length = 0;
  meddle = undefined;
});

const call = async (method: string, ...params: unknown[]) =>
  (await served.post(ask(params, 1, method))).body;
const hashesOf = (headers: string[]) => headers.map((one) => toHex(keccak_256(fromHex(one))));
const expected = (top: number, count: number) =>
  Array.from({ length: count }, (_, i) => blocks[top - i].hash);

test('headers hash to the hashes of the node, the newest first, from any block down', async () => {
  for (const [top, count] of [
    [last, 256],
    [5, 3],
    [9, 1],
  ] as const) {
    const byNumber = await call('l2_getHeaders', quantity(top), quantity(count));
    expect(hashesOf(byNumber.result)).toEqual(expected(top, count));
    const byHash = await call('l2_getHeaders', blocks[top].hash, quantity(count));
    expect(byHash.result).toEqual(byNumber.result);
  }
  const short = await call('l2_getHeaders', quantity(2), quantity(100));
  expect(hashesOf(short.result)).toEqual(expected(2, 3));
});

test('what is kept is not asked for again: by its hash nothing, by its number the number alone', async () => {
  await call('l2_getHeaders', blocks[last].hash, quantity(256));
  asked.length = 0;
  const again = await call('l2_getHeaders', blocks[last].hash, quantity(256));
  expect(hashesOf(again.result)).toEqual(expected(last, 256));
  expect(asked).toEqual([]);
  await call('l2_getHeaders', quantity(last), quantity(256));
  expect(asked).toEqual(['eth_getBlockByNumber']);
  const { hash } = blocks[last];
  const receipts = await node.call('eth_getBlockReceipts', quantity(last));
  const whole = await node.call('eth_getBlockByNumber', quantity(last), true);
  asked.length = 0;
  for (let i = 0; i < 2; i++) {
    expect((await call('eth_getBlockReceipts', hash)).result).toEqual(receipts);
    expect((await call('eth_getBlockByHash', hash, true)).result).toEqual(whole);
  }
  expect(asked).toEqual(['eth_getBlockReceipts', 'eth_getBlockByHash']);
});

test('the same question is on its way once, however many wait for it', async () => {
  const { hash } = blocks[3];
  const many = Array.from({ length: 20 }, () => call('eth_getBlockReceipts', hash));
  const answers = await Promise.all(many);
  const receipts = await node.call('eth_getBlockReceipts', hash);
  for (const { result } of answers) expect(result).toEqual(receipts);
  expect(asked).toEqual(['eth_getBlockReceipts']);
});

test('more questions than are sent at once wait for their turn', async () => {
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  const numbers = Array.from({ length: 100 }, (_, i) => i);
  const answers = Promise.all(
    numbers.map((number) => call('eth_getBlockByNumber', quantity(number), false)),
  );
  await until(() => asked.length === 64, 'as many are asked as may be');
  // A hundred more requests are answered meanwhile, and none of these is begun.
  for (let i = 0; i < 100; i++) await call('eth_getBlockByNumber', 'x', false);
  expect(asked).toHaveLength(64);
  release();
  held = undefined;
  expect((await answers).map(({ result }) => result.hash)).toEqual(
    numbers.map((number) => blocks[number].hash),
  );
  expect(asked).toHaveLength(100);
});

test('a number means the block of now, also after the chain has changed', async () => {
  const before = await node.call('evm_snapshot');
  const number = await node.mine(emit([3]));
  const first = await call('l2_getHeaders', quantity(number), '0x2');
  await node.call('evm_revert', before);
  await node.mine(emit([4]), emit([4]));
  const { hash, parentHash } = await node.call('eth_getBlockByNumber', quantity(number), false);
  const second = await call('l2_getHeaders', quantity(number), '0x2');
  expect(hashesOf(second.result)).toEqual([hash, parentHash]);
  expect(hashesOf(first.result)[0]).not.toBe(hash);
  expect((await call('eth_getBlockReceipts', quantity(number))).result).toHaveLength(2);
});

test('blocks, transactions and receipts are those of the node', async () => {
  const [transaction] = blocks[1].transactions;
  for (const [method, ...params] of [
    ['eth_getBlockByNumber', '0x1', true],
    ['eth_getBlockByNumber', '0x1', false],
    ['eth_getBlockByHash', blocks[5].hash, false],
    ['eth_getTransactionByHash', transaction],
    ['eth_getTransactionReceipt', transaction],
    ['eth_getBlockReceipts', '0x1'],
  ] as [string, ...unknown[]][]) {
    const answer = await node.call(method, ...params);
    expect(answer).not.toBe(null);
    expect((await call(method, ...params)).result, method).toEqual(answer);
  }
});

test('what there is not is null', async () => {
  const nobody = `0x${'ab'.repeat(32)}`;
  for (const [method, ...params] of [
    ['l2_getHeaders', nobody, '0x1'],
    ['l2_getHeaders', quantity(last + 99), '0x5'],
    ['eth_getTransactionByHash', nobody],
    ['eth_getBlockByHash', nobody, true],
  ] as [string, ...unknown[]][]) {
    expect(await call(method, ...params), method).toMatchObject({ result: null });
  }
});

test('other parameters are refused before the node is asked', async () => {
  const hash = blocks[1].hash;
  for (const [method, ...params] of [
    ['l2_getHeaders'],
    ['l2_getHeaders', hash],
    ['l2_getHeaders', hash, '0x0'],
    ['l2_getHeaders', hash, '0x101'],
    ['l2_getHeaders', hash, 5],
    ['l2_getHeaders', 'latest', '0x1'],
    ['l2_getHeaders', 7, '0x1'],
    ['l2_getHeaders', `0x${'f'.repeat(20)}`, '0x1'],
    ['eth_getBlockByNumber', '0x1'],
    ['eth_getBlockByNumber', '0x1', 'true'],
    ['eth_getBlockByNumber', hash, true],
    ['eth_getBlockByHash', '0x1', true],
    ['eth_getBlockReceipts', {}],
    ['eth_getBlockReceipts', '0x1', '0x2'],
    ['eth_getTransactionByHash', '0x1'],
    ['eth_getTransactionReceipt', hash.slice(0, -1)],
  ] as [string, ...unknown[]][]) {
    const { error } = await call(method, ...params);
    expect(error, JSON.stringify([method, params])).toMatchObject({ code: -32602 });
    expect(error.message).toMatch(/^params/);
  }
  expect(asked).toEqual([]);
});

test('a node that fails, lacks a method, answers nonsense or changes meanwhile is told apart', async () => {
  const number = quantity(last);
  meddle = () => ({ error: { code: -32601, message: 'no such method' } });
  expect((await call('eth_getBlockReceipts', '0x2')).error).toMatchObject({ code: -32601 });
  meddle = () => ({ error: { code: -32000, message: 'a word of the node' } });
  for (const [method, ...params] of [
    ['eth_getBlockReceipts', '0x2'],
    ['l2_getHeaders', number, '0x1'],
  ] as const) {
    const { error } = await call(method, ...params);
    expect(error).toEqual({ code: -32603, message: 'the L2 node does not answer right now' });
  }
  const [one, other] = [blocks[last], blocks[last - 3]];
  for (const result of [
    'text',
    { ...one, hash: '0x1' },
    { ...one, gasUsed: '0x7' },
    { ...one, number: 'x' },
  ]) {
    meddle = () => ({ result });
    expect((await call('l2_getHeaders', number, '0x1')).error).toMatchObject({ code: -32603 });
  }
  // One that has another block below, or none.
  await node.call('anvil_mine', '0x5');
  const fresh = await node.call('eth_getBlockByNumber', 'latest', false);
  for (const [result, message] of [
    [other, /has changed meanwhile/],
    [null, /does not answer/],
  ] as const) {
    let isFirst = true;
    meddle = () => {
      const answer = isFirst ? fresh : result;
      isFirst = false;
      return { result: answer };
    };
    const { error } = await call('l2_getHeaders', fresh.number, '0x3');
    expect(error).toMatchObject({ code: -32603, message: expect.stringMatching(message) });
  }
});

test('answers are ASCII, whatever the node says, and long ones end a batch', async () => {
  const word = 'é\u2028\u0007"';
  meddle = () => ({ result: { word } });
  expect((await call('eth_getTransactionByHash', blocks[2].hash)).result).toEqual({ word });
  const long = 'a'.repeat(9 * 1024 * 1024);
  meddle = () => ({ result: long });
  const calls = [1, 2, 3, 4].map((i) => ask([quantity(i)], i, 'eth_getBlockReceipts'));
  const { body } = await served.post(calls);
  expect(body.map(({ result }: Wire) => result?.length)).toEqual([
    long.length,
    long.length,
    undefined,
    undefined,
  ]);
  expect(body[3]).toMatchObject({ id: 4, error: { code: -32005 } });
});

test('without a node none of it is answered, and a node needs a tree', async () => {
  const plain = await serveWorld();
  const reply = await plain.post(ask(['0x1', '0x1'], 1, 'l2_getHeaders'));
  expect(reply.body.error).toMatchObject({ code: -32601 });
  await plain.close();
  await expect(serveWorld({ node: {} as never })).rejects.toThrow(/"node" expected/);
});

test('proofs under a header are those of the node, by number and by hash, and asked for once', async () => {
  const address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
  const keys = [`0x${'0'.repeat(64)}`];
  const known = await node.call('eth_getProof', address, keys, quantity(last));
  const { result } = await call('eth_getProof', address, keys, quantity(last));
  expect(result).toEqual(known);
  const { stateRoot } = blocks[last];
  const claim = { stateRoot, address, storageKeys: keys } as Parameters<
    typeof verifyAccountProof
  >[1];
  expect(verifyAccountProof(result, claim).account?.nonce).toBe(BigInt(known.nonce));
  const times = () => asked.filter((method) => method === 'eth_getProof').length;
  expect(times()).toBe(1);
  expect((await call('eth_getProof', address, keys, blocks[last].hash)).result).toEqual(known);
  expect(times()).toBe(1);
  expect((await call('eth_getProof', address, keys, quantity(3))).result).not.toEqual(known);
  expect(times()).toBe(2);
});

test('a proof that the node cannot give is a block that is missing, which clients know', async () => {
  const address = `0x${'11'.repeat(20)}`;
  const missing = { code: -32600, message: expect.stringMatching(/^BLOCK_MISSING_IN_CHAIN/) };
  expect((await call('eth_getProof', address, [], quantity(last + 9))).error).toMatchObject(
    missing,
  );
  const message = 'distance to target block exceeds maximum proof window';
  meddle = (method) =>
    method === 'eth_getProof' ? { error: { code: -32000, message } } : undefined;
  expect((await call('eth_getProof', address, [], quantity(4))).error).toMatchObject(missing);
  meddle = undefined;
  for (const params of [
    [address, 'x', quantity(4)],
    [address, ['0x1'], quantity(4)],
    ['0x11', [], quantity(4)],
    [address, [], 'latest'],
    [address, []],
  ]) {
    expect((await call('eth_getProof', ...params)).error).toMatchObject({ code: -32602 });
  }
  const keys = Array(3).fill(`0x${'0'.repeat(64)}`);
  const { read } = trieProofMethod({} as never, 2);
  expect(() => read([address, keys, '0x1'])).toThrow('params[1] expected at most 2 storage keys');
  expect(read([address, keys.slice(1), '0x1']).storageKeys).toEqual(keys.slice(1));
});

test('proofs are kept within a bound that counts the question, which may be longer than its answer', async () => {
  let times = 0;
  const fake = {
    ask: async () => {
      times++;
      return new TextEncoder().encode('{"storageProof":[]}');
    },
  };
  const { run } = trieProofMethod(fake as never, 16_384);
  // 1.1 MB each.
  const storageKeys = Array(16_384).fill(`0x${'0'.repeat(64)}`);
  const askOf = (number: number) => {
    const blockHash = `0x${number.toString(16).padStart(64, '0')}` as const;
    const question = {
      address: `0x${'11'.repeat(20)}` as const,
      storageKeys,
      block: { blockHash },
    };
    return run(question, { signal: () => new AbortController().signal } as never);
  };
  for (let number = 1; number <= 64; number++) await askOf(number);
  await askOf(64);
  expect(times).toBe(64);
  await askOf(1);
  expect(times).toBe(65);
});
