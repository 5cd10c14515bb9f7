/** From L1 to a trusted root: a real server's proofs of a rollup contract's storage, and all that may be wrong. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as entry from '../../../src/anchor/index.js';
import {
  AnchorError,
  anchorStorageKeys,
  defineNetwork,
  givenAnchor,
  networks,
  verifyAnchorProof,
  verifyL1Header,
} from '../../../src/anchor/index.js';
import * as nodeEntry from '../../../src/anchor/node.js';
import type { Hex } from '../../../src/bytes.js';
import type { StorageProof } from '../../support/answers.js';
import { type Anvil, startAnvil, word } from '../../support/anvil.js';
import type { Wire } from '../../support/runs.js';
import { honest } from '../../support/runs.js';
import { thrownBy } from '../../support/thrown.js';

const network = networks.mainnet;
const { stateRoot } = honest('poseidon2').claim;
const other = honest('mimc').claim.stateRoot;
const implementation = '0x59290394ddc1cf84e671701a929710643c343530';
const finalized = 32_197_714;
const earlier = 32_190_000;
const ofMimc = 20_000_000;
const time = 1_790_000_000;
/** Message number, rolling hash, forced transaction number, its rolling hash, time. */
const finalizedState = [7, 8, 9, 10, time].map((value): Hex => `0x${word(value)}`);

let node: Anvil;
let l1StateRoot: Hex;
let block: Wire;

const keccak = (hex: string): Promise<Hex> => node.call('web3_sha3', hex);
const mappingSlot = (number: number) => keccak(`0x${word(number)}${word(282)}`);

async function store(address: Hex, words: Record<string, string>): Promise<void> {
  for (const [slot, value] of Object.entries(words)) {
    const padded = [slot, value].map((hex) => `0x${hex.slice(2).padStart(64, '0')}`);
    await node.call('anvil_setStorageAt', address, ...padded);
  }
}

const bare = '0x000000000000000000000000000000000000ba4e';
const nine = '0x0000000000000000000000000000000000000009';
const foreign = '0x00000000000000000000000000000000000f0e16';

beforeAll(async () => {
  node = await startAnvil();
  await store(network.rollup, {
    '0x119': `0x${finalized.toString(16)}`,
    [await mappingSlot(finalized)]: stateRoot,
    [await mappingSlot(earlier)]: stateRoot,
    [await mappingSlot(ofMimc)]: other,
    '0x1bf': await keccak(`0x${finalizedState.map((text) => text.slice(2)).join('')}`),
    [network.slots.implementation]: implementation,
    // Other words that a contract has.
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`0x${(500 + i).toString(16)}`, '0x1']),
    ),
  });
  await store(nine, { '0x119': '0x64', [network.slots.implementation]: implementation });
  await store(foreign, {
    '0x119': `0x${'ff'.repeat(32)}`,
    [network.slots.implementation]: `0x${'ff'.repeat(32)}`,
    [await mappingSlot(5)]: stateRoot,
  });
  await node.call('anvil_setBalance', bare, '0x1');
  await node.mine();
  block = await node.call('eth_getBlockByNumber', 'latest', false);
  l1StateRoot = block.stateRoot;
});
afterAll(() => node.close());

const ask = (keys: readonly string[], address: Hex = network.rollup) =>
  node.call('eth_getProof', address, keys, 'latest');
const answer = (number = finalized) => ask(anchorStorageKeys(network, number));

/** What the check throws. */
const failure = (result: unknown, claim: Partial<entry.AnchorClaim> = {}): AnchorError =>
  thrownBy(AnchorError, () => verifyAnchorProof(result, { l1StateRoot, network, ...claim }));

test('from a block hash to the newest root, and all that goes with it', async () => {
  const { stateRoot: proven } = verifyL1Header(block, block.hash);
  expect(
    verifyAnchorProof(await answer(), { l1StateRoot: proven, network, finalizedState }),
  ).toEqual({
    l2BlockNumber: finalized,
    stateRoot,
    implementation,
    timestamp: BigInt(time),
  });
});

