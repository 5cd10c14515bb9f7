/** A process that is killed at any moment while it feeds an index leaves one that goes on from there. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndexer, openIndex } from '../../../src/indexer/index.js';
import { lmdbStore } from '../../../src/lmdb/index.js';
import { createTransport } from '../../../src/rpc/index.js';
import { memoryStore, type Store } from '../../../src/tree/index.js';
import { type Anvil, startAnvil } from '../../support/anvil.js';
import { newFolder } from '../../support/folder.js';
import { contentOf } from '../../support/indexed.js';
import { startScript } from '../../support/processes.js';
import { patience } from '../../support/runs.js';
import { startHistory } from '../../support/tokenHistory.js';

const kills = process.env.DEEP ? 40 : 5;

let node: Anvil;
beforeAll(async () => {
  node = await startAnvil('--auto-impersonate');
});
afterAll(() => node.close());

async function feed(store: Store): Promise<void> {
  const index = await openIndex({ store, chainId: 31337 });
  await createIndexer({ index, l2: createTransport({ url: node.url }) }).run({ once: true });
}

test(
  `killed ${kills} times while the chain goes on and is taken back, it holds what a fresh one holds`,
  async () => {
    const history = await startHistory(node, 31);
    const path = newFolder();
    let newest = -1;
    for (let kill = 0; kill < kills; kill++) {
      const child = startScript('test/support/indexChild.ts', path, node.url);
      const line = await child.next('block');
      // It goes on from where the one before was, or from the final block below a reorg.
      expect(Number(line.split(' ')[1])).toBeGreaterThanOrEqual(newest - 4);
      const killing = sleep(Math.random() * 150).then(() => child.process.kill('SIGKILL'));
      await history.mine(4);
      if (kill % 2 === 1) {
        await node.call('anvil_reorg', 1, []);
        await history.mine(1);
      }
      await killing;
      expect(await child.end).toMatchObject({ signal: 'SIGKILL', stderr: '' });
      newest = Number(child.lines.at(-1)?.split(' ')[1]);
    }
    await history.mine(2);
    const store = lmdbStore({ path });
    await feed(store);
    const fresh = memoryStore();
    await feed(fresh);
    const expected = await contentOf(fresh);
    expect(await contentOf(store)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(30);
    await store.close();
  },
  patience,
);
