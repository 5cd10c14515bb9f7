/**
 * One part of `npm run bench -- bulk`: `genesis FOLDER ACCOUNTS`, `make FOLDER LEAVES` or `import FOLDER ROOT BLOCKS`. Prints
 * what came of it as JSON, and on standard error how far it is.
 */
import { createHash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lmdbStore } from '../dist/lmdb/index.js';
import { importSnapshot, openStateTree } from '../dist/tree/index.js';
import { measured } from './bulkMeasured.mjs';
import { makeSnapshot } from './snapshotMaker.mjs';

const [mode, folder, argument, blocksText] = process.argv.slice(2);
const file = join(folder, 'made.snapshot');
const path = join(folder, 'state');

/** Blocks that a tree of accounts takes: keys, values, leaves, nodes, and the way up to its root. */
function blocksOf(accounts) {
  let blocks = accounts * (2 + 10) + (accounts + 2) * 6 + 3;
  let width = accounts + 2;
  for (let height = 1; height <= 40; height++) {
    width = Math.ceil(width / 2);
    blocks += 2 * width;
  }
  return blocks;
}

const digest = (text) => createHash('sha256').update(text).digest('hex');

if (mode === 'make') {
  const made = makeSnapshot(file, Number(argument), (i) => process.stderr.write(`${3 * i}\n`));
  console.log(JSON.stringify(made));
} else if (mode === 'genesis') {
  const accounts = Array.from({ length: Number(argument) }, (_, i) => ({
    address: `0x${digest(`account ${i}`).slice(0, 40)}`,
    account: { nonce: 1, balance: BigInt(`0x${digest(`balance ${i}`).slice(0, 20)}`) },
  }));
  const tree = await openStateTree({ store: lmdbStore({ path }) });
  const report = await measured(path, blocksOf(accounts.length), async () => {
    const load = await tree.openLoad();
    for (let i = 0; i < accounts.length; i += 1000) await load.add(accounts.slice(i, i + 1000));
    await load.finish({ number: 0 });
    await load.close();
  });
  await tree.close();
  console.log(JSON.stringify(report));
} else {
  const store = lmdbStore({ path });
  const report = await measured(path, Number(blocksText), () =>
    importSnapshot(createReadStream(file, { highWaterMark: 2 ** 20 }), {
      store,
      stateRoot: argument,
      onProgress: ({ stage, done }) => stage === 'read' && process.stderr.write(`${done}\n`),
    }),
  );
  await store.close();
  console.log(JSON.stringify(report));
}
rmSync(path, { recursive: true, force: true });
