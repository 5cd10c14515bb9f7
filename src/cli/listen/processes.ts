/**
 * Several processes that serve on one port: the first hands connections to the others in turn, keeps as many of them
 * running as were asked for, and sums their metrics.
 */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type ServiceLog, type ServiceMetrics, sumMetrics } from '../../service/index.js';
import { exitCodes } from '../exit/exit.js';
import { untilSignal } from './listen.js';

/** Messages between the processes. */
type Message =
  /** To a serving process: end. */
  | { readonly l2proof: 'stop' }
  /** To a serving process: say that you are there. */
  | { readonly l2proof: 'ping' }
  /** From a serving process: its event loop turns. */
  | { readonly l2proof: 'pong' }
  /** To a serving process: send your metrics. */
  | { readonly l2proof: 'tell'; readonly turn: number }
  /** From a serving process: its metrics. */
  | { readonly l2proof: 'told'; readonly turn: number; readonly figures: unknown }
  /** From a serving process whose /metrics was requested: ask all processes. */
  | { readonly l2proof: 'ask'; readonly turn: number }
  /** The answer to `ask`; `sum` is undefined if summing failed. */
  | { readonly l2proof: 'sum'; readonly turn: number; readonly sum: Sum | undefined };

type Sum = Awaited<ReturnType<ServiceMetrics['read']>>;

/** Ms to wait for the metrics of a process: a stuck one must not hide the others. */
const patience = 1000;

/** Ms between the early end of a process and the start of its successor. */
const pause = 1000;

/** Ms between two pings of a process. */
const beat = 5000;

/**
 * Pings without a pong after which a process counts as hung, half a minute in all: none of our work keeps the event loop
 * for more than a part of a second, but the machine may be busy. Counted, and not timed, so that a machine that slept
 * meanwhile does not have all of its processes replaced.
 */
const mostUnanswered = 6;

/** Ms in which a process that is told to end must say that it is there. After that, it is not waited for. */
const lastPatience = 8000;

/** Whether this process is one of several. */
export const isOneOfSeveral = (): boolean => cluster.isWorker;

const send = (
  to: { send?(message: Message, done: () => void): unknown },
  message: Message,
): void => {
  // Sending fails if the other process has ended meanwhile; then nobody misses the message. If it fails later than here,
  // and nobody is told, Node emits an error, which would end this process.
  try {
    to.send?.(message, () => {});
  } catch {}
};

/** Waits for a message with a turn, for a while. */
function reply<T>(
  from: { on(name: 'message', listener: (message: Message) => void): unknown } & {
    off(name: 'message', listener: (message: Message) => void): unknown;
  },
  read: (message: Message) => { value: T } | undefined,
  time: number,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const end = (value: T | undefined) => {
      clearTimeout(timer);
      from.off('message', listener);
      resolve(value);
    };
    const listener = (message: Message) => {
      const found = read(message);
      if (found) end(found.value);
    };
    const timer = setTimeout(() => end(undefined), time);
    from.on('message', listener);
  });
}

let turns = 0;

/**
 * The metrics of all processes, for one of them. @param own its own metrics, which stand alone if no other process
 * answers
 */
export function metricsOfAll(
  own: ServiceMetrics & { figures(): Promise<unknown> },
): ServiceMetrics {
  process.on('message', async (message: Message) => {
    if (message.l2proof !== 'tell') return;
    send(process, { l2proof: 'told', turn: message.turn, figures: await own.figures() });
  });
  return {
    ...own,
    async read() {
      const turn = ++turns;
      const answer = reply(
        process,
        (message) =>
          message.l2proof === 'sum' && message.turn === turn ? { value: message.sum } : undefined,
        2 * patience,
      );
      send(process, { l2proof: 'ask', turn });
      return (await answer) ?? own.read();
    },
  };
}

/** Resolves when this process, one of several, is told to end. Until its end it answers pings. */
export function untilStopped(): Promise<string> {
  const told = new Promise<string>((resolve) => {
    process.on('message', (message: Message) => {
      if (message.l2proof === 'stop') resolve('stop');
      if (message.l2proof === 'ping') send(process, { l2proof: 'pong' });
    });
  });
  return Promise.race([told, untilSignal()]);
}

