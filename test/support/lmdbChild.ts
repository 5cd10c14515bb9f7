/**
 * A process that has a store open, in LMDB or at a URL in PostgreSQL, and says on standard output how far it is:
 *
 * - `write PATH` applies blocks without pause, names some final and takes some back
 * - `hold PATH` has it open to write, and does nothing
 * - `read PATH` answers the newest block and its root whenever a line comes in
 * - `keep PATH` holds a snapshot, and reads all of it whenever a line comes in
 * - `open` opens, read-only and to write, the store of each path that comes in, and says what is in it or why it failed
 * - `log PATH` writes batches of 115 KiB without pause, so that the store's log is full every 68 of them
 * - `migrate PATH` converts the store to this release's format, with a pause after each write
 * - `fill PATH` applies blocks until one fails, says how, and then makes room by removing the file in its third argument
 */
import { createHash } from 'node:crypto';
import { rmSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { lmdbStore } from '../../dist/lmdb/index.js';
import { migrateStore, openStateTree, type StoreReader } from '../../dist/tree/index.js';
import { changesOf } from './blocks.js';
import { batchOf, newestBatch } from './logBatches.js';
import { storeOf } from './storeOf.js';
import { entriesOf } from './stores.js';

const [mode, path = '', filler = ''] = process.argv.slice(2);
const say = (...words: unknown[]) => writeSync(1, `${words.join(' ')}\n`);

/** A digest of all entries. */
async function digestOf(reader: StoreReader): Promise<string> {
  const digest = createHash('sha256');
  const entries = await entriesOf(reader);
  for (const { key, value } of entries) digest.update(key).update(value);
  return `${entries.length}-${digest.digest('hex')}`;
}

if (mode === 'open') {
  for await (const one of createInterface(process.stdin)) {
    for (const readOnly of [true, false]) {
      try {
        const store = lmdbStore({ path: one, readOnly });
        const digest = await digestOf(store);
        await store.close();
        say('is', digest);
      } catch (error) {
        say('is', (error as { code?: unknown }).code);
      }
    }
  }
  process.exit();
}
if (mode === 'log') {
  const store = lmdbStore({ path });
  for (let number = (await newestBatch(store)) + 1; ; number++) {
    await store.write(batchOf(number));
    say('done', number);
  }
}
if (mode === 'migrate') {
  const store = lmdbStore({ path });
  const write: typeof store.write = async (batch) => {
    say('write');
    await store.write(batch);
    await sleep(10);
  };
  await migrateStore({ ...store, write });
  await store.close();
  say('migrated');
  process.exit();
}
if (mode === 'keep') {
  const store = lmdbStore({ path, readOnly: true });
  const snapshot = await store.snapshot();
  say('kept', await digestOf(snapshot));
  for await (const _ of createInterface(process.stdin)) {
    say('now', await digestOf(store));
    say('kept', await digestOf(snapshot));
  }
  process.exit();
}

const readOnly = mode === 'read';
const tree = await openStateTree({
  store: await storeOf(path, { readOnly }),
  keepFinal: 3,
});
say('open');

if (mode === 'write') {
  for (let number = (await tree.newestBlock()) ?? 0; ; ) {
    number++;
    const { stateRoot } = await tree.applyBlock({ number, changes: changesOf(number) });
    say('done', number, stateRoot);
    const final = (await tree.finalBlock()) ?? 0;
    if (number % 5 === 0 && number - 2 > final) {
      await tree.finalize(number - 2);
      say('final', number - 2);
    } else if (number % 7 === 0 && number - 1 >= Math.max(final, 1)) {
      say('undo', number - 1);
      await tree.revert(number - 1);
      // The same blocks again, but for this one: else it would be taken back for ever.
      const { stateRoot } = await tree.applyBlock({ number, changes: changesOf(number) });
      say('done', number, stateRoot);
    }
  }
}
if (mode === 'read') {
  for await (const _ of createInterface(process.stdin)) {
    const newest = await tree.newestBlock();
    say('newest', newest, newest === undefined ? '' : await tree.stateRoot(newest));
  }
}
if (mode === 'fill') {
  for (let number = 1; ; number++) {
    const apply = () => tree.applyBlock({ number, changes: changesOf(number) });
    try {
      say('done', number, (await apply()).stateRoot);
    } catch (error) {
      const { code, message } = error as { code: string; message: string };
      say('failed', code, message);
      say('kept', await tree.newestBlock(), await tree.stateRoot());
      if (filler === '') break;
      rmSync(filler);
      say('done', number, (await apply()).stateRoot);
      break;
    }
  }
  await tree.close();
  say('closed');
}
if (mode === 'hold') setInterval(() => {}, 1000);
