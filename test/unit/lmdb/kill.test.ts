/** A process that is killed at any moment leaves whole blocks, and all that it had acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lmdbStore } from '../../../src/lmdb/index.js';
import { memoryStore } from '../../../src/tree/index.js';
import { newFolder } from '../../support/folder.js';
import { startKills } from '../../support/killed.js';
import { batchOf, newestBatch } from '../../support/logBatches.js';
import { startChild } from '../../support/processes.js';
import { patience } from '../../support/runs.js';
import { textsOf } from '../../support/stores.js';

const kills = process.env.DEEP ? 300 : 10;

test(
  `killed ${kills} times in the middle of writing, a store comes back at a whole block`,
  async () => {
    const path = newFolder();
    const lookAt = await startKills();
    let newest = 0;
    for (let kill = 0; kill < kills; kill++) {
      const child = startChild('write', path);
      // Now and then while it opens the store, else while it writes.
      if (kill % 5 !== 4) await child.next('done');
      await sleep(Math.random() * 250);
      child.process.kill('SIGKILL');
      expect(await child.end).toMatchObject({ signal: 'SIGKILL', stderr: '' });
      newest = await lookAt(lmdbStore({ path }), child.lines);
    }
    // It went on after each of them.
    expect(newest).toBeGreaterThan(kills);
  },
  2 * patience,
);

test(
  `killed ${kills} times while its log fills and empties, a store holds whole batches`,
  async () => {
    const path = newFolder();
    const plain = memoryStore();
    let newest = 0;
    for (let kill = 0; kill < kills; kill++) {
      const child = startChild('log', path);
      await child.next('done');
      await sleep(Math.random() * 500);
      child.process.kill('SIGKILL');
      await child.end;
      const acknowledged = child.lines.filter((line) => line.startsWith('done')).length + newest;
      const store = lmdbStore({ path, readOnly: kill % 2 === 0 });
      const found = await newestBatch(store);
      // One more may have been kept before it could say so.
      expect([acknowledged, acknowledged + 1]).toContain(found);
      while (newest < found) await plain.write(batchOf(++newest));
      expect(await textsOf(store)).toEqual(await textsOf(plain));
      await store.close();
    }
    expect(newest).toBeGreaterThan(2 * kills);
  },
  2 * patience,
);
