/**
 * `npm run bench -- postgres`: a state of 100,000 accounts (Poseidon2) in a PostgreSQL of its own on loopback, with its
 * default settings. Account proofs beside one bare prepared SELECT on a connection of the same kind, and blocks of 100
 * changes beside the same ones in LMDB, turn by turn, by the processor time of this process; what the server takes is
 * not in it, so the clock stands beside. Then two processes that make proofs beside one, by the clock: it needs cores
 * that nobody else uses. One proof at a time keeps a process or its server busy, so two processes have the work of two
 * cores; eight at a time is more than that for one process already, and stands beside for machines with more cores.
 * `--accounts N` runs another size.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { Hex } from '../src/index.js';
import type * as Lmdb from '../src/lmdb/index.js';
import type * as Postgres from '../src/postgres/index.js';
import type { AccountChange, StateTree } from '../src/tree/index.js';
import { startPostgres } from '../test/support/postgres.js';
import { openStateTree } from './library.js';
import { ratioOf, spreadOf } from './measure.js';
import { digits, ratioTable, time, timeTable } from './report.js';
import { textOf } from './tables.js';

const load = (path: string): Promise<unknown> =>
  import(new URL(`../dist/${path}/index.js`, import.meta.url).href);
const { postgresStore } = (await load('postgres')) as typeof Postgres;
const { lmdbStore } = (await load('lmdb')) as typeof Lmdb;

const { values } = parseArgs({ options: { accounts: { type: 'string', default: '100000' } } });
const accounts = Number(values.accounts);
const perBlock = 5000;
const rounds = 15;

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const addressOf = (i: number) => `0x${digest(`account ${i}`).slice(0, 40)}` as const;
const range = <T>(count: number, item: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => item(i));
const random = (count: number) => Math.floor(Math.random() * count);
const account = (i: number, nonce: number): AccountChange => ({
  address: addressOf(i),
  account: { nonce, balance: BigInt(`0x${digest(`balance ${i}`).slice(0, 20)}`) },
});

/** Microseconds a call, of this process's processors and by the clock. */
interface Cost {
  cpu: number[];
  wall: number[];
}
const costs: Record<string, Cost> = {};
async function measure(name: string, calls: number, work: () => Promise<unknown>): Promise<void> {
  const cost = (costs[name] ??= { cpu: [], wall: [] });
  // The competitor before has had the caches.
  await work();
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  for (let i = 0; i < calls; i++) await work();
  const { user, system } = process.cpuUsage(cpu);
  cost.cpu.push((user + system) / calls);
  cost.wall.push((1000 * (performance.now() - start)) / calls);
}
const costOf = (name: string): Cost => costs[name] as Cost;