test('the storage keys are those of the contract', async () => {
  expect(anchorStorageKeys(network, finalized)).toEqual([
    await mappingSlot(finalized),
    `0x${word(281)}`,
    '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
    `0x${word(447)}`,
  ]);
  const name = await keccak(`0x${Buffer.from('eip1967.proxy.implementation').toString('hex')}`);
  expect(BigInt(network.slots.implementation)).toBe(BigInt(name) - 1n);
});

test("with the block named, no other slot than the root's is needed", async () => {
  const result = await ask([await mappingSlot(earlier)]);
  const claim = { l1StateRoot, network, l2BlockNumber: earlier, finalizedState };
  expect(verifyAnchorProof(result, claim)).toEqual({ l2BlockNumber: earlier, stateRoot });
  // Its time is not that of the newest.
  const { timestamp } = verifyAnchorProof(await answer(earlier), claim);
  expect(timestamp).toBeUndefined();
  expect(failure(result)).toMatchObject({ code: 'BAD_ANSWER', path: 'storageProof' });
});

test('hints that do not hash to the word at slot 447 prove no time', async () => {
  const result = await answer();
  const verify = (words?: readonly Hex[]) =>
    verifyAnchorProof(result, { l1StateRoot, network, finalizedState: words }).timestamp;
  expect(verify(finalizedState)).toBe(BigInt(time));
  expect(verify(undefined)).toBeUndefined();
  expect(verify([...finalizedState.slice(0, 4), `0x${word(time + 1)}`])).toBeUndefined();
  expect(verify(finalizedState.slice(0, 3))).toBeUndefined();
  const slots = anchorStorageKeys(network, finalized).slice(0, 3);
  const without = verifyAnchorProof(await ask(slots), { l1StateRoot, network, finalizedState });
  expect(without.timestamp).toBeUndefined();
});

test('the three words of older contracts', async () => {
  const rollup = '0x0000000000000000000000000000000000000003';
  const words = [1, 2, time].map((value): Hex => `0x${word(value)}`);
  const snapshot = await node.call('evm_snapshot');
  await store(rollup, {
    '0x119': '0x5',
    [await mappingSlot(5)]: stateRoot,
    '0x1bf': await keccak(`0x${words.map((text) => text.slice(2)).join('')}`),
  });
  await node.mine();
  const { stateRoot: root } = await node.call('eth_getBlockByNumber', 'latest', false);
  const old = defineNetwork({ ...network, rollup });
  const result = await ask(anchorStorageKeys(old, 5), rollup);
  const proven = verifyAnchorProof(result, {
    l1StateRoot: root,
    network: old,
    finalizedState: words,
  });
  // No proxy, so no implementation.
  expect(proven).toEqual({ l2BlockNumber: 5, stateRoot, timestamp: BigInt(time) });
  await node.call('evm_revert', snapshot);
});

test('the forms in which servers label entries, in any order and beside others', async () => {
  const result = await answer();
  const [root, number, code, state] = result.storageProof;
  const short = { ...number, key: '0x119' };
  const upper = { ...root, key: `0x${root.key.slice(2).toUpperCase()}` };
  const padded = { ...state, key: '0x00000000000000000000000001bf' };
  const noise = [
    { key: null },
    { key: 281 },
    { key: '281' },
    { key: '0x' },
    { key: `0x0${word(281)}` },
    {},
  ];
  for (const storageProof of [
    [root, short, code, state],
    [padded, short, code, upper],
    [...noise, short, upper, code, padded],
  ]) {
    expect(
      verifyAnchorProof({ ...result, storageProof }, { l1StateRoot, network, finalizedState }),
    ).toEqual({ l2BlockNumber: finalized, stateRoot, implementation, timestamp: BigInt(time) });
  }
});

