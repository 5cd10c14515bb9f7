/** From two endpoints to a proven account: real nodes on both sides, and servers that misbehave in every way. */

import type { RequestListener } from 'node:http';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  fetchAnchor,
  fetchState,
  givenAnchor,
  type StateOptions,
} from '../../../src/anchor/index.js';
import { compactProof } from '../../../src/compact/index.js';
import { type Hex, slotKey } from '../../../src/index.js';
import { createTransport, type Transport } from '../../../src/rpc/index.js';
import type { NodeLog } from '../../support/answers.js';
import { type Anvil, accounts } from '../../support/anvil.js';
import { broken } from '../../support/broken.js';
import { type Forge, startForged } from '../../support/forged.js';
import { startHttp } from '../../support/http.js';
import { recorded, replay } from '../../support/recorded.js';
import { digits } from '../../support/reference.js';
import type { Wire } from '../../support/runs.js';
import { patience } from '../../support/runs.js';
import { contract, ends, openWorlds, type Worlds } from '../../support/worlds.js';

let worlds: Worlds;
let l1: Transport;
let l2: Transport;
let honest: { l1: Transport; l2: Transport; network: Worlds['network']; address: Hex };
beforeAll(async () => {
  worlds = await openWorlds();
  l1 = createTransport({ url: worlds.l1.url });
  l2 = createTransport({ url: worlds.proofs });
  honest = { l1, l2, network: worlds.network, address: accounts[1] };
}, patience);
afterAll(() => worlds.close());

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  worlds.holdUpTo(Number.MAX_SAFE_INTEGER);
  await Promise.all(closing.splice(0).map((one) => one.close()));
});

/** Ms that a transport waits here. */
const timeout = 1500;

async function serving(listener: RequestListener): Promise<Transport> {
  const server = await startHttp(listener);
  closing.push(server);
  return createTransport({
    url: `${server.url}/k3y-that-must-not-leak`,
    timeout,
    maxBytes: 2 ** 20,
  });
}

/** The service or node, but for some answers. */
async function lying(url: string, forge: Forge): Promise<Transport> {
  const server = await startForged({ url } as Anvil, forge);
  closing.push(server);
  return createTransport({ url: server.url, timeout });
}

const hexOf = (block: number): Hex => `0x${block.toString(16)}`;

/** What the L2 node itself says of the second account at a block. */
async function known(block: number) {
  const [balance, nonce] = await Promise.all([
    worlds.l2.call('eth_getBalance', accounts[1], hexOf(block)),
    worlds.l2.call('eth_getTransactionCount', accounts[1], hexOf(block)),
  ]);
  return { balance: BigInt(balance), nonce: BigInt(nonce) };
}

const newest = 8;

describe('two URLs', () => {
  test('give a proven account', async () => {
    const { anchor, state } = await fetchState(honest);
    expect(anchor).toEqual(await fetchAnchor({ l1, network: worlds.network }));
    expect(state).toMatchObject({ address: accounts[1], stateRoot: worlds.roots.get(newest) });
    expect(state.account).toMatchObject(await known(newest));
  });

  test('and slots, present and absent, however many requests they take', async () => {
    const storageKeys = [slotKey(1), slotKey(2), slotKey(0)];
    const question = { ...honest, address: contract, storageKeys };
    for (const maxSlots of [200, 1]) {
      const { state } = await fetchState({ ...question, maxSlots });
      const values = await worlds.l2.callEach(
        'eth_getStorageAt',
        storageKeys.map((key) => [contract, key, hexOf(newest)]),
      );
      expect(state.storage.map(({ value }) => value)).toEqual(values);
      expect(state.storage.map(({ exists }) => exists)).toEqual([true, false, true]);
    }
  });

  test('by proof, and by several endpoints', async () => {
    const { hash } = await worlds.l1.call('eth_getBlockByNumber', 'finalized', false);
    const proven = await fetchState({ ...honest, trusted: { blockHash: hash } });
    expect(proven.anchor.how).toBe('proof');
    expect(proven.state.account).toMatchObject(await known(newest));
    const agreed = await fetchState({
      ...honest,
      l1: [l1, createTransport({ url: `${worlds.l1.url}/?b` })],
    });
    expect(agreed.anchor.how).toBe('quorum');
  });

  test('at a block that the caller names, and no other', async () => {
    const { anchor, state } = await fetchState({ ...honest, l2BlockNumber: 4 });
    expect(anchor.l2BlockNumber).toBe(4);
    expect(state.account).toMatchObject(await known(4));
    worlds.holdUpTo(3);
    await expect(fetchState({ ...honest, l2BlockNumber: 4 })).rejects.toMatchObject({
      name: 'RpcError',
      code: 'BLOCK_NOT_HELD',
    });
  });

  test('the method is the one of the network, or the one given', async () => {
    const methods: string[] = [];
    const noting: Transport = {
      call: (method, params, options) => {
        methods.push(method);
        return l2.call(method, params, options);
      },
    };
    await fetchState({ ...honest, l2: noting });
    await fetchState({ ...honest, l2: noting, method: 'l2_getProof' });
    expect(methods).toEqual(['linea_getProof', 'l2_getProof']);
  });
});

