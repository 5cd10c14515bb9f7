/** A provider that is open while L1 goes over from state roots to block hashes: the same questions, before, at and after. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defineNetwork, fetchAnchor, verifyAccountProof } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { createHistory, type History } from '../../../src/history/index.js';
import { slotKey, verifyProof } from '../../../src/index.js';
import { createProvider, type Provider } from '../../../src/provider/index.js';
import { emit, emitter, putEmitter } from '../../support/allTypes.js';
import { accounts, create2, slotInit, store } from '../../support/anvil.js';
import { slots } from '../../support/chain.js';
import { edit, type Living, openLiving } from '../../support/living.js';
import { blockOf, receiptOf } from '../../support/normalised.js';
import { patience, type Wire } from '../../support/runs.js';
import { rollup } from '../../support/worlds.js';

const contract = slots(1);
const absent: Hex = `0x${'ab'.repeat(20)}`;
const network = defineNetwork({
  name: 'migrating',
  l1ChainId: 900,
  l2ChainId: 31337,
  rollup,
  slots: { blockHashes: 456 },
  forks: { prague: 0 },
});

const hex = (number: number): Hex => `0x${number.toString(16)}`;
/** Init code that returns the word which some code leaves. */
const returning = (code: string) => ({ data: `0x${code}5f5260205ff3` });
/** Each member of the header that contracts read, and the hash of the block before. */
const headerCalls = {
  ...{ TIMESTAMP: '42', NUMBER: '43', PREVRANDAO: '44', GASLIMIT: '45', BASEFEE: '48' },
  ...{ COINBASE: '41', BLOBBASEFEE: '4a', BLOCKHASH: '6001430340' },
};

let world: Living;
/** Open from before the migration on, by each way to trust L1, and one that takes `latest` for a whole block. */
let providers: Provider[];
let history: History;
beforeAll(async () => {
  world = await openLiving({ network, prepare: putEmitter });
  await world.l2.mine(create2(1, slotInit));
  const options = { l2: world.transport, l1: world.l1Transport, network, refresh: 0 };
  const trusted = {
    async finalized() {
      const { hash } = await world.l1.call('eth_getBlockByNumber', 'finalized', false);
      return { executionBlockHash: hash as Hex };
    },
  };
  const { l2, l1 } = options;
  providers = [
    createProvider(options),
    createProvider({ ...options, trusted }),
    createProvider({ ...options, current: 'whole' }),
    // As a caller writes it who knows of no kinds.
    createProvider({
      l2,
      network,
      refresh: 0,
      anchor: (wish) => fetchAnchor({ ...wish, l1, network }),
    }),
  ];
  history = createHistory(options);
}, patience);
afterEach(() => world.meddle());
afterAll(async () => {
  for (const provider of providers) provider.close();
  await world.close();
});

/** Two blocks more, the last of which L1 finalizes. */
async function grow(writes: 'root' | 'both' | 'hash', value: number): Promise<number> {
  await world.l2.mine(store(contract, 1, value), { to: accounts[1], value: 7n });
  await world.l2.mine(emit([1, value], 'aa'), store(contract, value, 5));
  return world.finalize(writes);
}

const reads: [method: string, params: unknown[]][] = [
  ...[...accounts, contract, absent, emitter].flatMap((address): [string, unknown[]][] => [
    ['eth_getBalance', [address]],
    ['eth_getTransactionCount', [address]],
    ['eth_getCode', [address]],
    ['eth_getStorageAt', [address, slotKey(1)]],
  ]),
  ['eth_getStorageAt', [contract, slotKey(777)]],
  ['eth_call', [{ to: contract, data: `0x${'0'.repeat(64)}` }]],
  ['eth_call', [returning(`73${contract.slice(2)}3b`)]],
  [
    'eth_estimateGas',
    [{ from: accounts[0], to: contract, data: slotKey(1) + slotKey(9).slice(2) }],
  ],
];

