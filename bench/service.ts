/**
 * `npm run bench -- service`: what an answer costs in processor time, as a share of what a bare hono echo of the same
 * request does. Each server is a process of its own and tells its processor time, of all threads and of the kernel for
 * it; the client is this process, with 64 connections. Servers take turns of a few thousand requests, several processes
 * of each kind; the figures are medians, and stand on a busy machine, too. `bench/SERVICE.md` says what came out.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Load, load } from './serviceLoad.js';
import {
  contracts,
  head,
  oldBlock,
  requestOf,
  wallets,
  word,
  writeBenchState,
} from './serviceState.js';

const processes = Number(process.env.BENCH_PROCESSES ?? 3);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const perTurn = 2000;
/** Contracts that a server is asked for before it is measured: after 500, an answer took twice as long. */
const warmSlots = 4000;

interface Server {
  readonly port: number;
  /** Processor time so far, in µs. */
  cpu(): Promise<number>;
  stop(): void;
}

async function startServer(options: object): Promise<Server> {
  const script = new URL('./serviceChild.ts', import.meta.url);
  const child = fork(script, [JSON.stringify(options)]);
  const [port] = await once(child, 'message');
  return {
    port,
    async cpu() {
      child.send('cpu');
      const [time] = await once(child, 'message');
      return time;
    },
    stop: () => void child.kill(),
  };
}

interface Turn extends Load {
  /** Processor time of an answer, in µs. */
  readonly cpu: number;
}