describe('a server that is behind L1', () => {
  test.each(ends.slice(0, -1))(
    'is asked for earlier finalizations, down to block %d',
    async (end) => {
      worlds.holdUpTo(end);
      const { hash } = await worlds.l1.call('eth_getBlockByNumber', 'finalized', false);
      for (const options of [
        {},
        { l1: [l1, createTransport({ url: `${worlds.l1.url}/?b` })] },
        { trusted: { blockHash: hash } },
      ]) {
        const { anchor, state } = await fetchState({ ...honest, ...options });
        expect(anchor).toMatchObject({ l2BlockNumber: end, stateRoot: worlds.roots.get(end) });
        expect(state.account).toMatchObject(await known(end));
      }
    },
  );

  test('but is not asked again after an answer that is false', async () => {
    worlds.holdUpTo(6);
    const server = await lying(worlds.proofs, (_, [, , block], result) =>
      block === hexOf(6)
        ? { ...result, accountProof: { ...result.accountProof, key: contract } }
        : result,
    );
    await expect(fetchState({ ...honest, l2: server })).rejects.toMatchObject({
      code: 'KEY_MISMATCH',
    });
  });

  test.each([newest, 6])('nor is one that fails otherwise, at block %d', async (block) => {
    worlds.holdUpTo(block);
    const failing: Transport = {
      call: (method, params, options) =>
        params[2] === hexOf(block)
          ? Promise.reject(new Error('down'))
          : l2.call(method, params, options),
    };
    await expect(fetchState({ ...honest, l2: failing })).rejects.toThrow(/^down$/);
  });

  test('not behind an anchor that the caller has', async () => {
    const after = await fetchAnchor({ l1, network: worlds.network, l2BlockNumber: 6 });
    worlds.holdUpTo(6);
    expect((await fetchState({ ...honest, after })).anchor.l2BlockNumber).toBe(6);
    worlds.holdUpTo(4);
    await expect(fetchState({ ...honest, after })).rejects.toMatchObject({
      code: 'BLOCK_NOT_HELD',
    });
    expect((await fetchState({ ...honest, after, l2BlockNumber: 4 })).anchor.l2BlockNumber).toBe(4);
  });

  test('not further than the caller wants', async () => {
    worlds.holdUpTo(4);
    expect((await fetchState({ ...honest, maxSteps: 2 })).anchor.l2BlockNumber).toBe(4);
    for (const maxSteps of [0, 1]) {
      await expect(fetchState({ ...honest, maxSteps })).rejects.toMatchObject({
        code: 'BLOCK_NOT_HELD',
      });
    }
  });

  test.each([
    [2 ** 18, newest],
    [2 ** 18 + 1, 'BLOCK_NOT_HELD'],
  ])('a finalization %d blocks back: %s', async (distance, expected) => {
    // The endpoint says that L1 has finalized a block far ahead, and leaves out all between.
    const far = digits(BigInt(newest + distance));
    const answers: Record<string, string> = {
      '0x695378f5': `0x${far}`,
      [`0x8be745d1${far}`]: `0x${digits(1n)}`,
    };
    const gap = await lying(worlds.l1.url, (method, params, result) =>
      method === 'eth_call' ? (answers[params[0].data] ?? result) : result,
    );
    const found = await fetchState({ ...honest, l1: gap }).then(
      ({ anchor }) => anchor.l2BlockNumber,
      ({ code }) => code,
    );
    expect(found).toBe(expected);
  });

  test('sixteen steps at most, if the caller says nothing', async () => {
    worlds.holdUpTo(1);
    let asked = 0;
    const missing: Transport = {
      call: (method, params, options) => {
        asked += 1;
        return l2.call(method, params, options);
      },
    };
    // Events of finalizations that never were.
    const topic = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
    const many = await lying(worlds.l1.url, (method, _, result) =>
      method === 'eth_getLogs'
        ? Array.from({ length: 1000 }, (__, i) => ({
            topics: [topic(0), topic(i), topic(i)],
            data: '0x',
          }))
        : result,
    );
    const fetching = fetchState({ ...honest, l1: many, l2: missing });
    await expect(fetching).rejects.toMatchObject({ code: 'BLOCK_NOT_HELD' });
    // Blocks 7 to 0, and the newest.
    expect(asked).toBe(9);
  });

  test('events that are false are passed over', async () => {
    worlds.holdUpTo(5);
    // Names blocks that ended no finalization; the service holds block 5's state no more than L1 its root.
    const false5 = await lying(worlds.l1.url, (method, _, result) =>
      method === 'eth_getLogs'
        ? [
            ...result,
            ...result.map((log: NodeLog) => ({
              ...log,
              topics: [...log.topics.slice(0, 2), `0x${'5'.padStart(64, '0')}`],
            })),
          ]
        : result,
    );
    // A server that answers any block with that of block 4.
    const any = await lying(worlds.proofs, async (_method, params, result) => result ?? params);
    const { anchor } = await fetchState({ ...honest, l1: false5, l2: any });
    expect(anchor.l2BlockNumber).toBe(4);
  });

  test('ranges of events that are refused are halved', async () => {
    worlds.holdUpTo(2);
    const widths: number[] = [];
    const narrow = createTransport({
      url: worlds.l1.url,
      fetch: async (url, init) => {
        const { id, method, params } = JSON.parse(String(init?.body));
        if (method !== 'eth_getLogs' || params[0].topics.length > 1) return fetch(url, init);
        const width = Number(params[0].toBlock) - Number(params[0].fromBlock) + 1;
        widths.push(width);
        if (width <= 2) return fetch(url, init);
        const error = { code: -32005, message: 'query exceeds the range' };
        return Response.json({ jsonrpc: '2.0', id, error });
      },
    });
    const { anchor } = await fetchState({ ...honest, l1: narrow });
    expect(anchor.l2BlockNumber).toBe(2);
    expect(widths.length).toBeLessThanOrEqual(48);
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(1);
    expect(widths.filter((width) => width <= 2).length).toBeGreaterThan(1);
  });
});