test('what the answer says besides its nodes is not read', async () => {
  const result = await answer();
  const lies = {
    accountProof: result.accountProof,
    address: bare,
    balance: '0x1',
    codeHash: 1,
    nonce: null,
    get storageHash() {
      throw new Error('read');
    },
    storageProof: result.storageProof.map(({ key, proof }: StorageProof) => ({
      key,
      proof,
      value: '0x1',
    })),
  };
  expect(verifyAnchorProof(lies, { l1StateRoot, network })).toEqual({
    l2BlockNumber: finalized,
    stateRoot,
    implementation,
  });
});

test('blocks without a root', async () => {
  const l2BlockNumber = finalized - 1;
  expect(failure(await answer(l2BlockNumber), { l2BlockNumber }).code).toBe('NOT_PROVABLE');
  const onNine = defineNetwork({ ...network, rollup: nine });
  const result = await ask(anchorStorageKeys(onNine, 100), nine);
  const error = failure(result, { network: onNine });
  expect(error.code).toBe('NO_STATE_ROOT');
  expect(error.message).toContain('version 9');
  expect(failure(result, { network: onNine, l2BlockNumber: 100 }).code).toBe('NO_STATE_ROOT');
});

test('a root of the other family', async () => {
  const result = await answer(ofMimc);
  const claim = { l2BlockNumber: ofMimc };
  expect(failure(result, claim).code).toBe('WRONG_FAMILY');
  const mimc = defineNetwork({ ...network, hash: 'mimc' });
  expect(verifyAnchorProof(result, { l1StateRoot, network: mimc, ...claim }).stateRoot).toBe(other);
});

test('what is not the contract of the network', async () => {
  const at = (rollup: Hex) => defineNetwork({ ...network, rollup });
  const absent = '0x00000000000000000000000000000000000ab5e7';
  for (const rollup of [absent, bare, foreign] as const) {
    const result = await ask(anchorStorageKeys(network, 5), rollup);
    expect(failure(result, { network: at(rollup) }).code, rollup).toBe('WRONG_NETWORK');
  }
  // Storage, but nothing at these slots.
  const slots = { currentL2BlockNumber: 1000, stateRootHashes: 1001 };
  const moved = defineNetwork({ ...network, slots });
  expect(failure(await ask(anchorStorageKeys(moved, 0)), { network: moved }).code).toBe(
    'WRONG_NETWORK',
  );
});

test('pinned implementations', async () => {
  const pinned = (...implementations: Hex[]) => defineNetwork({ ...network, implementations });
  const upper: Hex = `0x${implementation.slice(2).toUpperCase()}`;
  const result = await answer();
  expect(
    verifyAnchorProof(result, { l1StateRoot, network: pinned(bare, upper) }).implementation,
  ).toBe(implementation);
  expect(failure(result, { network: pinned(bare) }).code).toBe('WRONG_IMPLEMENTATION');
  // It must then be proven.
  const alone = await ask([await mappingSlot(earlier)]);
  const claim = { network: pinned(implementation), l2BlockNumber: earlier };
  expect(failure(alone, claim)).toMatchObject({ code: 'BAD_ANSWER', path: 'storageProof' });
  // Neither an address, nor a proxy.
  const at = (rollup: Hex) => defineNetwork({ ...network, rollup });
  const onForeign = await ask(anchorStorageKeys(network, 5), foreign);
  expect(failure(onForeign, { network: at(foreign), l2BlockNumber: 5 }).code).toBe('WRONG_NETWORK');
  const words = await ask([await mappingSlot(5), network.slots.implementation], foreign);
  expect(failure(words, { network: at(foreign), l2BlockNumber: 5 }).code).toBe(
    'WRONG_IMPLEMENTATION',
  );
});

