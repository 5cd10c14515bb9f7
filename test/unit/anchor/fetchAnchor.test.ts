/** Roots from real L1 nodes: by call, by quorum, by proof; and servers that lie. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  AnchorError,
  type AnchorOptions,
  anchorStorageKeys,
  defineNetwork,
  fetchAnchor,
  type Network,
} from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { createTransport, type Transport } from '../../../src/rpc/index.js';
import type { NodeLog } from '../../support/answers.js';
import { type Anvil, startAnvil, word } from '../../support/anvil.js';
import { type Forge, startForged } from '../../support/forged.js';
import { entrySlot, finalizeOnL1, setSlots } from '../../support/rollup.js';
import type { Wire } from '../../support/runs.js';
import { patience } from '../../support/runs.js';
import { rejectionOf } from '../../support/thrown.js';
import { implementation, openWorlds, rollup, type Worlds } from '../../support/worlds.js';

let worlds: Worlds;
let network: Network;
let l1: Transport;
/** The same node under other names, as other endpoints. */
let others: [Transport, Transport];
beforeAll(async () => {
  worlds = await openWorlds();
  network = worlds.network;
  l1 = createTransport({ url: worlds.l1.url });
  const named = (name: string) => createTransport({ url: `${worlds.l1.url}/?${name}` });
  others = [named('b'), named('c')];
}, patience);
afterAll(() => worlds.close());

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()));
});

/** A transport to a node that lies. */
async function lying(forge: Forge, node: Anvil = worlds.l1): Promise<Transport> {
  const server = await startForged(node, forge);
  closing.push(server);
  return createTransport({ url: server.url, timeout: 5000 });
}

/** A transport that notes what it is asked, and may fail by an error of the server's. */
function noted(fail: (method: string, params: Wire[]) => string | undefined = () => undefined) {
  const asked: { method: string; params: Wire[] }[] = [];
  const transport = createTransport({
    url: worlds.l1.url,
    fetch: async (url, init) => {
      const { id, method, params } = JSON.parse(String(init?.body));
      asked.push({ method, params });
      const message = fail(method, params);
      if (message === undefined) return fetch(url, init);
      const error = { code: -32000, message };
      return Response.json({ jsonrpc: '2.0', id, error });
    },
  });
  return { transport, asked };
}

const block = (named: string) => worlds.l1.call('eth_getBlockByNumber', named, false);

async function failure(options: Partial<AnchorOptions>): Promise<AnchorError> {
  const error = await rejectionOf(AnchorError, fetchAnchor({ l1, network, ...options }));
  expect(error.message).not.toMatch(/127\.0\.0\.1/);
  return error;
}

/** The L1 block that is final, as an anchor has it. */
async function finalizedHead() {
  const { number, hash, timestamp } = await block('finalized');
  return {
    chainId: 900,
    blockNumber: Number(number),
    blockHash: hash as Hex,
    timestamp: BigInt(timestamp),
  };
}

const newest = 8;

/** Does some work while the contract has a root of L2 block 10. @param work told the hash of the final L1 block */
async function withRoot(stateRoot: Hex, work: (finalHash: Hex) => Promise<void>): Promise<void> {
  const { l1: node } = worlds;
  const snapshot = await node.call('evm_snapshot');
  try {
    await finalizeOnL1(node, rollup, { start: 9, end: 10, stateRoot, timestamp: 5 });
    await node.mine();
    const { hash } = await block('finalized');
    await work(hash);
  } finally {
    await node.call('evm_revert', snapshot);
  }
}