test('a busy L1 endpoint is not asked for ever smaller ranges', async () => {
  worlds.holdUpTo(2);
  let asked = 0;
  const busy = createTransport({
    url: worlds.l1.url,
    fetch: async (url, init) => {
      const { method, params } = JSON.parse(String(init?.body));
      if (method !== 'eth_getLogs' || params[0].topics.length > 1) return fetch(url, init);
      asked += 1;
      return new Response('', { status: 503, headers: { 'retry-after': '0' } });
    },
  });
  await expect(fetchState({ ...honest, l1: busy })).rejects.toMatchObject({
    code: 'BLOCK_NOT_HELD',
  });
  // One request, tried three times.
  expect(asked).toBe(3);
});

describe('an anchor that is there', () => {
  test('serves many addresses, and asks L1 nothing', async () => {
    const { anchor } = await fetchState(honest);
    const { network } = worlds;
    for (const address of [...accounts, contract]) {
      const fetched = await fetchState({ address, l2, anchor, network });
      expect(fetched.anchor).toBe(anchor);
      expect(fetched.state).toMatchObject({ address, stateRoot: anchor.stateRoot });
    }
  });

  test('may be answered with bytes of another realm', async () => {
    const { network } = worlds;
    const [address] = accounts;
    const { anchor, state, result } = await fetchState({ ...honest, address });
    const { stateRoot, hash } = anchor;
    const bytes = compactProof(result, {
      stateRoot,
      hash,
      address,
      storageKeys: state.storage.map(({ key }) => key),
    });
    const elsewhere = runInNewContext('new Uint8Array(given)', { given: [...bytes] });
    const question = { address, storageKeys: state.storage.map(({ key }) => key), network, anchor };
    const again = await fetchState({
      ...question,
      l2: { call: async () => elsewhere },
      form: 'auto',
    });
    expect(again.state).toEqual(state);
  });

  test("may be the caller's own", async () => {
    const anchor = givenAnchor({
      network: worlds.network,
      l2BlockNumber: 6,
      stateRoot: worlds.roots.get(6) as Hex,
      l1: { blockNumber: 5, blockHash: `0x${'ab'.repeat(32)}` },
    });
    const { state } = await fetchState({ ...honest, l1: undefined as never, anchor });
    expect(state.account).toMatchObject(await known(6));
    // One that is changed afterwards is looked at again.
    const loose = { ...anchor };
    await fetchState({ address: accounts[0], l2, network: worlds.network, anchor: loose });
    Object.assign(loose, { stateRoot: worlds.roots.get(4) });
    const asked = fetchState({ address: accounts[0], l2, network: worlds.network, anchor: loose });
    await expect(asked).rejects.toMatchObject({ code: 'ROOT_MISMATCH' });
  });
});