/** What must not change for a program: all of it is the node's at M. */
async function expectSame(provider: Provider, number: number): Promise<void> {
  const ask = (method: string, ...params: unknown[]): Promise<Wire> =>
    provider.request({ method, params });
  expect(await ask('eth_blockNumber')).toBe(hex(number));
  for (const [method, params] of reads) {
    const known = await world.l2.call(method, ...params, hex(number));
    expect(await ask(method, ...params, 'latest'), `${method} ${params}`).toBe(known);
  }
  const before = hex(number - 1);
  const block = await ask('eth_getBlockByNumber', before, true);
  expect(block).toEqual(blockOf(await world.l2.call('eth_getBlockByNumber', before, true)));
  const filter = { fromBlock: hex(1), toBlock: before, address: emitter };
  expect(await ask('eth_getLogs', filter)).toHaveLength(
    (await world.l2.call('eth_getLogs', filter)).length,
  );
}

describe.each([
  ['before', 'root', 101],
  ['at', 'both', 102],
  ['after', 'hash', 103],
  ['long after', 'hash', 104],
] as const)('%s the migration', (_, writes, value) => {
  let end: number;
  const isHeader = writes !== 'root';
  beforeAll(async () => {
    end = await grow(writes, value);
    // A finalization before, for who wants one.
    if (value === 101) end = await grow(writes, value);
  }, patience);

  test("all reads of every provider are the node's", async () => {
    for (const provider of providers) {
      const { l2BlockNumber, kind } = await provider.anchor();
      if (isHeader) expect(l2BlockNumber).toBe(end);
      expect(kind).toBe(isHeader ? 'header' : 'tree');
      await expectSame(provider, l2BlockNumber);
    }
  });

  test('the header is proven, if L1 holds its hash: calls assume nothing, and nothing rests on the operator', async () => {
    const [believed, proven] = providers as [Provider, Provider];
    for (const [name, code] of Object.entries(headerCalls)) {
      const request = { method: 'eth_call', params: [returning(code), 'latest'] };
      const known = await world.l2.call('eth_call', returning(code), hex(end));
      if (!isHeader && !['TIMESTAMP', 'NUMBER', 'BLOCKHASH'].includes(name)) {
        await expect(believed.request(request), name).rejects.toMatchObject({ code: -31003 });
        continue;
      }
      const told = await proven.explain(request);
      expect(told.result, name).toBe(known);
      if (isHeader) expect(told, name).toMatchObject({ proven: true, assumed: [] });
      // A contract may read the hashes of 256 blocks, and the chain is shorter: some are of before the migration.
      const isOld = name === 'BLOCKHASH';
      if (isHeader) expect(told.restsOn, name).toBe(isOld ? 'operator' : undefined);
    }
    const block = await proven.explain({
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
    });
    const newest = isHeader ? end : end - 1;
    expect(block.result).toEqual(
      blockOf(await world.l2.call('eth_getBlockByNumber', hex(newest), false)),
    );
    expect(block.restsOn).toBe(isHeader ? undefined : 'operator');
  });

  test('a proof is of the kind that L1 has the root of, and anyone can verify it', async () => {
    const [, provider] = providers as [Provider, Provider];
    const { stateRoot } = await provider.anchor();
    const storageKeys = [slotKey(1), slotKey(777)];
    const params = [contract, storageKeys, 'latest'];
    const [right, wrong] = isHeader
      ? ['eth_getProof', 'l2_getProof']
      : ['l2_getProof', 'eth_getProof'];
    const result: Wire = await provider.request({ method: right, params });
    const verify = isHeader ? verifyAccountProof : verifyProof;
    const state = verify(result, { stateRoot, address: contract, storageKeys });
    expect(state.storage[0]?.value).toBe(slotKey(value));
    if (isHeader) {
      const known = await world.l2.call('eth_getProof', contract, storageKeys, hex(end));
      expect(result).toEqual({
        ...known,
        storageProof: known.storageProof.map((entry: Wire, i: number) => ({
          ...entry,
          key: storageKeys[i],
        })),
      });
    }
    await expect(provider.request({ method: wrong, params })).rejects.toMatchObject({
      code: -31003,
      message: expect.stringContaining(`ask for ${right}`),
    });
  });

  test('history has the blocks up to the anchored one, or the one before', async () => {
    const newest = isHeader ? end : end - 1;
    expect(await history.header('latest')).toMatchObject({ number: hex(newest) });
    const receipts = await history.receipts(newest);
    const known = await world.l2.call('eth_getBlockReceipts', hex(newest));
    expect(receipts).toEqual(known.map(receiptOf));
    expect((await history.header(1)).hash).toBe(
      (await world.l2.call('eth_getBlockByNumber', '0x1', false)).hash,
    );
    await expect(history.header(newest + 1)).rejects.toMatchObject({ code: 'TOO_NEW' });
  });

  test('a server that lies is refused', async () => {
    world.meddle(
      edit(/^(l2|eth)_getProof$/, (result) => {
        const [entry] = result.storageProof ?? [];
        const nodes = entry?.proof ?? result.storageProofs[0].proof.proofRelatedNodes;
        nodes[0] = nodes[0].replace(/.$/, (digit: string) => (digit === '1' ? '2' : '1'));
        return result;
      }),
    );
    const provider = createProvider({ l2: world.transport, l1: world.l1Transport, network });
    const params = [contract, slotKey(value), 'latest'];
    await expect(provider.request({ method: 'eth_getStorageAt', params })).rejects.toMatchObject({
      code: -31001,
    });
    world.meddle(edit(/^eth_getCode$/, () => '0x6001'));
    const code = { method: 'eth_getCode', params: [contract, 'latest'] };
    await expect(provider.request(code)).rejects.toMatchObject({
      data: { reason: 'CODE_MISMATCH' },
    });
    provider.close();
  });
});

