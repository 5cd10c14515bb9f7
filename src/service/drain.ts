/** How a server stops without losing requests. */
import type { Server } from 'node:http';
import type { Connections } from './connections.js';

export interface StopTimes {
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

/** Lets a server go on for a while, then takes no more connections, and ends those that are left. */
export async function stopServer(
  server: Server,
  connections: Connections,
  { drain, grace }: StopTimes,
): Promise<void> {
  if (drain > 0) await untilDrained(connections, drain);
  const timer = setTimeout(() => server.closeAllConnections(), grace);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  clearTimeout(timer);
}