async function ending(options: Partial<StateOptions>) {
  const begin = performance.now();
  const error = await fetchState({ ...honest, ...options } as StateOptions).then(
    ({ state }) => new Error(`a value came out: ${state.account?.balance}`),
    (reason) => reason,
  );
  expect(error.message).not.toMatch(/k3y|127\.0\.0\.1/);
  return { error, time: performance.now() - begin };
}

describe.each(['l1', 'l2'] as const)('a hostile server as %s', (side) => {
  test.each(broken)('%s', async (_, listener, code) => {
    const { error, time } = await ending({ [side]: await serving(listener) });
    expect(error).toMatchObject({ name: 'RpcError', code });
    // Its own time-out, what lies between three tries, and a busy machine.
    expect(time).toBeLessThan(3 * timeout + 30_000);
  });
});

describe('a hostile proof server', () => {
  const storageKeys = [slotKey(1), slotKey(2)];
  const question = { address: contract, storageKeys };
  const at = (address: Hex, keys: readonly Hex[], block: number) =>
    l2.call('l2_getProof', [address, keys, hexOf(block)]);

  test.each<[string, () => Promise<unknown>, object]>([
    ['the wrong block', () => at(contract, storageKeys, 6), { code: 'ROOT_MISMATCH' }],
    ['another account', () => at(accounts[1], storageKeys, newest), { code: 'KEY_MISMATCH' }],
    [
      'an absent account',
      () => at(`0x${'00'.repeat(19)}05`, storageKeys, newest),
      { code: 'KEY_MISMATCH' },
    ],
    [
      'swapped slots',
      () => at(contract, [...storageKeys].reverse(), newest),
      { code: 'KEY_MISMATCH' },
    ],
    ['a slot too few', () => at(contract, storageKeys.slice(1), newest), { code: 'SLOT_COUNT' }],
    ['no slots', () => at(contract, [], newest), { code: 'SLOT_WITHHELD' }],
    [
      'an answer of another chain',
      async () => JSON.parse(recorded('ok-contract').response.body as string).result,
      { code: 'KEY_MISMATCH' },
    ],
    ['nothing', async () => null, { name: 'ShapeError' }],
    [
      'nodes in another order',
      async () => edited((nodes) => nodes.reverse()),
      { name: 'ShapeError' },
    ],
    ['a node more', async () => edited((nodes) => [...nodes, nodes[5]]), { name: 'ShapeError' }],
    [
      'two nodes swapped',
      async () => edited(([top, first, second, ...rest]) => [top, second, first, ...rest]),
      { code: 'SUB_TREE_ROOT_MISMATCH' },
    ],
  ])('%s', async (_, answer, expected) => {
    const result = await answer();
    const server = await lying(worlds.proofs, () => result);
    const { error } = await ending({ ...question, l2: server });
    expect(error).toMatchObject(expected);
  });

  async function edited(edit: (nodes: unknown[]) => unknown[]): Promise<unknown> {
    const result: Wire = await at(contract, storageKeys, newest);
    const { proof } = result.accountProof;
    proof.proofRelatedNodes = edit(proof.proofRelatedNodes);
    return result;
  }

  test('a block that is held nowhere', async () => {
    const { error } = await ending({ l2: await serving(replay('block-tag-finalized')) });
    expect(error).toMatchObject({ name: 'RpcError', code: 'BLOCK_NOT_HELD' });
  });

  test('a stale root from L1 with its own proof is as old as the L1 block says', async () => {
    // Believed by call: the endpoint is the one that is trusted. With "after" it cannot go back.
    const after = await fetchAnchor({ l1, network: worlds.network });
    const block = await worlds.l1.call('eth_getBlockByNumber', '0x3', false);
    const stale = await lying(worlds.l1.url, (method, _, result) =>
      method === 'eth_getBlockByNumber' ? block : result,
    );
    expect((await fetchState({ ...honest, l1: stale })).anchor.l2BlockNumber).toBe(4);
    expect((await ending({ l1: stale, after })).error).toMatchObject({ code: 'STALE' });
  });
});

