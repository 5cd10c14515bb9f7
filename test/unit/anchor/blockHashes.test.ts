/** Anchors of version 9 of the contract: the hash of an L2 block in place of a root, by call, by quorum and by proof; and who lies. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkAnchored } from '../../../src/anchor/checkAnchored.js';
import { openRoots } from '../../../src/anchor/fetchAnchor.js';
import {
  AnchorError,
  type AnchoredRoot,
  type AnchorOptions,
  anchorStorageKeys,
  defineNetwork,
  fetchAnchor,
  fetchState,
  givenAnchor,
  type HeaderAnchor,
  type Network,
  verifyAccountProof,
  verifyAnchorProof,
  verifyBlockHashProof,
  verifyL2Header,
} from '../../../src/anchor/index.js';
import { checkAnchorOptions } from '../../../src/anchor/options.js';
import { readRollupSlots, toAnchor } from '../../../src/anchor/source.js';
import type { Hex } from '../../../src/bytes.js';
import { verifyCompactProof } from '../../../src/compact/index.js';
import { createVerifier, slotKey, verifyProof } from '../../../src/index.js';
import { createTransport, RpcError, type Transport } from '../../../src/rpc/index.js';
import { accounts, create2, slotInit, store, word } from '../../support/anvil.js';
import { slots } from '../../support/chain.js';
import { type Forge, startForged } from '../../support/forged.js';
import { toHex } from '../../support/hex.js';
import { type Living, openLiving } from '../../support/living.js';
import { entrySlot, setSlots } from '../../support/rollup.js';
import { patience, type Wire } from '../../support/runs.js';
import { implementation, rollup } from '../../support/worlds.js';

const contract = slots(1);
const network: Network = defineNetwork({
  name: 'migrating',
  l1ChainId: 900,
  l2ChainId: 31337,
  rollup,
  slots: { blockHashes: 456 },
});
/** The same network as one knows it who has not heard of version 9. */
const unaware: Network = defineNetwork({ name: 'old', l1ChainId: 900, l2ChainId: 31337, rollup });

let world: Living;
/** Ends of the finalizations before, at and after the migration. */
let before: number;
let at: number;
let after: number;
let l1: Transport;
let l2: Transport;
let trusted: { blockHash: Hex };
beforeAll(async () => {
  world = await openLiving({ network });
  await world.l2.mine(create2(1, slotInit));
  await world.l2.mine(store(contract, 1, 101), { to: accounts[1], value: 1n });
  before = await world.finalize();
  await world.l2.mine(store(contract, 1, 102));
  at = await world.finalize('both');
  await world.l2.mine(store(contract, 1, 103));
  await world.l2.mine(store(contract, 2, 200));
  after = await world.finalize('hash');
  l1 = world.l1Transport;
  l2 = world.transport;
  const { hash } = await world.l1.call('eth_getBlockByNumber', 'finalized', false);
  trusted = { blockHash: hash };
}, patience);
afterAll(() => world.close());

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()));
});

async function lying(node: Living['l1'], forge: Forge): Promise<Transport> {
  const server = await startForged(node, forge);
  closing.push(server);
  return createTransport({ url: server.url });
}

const hex = (number: number): Hex => `0x${number.toString(16)}`;
const headerOf = (number: number) => world.l2.call('eth_getBlockByNumber', hex(number), false);

async function failure(options: Partial<AnchorOptions>): Promise<Error> {
  return fetchAnchor({ l1, l2, network, ...options }).then(
    (anchor) => new Error(`there was an anchor of block ${anchor.l2BlockNumber}`),
    (error) => error,
  );
}

/** Holds an anchor against the node's own block. */
async function expectHeader(anchor: AnchoredRoot, number: number): Promise<void> {
  const block = await headerOf(number);
  expect(anchor).toMatchObject({
    kind: 'header',
    l2BlockNumber: number,
    blockHash: block.hash,
    stateRoot: block.stateRoot,
    timestamp: { value: BigInt(block.timestamp) },
    hash: undefined,
  });
  for (const [name, value] of Object.entries((anchor as HeaderAnchor).header)) {
    expect(value, name).toBe(block[name]);
  }
}

/** Ways to ask; each gives an anchor of the same block. */
const ways: [how: string, more: () => Partial<AnchorOptions>][] = [
  ['call', () => ({})],
  ['quorum', () => ({ l1: [l1, createTransport({ url: `${world.l1.url}/?other` })] })],
  ['proof', () => ({ trusted })],
];