async function turn(server: Server, bodies: readonly string[]): Promise<Turn> {
  const before = await server.cpu();
  const result = await load(server.port, bodies);
  return { ...result, cpu: ((await server.cpu()) - before) / bodies.length };
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

interface Kind {
  readonly name: string;
  /** Addresses, and the slots asked for. */
  readonly from: number;
  readonly count: number;
  readonly slots: readonly string[];
  readonly perTurn: number;
}

const account: Kind = { name: 'an account', from: 0, count: wallets, slots: [], perTurn };
const absent: Kind = {
  name: 'two absent slots',
  from: wallets,
  count: contracts,
  slots: [word(0x1001), word(0x1009)],
  perTurn: perTurn / 4,
};

const bodiesOf = ({ from, count, slots, perTurn: length }: Kind, start: number) =>
  Array.from({ length }, (_, i) => requestOf(from + ((start + i) % count), slots));

/** Turns of one server process and an echo. @param offset from where on nothing was asked of this process */
async function compare(server: Server, echo: Server, kind: Kind, isFirst: boolean, offset: number) {
  const [ours, theirs]: [Turn[], Turn[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const bodies = bodiesOf(kind, isFirst ? offset + round * kind.perTurn : offset);
    theirs.push(await turn(echo, bodies));
    ours.push(await turn(server, bodies));
  }
  return { ours, theirs };
}

const folder = mkdtempSync(join(tmpdir(), 'bench-service-'));
const path = join(folder, 'state');
const failures: number[] = [];

function show(name: string, runs: readonly { ours: Turn[]; theirs: Turn[] }[]): void {
  const shares = runs.map(
    ({ ours, theirs }) => median(theirs.map(({ cpu }) => cpu)) / median(ours.map(({ cpu }) => cpu)),
  );
  const all = runs.flatMap(({ ours }) => ours);
  const echoes = runs.flatMap(({ theirs }) => theirs);
  failures.push(...all.map(({ failed }) => failed));
  console.log(
    `${name}: ${median(shares).toFixed(3)} of an echo; ${median(all.map(({ cpu }) => cpu)).toFixed(0)} µs beside ${median(echoes.map(({ cpu }) => cpu)).toFixed(0)}, p99 ${median(all.map(({ p99 }) => p99)).toFixed(0)} ms beside ${median(echoes.map(({ p99 }) => p99)).toFixed(0)}`,
  );
}

async function measureEach(options: object, names: string): Promise<void> {
  const results = new Map<string, { ours: Turn[]; theirs: Turn[] }[]>();
  for (let i = 0; i < processes; i++) {
    const echo = await startServer({ kind: 'echo' });
    const server = await startServer(options);
    await turn(echo, bodiesOf({ ...account, perTurn: 4 * perTurn }, 0));
    await turn(server, bodiesOf({ ...account, perTurn: 4 * perTurn }, 0));
    await turn(server, bodiesOf({ ...absent, perTurn: warmSlots }, contracts - warmSlots));
    for (const [kind, offset] of [
      [account, 4 * perTurn],
      [absent, 0],
    ] as const) {
      for (const isFirst of [true, false]) {
        const name = `${kind.name}, ${isFirst ? 'first asked' : 'asked before'}, ${names}`;
        const runs = results.get(name) ?? [];
        runs.push(await compare(server, echo, kind, isFirst, offset));
        results.set(name, runs);
      }
    }
    echo.stop();
    server.stop();
  }
  for (const [name, runs] of results) show(name, runs);
}

/** Finality behind the head, beside newest. */
async function measurePast(): Promise<void> {
  const ratios: number[] = [];
  for (let i = 0; i < processes; i++) {
    const newest = await startServer({ kind: 'lmdb', path, block: head });
    const past = await startServer({ kind: 'lmdb', path, block: oldBlock });
    for (const server of [newest, past])
      await turn(server, bodiesOf({ ...account, perTurn: 8000 }, 0));
    const [now, then]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const bodies = bodiesOf(account, 8000 + round * perTurn);
      now.push((await turn(newest, bodies)).cpu);
      then.push((await turn(past, bodies)).cpu);
    }
    ratios.push(median(then) / median(now));
    for (const server of [newest, past]) server.stop();
  }
  console.log(
    `finality ${head - oldBlock} blocks behind the head: ${median(ratios).toFixed(2)} of newest`,
  );
}

/** Ticks of the processor that a process has used. Linux only. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

async function startCommand(
  count: number,
): Promise<{ child: ChildProcess; port: number; pids: number[] }> {
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
  const child = spawn(process.execPath, [
    ...[main, 'serve', '--store', path, '--finality', String(head), '--port', '0', '--log', 'warn'],
    ...['--max-rate', '100000000', '--processes', String(count)],
  ]);
  const [line] = await once(child.stdout, 'data');
  const { port } = JSON.parse(String(line));
  const list = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  const pids = list.split(' ').filter((pid) => pid !== '');
  return { child, port, pids: [child.pid as number, ...pids.map(Number)] };
}

/** Two serving processes beside one, on a fixed number of requests. */
async function measureProcesses(): Promise<void> {
  const one = await startCommand(1);
  const two = await startCommand(2);
  const used = async ({ port, pids }: typeof one, bodies: readonly string[]) => {
    const before = pids.map(ticksOf);
    failures.push((await load(port, bodies)).failed);
    return pids.map((pid, i) => ticksOf(pid) - (before[i] as number));
  };
  const sum = (ticks: readonly number[]) => ticks.reduce((all, each) => all + each, 0);
  for (const all of [one, two, two]) await used(all, bodiesOf({ ...account, perTurn: 12_000 }, 0));
  const [ratios, shares]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const bodies = bodiesOf({ ...account, perTurn: 6000 }, 12_000 + round * 6000);
    const alone = sum(await used(one, bodies));
    const both = await used(two, bodies);
    ratios.push(sum(both) / alone);
    const [, ...serving] = both;
    shares.push(Math.max(...serving) / sum(serving));
  }
  console.log(
    `two processes: ${median(ratios).toFixed(2)} of one's processor time; the busier has ${(100 * median(shares)).toFixed(0)} %`,
  );
  for (const { child } of [one, two]) child.kill();
}

try {
  await writeBenchState(path);
  await measureEach({ kind: 'lmdb', path, block: head }, 'LMDB');
  await measureEach({ kind: 'memory', block: oldBlock }, 'in memory');
  await measurePast();
  if (process.platform === 'linux') await measureProcesses();
  console.log(`failed: ${failures.reduce((all, each) => all + each, 0)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
