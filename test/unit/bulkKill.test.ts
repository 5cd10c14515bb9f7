/** A process that is killed while it loads a state leaves nothing that opens as one, and the next load ends well. */
import { createWriteStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Hex } from '../../src/index.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import {
  exportSnapshot,
  importSnapshot,
  openStateTree,
  type StateTree,
} from '../../src/tree/index.js';
import { newFolder } from '../support/folder.js';
import { manyAccounts } from '../support/manyAccounts.js';
import { startScript } from '../support/processes.js';
import { patience } from '../support/runs.js';

const start = (...args: string[]) => startScript('test/support/bulkChild.ts', ...args);

async function loaded(tree: StateTree): Promise<Hex> {
  const load = await tree.openLoad();
  await load.add(manyAccounts());
  const { stateRoot } = await load.finish({ number: 1 });
  await load.close();
  return stateRoot;
}

/** What another process sees of the store right after the kill: nothing yet, or all of it. */
async function checkSeen(path: string, stateRoot: Hex): Promise<void> {
  if (!existsSync(join(path, 'data.mdb'))) return;
  const store = await Promise.resolve()
    .then(() => lmdbStore({ path, readOnly: true }))
    .catch((error) => void expect(error.code).toBe('WRONG_STORE'));
  if (!store) return;
  try {
    const tree = await openStateTree({ store });
    const newest = await tree.newestBlock();
    if (newest !== undefined) expect(await tree.stateRoot()).toBe(stateRoot);
  } catch (error) {
    expect(['WRONG_STORE', 'READ_ONLY']).toContain((error as { code: string }).code);
  }
  await store.close();
}

/** Where a process is killed: at what it says, and so many ms later. */
const moments: [word: string, after: number][] = [
  ['build', 0],
  ['write', 0],
  ['write', 150],
];

test(
  'killed at any stage of a load, a store starts again',
  async () => {
    const stateRoot = await loaded(await openStateTree());
    for (const [word, after] of moments) {
      const path = newFolder();
      const child = start('load', path);
      await child.next(word);
      await sleep(after);
      child.process.kill('SIGKILL');
      await child.end;
      await checkSeen(path, stateRoot);
      const tree = await openStateTree({ store: lmdbStore({ path }) });
      if ((await tree.newestBlock()) === undefined) expect(await loaded(tree)).toBe(stateRoot);
      const [{ address, storage = [] }] = manyAccounts() as [ReturnType<typeof manyAccounts>[0]];
      await tree.getProof(
        address,
        storage.map(({ key }) => key),
      );
      await tree.close();
      expect(readdirSync(path).sort()).toEqual(['data.mdb', 'lock.mdb']);
    }
  },
  4 * patience,
);

test(
  'killed at any stage of an import, too',
  async () => {
    const source = lmdbStore({ path: newFolder() });
    const stateRoot = await loaded(await openStateTree({ store: source }));
    const file = join(newFolder(), 'state.snapshot');
    await pipeline(exportSnapshot({ store: source }), createWriteStream(file));
    for (const [word, after] of [['read', 0], ...moments.slice(1)] as typeof moments) {
      const path = newFolder();
      const child = start('import', path, file, stateRoot);
      await child.next(word);
      await sleep(after);
      child.process.kill('SIGKILL');
      await child.end;
      await checkSeen(path, stateRoot);
      const store = lmdbStore({ path });
      const tree = await openStateTree({ store });
      const isDone = (await tree.newestBlock()) !== undefined;
      if (!isDone) await importSnapshot(exportSnapshot({ store: source }), { store, stateRoot });
      expect(await tree.stateRoot()).toBe(stateRoot);
      await tree.close();
      expect(readdirSync(path).sort()).toEqual(['data.mdb', 'lock.mdb']);
    }
    await source.close();
  },
  4 * patience,
);
