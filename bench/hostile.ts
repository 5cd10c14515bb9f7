/**
 * `npm run bench -- hostile`: what a light client of one key feels while another key asks for 64 proofs of 256 slots, and
 * while 3,000 connections idle and 100 never read. `--processes 2` has two processes serve. The server is
 * `l2proof serve` on a store in LMDB, each client a process of its own. `bench/SERVICE.md` says what came out.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { lmdbStore } from '../dist/lmdb/index.js';
import { openStateTree } from '../dist/tree/index.js';

const { values } = parseArgs({ options: { processes: { type: 'string', default: '1' } } });
const folder = mkdtempSync(join(tmpdir(), 'bench-hostile-'));
const path = join(folder, 'state');

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}` as const;
const address = (i: number) => `0x${(0xabc000 + i).toString(16).padStart(40, '0')}` as const;
const accounts = 2000;

/** One contract with many slots, and wallets. */
async function writeState(): Promise<void> {
  const tree = await openStateTree({ store: lmdbStore({ path }) });
  const changes = Array.from({ length: accounts }, (_, i) => ({
    address: address(i),
    account: { nonce: 1n, balance: BigInt(i) },
    storage: Array.from({ length: i === 0 ? 4096 : 0 }, (_, k) => ({
      key: word(2 * k),
      value: word(k + 1),
    })),
  }));
  await tree.applyBlock({ number: 1, changes });
  await tree.finalize(1);
  await tree.close();
}

async function startServer(): Promise<{ child: ChildProcess; port: number }> {
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
  const child = spawn(process.execPath, [
    ...[main, 'serve', '--store', path, '--finality', '1', '--port', '0', '--log', 'warn'],
    ...['--key', 'greedy-key', '--key', 'modest-key', '--max-rate', '100000000'],
    ...['--timeout', '60000', '--processes', values.processes],
  ]);
  const [line] = await once(child.stdout, 'data');
  return { child, port: JSON.parse(String(line)).port };
}

const client = () => fork(new URL('./hostileClient.mjs', import.meta.url));

async function run<T>(process: ChildProcess, job: object): Promise<T> {
  process.send(job);
  const [answer] = await once(process, 'message');
  return answer;
}

interface Light {
  p50: number;
  p99: number;
  worst: number;
  health: number;
  count: number;
}

const show = (name: string, { p50, p99, worst, health, count }: Light) =>
  console.log(
    `${name}: ${count} light requests, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, worst ${worst.toFixed(1)} ms; /health ${health.toFixed(1)} ms at worst`,
  );

await writeState();
const { child: server, port } = await startServer();
const [greedy, modest] = [client(), client()];
try {
  const light = { job: 'light', port, key: 'modest-key', address: address(1), count: accounts - 1 };
  await run(modest, { ...light, seconds: 2 });
  show('calm', await run<Light>(modest, { ...light, seconds: 3 }));
  const burst = run<number>(greedy, { job: 'burst', port, key: 'greedy-key', address: address(0) });
  const busy = run<Light>(modest, { ...light, until: 'stop' });
  const seconds = await burst;
  modest.send({ job: 'stop' });
  show('during 64 requests of 256 slots', await busy);
  console.log(`  which were answered within ${seconds.toFixed(1)} s`);
  await run(greedy, { job: 'sockets', port, key: 'greedy-key', address: address(0) });
  for (const from of ['127.0.0.1', '127.0.0.2']) {
    const time = await run<number>(modest, { job: 'new', port, key: 'modest-key', from });
    console.log(
      `beside 3,000 idle and 100 deaf connections: a new client from ${from} after ${time.toFixed(0)} ms`,
    );
  }
} finally {
  greedy.kill();
  modest.kill();
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
