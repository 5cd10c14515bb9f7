/** How a server stops without losing requests. */
import type { Server } from 'node:http';
import type { Connections } from './connections.js';

export interface StopTimes {
  /** Ms in which clients, and whoever distributes requests to servers, may notice. */
  readonly drain: number;
  /** Ms that requests under way are given after that. */
  readonly grace: number;
}

/** Waits for the time to pass, or for the last connection to close. */
async function untilDrained(connections: Connections, time: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time);
  });
  await Promise.race([passed, connections.whenNone()]);
  clearTimeout(timer);
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