test('proofs of something else', async () => {
  const result = await answer();
  // Another block's state, or a hash that is no state root.
  await expect(failure(result, { l1StateRoot: block.hash })).toMatchObject({
    code: 'BAD_PROOF',
    path: 'accountProof[0]',
  });
  const [root, number, ...rest] = result.storageProof;
  const swapped = [{ ...root, key: number.key }, { ...number, key: root.key }, ...rest];
  expect(failure({ ...result, storageProof: swapped }).code).toBe('BAD_PROOF');
  // An earlier block's root, labelled as the newest.
  const stale = (await ask([await mappingSlot(earlier)])).storageProof[0];
  const storageProof = [{ ...stale, key: root.key }, number, ...rest];
  expect(failure({ ...result, storageProof }).code).toBe('BAD_PROOF');
  const onNine = await ask(anchorStorageKeys(network, finalized), nine);
  expect(failure(onNine).code).toBe('BAD_PROOF');
  expect(failure({ ...result, storageProof: onNine.storageProof }).code).toBe('BAD_PROOF');
  // Words that are there need not be, but must then be right.
  const wrong = [root, number, { ...rest[0], proof: rest[0].proof.slice(1) }];
  expect(failure({ ...result, storageProof: wrong }, { l2BlockNumber: finalized })).toMatchObject({
    code: 'BAD_PROOF',
    path: 'storageProof[2].proof[0]',
  });
});

test('no change of a byte of any node passes', async () => {
  const result = await ask([await mappingSlot(finalized)]);
  const lists: [string, string[], (nodes: string[]) => unknown][] = [
    ['accountProof', result.accountProof, (accountProof) => ({ ...result, accountProof })],
    [
      'storageProof',
      result.storageProof[0].proof,
      (proof) => ({ ...result, storageProof: [{ ...result.storageProof[0], proof }] }),
    ],
  ];
  let refused = 0;
  for (const [, nodes, put] of lists) {
    for (const [i, text] of nodes.entries()) {
      for (let at = 2; at < text.length; at++) {
        const digit = (Number.parseInt(text[at] as string, 16) ^ (1 << (at % 4))).toString(16);
        const edited = [...nodes];
        edited[i] = text.slice(0, at) + digit + text.slice(at + 1);
        expect(failure(put(edited), { l2BlockNumber: finalized }).code).toBe('BAD_PROOF');
        refused++;
      }
    }
  }
  expect(refused).toBeGreaterThan(1000);
});

test('malformed answers name the member', async () => {
  const result = await answer();
  const many = new Array(256).fill(result.storageProof[0]);
  const cases: [unknown, string | undefined][] = [
    [undefined, undefined],
    [null, undefined],
    ['0x', undefined],
    [{}, 'accountProof'],
    [{ ...result, accountProof: null }, 'accountProof'],
    [{ ...result, accountProof: [1] }, 'accountProof[0]'],
    [{ ...result, storageProof: undefined }, 'storageProof'],
    [{ ...result, storageProof: [] }, 'storageProof'],
    [{ ...result, storageProof: [null] }, 'storageProof[0]'],
    [{ ...result, storageProof: new Array(257).fill({}) }, 'storageProof'],
    [{ ...result, storageProof: [...result.storageProof, ...many] }, 'storageProof'],
    [
      { ...result, storageProof: result.storageProof.map(({ key }: StorageProof) => ({ key })) },
      'storageProof[1].proof',
    ],
  ];
  for (const [wrong, path] of cases) {
    const error = failure(wrong);
    expect([error.code, error.path]).toEqual(['BAD_ANSWER', path]);
  }
  expect(failure(Object.create(result)).code).toBe('BAD_ANSWER');
});

