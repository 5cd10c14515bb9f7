/** What a process that was killed while it loads a state must leave, in a store of any kind. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Hex } from '../../src/index.js';
import {
  exportSnapshot,
  importSnapshot,
  memoryStore,
  openStateTree,
  type StateTree,
  type Store,
} from '../../src/tree/index.js';
import { formatKey, loadingKey } from '../../src/tree/layout/layout.js';
import { newFolder } from './folder.js';
import { manyAccounts } from './manyAccounts.js';
import { startScript } from './processes.js';
import { entriesOf, valueOf } from './stores.js';

/** A place for one store. */
export interface Place {
  /** As `bulkChild.ts` takes it. */
  readonly name: string;
  /** Opens it to write, after a writer was killed. */
  open(): Promise<Store>;
  /** The same to read; undefined if there is no store yet. */
  openToRead(): Promise<Store | undefined>;
  /** Looks at what is left beside the store once all is done. */
  checkRest(): void;
}

async function loaded(tree: StateTree): Promise<Hex> {
  const load = await tree.openLoad();
  await load.add(manyAccounts());
  const { stateRoot } = await load.finish({ number: 1 });
  await load.close();
  return stateRoot;
}

/**
 * What becomes of a store that is opened to read. It depends on how far the last load came, and what the store holds
 * tells that: the mark of a load is refused, a state tree's mark opens, and a reader cannot mark a store that is empty.
 */
export async function openingOf(store: Store): Promise<'WRONG_STORE' | 'opens' | 'READ_ONLY'> {
  if (await valueOf(store, loadingKey)) return 'WRONG_STORE';
  if (await valueOf(store, formatKey)) return 'opens';
  expect(await entriesOf(store)).toEqual([]);
  return 'READ_ONLY';
}

/** Looks at what another process sees of the store right after the kill: nothing yet, or all of it. */
async function checkSeen(store: Store | undefined, stateRoot: Hex): Promise<void> {
  if (!store) return;
  const opening = await openingOf(store);
  if (opening === 'opens') {
    const tree = await openStateTree({ store });
    const newest = await tree.newestBlock();
    if (newest !== undefined) expect(await tree.stateRoot()).toBe(stateRoot);
  } else {
    await expect(openStateTree({ store })).rejects.toMatchObject({ code: opening });
  }
  await store.close();
}

/** Kills a process of `bulkChild.ts` at what it says, or so many ms later. */
async function kill(args: string[], [word, after]: readonly [string, number]): Promise<void> {
  const child = startScript('test/support/bulkChild.ts', ...args);
  await child.next(word);
  await sleep(after);
  child.process.kill('SIGKILL');
  await child.end;
}

/** Where it is killed. */
const moments: [word: string, after: number][] = [
  ['build', 0],
  ['write', 0],
  ['write', 150],
];

/** Kills loads: the store takes the next one as if nothing had been. */
export async function checkKilledLoads(newPlace: () => Promise<Place>): Promise<void> {
  const stateRoot = await loaded(await openStateTree());
  for (const moment of moments) {
    const place = await newPlace();
    await kill(['load', place.name], moment);
    await checkSeen(await place.openToRead(), stateRoot);
    const tree = await openStateTree({ store: await place.open() });
    if ((await tree.newestBlock()) === undefined) expect(await loaded(tree)).toBe(stateRoot);
    const [{ address, storage = [] }] = manyAccounts() as [ReturnType<typeof manyAccounts>[0]];
    await tree.getProof(
      address,
      storage.map(({ key }) => key),
    );
    await tree.close();
    place.checkRest();
  }
}

/** Kills imports of a snapshot, too. */
export async function checkKilledImports(newPlace: () => Promise<Place>): Promise<void> {
  const source = memoryStore();
  const stateRoot = await loaded(await openStateTree({ store: source }));
  const file = join(newFolder(), 'state.snapshot');
  await pipeline(exportSnapshot({ store: source }), createWriteStream(file));
  for (const moment of [['read', 0], ...moments.slice(1)] as typeof moments) {
    const place = await newPlace();
    await kill(['import', place.name, file, stateRoot], moment);
    await checkSeen(await place.openToRead(), stateRoot);
    const store = await place.open();
    const tree = await openStateTree({ store });
    const isDone = (await tree.newestBlock()) !== undefined;
    if (!isDone) await importSnapshot(exportSnapshot({ store: source }), { store, stateRoot });
    expect(await tree.stateRoot()).toBe(stateRoot);
    await tree.close();
    place.checkRest();
  }
}