/** Proofs a second that processes make at once, each on its own. */
async function proofsPerSecond(
  url: string,
  { processes, atOnce }: { processes: number; atOnce: number },
): Promise<number> {
  const script = fileURLToPath(new URL('postgresChild.mjs', import.meta.url));
  const children = range(processes, () =>
    spawn(process.execPath, [script, url, values.accounts, String(atOnce)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  const counts = await Promise.all(
    children.map(async (child) => {
      await once(child.stdout, 'data');
      return child;
    }),
  );
  for (const child of counts) child.stdin.write('go\n');
  const rates = await Promise.all(
    counts.map(async (child) => Number(String((await once(child.stdout, 'data'))[0]))),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}

/** Named before: a hash for each address would count as part of its proof. */
const addresses = range(accounts, addressOf);
const anyone = () => addresses[random(accounts)] as Hex;
const server = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), 'l2proof-bench-'));
try {
  const trees: [name: string, tree: StateTree][] = [
    [
      'PostgreSQL',
      await openStateTree({
        store: await postgresStore({ connectionString: server.url }),
        keepFinal: 4,
      }),
    ],
    [
      'LMDB',
      await openStateTree({ store: lmdbStore({ path: join(folder, 'state') }), keepFinal: 4 }),
    ],
  ];
  let number = 0;
  for (let from = 0; from < accounts; from += perBlock) {
    const changes = range(Math.min(perBlock, accounts - from), (i) => account(from + i, 1));
    for (const [name, tree] of trees) {
      const start = performance.now();
      await tree.applyBlock({ number, changes });
      await tree.finalize(number);
      console.error(
        `${name}: ${from + changes.length} accounts, ${time(1000 * (performance.now() - start))}`,
      );
    }
    number++;
  }
  const client = new pg.Client({ connectionString: server.url, pipeline: true });
  await client.connect();
  // As after some time in use.
  await client.query('VACUUM ANALYZE');
  const { rows } = await client.query('SELECT key FROM l2proof.entry LIMIT 5000');
  const bare = () =>
    client.query({
      name: 'bare',
      text: 'SELECT value FROM l2proof.entry WHERE key = $1',
      values: [rows[random(rows.length)].key],
    });
  const [[, far], [, near]] = trees as [[string, StateTree], [string, StateTree]];
  for (let round = -2; round < rounds; round++) {
    await measure('SELECT', 1000, bare);
    await measure('proof', 1000, () => far.getProof(anyone()));
    await measure('proof from LMDB', 1000, () => near.getProof(anyone()));
    const block = range(4, () =>
      range(100, (i) =>
        account(i % 10 === 0 ? accounts + random(1e9) : random(accounts), random(1e9)),
      ),
    ).map((changes) => [...new Map(changes.map((change) => [change.address, change])).values()]);
    for (const [name, tree] of trees) {
      let i = 0;
      const from = number;
      await measure(`block, ${name}`, block.length - 1, async () => {
        await tree.applyBlock({ number: from + i, changes: block[i] as AccountChange[] });
        await tree.finalize(from + i);
        i++;
      });
    }
    number += block.length;
    // Two rounds to warm up.
    if (round < 0)
      for (const cost of Object.values(costs)) Object.assign(cost, { cpu: [], wall: [] });
  }
  await client.end();
  for (const [, tree] of trees) await tree.close();
  /** Proofs a second, by how many each process makes at once. */
  const rates = [1, 8].map((atOnce) => ({ atOnce, one: [] as number[], two: [] as number[] }));
  for (let round = 0; round < 5; round++) {
    for (const { atOnce, one, two } of rates) {
      one.push(await proofsPerSecond(server.url, { processes: 1, atOnce }));
      two.push(await proofsPerSecond(server.url, { processes: 2, atOnce }));
    }
  }
  const [single, eight] = rates as [(typeof rates)[0], (typeof rates)[0]];
  const ratio = (name: string, of: string, kind: 'cpu' | 'wall') =>
    ratioOf(costOf(name)[kind], costOf(of)[kind]);
  console.log(
    textOf(
      ratioTable([
        {
          what: 'account proof beside a bare SELECT, processor time',
          figure: ratio('proof', 'SELECT', 'cpu'),
          target: { must: 8, stretch: 5.5, good: 'below' },
        },
        {
          what: 'account proof beside a bare SELECT, by the clock',
          figure: ratio('proof', 'SELECT', 'wall'),
        },
        {
          what: 'block of 100 beside LMDB, processor time',
          figure: ratio('block, PostgreSQL', 'block, LMDB', 'cpu'),
          target: { must: 3, stretch: 2, good: 'below' },
        },
        {
          what: 'block of 100 beside LMDB, by the clock',
          figure: ratio('block, PostgreSQL', 'block, LMDB', 'wall'),
        },
        {
          what: 'two processes that make proofs beside one, one at a time each',
          figure: ratioOf(single.two, single.one),
          target: { must: 1.25, stretch: 1.6, good: 'above' },
        },
        {
          what: 'the same, eight at a time each',
          figure: ratioOf(eight.two, eight.one),
        },
      ]),
    ),
  );
  console.log(
    textOf(
      timeTable(
        Object.entries(costs).flatMap(([what, { cpu, wall }]) => [
          { what: `${what}, processor time`, spread: spreadOf(cpu) },
          { what: `${what}, by the clock`, spread: spreadOf(wall) },
        ]),
      ),
    ),
  );
  for (const { atOnce, one, two } of rates) {
    const [alone, both] = [one, two].map((rate) => digits(spreadOf(rate).median));
    console.log(`${atOnce} at a time: ${alone} proofs a second by one process, ${both} by two`);
  }
} finally {
  await server.close();
  rmSync(folder, { recursive: true });
}
