/** A server of this process under load from 64 connections, turn by turn with another one; the client is a process of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

export const connections = 64;
export const seconds = Number(process.env.BENCH_SECONDS ?? 4);
export const rounds = Number(process.env.BENCH_ROUNDS ?? 5);

/** What a server is asked, again and again. */
export interface Job {
  readonly port: number;
  readonly path: string;
  /** Posted; without one it is a GET. */
  readonly body?: string;
  /** Default 64. */
  readonly connections?: number;
  /** Another option in each query, so that no answer is remembered. */
  readonly isNew?: boolean;
  /** Stands in each answer that is right. */
  readonly check: string;
}

interface Load {
  readonly perSecond: number;
  /** Processor time of this process per request, all threads, in µs. */
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

const median = (numbers: number[]): number =>
  numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

/** Medians of the rounds; times in ms. */
export interface Compared {
  readonly perSecond: number;
  readonly othersPerSecond: number;
  readonly rates: number;
  /** The ratio by processor time of this process. */
  readonly byProcessor: number;
  readonly p50: number;
  readonly p99: number;
  readonly othersP99: number;
  readonly failed: number;
}

/** The same as two lines of text; the other server is a bare one. */
export const comparedText = (all: Compared): string =>
  `${all.perSecond.toFixed(0)}/s; bare ${all.othersPerSecond.toFixed(0)}/s; ratio ${all.rates.toFixed(3)} (by processor time ${all.byProcessor.toFixed(3)})
  p50 ${all.p50} ms, p99 ${all.p99} ms; bare p99 ${all.othersP99} ms; ${all.failed} failed`;

export interface Loader {
  /** A server beside another one. The first turn of each warms up. */
  compare(ours: Job, theirs: Job): Promise<Compared>;
  close(): void;
}

export function startLoader(): Loader {
  const client = fork(new URL('./httpLoadChild.mjs', import.meta.url));

  async function run(job: Job): Promise<Load> {
    const start = process.cpuUsage();
    client.send({ connections, seconds, ...job });
    const [load] = await once(client, 'message');
    const { user, system } = process.cpuUsage(start);
    return { ...load, cpu: (user + system) / (load.perSecond * seconds) };
  }

  return {
    async compare(ours, theirs) {
      for (const job of [theirs, ours]) await run(job);
      const [others, loads]: [Load[], Load[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        others.push(await run(theirs));
        loads.push(await run(ours));
      }
      const of = (read: (load: Load, other: Load) => number) =>
        median(loads.map((load, i) => read(load, others[i] as Load)));
      const failed = loads.reduce((sum, load) => sum + load.failed, 0);
      return {
        perSecond: of(({ perSecond }) => perSecond),
        othersPerSecond: of((_, other) => other.perSecond),
        rates: of((load, other) => load.perSecond / other.perSecond),
        byProcessor: of((load, other) => other.cpu / load.cpu),
        p50: of(({ p50 }) => p50),
        p99: of(({ p99 }) => p99),
        othersP99: of((_, other) => other.p99),
        failed,
      };
    },
    close: () => client.kill(),
  };
}

/** A bare hono server with one route and one answer: what ours stand beside. @param path as hono writes it */
export async function startBare(path: string, answer: string) {
  const app = new Hono();
  const headers = { 'content-type': 'application/json' };
  app.get(path, (context) => context.body(answer, 200, headers));
  const bare = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(bare, 'listening');
  const { port } = bare.address() as { port: number };
  return { port, close: () => bare.close() };
}