describe.each(ways)('by %s', (how, more) => {
  test('the newest block, by its hash, with its header and its time', async () => {
    const anchor = await fetchAnchor({ l1, l2, network, ...more() });
    expect(anchor.how).toBe(how);
    await expectHeader(anchor, after);
    expect(anchor.timestamp?.proven).toBe(how === 'proof');
    expect(Object.isFrozen(anchor) && Object.isFrozen(anchor.header)).toBe(true);
  });

  test('a block of before by its root, the one that migrates by either', async () => {
    const own = { l1, l2, network, ...more() };
    const old = await fetchAnchor({ ...own, l2BlockNumber: before });
    expect(old).toMatchObject({ kind: 'tree', stateRoot: await world.tree.stateRoot(before) });
    await expectHeader(await fetchAnchor({ ...own, l2BlockNumber: at }), at);
    const tree = await fetchAnchor({ ...own, l2BlockNumber: at, kind: 'tree' });
    expect(tree).toMatchObject({ kind: 'tree', stateRoot: await world.tree.stateRoot(at) });
    await expectHeader(await fetchAnchor({ ...own, l2BlockNumber: at, kind: 'header' }), at);
  });

  test('what L1 does not hold is refused, whichever is wanted', async () => {
    const own = more();
    expect(await failure({ ...own, l2BlockNumber: before, kind: 'header' })).toMatchObject({
      code: 'NOT_PROVABLE',
    });
    const noRoot = await failure({ ...own, kind: 'tree' });
    expect(noRoot).toMatchObject({ code: 'NO_STATE_ROOT' });
    expect(noRoot.message).toContain(`The last one with a root is ${at}`);
    expect(await failure({ ...own, l2BlockNumber: before - 1 })).toMatchObject({
      code: 'NOT_PROVABLE',
    });
    expect(await failure({ ...own, l2: undefined })).toMatchObject({ code: 'NO_STATE_ROOT' });
    expect(await failure({ ...own, network: unaware })).toMatchObject({ code: 'NO_STATE_ROOT' });
  });

  test('the end of the finalization before, by the events of both versions', async () => {
    const own = { l1, l2, network, ...more() };
    await expectHeader(await fetchAnchor({ ...own, before: after }), at);
    expect(await fetchAnchor({ ...own, before: at })).toMatchObject({ l2BlockNumber: before });
  });
});

describe('a lying L1', () => {
  const proofs = (change: (result: Wire) => void) =>
    lying(world.l1, (method, _params, result) => {
      if (method === 'eth_getProof') change(result);
      return result;
    });
  const drop = (slot: number) => async (number: () => number) =>
    proofs((result) => {
      const key = BigInt(`0x${entrySlot(number(), slot)}`);
      result.storageProof = result.storageProof.filter((one: Wire) => BigInt(one.key) !== key);
    });

  test.each([282, 456])(
    'cannot leave out the entry of slot %s, though it is zero',
    async (slot) => {
      const choosing = await drop(slot)(() => (slot === 282 ? after : before));
      const l2BlockNumber = slot === 282 ? after : before;
      expect(await failure({ l1: choosing, trusted, l2BlockNumber })).toMatchObject({
        code: 'BAD_ANSWER',
        path: 'storageProof',
      });
    },
  );

  test('cannot name another block than slot 281 holds', async () => {
    const older = await lying(world.l1, (method, params, result) =>
      method === 'eth_call' && params[0].data === '0x695378f5' ? `0x${'0'.repeat(62)}02` : result,
    );
    expect(await failure({ l1: older, trusted })).toMatchObject({ code: 'BAD_ANSWER' });
  });
});

