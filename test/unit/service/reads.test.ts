/** The costliest request that is allowed, beside others: an older block of a contract through which many keys went. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../src/index.js';
import { lmdbStore } from '../../../src/lmdb/index.js';
import {
  createService,
  fixedFinality,
  type ServiceLimits,
  startServer,
} from '../../../src/service/index.js';
import { openStateTree, type StateTree } from '../../../src/tree/index.js';
import { newFolder } from '../../support/folder.js';
import { ask } from '../../support/service.js';

const home = newFolder();
const contract = `0x${'77'.repeat(20)}` as Hex;
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const absent = Array.from({ length: 256 }, (_, i) => word(1_000_000 + i));
let tree: StateTree;

beforeAll(async () => {
  tree = await openStateTree({ store: lmdbStore({ path: join(home, 'state') }) });
  const write = (from: number, count: number, value: number) => [
    {
      address: contract,
      account: { nonce: 1, balance: 1 },
      storage: Array.from({ length: count }, (_, i) => ({
        key: word(from + i),
        value: word(value),
      })),
    },
  ];
  // By block 2 all but one had gone, and as many come with block 3: they lie before the place of any other slot.
  await tree.applyBlock({ number: 1, changes: write(0, 1000, 5) });
  await tree.applyBlock({ number: 2, changes: write(1, 999, 0) });
  await tree.applyBlock({ number: 3, changes: write(1000, 1000, 5) });
});
afterAll(async () => {
  await tree.close();
});

async function serve(limits: Partial<ServiceLimits>) {
  const service = await createService({ tree, finality: fixedFinality(3), limits });
  const server = await startServer(service);
  const url = `http://127.0.0.1:${server.port}`;
  return {
    stop: () => server.stop(),
    health: async () => (await fetch(`${url}/health`)).status,
    post: async () => {
      const body = JSON.stringify(ask([contract, absent, '0x2']));
      const response = await fetch(`${url}/v3/`, { method: 'POST', body });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
  };
}

test('while it is answered, others are', async () => {
  const { post, health, stop } = await serve({ time: 600_000 });
  let isOver = false;
  const answer = post().finally(() => {
    isOver = true;
  });
  let healthy = 0;
  while (!isOver) {
    expect(await health()).toBe(200);
    healthy++;
  }
  expect((await answer).body.result.storageProofs).toHaveLength(256);
  // One that is asked for before, and one that waited for the whole of it, would be two.
  expect(healthy).toBeGreaterThan(5);
  await stop();
});

test('beyond its bound on reads it is refused for good: no time to try again, and what to change', async () => {
  const { post, stop } = await serve({ reads: 1000 });
  const { status, headers, body } = await post();
  expect(status).toBe(200);
  expect(headers.get('retry-after')).toBe(null);
  expect(body.error.code).toBe(-32005);
  expect(body.error.message).toMatch(/more than 1000 reads.*fewer storage keys.*\(maxReads\)/);
  await stop();
});

test('it ends when its time is over, and so does the work behind it', async () => {
  const time = 1000;
  let pauses = 0;
  let proving: Promise<unknown> | undefined;
  const slow: StateTree = {
    ...tree,
    getProof(address, storageKeys, block, work) {
      const pause = async () => {
        pauses++;
        await new Promise((done) => setTimeout(done, 1.2 * time));
        await work?.pause?.();
      };
      const proof = tree.getProof(address, storageKeys, block, { ...work, pause });
      proving = proof;
      return proof;
    },
  };
  const service = await createService({
    tree: slow,
    finality: fixedFinality(3),
    limits: { time },
  });
  const body = JSON.stringify(ask([contract, absent, '0x2']));
  const request = new Request('http://127.0.0.1/v3/', { method: 'POST', body });
  expect((await service.fetch(request)).status).toBe(504);
  await expect(proving).rejects.toMatchObject({ status: 504 });
  expect(pauses).toBe(1);
});
