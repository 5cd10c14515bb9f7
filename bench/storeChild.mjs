/**
 * One size of `npm run bench -- store`: loads the same state into LMDB and into the memory store, then asks both for the
 * same proofs, turn by turn. Says on standard error how far it is, and prints what came of it as JSON.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lmdbStore } from '../dist/lmdb/index.js';
import { memoryStore, openStateTree } from '../dist/tree/index.js';

const accounts = Number(process.argv[2]);
const folder = mkdtempSync(join(process.argv[3], 'l2proof-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const perBlock = Math.min(10_000, accounts / 5);
const newer = 4;
const blocks = Math.ceil(accounts / perBlock);

const digest = (text) => createHash('sha256').update(text).digest('hex');
const addressOf = (i) => `0x${digest(`account ${i}`).slice(0, 40)}`;
const account = (i, nonce) => ({
  address: addressOf(i),
  account: { nonce, balance: BigInt(`0x${digest(`balance ${i}`).slice(0, 20)}`) },
});
const range = (count, item) => Array.from({ length: count }, (_, i) => item(i));
const random = (count) => Math.floor(Math.random() * count);

/** Counts what a store is given to write. */
function counted(store) {
  const counts = { time: 0, bytes: 0 };
  const write = async (batch) => {
    const start = performance.now();
    await store.write(batch);
    counts.time += performance.now() - start;
    for (const { key, value } of batch.puts) counts.bytes += key.length + value.length;
  };
  return { counts, store: { ...store, write } };
}

async function load(base, shown) {
  const { counts, store } = counted(base);
  const tree = await openStateTree({ store, keepFinal: newer });
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  for (let block = 0; block < blocks; block++) {
    const from = block * perBlock;
    const changes = range(Math.min(perBlock, accounts - from), (i) => account(from + i, 1));
    await tree.applyBlock({ number: block, changes });
    await tree.finalize(block);
    process.stderr.write(`${shown + from + changes.length}\n`);
  }
  const { user, system } = process.cpuUsage(cpu);
  const times = {
    wall: performance.now() - start,
    cpu: (user + system) / 1000,
    write: counts.time,
  };
  return { tree, times, counts };
}

const path = join(folder, 'state');
const disk = await load(lmdbStore({ path }), 0);
const loadedBytes = statSync(join(path, 'data.mdb')).size;
const memory = await load(memoryStore(), accounts);
const trees = { disk: disk.tree, memory: memory.tree };

/** Times, in milliseconds, of what each store does in turn. */
async function inTurn(rounds, work) {
  const times = { disk: [], memory: [] };
  for (let round = -rounds / 10; round < rounds; round++) {
    const task = work(Math.floor(round));
    for (const name of ['disk', 'memory']) {
      const start = performance.now();
      await task(trees[name]);
      if (round >= 0) times[name].push(performance.now() - start);
    }
  }
  return times;
}

/** Accounts that the oldest block has. */
const earlier = accounts - newer * perBlock;
const oldest = await disk.tree.oldestBlock();
const proofs = await inTurn(3000, () => {
  const address = addressOf(random(accounts));
  return (tree) => tree.getProof(address);
});
const older = await inTurn(2000, () => {
  const address = addressOf(random(Math.max(earlier, perBlock)));
  return (tree) => tree.getProof(address, [], oldest);
});
const absent = await inTurn(2000, () => {
  const address = addressOf(accounts + random(2 ** 40));
  return (tree) => tree.getProof(address);
});
let number = blocks;
const changed = Math.min(200, perBlock);
const small = await inTurn(50, () => {
  const from = random(accounts - changed);
  const block = number++;
  return (tree) =>
    tree.applyBlock({ number: block, changes: range(changed, (i) => account(from + i, block)) });
});
const root = await disk.tree.stateRoot();
if (root !== (await memory.tree.stateRoot())) throw new Error('the two stores hold another state');
await disk.tree.close();

console.log(
  JSON.stringify({
    accounts,
    perBlock,
    load: { disk: disk.times, memory: memory.times },
    written: disk.counts.bytes,
    loadedBytes,
    proofs,
    older,
    absent,
    small,
  }),
);