describe('a lying L2', () => {
  test('cannot change any member of the header, nor give another', async () => {
    const { header } = (await fetchAnchor({ l1, l2, network })) as HeaderAnchor;
    for (const name of Object.keys(header)) {
      const forged = await lying(world.l2, (method, _params, result) => {
        if (method !== 'eth_getBlockByHash') return result;
        const value = result[name] as string;
        return { ...result, [name]: `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}` };
      });
      const error = await failure({ l2: forged });
      expect(error, name).toBeInstanceOf(AnchorError);
      expect((error as AnchorError).code, name).toMatch(/^BAD_(PROOF|ANSWER)$/);
    }
    const other = await lying(world.l2, (method, _params, result) =>
      method === 'eth_getBlockByHash' ? headerOf(after - 1) : result,
    );
    expect(await failure({ l2: other })).toMatchObject({ code: 'BAD_PROOF' });
    const none = await lying(world.l2, (method, _params, result) =>
      method === 'eth_getBlockByHash' ? null : result,
    );
    const missing = await failure({ l2: none });
    expect(missing).toBeInstanceOf(RpcError);
    expect(missing).toMatchObject({ code: 'BLOCK_NOT_HELD' });
  });

  test('cannot change what is read of a proof', async () => {
    for (const name of ['accountProof', 'storageProof']) {
      const forged = await lying(world.l2, (method, _params, result) => {
        if (method !== 'eth_getProof') return result;
        const list = name === 'accountProof' ? result : result.storageProof[0];
        const nodes = list[name === 'accountProof' ? name : 'proof'];
        nodes[0] = nodes[0].replace(/.$/, (digit: string) => (digit === '1' ? '2' : '1'));
        return result;
      });
      const asked = { address: contract, storageKeys: [slotKey(1)], l1, l2: forged, network };
      await expect(fetchState(asked)).rejects.toMatchObject({ code: 'NOT_ON_PATH' });
    }
  });

  test('that holds the state no more leads to an earlier block, of whichever kind', async () => {
    const windowed = (least: number) =>
      lying(world.l2, (method, params, result) =>
        method === 'eth_getProof' && Number(params[2]) > least ? undefined : result,
      );
    const refusing = async (newest: number): Promise<Transport> => {
      const inner = await windowed(newest);
      return {
        call: (method, params, options) =>
          (method === 'l2_getProof' ? l2 : inner).call(method, params, options).catch((error) => {
            if (method !== 'eth_getProof') throw error;
            const text = 'distance to target block exceeds maximum proof window';
            throw new RpcError('SERVER_ERROR', method, text, { serverMessage: text });
          }),
      };
    };
    const asked = { address: contract, storageKeys: [slotKey(1)], l1, network };
    const older = await fetchState({ ...asked, l2: await refusing(at) });
    expect(older.anchor).toMatchObject({ kind: 'header', l2BlockNumber: at });
    const oldest = await fetchState({ ...asked, l2: await refusing(before - 1) });
    expect(oldest.anchor).toMatchObject({ kind: 'tree', l2BlockNumber: before });
    expect(oldest.state.storage[0]?.value).toBe(slotKey(101));
  });
});

describe('the pure parts', () => {
  const proofAt = (number: number) =>
    world.l1.call('eth_getProof', rollup, anchorStorageKeys(network, number), 'finalized');
  const rootOfL1 = async () =>
    (await world.l1.call('eth_getBlockByNumber', 'finalized', false)).stateRoot as Hex;

  test('lead from L1 to the state of L2', async () => {
    const l1StateRoot = await rootOfL1();
    const found = verifyBlockHashProof(await proofAt(after), { l1StateRoot, network });
    const { hash } = await headerOf(after);
    expect(found).toMatchObject({ l2BlockNumber: after, blockHash: hash });
    const block = { blockHash: found.blockHash, l2BlockNumber: found.l2BlockNumber };
    const { stateRoot } = verifyL2Header(await headerOf(after), block);
    const result = await world.l2.call('eth_getProof', contract, [slotKey(2)], hex(after));
    const claim = { stateRoot, address: contract, storageKeys: [slotKey(2)] };
    expect(verifyAccountProof(result, claim).storage[0]?.value).toBe(slotKey(200));
  });

  test('prove one kind each', async () => {
    const l1StateRoot = await rootOfL1();
    const [both, hashOnly] = [await proofAt(at), await proofAt(after)];
    const claim = { l1StateRoot, network, l2BlockNumber: at };
    expect(verifyAnchorProof(both, claim).stateRoot).toBe(await world.tree.stateRoot(at));
    expect(() => verifyAnchorProof(hashOnly, { l1StateRoot, network })).toThrow(
      expect.objectContaining({ code: 'NO_STATE_ROOT' }),
    );
    const old = await proofAt(before);
    expect(() => verifyBlockHashProof(old, { ...claim, l2BlockNumber: before })).toThrow(
      expect.objectContaining({ code: 'NOT_PROVABLE' }),
    );
    expect(() => verifyBlockHashProof(both, { ...claim, network: unaware })).toThrow(
      '"network.slots.blockHashes" expected the slot of the mapping',
    );
  });

  test('a header of a fork to come is named as such', async () => {
    const header = await headerOf(after);
    const block = { blockHash: slotKey(5), l2BlockNumber: after };
    expect(() => verifyL2Header({ ...header, fieldToCome: '0x1' }, block)).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_HEADER_FIELD' }),
    );
    expect(() => verifyL2Header(header, block)).toThrow(
      expect.objectContaining({ code: 'BAD_PROOF' }),
    );
  });

  test('a header of another time than L1 has proven for the block is refused', async () => {
    const own = { l1, network, trusted };
    const source = await openRoots(checkAnchorOptions(own));
    const found = await source.endOf(after);
    expect(found.timestamp).toMatchObject({ proven: true });
    const value = (found.timestamp?.value ?? 0n) + 1n;
    const asking = { l2, signal: undefined };
    await expect(
      toAnchor({ ...found, timestamp: { value, proven: true } }, asking),
    ).rejects.toMatchObject({ code: 'BAD_PROOF' });
    // The word of an endpoint is not held against a header that is proven.
    const anchor = await toAnchor({ ...found, timestamp: { value, proven: false } }, asking);
    expect(anchor.timestamp).toEqual({ value: value - 1n, proven: true });
  });

  test.each(ways)('words of the contract are read under the L1 block, by %s', async (_, more) => {
    for (const pins of [{}, { implementations: [implementation] }]) {
      const pinned = defineNetwork({ ...network, ...pins });
      const source = await openRoots(checkAnchorOptions({ l1, network: pinned, ...more() }));
      const { currentL2BlockNumber } = network.slots;
      const words = await readRollupSlots(source, [slotKey(12345), currentL2BlockNumber]);
      expect(words.map(toHex)).toEqual([slotKey(0), slotKey(after)]);
    }
    const other = defineNetwork({ ...network, implementations: [rollup] });
    const source = await openRoots(checkAnchorOptions({ l1, network: other, ...more() }));
    await expect(readRollupSlots(source, [slotKey(1)])).rejects.toMatchObject({
      code: 'WRONG_IMPLEMENTATION',
    });
  });

  test('a header of another number is refused, though the hash is its own', async () => {
    const { hash } = await headerOf(at);
    const block = { blockHash: hash, l2BlockNumber: after };
    expect(() => verifyL2Header({}, block)).toThrow(AnchorError);
    const header = await headerOf(at);
    expect(() => verifyL2Header(header, block)).toThrow(
      expect.objectContaining({ code: 'BAD_PROOF' }),
    );
  });
});

