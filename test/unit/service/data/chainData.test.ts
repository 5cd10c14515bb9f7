/** Answers of one chain that many ask for at once: each is worked out for all of them. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createFollower, genesisLines, loadStateFile } from '../../../../src/follow/index.js';
import { createTransport } from '../../../../src/rpc/index.js';
import { storeFinality } from '../../../../src/service/index.js';
import { openStateTree, type StateTree } from '../../../../src/tree/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { genesisAddresses, genesisOf } from '../../../support/chain.js';
import { deployErc20 } from '../../../support/contracts/tokens.js';
import { serveData } from '../../../support/data.js';
import { type Gateway, startGateway } from '../../../support/decoder.js';
import { patience } from '../../../support/runs.js';

const wallet = accounts[0] as Hex;
const tokens = 4;

let node: Anvil;
let tree: StateTree;
let gateway: Gateway;
beforeAll(async () => {
  node = await startAnvil('--auto-impersonate', '--hardfork', 'prague');
  for (let i = 0; i < tokens; i++) {
    const token = await deployErc20(node, `Token ${i}`, `T${i}`);
    await node.mine({ ...token.call('mint', wallet, BigInt(1000 + i)), from: wallet });
  }
  for (let i = 0; i < 3; i++) await node.mine();
  tree = await openStateTree();
  await loadStateFile(tree, genesisLines(await genesisOf(node, genesisAddresses)));
  const l2 = createTransport({ url: node.url });
  await createFollower({ tree, l2, fork: 'prague' }).run({ once: true });
  gateway = await startGateway(node.url);
}, patience);
afterAll(async () => {
  await gateway.close();
  await tree.close();
  await node.close();
});

/** A service that has just begun, and how often it has read its state. */
async function serve() {
  const seen = { reads: 0 };
  const read: typeof tree.read = (...question) => {
    seen.reads += 1;
    return tree.read(...question);
  };
  const state = { tree: { ...tree, read }, finality: storeFinality(tree), fork: 'prague' } as const;
  const served = await serveData(gateway.url, { source: node.url, state });
  return { seen, served };
}

test(
  'a page that many ask for at once is worked out once',
  async () => {
    const [alone, together] = [await serve(), await serve()];
    const { status, body } = await alone.served.balances(wallet);
    expect([status, body.data.items.length]).toEqual([200, 1 + tokens]);
    expect(alone.seen.reads).toBeGreaterThan(tokens);
    const ask = () => together.served.balances(wallet);
    const all = await Promise.all(Array.from({ length: 20 }, ask));
    for (const one of all) {
      expect(one.status).toBe(200);
      expect(one.body).toEqual(all[0]?.body);
    }
    expect(all[0]?.body.data.items).toEqual(body.data.items);
    expect(together.seen.reads).toBe(alone.seen.reads);
    // Later, it is remembered.
    together.seen.reads = 0;
    expect((await ask()).body.data.items).toEqual(body.data.items);
    expect(together.seen.reads).toBe(0);
    for (const { served } of [alone, together]) await served.close();
  },
  patience,
);

test(
  'who goes away leaves the work to those who still wait',
  async () => {
    const { seen, served } = await serve();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    gateway.changes.set('eth_getCode', async (answer) => {
      isHeld = true;
      await held;
      return answer;
    });
    const leaving = new AbortController();
    const path = `/v1/anvil/address/${wallet}/balances_v2/`;
    const first = fetch(served.url + path, { signal: leaving.signal });
    while (!isHeld) await wait(1);
    const second = served.balances(wallet);
    // The second one has come once the state was looked at for its block; it cannot be seen from outside.
    await wait(100);
    leaving.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    await wait(100);
    gateway.changes.clear();
    release();
    const { status, body } = await second;
    expect([status, body.data.items.length]).toEqual([200, 1 + tokens]);
    const { reads } = seen;
    const again = await serve();
    await again.served.balances(wallet);
    expect(reads).toBe(again.seen.reads);
    for (const one of [served, again.served]) await one.close();
  },
  patience,
);
