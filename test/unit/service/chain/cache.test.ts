/** What the decoder remembers: nothing but what is final, nothing that a reorg took back, and the rest for long. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { createDecoder } from '../../../../src/service/index.js';
import { memoryStore, openStateTree, type Store } from '../../../../src/tree/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { type Contract, send } from '../../../support/contracts/contract.js';
import { placeMulticall } from '../../../support/contracts/multicall.js';
import { deployErc20 } from '../../../support/contracts/tokens.js';
import {
  type Gateway,
  type ServedDecoder,
  serveDecoder,
  startGateway,
} from '../../../support/decoder.js';
import { newFolder } from '../../../support/folder.js';
import { patience } from '../../../support/runs.js';
import { until } from '../../../support/until.js';

const [first, second] = accounts;

let node: Anvil;
let gateway: Gateway;
let gold: Contract;
let served: ServedDecoder | undefined;
beforeEach(async () => {
  node = await startAnvil();
  await placeMulticall(node);
  gold = await deployErc20(node);
  await send(node, gold.call('mint', first, 1000n));
  gateway = await startGateway(node.url);
}, patience);
afterEach(async () => {
  await served?.close();
  served = undefined;
  await gateway.close();
  await node.close();
});

/** How often the node was asked for receipts and for what contracts say. */
const asked = () => ({
  receipts: gateway.asked.get('eth_getTransactionReceipt') ?? 0,
  calls: gateway.asked.get('eth_call') ?? 0,
});

/** Two blocks later, a block is final here. */
const finalize = () => node.callEach('evm_mine', [[], []]);

const transfer = async (amount: bigint): Promise<string> =>
  (await send(node, gold.call('transfer', second, amount))).transactionHash;

test('an answer is kept once its block is final, and not before', async () => {
  served = await serveDecoder(gateway.url);
  const hash = await transfer(5n);
  await served.decode(hash);
  const fresh = await served.decode(hash);
  expect(asked().receipts).toBe(2);
  await finalize();
  const final = await served.decode(hash);
  expect(asked().receipts).toBe(3);
  const before = asked();
  const kept = await served.decode(hash);
  // Other options need no other receipt.
  const raw = await served.decode(hash, '?raw_logs=true');
  expect(asked()).toEqual(before);
  for (const { body } of [final, kept]) expect(body).toEqual(fresh.body);
  expect(raw.body.events[0].raw_log.sender_name).toBe('Gold');
});

test('a reorg drops what it touched, and nothing else', async () => {
  served = await serveDecoder(gateway.url);
  const old = await transfer(1n);
  await finalize();
  const snapshot = await node.call('evm_snapshot');
  const young = await transfer(2n);
  await finalize();
  for (const hash of [old, young]) expect((await served.decode(hash)).status).toBe(200);
  const before = asked();
  expect((await served.decode(young)).status).toBe(200);
  expect(asked()).toEqual(before);
  // Beyond what was called final, as no real chain does.
  await node.call('evm_revert', snapshot);
  await node.call('evm_increaseTime', 1000);
  await node.callEach('evm_mine', [[], [], [], []]);
  expect((await served.decode(young)).status).toBe(404);
  const { receipts } = asked();
  expect((await served.decode(old)).status).toBe(200);
  expect(asked().receipts).toBe(receipts);
});

test('a transaction that a reorg moves is answered from its new block', async () => {
  served = await serveDecoder(gateway.url);
  const snapshot = await node.call('evm_snapshot');
  const hash = await transfer(2n);
  await finalize();
  const was = (await served.decode(hash)).body.tx_metadata;
  const raw = await node.call('eth_getRawTransactionByHash', hash);
  await node.call('evm_revert', snapshot);
  await node.callEach('evm_mine', [[], []]);
  await node.call('eth_sendRawTransaction', raw);
  await node.callEach('evm_mine', [[], [], []]);
  const { status, body } = await served.decode(hash);
  expect(status).toBe(200);
  expect(body.tx_metadata.block_height).toBe(was.block_height + 2);
  expect(body.tx_metadata.block_hash).not.toBe(was.block_hash);
});

test('without a word of what is final, nothing is kept', async () => {
  gateway.changes.set('eth_getBlockByNumber', (answer, [block]) =>
    block === 'finalized'
      ? { jsonrpc: '2.0', id: answer.id, error: { code: -32602, message: 'unknown tag' } }
      : answer,
  );
  served = await serveDecoder(gateway.url);
  const hash = await transfer(5n);
  await finalize();
  for (let i = 1; i <= 3; i++) {
    expect((await served.decode(hash)).status).toBe(200);
    expect(asked().receipts).toBe(i);
  }
});

test('what is final stays known while the node is away', async () => {
  served = await serveDecoder(gateway.url);
  const hash = await transfer(5n);
  await finalize();
  await served.decode(hash);
  const { body } = await served.decode(hash);
  gateway.changes.set('eth_getBlockByNumber', () => 'the node is ill');
  expect((await served.decode(hash)).body).toEqual(body);
});

test('between two looks at the node, an answer costs it nothing', async () => {
  served = await serveDecoder(gateway.url, { recheck: 600_000 });
  const hash = await transfer(5n);
  await finalize();
  await served.decode(hash);
  const total = () => [...gateway.asked.values()].reduce((sum, count) => sum + count, 0);
  const before = total();
  for (let i = 0; i < 20; i++) expect((await served.decode(hash)).status).toBe(200);
  expect(total()).toBe(before);
});