describe('hashes of blocks in a state under a header', () => {
  const blockOfNumber = (number: number) => ({
    ...{ method: 'eth_getBlockByNumber', params: [hex(number), false] },
  });

  test("are the operator's word if they are from before the migration, and no longer", async () => {
    const own = { l2: world.transport, l1: world.l1Transport, network };
    const provider = createProvider({ ...own, refresh: 0 });
    const { l2BlockNumber: end } = await provider.anchor();
    const { kind, l2BlockNumber: earlier } = await fetchAnchor({ ...own, before: end });
    expect(kind).toBe('header');
    world.requests.length = 0;
    // Its hash is in the header of the anchored block.
    expect(await provider.explain(blockOfNumber(end - 1))).not.toHaveProperty('restsOn');
    expect(world.requests.map(({ method }) => method)).not.toContain('eth_getProof');
    expect(await provider.explain(blockOfNumber(earlier))).not.toHaveProperty('restsOn');
    expect(await provider.explain(blockOfNumber(1))).toMatchObject({ restsOn: 'operator' });
    provider.close();
  });

  test('are bound only if an earlier block is known whose hash L1 has', async () => {
    const own = { l2: world.transport, l1: world.l1Transport, network };
    const anchor = await fetchAnchor(own);
    const alone = createHistory({ l2: own.l2, network, anchor });
    await alone.header(anchor.l2BlockNumber - 1);
    expect(alone.restsOn()).toBeUndefined();
    await alone.header(anchor.l2BlockNumber - 2);
    expect(alone.restsOn()).toBe('operator');
    const asking = createHistory({ ...own, refresh: 3_600_000 });
    const { l2BlockNumber: earlier } = await fetchAnchor({ ...own, before: anchor.l2BlockNumber });
    await asking.header(earlier);
    expect(asking.restsOn()).toBeUndefined();
    await asking.header(1);
    expect(asking.restsOn()).toBe('operator');
  });
});
