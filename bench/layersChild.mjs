/**
 * The loads of `npm run bench -- layers`, of one build. Prints what came of it as JSON: microseconds of processor time, and
 * bytes handed to the system.
 * usage: node layersChild.mjs DIST FOLDER proofs|past|blocks|index
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist, folder, name] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(dist, path)).href);
const { openStateTree } = await load('tree/index.js');
const { lmdbStore } = await load('lmdb/index.js');
const store = lmdbStore({ path: folder });
const hex = (value, width) => `0x${value.toString(16).padStart(2 * width, '0')}`;
const account = (i, balance) => ({
  address: hex(1 + i, 20),
  account: { nonce: 1n, balance: BigInt(balance) },
});

/** Bytes that the process has handed to the system to write. */
const written = () => Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))[1]);

/** What work costs, a unit of it. */
async function costOf(units, work) {
  const [start, before] = [process.cpuUsage(), written()];
  await work();
  const { user, system } = process.cpuUsage(start);
  return { time: (user + system) / units, bytes: (written() - before) / units };
}

/** A state of accounts, in blocks of 5,000. @returns the tree, and its newest block */
async function openState(accounts) {
  const tree = await openStateTree({ store, hash: 'poseidon2' });
  let number = 0;
  for (let first = 0; first < accounts; first += 5000, number++) {
    const changes = Array.from({ length: 5000 }, (_, i) => account(first + i, i));
    await tree.applyBlock({ number, changes });
  }
  return { tree, newest: number - 1 };
}

/** Answers as text from an account tree: first asked, and asked again. */
async function proofs() {
  const [accounts, asked] = [20_000, 4000];
  const { tree } = await openState(accounts);
  const ask = async (from, count, rounds, block) => {
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < count; i++) {
        const address = hex(1 + ((from + i * 7919) % accounts), 20);
        await tree.getProof(address, [], block, { asText: true });
      }
    }
  };
  // Others than those that are timed: V8 compiles meanwhile.
  await ask(asked * 7919, asked, 1);
  const first = await costOf(asked, () => ask(0, asked, 1));
  // An answer that is asked for once more is kept, and given again from then on. A service names the block: only then are
  // kept answers looked for.
  const newest = accounts / 5000 - 1;
  await ask(0, 500, 2, newest);
  const again = await costOf(500 * 16, () => ask(0, 500, 16, newest));
  return { first: first.time, again: again.time };
}

/** Answers 300 blocks behind the head, of accounts that changed since and of others. */
async function past() {
  const [accounts, behind, perBlock, asked] = [20_000, 300, 50, 2000];
  const { tree, newest } = await openState(accounts);
  for (let number = newest + 1; number <= newest + behind; number++) {
    const changes = Array.from({ length: perBlock }, (_, i) =>
      account((number * 7919 + i * 104_729) % accounts, number),
    );
    await tree.applyBlock({ number, changes });
  }
  const ask = async (from) => {
    for (let i = from; i < from + asked; i++) {
      await tree.getProof(hex(1 + ((i * 7919) % accounts), 20), [], newest, { asText: true });
    }
  };
  await ask(asked);
  return { answer: (await costOf(asked, () => ask(0))).time };
}

/** Blocks of 10 changes on a state in LMDB, each final with its write: longer ones go past the log. */
async function blocks() {
  const [accounts, count, perBlock] = [100_000, 600, 10];
  const { tree, newest } = await openState(accounts);
  let number = newest + 1;
  const apply = async (blocks) => {
    for (const end = number + blocks; number < end; number++) {
      const changes = Array.from({ length: perBlock }, (_, i) =>
        account((number * 7919 + i * 104_729) % accounts, number),
      );
      await tree.applyBlock({ number, changes, finalBlock: number });
    }
  };
  await apply(200);
  const { time, bytes } = await costOf(count, () => apply(count));
  return { block: time, written: bytes };
}

/** An index of 200,000 transactions, 20 a block, with what fetching them costs; a page of holdings; bytes of the file. */
async function index() {
  const [transactions, perBlock] = [200_000, 20];
  const { createIndexer } = await load('indexer/indexer.js');
  const { openIndex } = await load('indexer/openIndex.js');
  const { createTransport } = await load('rpc/index.js');
  const path = new URL('logNode.mjs', import.meta.url).pathname;
  const node = spawn(process.execPath, [path, ...[perBlock, 20_000, 500, 100].map(String)]);
  try {
    const [port] = await once(node.stdout, 'data');
    const l2 = createTransport({ url: `http://127.0.0.1:${port}` });
    const opened = await openIndex({ store, chainId: 1 });
    const indexer = createIndexer({ index: opened, l2 });
    await l2.call('bench_head', [transactions / perBlock]);
    const { time, bytes } = await costOf(transactions, () => indexer.run({ once: true }));
    await opened.close();
    const files = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
    const size = files.reduce((sum, one) => sum + one, 0) / transactions;
    return { transaction: time, written: bytes, size };
  } finally {
    node.kill();
  }
}

process.stdout.write(JSON.stringify(await { proofs, past, blocks, index }[name]()));
await store.close?.();
process.exit();