test('a wrong option is told before anybody is asked', async () => {
  const nobody: Transport = { call: () => Promise.reject(new Error('it was asked')) };
  const asks = (change: object) =>
    fetchState({ ...honest, l1: nobody, l2: nobody, ...change } as StateOptions);
  const anchor = await fetchAnchor({ l1, network: worlds.network });
  for (const change of [
    { address: undefined },
    { l2: undefined },
    { l1: undefined },
    { network: undefined },
    { method: '' },
    { anchor },
    { anchor: null, l1: undefined },
  ]) {
    await expect(asks(change), Object.keys(change).join()).rejects.toBeInstanceOf(TypeError);
  }
  for (const change of [
    { address: '0x1' },
    { storageKeys: ['0x1'] },
    { maxSlots: 0 },
    { l1: undefined, anchor: { ...anchor, l2ChainId: 5 } },
    { l1: undefined, anchor: { ...anchor, stateRoot: `0x${'00'.repeat(32)}` } },
  ]) {
    await expect(asks(change), Object.keys(change).join()).rejects.toBeInstanceOf(RangeError);
  }
  await expect(fetchState(undefined as never)).rejects.toBeInstanceOf(TypeError);
  const given = (own: unknown) => asks({ l1: undefined, anchor: own });
  await expect(given(null)).rejects.toThrow(/^"anchor" is null; leave it out, or pass a value$/);
  for (const own of [5, 'anchor'])
    await expect(given(own)).rejects.toThrow(/^"anchor" expected an /);
  for (const l2BlockNumber of ['8', -1, undefined]) {
    await expect(given({ ...anchor, l2BlockNumber })).rejects.toThrow(/^"anchor\.l2BlockNumber" /);
  }
});