/** Lets this process, one of several, end once it has nothing left to do. */
export function leave(): void {
  cluster.worker?.disconnect();
}

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((one) => !!one);

/** Answers a process that asks for the metrics of all. */
async function answerMetrics(asking: Worker, askedTurn: number): Promise<void> {
  const turn = ++turns;
  const figures = await Promise.all(
    workers().map((worker) => {
      const told = reply<unknown>(
        worker,
        (message) =>
          message.l2proof === 'told' && message.turn === turn
            ? { value: message.figures }
            : undefined,
        patience,
      );
      send(worker, { l2proof: 'tell', turn });
      return told;
    }),
  );
  const sum = await sumMetrics(figures.filter((one) => one !== undefined)).catch(() => undefined);
  send(asking, { l2proof: 'sum', turn: askedTurn, sum });
}

/** Ends a serving process that hangs: it would keep its part of the connections waiting for ever. */
function watch(worker: Worker, log: ServiceLog): void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered === mostUnanswered) {
      const { pid } = worker.process;
      log.error({ pid }, `a serving process does not answer for ${(beat / 1000) * unanswered} s`);
      worker.process.kill('SIGKILL');
      clearInterval(timer);
      return;
    }
    unanswered += 1;
    send(worker, { l2proof: 'ping' });
  }, beat);
  worker.on('message', ({ l2proof }: Message) => {
    if (l2proof === 'pong') unanswered = 0;
  });
  worker.once('exit', () => clearInterval(timer));
}

/** Has a serving process end, and waits for it; one that hangs would not hear it. */
async function end(worker: Worker, log: ServiceLog): Promise<void> {
  const ended = once(worker, 'exit').then(() => true);
  const isThere = reply(
    worker,
    ({ l2proof }) => (l2proof === 'pong' ? { value: true } : undefined),
    lastPatience,
  );
  send(worker, { l2proof: 'stop' });
  send(worker, { l2proof: 'ping' });
  if (!(await Promise.race([ended, isThere]))) {
    const { pid } = worker.process;
    log.error({ pid }, 'a serving process does not hear that it should end');
    worker.process.kill('SIGKILL');
  }
  await ended;
}

interface Processes {
  readonly port: number;
  /** Has all of them end, and waits for it. */
  stop(): Promise<void>;
}

/**
 * Starts serving processes, which run this very command.
 *
 * @returns undefined if the first process ends before it serves; it has said why, and this process takes its exit code
 */
export async function startProcesses(
  count: number,
  log: ServiceLog,
): Promise<Processes | undefined> {
  let isStopping = false;
  const start = (): Worker => {
    const worker = cluster.fork();
    const started = performance.now();
    worker.on('message', (message: Message) => {
      if (message.l2proof === 'ask') void answerMetrics(worker, message.turn);
    });
    // A message sent before the worker runs our code is lost: node:cluster takes it off the channel.
    worker.on('listening', () => {
      if (isStopping) send(worker, { l2proof: 'stop' });
    });
    worker.once('listening', () => watch(worker, log));
    worker.on('exit', (code, signal) => {
      if (isStopping || port === undefined) return;
      log.error(
        { pid: worker.process.pid, code, signal },
        'a serving process ended; starting another',
      );
      const wait = performance.now() - started < pause ? pause : 0;
      setTimeout(() => isStopping || start(), wait);
    });
    return worker;
  };
  const serving = (worker: Worker): Promise<number | undefined> =>
    new Promise((resolve) => {
      worker.once('listening', (address) => resolve(address.port));
      worker.once('exit', (code) => {
        if (port === undefined) process.exitCode = code ?? exitCodes.usage;
        resolve(undefined);
      });
    });
  // The others follow once it is clear that the command line and the store are right.
  let port: number | undefined;
  port = await serving(start());
  if (port === undefined) return undefined;
  await Promise.all(Array.from({ length: count - 1 }, () => serving(start())));
  return {
    port,
    async stop() {
      isStopping = true;
      await Promise.all(workers().map((worker) => end(worker, log)));
    },
  };
}