describe('an anchor of a header', () => {
  test('is refused by verifiers of the tree, and one of a tree by those of headers', async () => {
    const anchor = await fetchAnchor({ l1, l2, network });
    const claim = { ...anchor, address: contract };
    const refusal = /^"kind" expected tree; a header is for verifyAccountProof$/;
    expect(() => verifyProof({}, claim)).toThrow(refusal);
    expect(() => verifyCompactProof(new Uint8Array(9), claim)).toThrow(refusal);
    const old = await fetchAnchor({ l1, l2, network, l2BlockNumber: before });
    const verifier = createVerifier({ stateRoot: old.stateRoot });
    expect(() => verifier.verify({}, claim as never)).toThrow(refusal);
    const result = await world.l2.call('eth_getProof', contract, [], hex(after));
    expect(verifyAccountProof(result, claim as never).account).not.toBeNull();
    const other = { ...old, address: contract } as never;
    expect(() => verifyAccountProof(result, other)).toThrow(/^"kind" expected header/);
    const { kind: _, ...saved } = old;
    expect(() => verifyAccountProof(result, { ...saved, address: contract } as never)).toThrow(
      /^"kind" expected header/,
    );
  });

  test('can be saved as JSON and given again, but not with another header', async () => {
    const anchor = (await fetchAnchor({ l1, l2, network, trusted })) as HeaderAnchor;
    const { timestamp: _, l1: block, ...rest } = anchor;
    const saved = JSON.parse(JSON.stringify({ ...rest, l1: { ...block, timestamp: undefined } }));
    const again = checkAnchored(saved, network);
    expect(again).toMatchObject({ kind: 'header', stateRoot: anchor.stateRoot, how: 'proof' });
    const loud = { ...saved, stateRoot: `0x${saved.stateRoot.slice(2).toUpperCase()}` };
    expect(checkAnchored(loud, network)).toEqual(again);
    const { blockNumber, blockHash } = block;
    const { l2BlockNumber, header } = anchor;
    const given = {
      ...({ network, kind: 'header', l2BlockNumber, blockHash: anchor.blockHash, header } as const),
      l1: { blockNumber, blockHash },
    };
    expect(givenAnchor(given)).toMatchObject({
      ...{ how: 'given', stateRoot: anchor.stateRoot },
      timestamp: { value: anchor.timestamp?.value, proven: true },
    });
    const other = await headerOf(at);
    for (const wrong of [
      { ...saved, header: other },
      { ...saved, blockHash: other.hash },
      { ...saved, stateRoot: other.stateRoot },
      { ...saved, l2BlockNumber: at },
      { ...saved, hash: 'poseidon2' },
      { ...saved, kind: 'tree' },
      { ...saved, kind: 'hash' },
      { ...saved, timestamp: { value: 1n, proven: true } },
    ]) {
      expect(() => checkAnchored(wrong, network)).toThrow(/^"anchor\./);
    }
    expect(() => givenAnchor({ ...given, header: other })).toThrow(/^"header" expected/);
  });

  test('proves what the node says, of every account, and takes no hash of a tree', async () => {
    const anchor = await fetchAnchor({ l1, l2, network });
    const absent: Hex = `0x${'ab'.repeat(20)}`;
    for (const address of [...accounts, contract, absent]) {
      const storageKeys = [slotKey(1), slotKey(2), slotKey(7), slotKey(1)];
      const { state } = await fetchState({ address, storageKeys, l2, network, anchor });
      const ask = (method: string, ...more: unknown[]) =>
        world.l2.call(method, address, ...more, hex(after));
      const code = await ask('eth_getCode');
      const expected = { nonce: BigInt(await ask('eth_getTransactionCount')) };
      if (address === absent) expect(state.account).toBeNull();
      else expect(state.account).toMatchObject(expected);
      expect(state.account?.balance ?? 0n).toBe(BigInt(await ask('eth_getBalance')));
      expect(state.account?.codeSize).toBeUndefined();
      expect(code.length > 2).toBe(address === contract);
      for (const { key, value } of state.storage) {
        expect(value).toBe(await ask('eth_getStorageAt', key));
      }
    }
  });
});

test('options of a kind are checked before anything is sent', async () => {
  await expect(fetchAnchor({ l1, l2, network, kind: 'both' as never })).rejects.toThrow(
    '"kind" expected tree or header',
  );
  await expect(fetchAnchor({ l1, l2, network: unaware, kind: 'header' })).rejects.toThrow(
    '"kind" header expected a network whose slots name blockHashes',
  );
  await expect(fetchAnchor({ l1, l2: {} as never, network })).rejects.toThrow(
    '"l2" expected a transport',
  );
});

test('a second network, of another address and other slots, is data alone', async () => {
  const second = defineNetwork({
    ...{ name: 'second', l1ChainId: 900, l2ChainId: 31337, rollup: `0x${'77'.repeat(20)}` },
    slots: {
      ...{ currentL2BlockNumber: 5, stateRootHashes: 6, currentFinalizedState: 8 },
      blockHashes: slotKey(1000),
    },
  });
  const [older, newer] = [await headerOf(at), await headerOf(after)];
  await world.l1.call('anvil_setCode', second.rollup, '0x00');
  await setSlots(world.l1, second.rollup, {
    [word(5)]: word(after),
    [entrySlot(before, 6)]: (await world.tree.stateRoot(before)).slice(2),
    [entrySlot(at, 1000)]: older.hash.slice(2),
    [entrySlot(after, 1000)]: newer.hash.slice(2),
  });
  for (let i = 0; i < 3; i++) await world.l1.mine();
  const { hash } = await world.l1.call('eth_getBlockByNumber', 'finalized', false);
  const own = { l1, l2, network: second, trusted: { blockHash: hash } };
  await expectHeader(await fetchAnchor({ ...own, l2BlockNumber: after }), after);
  // The contract has no function of the right name: the slots alone are read.
  const believing = { l1, l2, network: second };
  await expectHeader(await fetchAnchor({ ...believing, l2BlockNumber: after }), after);
  expect(await fetchAnchor({ ...believing, l2BlockNumber: before })).toMatchObject({
    ...{ kind: 'tree', stateRoot: await world.tree.stateRoot(before) },
  });
  await expectHeader(await fetchAnchor({ ...own, l2BlockNumber: at }), at);
  const tree = await fetchAnchor({ ...own, l2BlockNumber: before });
  expect(tree).toMatchObject({ kind: 'tree', stateRoot: await world.tree.stateRoot(before) });
  const asked = { ...own, l2BlockNumber: after, address: contract, storageKeys: [slotKey(2)] };
  expect((await fetchState(asked)).state.storage[0]?.value).toBe(slotKey(200));
  // The slots of the public network hold nothing there.
  const { slots: _, ...members } = second;
  const wrong = defineNetwork({ ...members, slots: { blockHashes: 456 } });
  expect(await failure({ ...own, network: wrong, l2BlockNumber: after })).toMatchObject({
    code: 'NOT_PROVABLE',
  });
});