test('the database outlives the process: only the block is asked for again', async () => {
  const path = newFolder();
  served = await serveDecoder(gateway.url, { store: lmdbStore({ path }) });
  const hash = await transfer(5n);
  await finalize();
  const { body } = await served.decode(hash);
  await served.close();
  const before = asked();
  served = await serveDecoder(gateway.url, { store: lmdbStore({ path }) });
  expect((await served.decode(hash)).body).toEqual(body);
  expect(asked()).toEqual(before);
});

test('what the database holds of a chain that took it back is dropped', async () => {
  const path = newFolder();
  const snapshot = await node.call('evm_snapshot');
  served = await serveDecoder(gateway.url, { store: lmdbStore({ path }) });
  const hash = await transfer(5n);
  await finalize();
  expect((await served.decode(hash)).status).toBe(200);
  await served.close();
  await node.call('evm_revert', snapshot);
  await node.call('evm_increaseTime', 1000);
  await node.callEach('evm_mine', [[], [], [], []]);
  for (let i = 0; i < 2; i++) {
    served = await serveDecoder(gateway.url, { store: lmdbStore({ path }) });
    expect((await served.decode(hash)).status).toBe(404);
    await served.close();
  }
  served = undefined;
});

const headerKey = Uint8Array.of(0);
const read = async (store: Store, from: Uint8Array = new Uint8Array(0)) => {
  const range = { from, to: undefined, limit: 100_000, reverse: false };
  const { ranges } = await store.read({ keys: [], ranges: [range] });
  return ranges[0] as { key: Uint8Array; value: Uint8Array }[];
};

/** A store whose entries stay when it is closed. */
function lasting(store: Store): Store {
  return { ...store, close: async () => {} };
}

test('entries of another format version are dropped, and nothing of a store of another kind', async () => {
  const store = memoryStore();
  served = await serveDecoder(gateway.url, { store: lasting(store) });
  const hash = await transfer(5n);
  await finalize();
  await served.decode(hash);
  await served.close();
  const [header, ...entries] = await read(store);
  expect(entries.map(({ key }) => key[0]).sort()).toEqual([1, 2]);
  const other = Uint8Array.from(header?.value as Uint8Array);
  other['l2proof decoder'.length + 3] = 99;
  await store.write({ puts: [{ key: headerKey, value: other }], deletes: [] });
  await (
    await createDecoder({ chains: [{ name: 'a', url: gateway.url }], store: lasting(store) })
  ).close();
  expect(await read(store, Uint8Array.of(1))).toEqual([]);
  served = undefined;

  const state = memoryStore();
  const tree = await openStateTree({ store: lasting(state) });
  await tree.applyBlock({ number: 1, changes: [] });
  await tree.close();
  const before = await read(state);
  const refused = createDecoder({ chains: [{ name: 'a', url: gateway.url }], store: state });
  await expect(refused).rejects.toMatchObject({ code: 'WRONG_CACHE' });
  expect(await read(state)).toEqual(before);
});

test('the database keeps to its room', async () => {
  const store = memoryStore();
  const room = 20_000;
  served = await serveDecoder(gateway.url, { store: lasting(store), storeBytes: room });
  const hashes: string[] = [];
  for (let i = 1; i <= 30; i++) hashes.push(await transfer(BigInt(i)));
  await finalize();
  for (const hash of hashes) expect((await served.decode(hash)).status).toBe(200);
  await served.close();
  served = undefined;
  const entries = await read(store, Uint8Array.of(1));
  const held = entries.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
  expect(held).toBeLessThanOrEqual(room);
  const [header] = await read(store);
  expect(new DataView((header?.value as Uint8Array).slice(-4).buffer).getUint32(0)).toBe(held);
});

test('entries that are damaged are asked for again', async () => {
  const store = memoryStore();
  served = await serveDecoder(gateway.url, { store: lasting(store) });
  const hash = await transfer(5n);
  await finalize();
  const { body } = await served.decode(hash);
  await served.close();
  const rubbish = [
    '',
    '{',
    'null',
    '[]',
    '{"number":1}',
    '{"value":{"receipt":7}}',
    '{"value":7}',
    '{"value":null}',
  ];
  for (const text of rubbish) {
    const value = new TextEncoder().encode(text);
    const puts = (await read(store, Uint8Array.of(1))).map(({ key }) => ({ key, value }));
    await store.write({ puts, deletes: [] });
    served = await serveDecoder(gateway.url, { store: lasting(store) });
    expect((await served.decode(hash)).body).toEqual(body);
    await served.close();
  }
  served = undefined;
});

test('a database that fails is done without', async () => {
  const failing = memoryStore();
  const lines: string[] = [];
  const log = { info() {}, warn() {}, error: (_: object, text: string) => lines.push(text) };
  const store: Store = {
    ...failing,
    write: async () => {
      throw new Error('the disk is full');
    },
  };
  served = await serveDecoder(gateway.url, { store, log });
  const hash = await transfer(5n);
  await finalize();
  for (let i = 0; i < 3; i++) expect((await served.decode(hash)).status).toBe(200);
  await until(() => lines.length > 0, 'the failure was logged');
  expect(lines).toEqual(['the store of the decoder failed; nothing more is kept in it']);
});
