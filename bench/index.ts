/**
 * `npm run bench -- index`: what an index of 300,000 transactions costs beside fetching the same answers and dropping them, by
 * processor time of this process, turn by turn; its bytes a transaction; and whether its memory stays flat. The node is a process
 * of its own. `--only tokens`: the feed by logs; `--million`: a million transactions; `--postgres URL`: not in LMDB.
 *
 * Memory is looked at in a second process, `--memory`, which collects its garbage before: after that, an engine has little room
 * for new objects, and takes twice as long to fetch and drop the same answers.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIndexer } from '../dist/indexer/indexer.js';
import { openIndex } from '../dist/indexer/openIndex.js';
import { lmdbStore } from '../dist/lmdb/index.js';
import { postgresStore } from '../dist/postgres/index.js';
import { createTransport, type Transport } from '../dist/rpc/index.js';
import { ratioOf, spreadOf } from './measure.js';
import { digits } from './report.js';

const transactions = process.argv.includes('--million') ? 1_000_000 : 300_000;
const only = process.argv.includes('--only') ? { only: 'tokens' as const } : {};
const database = process.argv[process.argv.indexOf('--postgres') + 1];
const isPostgres = process.argv.includes('--postgres');
const perBlock = 20;
const wallets = 20_000;
const tokens = 500;
/** Pools, routers and exchanges: one side of each transfer. `--uniform`: any wallet is. */
const busy = process.argv.includes('--uniform') ? wallets : 100;
const turns = 10;
const looksAtMemory = process.argv.includes('--memory');
/** The turn after which memory is looked at for the first time. The turns before find the code uncompiled, and are not counted. */
const firstLook = 2;
const blocksPerTurn = Math.ceil(transactions / perBlock / turns);

const node = spawn(process.execPath, [
  new URL('logNode.mjs', import.meta.url).pathname,
  ...[perBlock, wallets, tokens, busy].map(String),
]);
node.stderr.pipe(process.stderr);
const [port] = await once(node.stdout, 'data');
const folder = mkdtempSync(join(tmpdir(), 'l2proof-bench-'));

/** Keeps what is asked, so that it can be asked again. */
function recorded(transport: Transport) {
  const asked: (() => Promise<unknown>)[] = [];
  const call: Transport['call'] = (...question) => {
    asked.push(() => transport.call(...question));
    return transport.call(...question);
  };
  const batch: Transport['batch'] = async (...questions) => {
    asked.push(async () => transport.batch?.(...questions));
    return (await transport.batch?.(...questions)) ?? [];
  };
  return { asked, transport: { ...transport, call, batch } };
}

async function costOf(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** MB that the process holds once garbage is gone; the store's file is mapped into memory and not counted. */
function held() {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

const plain = createTransport({ url: `http://127.0.0.1:${port}` });
const { asked, transport } = recorded(plain);
const store = isPostgres
  ? await postgresStore({ connectionString: database as string })
  : lmdbStore({ path: folder });
const index = await openIndex({ store, chainId: 1, ...only });
const indexer = createIndexer({ index, l2: transport });
const samples = { index: [] as number[], drop: [] as number[] };
const memory: number[] = [];
let bytes: number | undefined;
try {
  for (let turn = 1; turn <= turns; turn++) {
    await plain.call('bench_head', [turn * blocksPerTurn]);
    asked.length = 0;
    samples.index.push(await costOf(() => indexer.run({ once: true })));
    const again = asked.slice();
    samples.drop.push(
      await costOf(async () => {
        for (const ask of again) await ask();
      }),
    );
    if (looksAtMemory && (turn === firstLook || turn === turns)) memory.push(held());
  }
  bytes = (await store.usage?.())?.bytes;
  if ((await index.newestBlock()) !== turns * blocksPerTurn) throw new Error('blocks are missing');
} finally {
  await index.close();
  node.kill();
  rmSync(folder, { recursive: true, force: true });
}

const perTurn = blocksPerTurn * perBlock;
if (looksAtMemory) {
  console.log(
    `memory held: ${digits(memory[0] as number)} MB after ${firstLook * perTurn} transactions, ${digits(memory.at(-1) as number)} MB at the end`,
  );
} else {
  /** The first turns find the code uncompiled. */
  const warm = (values: readonly number[]) => values.slice(firstLook + 1);
  const sumOf = (values: readonly number[]) => warm(values).reduce((sum, value) => sum + value, 0);
  const ratio = ratioOf(warm(samples.index), warm(samples.drop));
  console.log(
    `${turns} turns of ${perTurn} transactions; ${wallets} wallets, ${busy} of them busy, ${tokens} tokens`,
  );
  console.log(
    `fetching and dropping: ${digits((1000 * spreadOf(warm(samples.drop)).median) / perTurn)} µs a transaction`,
  );
  console.log(
    `indexing: x ${digits(sumOf(samples.index) / sumOf(samples.drop))} in all (a turn: median ${digits(ratio.median)}, quartiles ${digits(ratio.low)} to ${digits(ratio.high)}), bar ${'only' in only ? 2 : 3.5}`,
  );
  if (bytes !== undefined) {
    console.log(`the store: ${digits(bytes / (turns * perTurn))} bytes a transaction`);
  }
  // A database holds this run's index, so memory needs a run and a database of its own there.
  if (!isPostgres) {
    const args = [...process.argv.slice(2), '--memory'];
    const execArgv = [...process.execArgv, '--expose-gc'];
    await once(fork(new URL(import.meta.url), args, { execArgv }), 'exit');
  }
}