describe('by call', () => {
  test('the newest root at the final block, with its time as the server says it', async () => {
    const anchor = await fetchAnchor({ l1, network });
    expect(anchor).toEqual({
      kind: 'tree',
      l2ChainId: 31337,
      l2BlockNumber: newest,
      stateRoot: worlds.roots.get(newest),
      hash: 'poseidon2',
      timestamp: { value: BigInt(await worlds.timeOf(newest)), proven: false },
      l1: await finalizedHead(),
      how: 'call',
    });
    expect(Object.isFrozen(anchor) && Object.isFrozen(anchor.l1)).toBe(true);
  });

  test('names the L1 block once; every later read names it by its hash', async () => {
    const { transport, asked } = noted();
    const { l1: head } = await fetchAnchor({ l1: transport, network });
    const tagged = asked.filter(({ params }) => JSON.stringify(params).includes('finalized'));
    expect(tagged).toEqual([{ method: 'eth_getBlockByNumber', params: ['finalized', false] }]);
    const calls = asked.filter(({ method }) => method === 'eth_call');
    expect(calls.map(({ params }) => params[1])).toEqual([
      { blockHash: head.blockHash },
      { blockHash: head.blockHash },
    ]);
    expect(asked.length).toBeLessThanOrEqual(5);
  });

  test('at another tag, and at a number', async () => {
    const latest = await fetchAnchor({ l1, network, l1Block: 'latest' });
    expect(latest.l1.blockHash).toBe((await block('latest')).hash);
    const early = await fetchAnchor({ l1, network, l1Block: 3 });
    expect(early).toMatchObject({ l2BlockNumber: 4, l1: { blockNumber: 3 } });
  });

  test('an earlier block of L2, if it ended a finalization', async () => {
    const anchor = await fetchAnchor({ l1, network, l2BlockNumber: 4 });
    expect(anchor).toMatchObject({ l2BlockNumber: 4, stateRoot: worlds.roots.get(4) });
    const { code, message } = await failure({ l2BlockNumber: 5 });
    expect(code).toBe('NOT_PROVABLE');
    expect(message).toContain('L2 block 5');
    expect((await failure({ l2BlockNumber: 10 })).code).toBe('NOT_PROVABLE');
  });

  test('a tag that the server does not know is no other block', async () => {
    const without = await lying((method, params, result) =>
      method === 'eth_getBlockByNumber' && params[0] === 'finalized' ? null : result,
    );
    expect(await failure({ l1: without })).toMatchObject({ code: 'L1_BLOCK_NOT_HELD' });
    expect((await failure({ l1Block: 10_000 })).code).toBe('L1_BLOCK_NOT_HELD');
  });

  test('pins of the implementation are looked at', async () => {
    const pinned = defineNetwork({ ...network, implementations: [implementation] });
    expect((await fetchAnchor({ l1, network: pinned })).l2BlockNumber).toBe(newest);
    const other = defineNetwork({ ...network, implementations: [rollup] });
    expect((await failure({ network: other })).code).toBe('WRONG_IMPLEMENTATION');
  });

  test('what is not the network', async () => {
    const chain = defineNetwork({ ...network, l1ChainId: 1 });
    expect(await failure({ network: chain })).toMatchObject({ code: 'WRONG_NETWORK' });
    const elsewhere = defineNetwork({ ...network, rollup: `0x${'12'.repeat(20)}` });
    expect((await failure({ network: elsewhere })).code).toBe('WRONG_NETWORK');
    // No digest of either family is as large.
    const large = await lying((method, params, result) =>
      method === 'eth_call' && params[0].data.startsWith('0x8be745d1')
        ? `0x${'ff'.repeat(32)}`
        : result,
    );
    expect((await failure({ l1: large })).code).toBe('WRONG_FAMILY');
  });

  test.each<[string, Forge]>([
    ['a word too short', (method, _, result) => (method === 'eth_call' ? '0x01' : result)],
    ['a number for a word', (method, _, result) => (method === 'eth_call' ? 5 : result)],
    [
      'a block without a hash',
      (method, _, result) =>
        method === 'eth_getBlockByNumber' ? { ...result, hash: undefined } : result,
    ],
    ['text for a block', (method, _, result) => (/ByNumber/.test(method) ? 'block' : result)],
  ])('%s is a bad answer', async (_, forge) => {
    expect((await failure({ l1: await lying(forge) })).code).toBe('BAD_ANSWER');
  });

  test('the wrong block for a number is a bad answer', async () => {
    const wrong = await lying(async (method, _, result) =>
      method === 'eth_getBlockByNumber' ? await block('0x1') : result,
    );
    const error = await failure({ l1: wrong, l1Block: 3 });
    expect(error).toMatchObject({ code: 'BAD_ANSWER', path: 'block.number' });
  });

  test('hints are not needed', async () => {
    const { transport, asked } = noted((method) =>
      method === 'eth_getLogs' ? 'no logs here' : undefined,
    );
    const anchor = await fetchAnchor({ l1: transport, network });
    expect(anchor.timestamp).toBeUndefined();
    expect(anchor.l2BlockNumber).toBe(newest);
    expect(asked.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(1);
  });
});

describe('by several endpoints', () => {
  test('that agree', async () => {
    const anchor = await fetchAnchor({ l1: [l1, ...others], network });
    expect(anchor).toMatchObject({
      how: 'quorum',
      l2BlockNumber: newest,
      l1: await finalizedHead(),
    });
    expect((await fetchAnchor({ l1: [l1], network })).how).toBe('call');
  });

  test('the lowest final block is taken', async () => {
    const behind = await lying(async (method, params, result) =>
      method === 'eth_getBlockByNumber' && params[0] === 'finalized' ? await block('0x3') : result,
    );
    const anchor = await fetchAnchor({ l1: [l1, behind], network });
    expect(anchor).toMatchObject({ how: 'quorum', l2BlockNumber: 4, l1: { blockNumber: 3 } });
  });

  const liar: Record<string, Forge> = {
    'root of another block': (method, params, result) =>
      method === 'eth_call' && params[0].data.startsWith('0x8be745d1')
        ? (worlds.roots.get(4) as string)
        : result,
    'number of another block': (method, params, result) =>
      method === 'eth_call' && params[0].data === '0x695378f5' ? `0x${word(4)}` : result,
    'hash of the final block': (method, _, result) =>
      method === 'eth_getBlockByNumber' ? { ...result, hash: `0x${'ab'.repeat(32)}` } : result,
    'time of the final block': (method, _, result) =>
      method === 'eth_getBlockByNumber' ? { ...result, timestamp: '0x1' } : result,
  };
  test.each(Object.keys(liar))('one says another %s: it is named by its place', async (name) => {
    const forge = liar[name] as Forge;
    const second = await failure({ l1: [l1, await lying(forge)] });
    expect(second.code).toBe('DISAGREEMENT');
    expect(second.message).toMatch(/^L1 endpoint 2 answers another .* than L1 endpoint 1 \(/);
    // Most are right.
    const first = await failure({ l1: [await lying(forge), l1, others[0]] });
    expect(first.message).toMatch(/^L1 endpoint 1 answers another .* than L1 endpoint 2 \(/);
  });

  test('one of another chain, one that is away, and one that says nonsense are named', async () => {
    const other = await startAnvil('--chain-id', '901');
    closing.push(other);
    const foreign = createTransport({ url: other.url });
    const chain = await failure({ l1: [l1, foreign] });
    expect(chain).toMatchObject({ code: 'WRONG_NETWORK' });
    expect(chain.message).toMatch(/^L1 endpoint 2: /);
    const away = createTransport({ url: 'http://127.0.0.1:9/key-that-must-not-leak' });
    const gone = await fetchAnchor({ l1: [l1, away], network }).catch((error) => error);
    expect(gone).toMatchObject({ name: 'RpcError', code: 'NETWORK' });
    expect(gone.message).toContain('L1 endpoint 2: ');
    expect(gone.message).not.toContain('key-that');
    const nonsense = await lying((method, _, result) => (method === 'eth_call' ? '0x1' : result));
    expect((await failure({ l1: [l1, others[0], nonsense] })).message).toMatch(/^L1 endpoint 3: /);
  });
});

describe('by proof', () => {
  let trusted: { blockHash: Hex };
  beforeAll(async () => {
    trusted = { blockHash: (await block('finalized')).hash };
  });

  test('from a block hash: root, time and implementation are proven', async () => {
    const { transport, asked } = noted();
    expect(await fetchAnchor({ l1: transport, network, trusted })).toEqual({
      kind: 'tree',
      l2ChainId: 31337,
      l2BlockNumber: newest,
      stateRoot: worlds.roots.get(newest),
      hash: 'poseidon2',
      timestamp: { value: BigInt(await worlds.timeOf(newest)), proven: true },
      isNewest: true,
      implementation,
      l1: { ...(await finalizedHead()), proven: true },
      how: 'proof',
    });
    const count = (name: string) => asked.filter(({ method }) => method === name).length;
    expect([count('eth_getBlockByHash'), count('eth_getProof')]).toEqual([1, 1]);
    // The rest are hints.
    expect(asked.length - 2).toBeLessThanOrEqual(4);
    const proof = asked.find(({ method }) => method === 'eth_getProof');
    expect(proof?.params).toEqual([rollup, anchorStorageKeys(network, newest), trusted]);
  });

  test('from a state root, at the number of its block', async () => {
    const { number, stateRoot, hash } = await block('0x5');
    const options = { l1, network, trusted: { stateRoot } };
    const anchor = await fetchAnchor({ ...options, l1Block: Number(number) });
    expect(anchor).toMatchObject({ how: 'proof', l2BlockNumber: 6, l1: { blockHash: hash } });
    expect(await failure({ ...options, l1Block: 3 })).toMatchObject({ code: 'BAD_PROOF' });
  });

  test('of an earlier block of L2', async () => {
    const anchor = await fetchAnchor({ l1, network, trusted, l2BlockNumber: 4 });
    expect(anchor).toMatchObject({ l2BlockNumber: 4, stateRoot: worlds.roots.get(4) });
    // Its time is not in the state that is proven.
    expect(anchor.timestamp).toBeUndefined();
    expect(anchor.isNewest).toBe(false);
    expect((await failure({ trusted, l2BlockNumber: 5 })).code).toBe('NOT_PROVABLE');
  });

  const isProof = (method: string) => method === 'eth_getProof';
  const lies: [string, Forge, AnchorError['code']][] = [
    [
      'a header of another block',
      (method, _, result) => (/ByHash/.test(method) ? { ...result, number: '0x1' } : result),
      'BAD_PROOF',
    ],
    [
      'no block',
      (method, _, result) => (/ByHash/.test(method) ? null : result),
      'L1_BLOCK_NOT_HELD',
    ],
    [
      'a field of a later fork',
      (method, _, result) =>
        /ByHash/.test(method) ? { ...result, number: '0x1', newHash: '0x' } : result,
      'UNKNOWN_HEADER_FIELD',
    ],
    [
      'a node that is changed',
      (method, _, result) =>
        isProof(method)
          ? { ...result, accountProof: [`${result.accountProof[0].slice(0, -1)}0`] }
          : result,
      'BAD_PROOF',
    ],
    [
      'nodes in another order',
      (method, _, result) =>
        isProof(method) ? { ...result, accountProof: [...result.accountProof].reverse() } : result,
      'BAD_PROOF',
    ],
    [
      'a node more',
      (method, _, result) =>
        isProof(method)
          ? { ...result, accountProof: [...result.accountProof, result.accountProof[0]] }
          : result,
      'BAD_PROOF',
    ],
    [
      'swapped slots',
      (method, _, result) => {
        if (!isProof(method)) return result;
        const [a, b, ...rest] = result.storageProof;
        return {
          ...result,
          storageProof: [{ ...a, proof: b.proof }, { ...b, proof: a.proof }, ...rest],
        };
      },
      'BAD_PROOF',
    ],
    [
      'another last block, so that its root is not in the answer',
      (method, params, result) =>
        method === 'eth_call' && params[0].data === '0x695378f5' ? `0x${word(6)}` : result,
      'BAD_ANSWER',
    ],
    ['nothing', (method, _, result) => (isProof(method) ? null : result), 'BAD_ANSWER'],
  ];
  test.each(lies)('%s is refused', async (_, forge, code) => {
    expect((await failure({ l1: await lying(forge), trusted })).code).toBe(code);
  });

  test.each(lies)(
    '%s from one endpoint does not matter if another has the proof',
    async (...lie) => {
      const [, forge] = lie;
      const anchor = await fetchAnchor({ l1: [await lying(forge), l1], network, trusted });
      expect(anchor).toMatchObject({ how: 'proof', stateRoot: worlds.roots.get(newest) });
    },
  );

  test.each<[string, object, object]>([
    // All else is asked for at this hash, which the node does not find (EIP-1474).
    [
      'hash',
      { hash: `0x${'ab'.repeat(32)}` },
      { name: 'RpcError', code: 'SERVER_ERROR', serverCode: -32001 },
    ],
    ['time', { timestamp: '0x1' }, { name: 'AnchorError', code: 'STALE' }],
  ])('a false %s beside a trusted state root does not matter either', async (_, members, error) => {
    const { stateRoot } = await block('finalized');
    const liar = await lying((method, __, result) =>
      method === 'eth_getBlockByNumber' ? { ...result, ...members } : result,
    );
    const options = { network, trusted: { stateRoot }, maxAge: 3_600_000 };
    const anchor = await fetchAnchor({ ...options, l1: [liar, l1] });
    expect(anchor).toMatchObject({ how: 'proof', l1: await finalizedHead() });
    await expect(fetchAnchor({ ...options, l1: liar })).rejects.toMatchObject(error);
  });

  test('an older state is refused: another account, or the state of an earlier block', async () => {
    const at = async (address: Hex, blockTag: string) =>
      worlds.l1.call('eth_getProof', address, anchorStorageKeys(network, newest), blockTag);
    for (const result of [await at(rollup, '0x3'), await at(`0x${'12'.repeat(20)}`, 'finalized')]) {
      const server = await lying((method, _, honest) => (isProof(method) ? result : honest));
      expect((await failure({ l1: server, trusted })).code).toBe('BAD_PROOF');
    }
  });

  test('the state of another chain is refused', async () => {
    const other = await startAnvil('--chain-id', '901');
    closing.push(other);
    expect((await failure({ l1: createTransport({ url: other.url }), trusted })).code).toBe(
      'WRONG_NETWORK',
    );
  });

  test.each<[string, Forge]>([
    [
      'words',
      (_method, params, result) => (/914e57eb/.test(params[0]?.data) ? `0x${word(1)}` : result),
    ],
    [
      'an event',
      (method, _, result) =>
        method === 'eth_getLogs'
          ? [{ topics: result[0].topics, data: `0x${word(1)}${word(7)}${word(9)}` }]
          : result,
    ],
  ])('a false hint, %s, proves no time', async (_, forge) => {
    const liar = await lying(forge);
    const anchor = await fetchAnchor({ l1: liar, network, trusted });
    // The word of a server that nobody trusts is not kept. The root is proven all the same.
    expect(anchor.timestamp).toBeUndefined();
    expect(anchor).toMatchObject({ stateRoot: worlds.roots.get(newest), isNewest: true });
    // The next endpoint does better, whichever lies.
    const value = BigInt(await worlds.timeOf(newest));
    for (const both of [
      [liar, l1],
      [l1, liar],
    ]) {
      const { timestamp } = await fetchAnchor({ l1: both, network, trusted });
      expect(timestamp).toEqual({ value, proven: true });
    }
    expect((await fetchAnchor({ l1: [liar, liar], network, trusted })).timestamp).toBeUndefined();
    // A client of the caller's own fails with errors of its own: what was proven before stands.
    const own: Transport = { call: () => Promise.reject(new Error('its own')) };
    const stands = await fetchAnchor({ l1: [liar, own], network, trusted });
    expect([stands.stateRoot, stands.timestamp]).toEqual([worlds.roots.get(newest), undefined]);
    const controller = new AbortController();
    const reason = new Error('enough');
    const aborting: Transport = {
      call: () => {
        controller.abort(reason);
        return Promise.reject(new Error('its own'));
      },
    };
    const { signal } = controller;
    const given = fetchAnchor({ l1: [liar, aborting], network, trusted, signal });
    await expect(given).rejects.toBe(reason);
  });

  test('what only a believed endpoint says is not named as proven', async () => {
    const { hash: blockHash, stateRoot } = await block('finalized');
    const byHash = await fetchAnchor({ l1, network, trusted: { blockHash } });
    expect(byHash.l1.proven).toBe(true);
    const byRoot = await fetchAnchor({ l1, network, trusted: { stateRoot } });
    expect(byRoot.l1.proven).toBeUndefined();
    expect((await fetchAnchor({ l1, network })).l1.proven).toBeUndefined();
  });

  test('one false number of an L1 block refuses nothing for good', async () => {
    const { hash: blockHash, stateRoot } = await block('finalized');
    const huge = `0x${(2 ** 53 - 1).toString(16)}`;
    const liar = await lying((method, _, result) =>
      method === 'eth_getBlockByNumber' ? { ...result, number: huge } : result,
    );
    const after = await fetchAnchor({ l1: liar, network, trusted: { stateRoot } });
    expect(after.l1.blockNumber).toBe(2 ** 53 - 1);
    for (const trust of [{ stateRoot }, { blockHash }]) {
      const anchor = await fetchAnchor({ l1, network, trusted: trust, after });
      expect(anchor.l2BlockNumber).toBe(newest);
    }
    // The other way round: a lie that is too low passes for the true block.
    const honest = await fetchAnchor({ l1, network, trusted: { blockHash } });
    const low = await lying((method, _, result) =>
      method === 'eth_getBlockByNumber' ? { ...result, number: '0x1' } : result,
    );
    const again = await fetchAnchor({ l1: low, network, trusted: { stateRoot }, after: honest });
    expect(again.l2BlockNumber).toBe(newest);
  });

  test.each<[string, unknown]>([
    ['none', []],
    ['no list', null],
    ['rubbish', [{}, null, 5]],
    ['invalid topics', [{ topics: [1, 2, 3], data: 5 }]],
    ['data without end', [{ topics: [], data: `0x${'00'.repeat(100_000)}` }]],
    ['data of half a word', [{ topics: [], data: '0x00' }]],
  ])('events that are %s are no hints', async (_, logs) => {
    const server = await lying((method, __, result) => (method === 'eth_getLogs' ? logs : result));
    const anchor = await fetchAnchor({ l1: server, network, trusted });
    expect(anchor.stateRoot).toBe(worlds.roots.get(newest));
  });

  test.each([
    'distance to target block exceeds maximum proof window',
    'missing trie node 0abc (path ) state 0xdef is not available',
    'historical state 0xdef is not available',
    'header for hash not found: required historical state unavailable (reexec=128)',
    'World state unavailable',
    'No state available for block 0xdef',
    'requested block is too old, block must be within 1000 blocks of the head block number',
    'state at block #9 is pruned',
    'BlockOutOfRangeError: block height is 9 but requested was 2',
  ])('a state that is no longer held: %s', async (message) => {
    const { transport } = noted((method) => (isProof(method) ? message : undefined));
    expect(await failure({ l1: transport, trusted })).toMatchObject({ code: 'PROOF_WINDOW' });
    const calls = noted((method) => (method === 'eth_call' ? message : undefined));
    expect(await failure({ l1: calls.transport })).toMatchObject({ code: 'PROOF_WINDOW' });
    // An archive node beside it has it.
    const both = await fetchAnchor({ l1: [transport, l1], network, trusted });
    expect(both.l2BlockNumber).toBe(newest);
  });

  test('what is proven of the network is the answer: no other endpoint is asked', async () => {
    // No digest is as large. One of Poseidon2 in seven could be one of MiMC as well.
    await withRoot(`0x${'ff'.repeat(32)}`, async (blockHash) => {
      const second = noted();
      const both = [l1, second.transport];
      expect((await failure({ l1: both, trusted: { blockHash } })).code).toBe('WRONG_FAMILY');
      expect(second.asked).toEqual([]);
    });
  });

  test('an event of two words says no time', async () => {
    const { timestamp } = await fetchAnchor({ l1, network });
    expect(timestamp).toBeDefined();
    const server = await lying((method, _, result) =>
      method === 'eth_getLogs'
        ? result.map((log: NodeLog) => ({ ...log, data: log.data.slice(0, 2 + 2 * 64) }))
        : result,
    );
    expect((await fetchAnchor({ l1: server, network })).timestamp).toBeUndefined();
  });

  test('what a transport of the caller throws is passed on', async () => {
    for (const thrown of [null, new Error('its own')]) {
      const own: Transport = { call: () => Promise.reject(thrown) };
      await expect(fetchAnchor({ l1: own, network })).rejects.toBe(thrown);
    }
  });

  test('another error of the server stays one', async () => {
    const { transport } = noted((method) => (isProof(method) ? 'out of order' : undefined));
    await expect(fetchAnchor({ l1: transport, network, trusted })).rejects.toMatchObject({
      name: 'RpcError',
      code: 'SERVER_ERROR',
    });
  });
});

describe('age', () => {
  test('an old L1 block is refused, unless the caller allows it or names it', async () => {
    const old = await lying((method, _, result) =>
      method === 'eth_getBlockByNumber'
        ? { ...result, timestamp: `0x${(Math.floor(Date.now() / 1000) - 3700).toString(16)}` }
        : result,
    );
    expect((await failure({ l1: old })).code).toBe('STALE');
    const allowed = await fetchAnchor({ l1: old, network, maxAge: 4_000_000 });
    expect(allowed.l2BlockNumber).toBe(newest);
    expect((await fetchAnchor({ l1: old, network, maxAge: Infinity })).how).toBe('call');
    const { hash } = await block('0x1');
    const named = { l1, network, trusted: { blockHash: hash } };
    expect((await fetchAnchor(named)).l2BlockNumber).toBe(2);
    await expect(fetchAnchor({ ...named, maxAge: 0 })).rejects.toMatchObject({ code: 'STALE' });
  });

  test('no L1 block before that of an earlier anchor', async () => {
    const after = await fetchAnchor({ l1, network });
    expect((await fetchAnchor({ l1, network, after })).l1).toEqual(after.l1);
    expect((await failure({ after, l1Block: 2 })).code).toBe('STALE');
    const { hash } = await block('0x2');
    expect((await failure({ after, trusted: { blockHash: hash } })).code).toBe('STALE');
    for (const other of [
      { ...after, l2ChainId: 5 },
      { ...after, l1: { ...after.l1, chainId: 5 } },
    ]) {
      await expect(fetchAnchor({ l1, network, after: other })).rejects.toThrow(
        new RangeError('"after" expected an anchor of the same network'),
      );
    }
  });

  test('no L2 block before that of an earlier anchor, whatever number the L1 block is given', async () => {
    const after = await fetchAnchor({ l1, network });
    const { stateRoot } = await block('0x3');
    // Beside a trusted state root the number of its block is the endpoint's word.
    const old = await lying(async (method, _, result) =>
      method === 'eth_getBlockByNumber'
        ? { ...(await block('0x3')), number: result.number }
        : result,
    );
    const options = { l1: old, network, trusted: { stateRoot } };
    expect((await fetchAnchor(options)).l2BlockNumber).toBe(4);
    expect((await failure({ ...options, after })).code).toBe('STALE');
    expect((await fetchAnchor({ l1, network, after, l2BlockNumber: 4 })).l2BlockNumber).toBe(4);
  });
});

test('members that a polluted prototype lends are not read', async () => {
  const { hash } = await block('finalized');
  const { transport } = noted((method) => (method === 'eth_getLogs' ? 'no' : undefined));
  const lent = {
    ...{ timestamp: 5n, trusted: { blockHash: hash }, after: {}, maxAge: 0, l1Block: 1 },
    ...{ implementation: rollup, implementations: [rollup], stateRootHashes: 5, london: 'never' },
  };
  Object.assign(Object.prototype, lent);
  try {
    // A network without slots or forks of its own.
    const { slots, forks, ...named } = network;
    expect(defineNetwork(named).slots).toEqual(slots);
    const called = await fetchAnchor({ l1: transport, network: defineNetwork(named) });
    expect([called.how, called.l2BlockNumber]).toEqual(['call', newest]);
    // As a reader sees them: not the prototype's either.
    expect([called.timestamp, called.implementation]).toEqual([undefined, undefined]);
    const proven = await fetchAnchor({ l1: transport, network, trusted: { blockHash: hash } });
    expect([proven.timestamp, proven.implementation]).toEqual([undefined, implementation]);
  } finally {
    for (const name of Object.keys(lent)) Reflect.deleteProperty(Object.prototype, name);
  }
});

test('from version 9 on there is no root: the last one is named', async () => {
  await withRoot(`0x${word(0)}`, async (blockHash) => {
    for (const options of [{}, { trusted: { blockHash } }] as const) {
      const { code, message } = await failure(options);
      expect(code).toBe('NO_STATE_ROOT');
      expect(message).toContain('version 9');
      expect(message).toContain('The last one with a root is 8');
    }
    const { transport } = noted((method) => (method === 'eth_getLogs' ? 'no' : undefined));
    const { code, message } = await failure({ l1: transport });
    expect(code).toBe('NO_STATE_ROOT');
    expect(message).not.toContain('The last one');
    expect((await fetchAnchor({ l1, network, l2BlockNumber: 8 })).l2BlockNumber).toBe(8);
  });
});

test('the entry of a root may stand inside its parent', async () => {
  // Two slots that share eight nibbles of their hash, with words of a byte: their leaves stand in their branch.
  const { l1: node } = worlds;
  const inline = '0x00000000000000000000000000000000c0ffee02';
  await setSlots(node, inline, { [word(40364)]: word(5), [word(105566)]: word(1) });
  await setSlots(node, inline, { [entrySlot(5, 282)]: (worlds.roots.get(8) as Hex).slice(2) });
  await node.mine();
  const slots = { currentL2BlockNumber: 40364, implementation: 105566 };
  const moved = defineNetwork({ ...network, rollup: inline, slots });
  const { stateRoot, number } = await block('latest');
  // No code answers the number of the block there, so it is named.
  const anchor = await fetchAnchor({
    l1,
    network: moved,
    trusted: { stateRoot },
    l1Block: Number(number),
    l2BlockNumber: 5,
  });
  expect(anchor).toMatchObject({ stateRoot: worlds.roots.get(8), l2BlockNumber: 5 });
  expect(anchor.implementation).toBe(`0x${word(1).slice(24)}`);
});

describe('a wrong option', () => {
  const blockHash: Hex = `0x${'11'.repeat(32)}`;
  const stateRoot = blockHash;
  const nobody: Transport = { call: () => Promise.reject(new Error('it was asked')) };
  const asks = (change: object) => fetchAnchor({ l1: nobody, network, ...change } as AnchorOptions);

  test('is told before anybody is asked', async () => {
    for (const change of [
      { l1: undefined },
      { l1: [] },
      { l1: 'http://127.0.0.1' },
      { l1: [nobody, {}] },
      { network: undefined },
      { network: 'mainnet' },
      { trusted: {} },
      { trusted: { blockHash, stateRoot } },
      { trusted: blockHash },
      { trusted: { blockHash }, l1Block: 'latest' },
      { trusted: Object.create({ blockHash }) },
      { l1Block: 'newest' },
      { l1Block: 'earliest' },
      { l1Block: 5n },
      { l2BlockNumber: '5' },
      { after: {} },
    ]) {
      await expect(asks(change), JSON.stringify(Object.keys(change))).rejects.toBeInstanceOf(
        TypeError,
      );
    }
    for (const change of [
      { trusted: { blockHash: '0x' } },
      { trusted: { blockHash: `0x${'00'.repeat(32)}` } },
      { l1Block: -1 },
      { l2BlockNumber: 1.5 },
      { maxAge: -1 },
      { maxAge: Number.NaN },
      { maxSteps: -1 },
    ]) {
      await expect(asks(change), JSON.stringify(Object.keys(change))).rejects.toBeInstanceOf(
        RangeError,
      );
    }
    await expect(fetchAnchor(undefined as never)).rejects.toBeInstanceOf(TypeError);
  });

  test.each<[object, string]>([
    [{ l1: [] }, '"l1" expected a transport, or several'],
    [{ l1: {} }, '"l1" expected a transport, or several'],
    [{ after: null }, '"after" is null; leave it out, or pass a value'],
    [{ after: { l1: null } }, '"after.l1" expected an object, got null'],
  ])('and say which is wrong: %j', async (change, message) => {
    await expect(fetchAnchor({ l1, network, ...change } as never)).rejects.toThrow(
      new TypeError(message),
    );
  });

  test('giving up ends it', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const silent: Transport = {
      call: (_method, _params, { signal } = {}) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const { signal } = controller;
    const fetching = fetchAnchor({ l1: [silent, { ...silent }], network, signal });
    setTimeout(() => controller.abort(reason), 20);
    await expect(fetching).rejects.toBe(reason);
    await expect(
      fetchAnchor({ l1: [silent, silent], network, signal, trusted: { blockHash } }),
    ).rejects.toBe(reason);
  });
});
