/** How a server stops without losing requests. */
import type { Server } from 'node:http';
import { yieldToEventLoop } from '../../concurrent.js';
import type { Connections } from './connections.js';

interface StopTimes {
  /** Ms in which clients and load balancers may notice. */
  readonly drain: number;
  /** Ms that requests under way are given after that. */
  readonly grace: number;
}

/** Ms without a connection after which no client seems to be left: a remaining client would come back at once. */
const quiet = 500;

/** The server keeps the process alive meanwhile; the timer must not do so afterwards. */
const wait = (time: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, time).unref();
  });

/** Waits for the time to pass, or until all connections are closed and no new one comes. */
async function untilDrained(connections: Connections, time: number): Promise<void> {
  const end = performance.now() + time;
  while (connections.count > 0 && performance.now() < end) {
    await Promise.race([connections.whenNone(), wait(end - performance.now())]);
    await wait(Math.min(quiet, Math.max(0, end - performance.now())));
  }
}

/** Most turns of the event loop in which connections that have come are taken; Node takes one a turn. */
const maxTurns = 2048;

/** Takes the connections that have come: those that still wait when a server ends listening are reset. */
async function takeWaiting(connections: Connections): Promise<void> {
  let seen = -1;
  for (let turn = 0; turn < maxTurns && connections.taken !== seen; turn++) {
    seen = connections.taken;
    // The first may have begun behind the look for connections.
    for (let i = 0; i < 2; i++) await yieldToEventLoop();
  }
}

/** Lets a server go on for a while, then takes no more connections, and ends those that are left. */
export async function stopServer(
  server: Server,
  connections: Connections,
  { drain, grace }: StopTimes,
): Promise<void> {
  if (drain > 0) {
    await untilDrained(connections, drain);
    await takeWaiting(connections);
  }
  const timer = setTimeout(() => connections.destroy(), grace);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  clearTimeout(timer);
}