test("wrong claims are the caller's mistakes, told before the answer is looked at", () => {
  const claim = { l1StateRoot: `0x${'11'.repeat(32)}`, network };
  const wrong = (change: object) => () => verifyAnchorProof(null, { ...claim, ...change } as never);
  expect(() => verifyAnchorProof(null, undefined as never)).toThrow(TypeError);
  for (const change of [
    { l1StateRoot: 1 },
    { network: 'mainnet' },
    { network: null },
    { network: {} },
    { l2BlockNumber: 5n },
    { l2BlockNumber: '0x5' },
    { finalizedState: {} },
    { finalizedState: [] },
    { finalizedState: [1, 2, 3] },
  ]) {
    expect(wrong(change)).toThrow(TypeError);
  }
  for (const finalizedState of [null, {}, [], [`0x${word(1)}`], { length: 3, map: () => [] }]) {
    expect(wrong({ finalizedState })).toThrow(
      new TypeError('"finalizedState" expected five words, or three'),
    );
  }
  for (const change of [
    { l1StateRoot: '0x' },
    { l1StateRoot: `0x${'00'.repeat(32)}` },
    { l2BlockNumber: -1 },
    { l2BlockNumber: 1.5 },
    { l2BlockNumber: 2 ** 53 },
    { finalizedState: ['0x', '0x', '0x'] },
  ]) {
    expect(wrong(change)).toThrow(RangeError);
  }
});

describe('networks', () => {
  test('are plain data, frozen, and survive JSON', () => {
    for (const one of Object.values(networks)) {
      expect(Object.isFrozen(one) && Object.isFrozen(one.slots) && Object.isFrozen(one.forks)).toBe(
        true,
      );
      expect(defineNetwork(JSON.parse(JSON.stringify(one)))).toEqual(one);
      const { forks } = defineNetwork({
        ...one,
        forks: { ...one.forks, amsterdam: 1_899_999_999 },
      });
      expect(forks).toEqual({ ...one.forks, amsterdam: 1_899_999_999 });
      const early = { ...one.forks, amsterdam: 1 };
      expect(() => defineNetwork({ ...one, forks: early })).toThrow(/"forks.amsterdam"/);
      expect(one.method).toBe('linea_getProof');
    }
    expect([networks.mainnet.l1ChainId, networks.mainnet.l2ChainId]).toEqual([1, 59144]);
    expect([networks.sepolia.l1ChainId, networks.sepolia.l2ChainId]).toEqual([11155111, 59141]);
  });

  test("of one's own take the public slots unless told otherwise", () => {
    const least = { l1ChainId: 31337, l2ChainId: 1337, rollup: bare } as const;
    expect(defineNetwork(least)).toEqual({
      ...least,
      name: 'custom',
      slots: networks.mainnet.slots,
      method: 'l2_getProof',
      forks: {},
      hash: 'poseidon2',
    });
    const { slots } = defineNetwork({
      ...least,
      slots: { stateRootHashes: 5, currentL2BlockNumber: '0x6' },
    });
    expect([slots.stateRootHashes, slots.currentL2BlockNumber]).toEqual([
      `0x${word(5)}`,
      `0x${word(6)}`,
    ]);
  });

  test('refuse what is wrong or unknown, by name', () => {
    const cases: [object, RegExp][] = [
      [{ l1ChainId: '1' }, /l1ChainId/],
      [{ l2ChainId: -1 }, /l2ChainId/],
      [{ rollup: '0x' }, /rollup/],
      [{ rollup: undefined }, /rollup/],
      [{ implementation }, /network\.implementation/],
      [{ implementations: [] }, /implementations/],
      [{ implementations: implementation }, /implementations/],
      [{ implementations: ['0x1'] }, /implementations\[0\]/],
      [{ slots: { stateRoots: 1 } }, /slots\.stateRoots/],
      [{ slots: { stateRootHashes: 'x' } }, /slots\.stateRootHashes/],
      [{ slots: { stateRootHashes: -1 } }, /slots\.stateRootHashes/],
      [{ slots: 5 }, /slots/],
      [{ forks: { berlin: 0 } }, /forks\.berlin/],
      [{ forks: { shanghai: 5, cancun: 4 } }, /forks\.cancun/],
      [{ forks: null }, /forks/],
      [{ hash: 'keccak' }, /hash/],
      [{ method: '' }, /method/],
      [{ name: 5 }, /name/],
    ];
    for (const [change, message] of cases) {
      expect(() => defineNetwork({ ...network, ...change } as never)).toThrow(message);
    }
    expect(() => defineNetwork(null as never)).toThrow(/^"network" expected an object, got null$/);
    const slots = null as never;
    expect(() => defineNetwork({ ...network, slots })).toThrow(
      /^"slots" expected an object, got null$/,
    );
  });
});

