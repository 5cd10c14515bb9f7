/** From a checkpoint to answers of each entry that takes an anchor: data, provider, viem. Real nodes of both chains. */
import { createPublicClient, http } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnchoredRoot, fetchAnchor } from '../../../src/anchor/index.js';
import { createLightClient, type LightClient } from '../../../src/beacon/index.js';
import { createDataClient } from '../../../src/data/index.js';
import { type Hex, mappingSlot } from '../../../src/index.js';
import { createProvider } from '../../../src/provider/index.js';
import { type OwnState, storeFinality } from '../../../src/service/index.js';
import { verifiedTransport } from '../../../src/viem/index.js';
import { accounts, create2, slotInit, word } from '../../support/anvil.js';
import { beaconOver } from '../../support/beacon/overL1.js';
import { slots } from '../../support/chain.js';
import { chainName, serveData } from '../../support/data.js';
import { type Living, openLiving } from '../../support/living.js';
import { readWithViem } from '../../support/programs.js';
import { patience } from '../../support/runs.js';

const owner = accounts[1];
const token = slots(1);
const task = { owner, token, to: `0x${'ee'.repeat(20)}` } as const;

let world: Living;
let beacon: Awaited<ReturnType<typeof beaconOver>>;
let trusted: LightClient;
/** The newest final block of L2, and its balance of the owner. */
let newest: number;
let balance: bigint;
let consensus: AnchoredRoot['consensus'];
beforeAll(async () => {
  world = await openLiving();
  await world.l2.mine(create2(1, slotInit), { to: owner, value: 3n });
  const data: Hex = `${mappingSlot(owner, 0n)}${word(1234)}`;
  await world.l2.mine({ to: token, data }, { from: owner, to: task.to });
  newest = await world.finalize();
  balance = BigInt(await world.l2.call('eth_getBalance', owner, `0x${newest.toString(16)}`));
  beacon = await beaconOver(world.l1);
  const { url: api, network, checkpoint, slot } = beacon;
  trusted = createLightClient({ api, network, checkpoint });
  consensus = { checkpoint, slot, signers: 32, committeeSize: 32 };
}, patience);
afterAll(async () => {
  await beacon?.close();
  await world?.close();
});

const source = () => ({ l1: world.l1Transport, network: world.network, trusted });

test('l2proof/data: each balance is verified under it', async () => {
  const { tree, network } = world;
  const state: OwnState = { tree, finality: storeFinality(tree), fork: 'prague' };
  const served = await serveData(world.l2.url, { state });
  try {
    const anchor = await fetchAnchor(source());
    expect(anchor).toMatchObject({ how: 'consensus', consensus, l2BlockNumber: newest });
    const client = createDataClient({ url: served.url, chain: chainName });
    const items = [];
    for await (const page of client.balances({ address: owner, anchor, network, fork: 'prague' })) {
      items.push(...page.items);
    }
    expect(items).toEqual([expect.objectContaining({ verified: true, balance: String(balance) })]);
    // Of a root that L1 does not have, nothing is verified.
    const other: AnchoredRoot = { ...anchor, stateRoot: `0x${word(1)}` };
    const pages = client.balances({ address: owner, anchor: other, network, fork: 'prague' });
    await expect(pages.next()).rejects.toThrow(/root/i);
  } finally {
    await served.close();
  }
});

test('l2proof/provider: explain says what each answer rests on', async () => {
  const provider = createProvider({ ...source(), l2: world.transport });
  try {
    const params = [owner, 'latest'];
    const { result, proven, anchor } = await provider.explain({ method: 'eth_getBalance', params });
    expect(BigInt(result as Hex)).toBe(balance);
    expect(proven).toBe(true);
    expect(anchor).toMatchObject({ how: 'consensus', consensus });
  } finally {
    provider.close();
  }
});

test('l2proof/viem: a program finds what the node has', async () => {
  const known = await readWithViem(createPublicClient({ transport: http(world.l2.url) }), task);
  expect(known).toMatchObject({ block: BigInt(newest), tokens: 1234n, nonce: 1 });
  const transport = verifiedTransport({ ...source(), l2: world.transport });
  expect(await readWithViem(createPublicClient({ transport }), task)).toEqual(known);
});

test('l2proof/viem: a beacon chain that names another block of L1 proves nothing', async () => {
  const other = { finalized: async () => ({ executionBlockHash: `0x${word(7)}` as const }) };
  const transport = verifiedTransport({ ...source(), l2: world.transport, trusted: other });
  const client = createPublicClient({ transport });
  await expect(client.getBalance({ address: owner })).rejects.toThrow('L1_BLOCK_NOT_HELD');
});
