/** From a checkpoint to a balance: a beacon chain that is made up, over real nodes of both chains. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsensusEvidence, fetchAnchor, fetchState } from '../../../src/anchor/index.js';
import { createLightClient, type LightClient } from '../../../src/beacon/index.js';
import type { Hex } from '../../../src/bytes.js';
import { createProvider } from '../../../src/provider/index.js';
import { createTransport, type Transport } from '../../../src/rpc/index.js';
import { accounts } from '../../support/anvil.js';
import { makeChain } from '../../support/beacon/chain.js';
import { networkFrom } from '../../support/beacon/networks.js';
import { serveBeacon } from '../../support/beacon/server.js';
import { startForged } from '../../support/forged.js';
import { patience } from '../../support/runs.js';
import { openWorlds, type Worlds } from '../../support/worlds.js';

const head = 60;
const beacon = networkFrom('fulu', ['gloas', 4]);
const now = () => 1000 * (beacon.genesisTime + beacon.secondsPerSlot * head);

let worlds: Worlds;
let l1: Transport;
let l2: Transport;
let blockHash: Hex;
let server: Awaited<ReturnType<typeof serveBeacon>>;
let trusted: LightClient;
let evidence: ConsensusEvidence;
beforeAll(async () => {
  worlds = await openWorlds();
  l1 = createTransport({ url: worlds.l1.url });
  l2 = createTransport({ url: worlds.proofs });
  ({ hash: blockHash } = await worlds.l1.call('eth_getBlockByNumber', 'finalized', false));
  const chain = makeChain(beacon, { hashAt: () => blockHash });
  server = await serveBeacon(chain, { head: () => head });
  const checkpoint = chain.root(8);
  trusted = createLightClient({ api: server.url, network: beacon, checkpoint, now });
  evidence = { checkpoint, slot: 40, signers: 32, committeeSize: 32 };
}, patience);
afterAll(async () => {
  await server.close();
  await worlds.close();
});

describe('a root that L1 has made final', () => {
  test('leads to a proven balance', async () => {
    const address = accounts[1];
    const { anchor, state } = await fetchState({
      ...{ l1, l2, network: worlds.network, trusted, address },
    });
    const balance = await worlds.l2.call('eth_getBalance', address, '0x8');
    expect(state.account?.balance).toBe(BigInt(balance));
    expect(anchor.how).toBe('consensus');
    expect(anchor.l1).toMatchObject({ blockHash, proven: true });
    expect(anchor.consensus).toEqual(evidence);
    expect(Object.isFrozen(anchor.consensus)).toBe(true);
    // But for these words, all of it is as beside the hash itself.
    const proven = await fetchAnchor({ l1, network: worlds.network, trusted: { blockHash } });
    expect(proven.consensus).toBeUndefined();
    expect(anchor).toEqual({ ...proven, how: 'consensus', consensus: evidence });
  });

  test('and to a provider whose every answer rests on it', async () => {
    const provider = createProvider({ l1, l2, network: worlds.network, trusted });
    const params = [accounts[1], 'latest'];
    const balance = await provider.explain({ method: 'eth_getBalance', params });
    expect(balance.result).toBe(await worlds.l2.call('eth_getBalance', accounts[1], '0x8'));
    expect(balance.anchor).toMatchObject({ how: 'consensus', consensus: evidence });
    expect(await provider.anchor()).toBe(balance.anchor);
    await provider.close();
  });

  test('is not what an endpoint of L1 says', async () => {
    const lying = await startForged(worlds.l1, (method, _, result) =>
      method === 'eth_getBlockByHash'
        ? { ...(result as object), stateRoot: `0x${'12'.repeat(32)}` }
        : result,
    );
    const liar = createTransport({ url: lying.url });
    const asked = { network: worlds.network, trusted };
    await expect(fetchAnchor({ ...asked, l1: liar })).rejects.toThrow(/BAD_PROOF/);
    expect((await fetchAnchor({ ...asked, l1: [liar, l1] })).how).toBe('consensus');
    await lying.close();
  });

  test('a client may say the hash alone', async () => {
    const client = { finalized: async () => ({ executionBlockHash: blockHash, slot: 40 }) };
    const anchor = await fetchAnchor({ l1, network: worlds.network, trusted: client });
    expect(anchor.how).toBe('consensus');
    expect(anchor.consensus).toBeUndefined();
  });

  test('a client that gives no hash, or odd words beside it, is refused', async () => {
    for (const block of [undefined, {}, { executionBlockHash: '0x12' }]) {
      const client = { finalized: async () => block as never };
      const fetching = fetchAnchor({ l1, network: worlds.network, trusted: client });
      await expect(fetching).rejects.toThrow('"trusted.finalized" gave no hash of 32 bytes');
    }
    const odd: [object, string][] = [
      [{ checkpoint: '0x12' }, '"trusted.finalized.checkpoint" expected 0x and 64 hex digits'],
      [{ slot: '40' }, '"trusted.finalized.slot" expected a number'],
      [{ signers: 33 }, '"trusted.finalized.signers" expected no more than the members'],
      [{ committeeSize: undefined }, '"trusted.finalized.committeeSize" expected a number'],
    ];
    for (const [change, message] of odd) {
      const block = { executionBlockHash: blockHash, ...evidence, ...change } as never;
      const client = { finalized: async () => block };
      const fetching = fetchAnchor({ l1, network: worlds.network, trusted: client });
      await expect(fetching).rejects.toThrow(message);
    }
    const failure = new Error('no consensus');
    const client = { finalized: () => Promise.reject(failure) };
    const fetching = fetchAnchor({ l1, network: worlds.network, trusted: client });
    await expect(fetching).rejects.toBe(failure);
  });
});