describe('a given anchor', () => {
  const given = {
    network,
    l2BlockNumber: finalized,
    stateRoot,
    l1: { blockNumber: 5, blockHash: `0x${'AB'.repeat(32)}` as Hex },
  };

  test('has what its caller says, and where that is from', () => {
    const l1 = { chainId: 1, blockNumber: 5, blockHash: `0x${'ab'.repeat(32)}` };
    expect(givenAnchor(given)).toEqual({
      kind: 'tree',
      l2ChainId: 59144,
      l2BlockNumber: finalized,
      stateRoot,
      hash: 'poseidon2',
      l1,
      how: 'given',
    });
    const timestamp = { value: 6n, proven: true };
    const timed = givenAnchor({ ...given, timestamp, l1: { ...given.l1, timestamp: 7n } });
    expect(timed).toMatchObject({ timestamp, l1: { ...l1, timestamp: 7n } });
    expect(
      Object.isFrozen(timed) && Object.isFrozen(timed.l1) && Object.isFrozen(timed.timestamp),
    ).toBe(true);
  });

  test('refuses what cannot be right', () => {
    // The root of an empty Merkle-Patricia trie: what a block's header has is another tree's.
    const header = '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544';
    const wrong = (change: object) => () => givenAnchor({ ...given, ...change } as never);
    for (const change of [
      { stateRoot: header },
      { stateRoot: `0x${'00'.repeat(32)}` },
      { l2BlockNumber: -1 },
      { l1: { ...given.l1, blockHash: `0x${'00'.repeat(32)}` } },
      { l1: { ...given.l1, timestamp: -1n } },
      { timestamp: { value: -1n, proven: true } },
    ]) {
      expect(wrong(change)).toThrow(RangeError);
    }
    for (const change of [
      { stateRoot: undefined },
      { network: undefined },
      { l1: undefined },
      { l1: { ...given.l1, blockNumber: '5' } },
      { l1: { ...given.l1, timestamp: 5 } },
      { timestamp: 5n },
      { timestamp: { value: 5n } },
    ]) {
      expect(wrong(change)).toThrow(TypeError);
    }
    expect(wrong({ timestamp: 5n })).toThrow('"timestamp" expected an object, got bigint');
    expect(wrong({ timestamp: null })).toThrow('"timestamp" expected an object, got null');
    expect(() => givenAnchor(null as never)).toThrow(TypeError);
  });
});

test('errors name their code and, if there is one, the member', () => {
  const error = new AnchorError('BAD_PROOF', 'is wrong', { path: 'a.b' });
  expect(error).toMatchObject({
    name: 'AnchorError',
    code: 'BAD_PROOF',
    path: 'a.b',
    message: 'is wrong (BAD_PROOF)',
  });
  expect(error).toBeInstanceOf(Error);
  const text = readFileSync('src/anchor/common/errors.ts', 'utf8');
  const codes = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, code]) => code);
  expect(codes(/^ \* - `(\w+)`/gm)).toEqual(codes(/^ {2}\| '(\w+)'/gm));
});

test('the entry for Node has the same names', () => {
  expect(Object.keys(nodeEntry).sort()).toEqual(Object.keys(entry).sort());
  for (const name of Object.keys(entry)) {
    expect(Reflect.get(nodeEntry, name)).toBe(Reflect.get(entry, name));
  }
});
