/** Ports of loopback that a process which a test starts is told to take. */
import { createServer } from 'node:net';

/** Listens for a moment. @param port 0: any that is free @returns the port, or undefined if another has it */
const taken = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const { port: own } = server.address() as { port: number };
      server.close(() => resolve(own));
    });
  });

/** The first of several ports in a row that nobody has. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = (await taken(0)) as number;
    const others = Array.from({ length: count - 1 }, (_, i) => first + 1 + i);
    if (others.some((port) => port > 65_535)) continue;
    const free = await Promise.all(others.map(taken));
    if (free.every((port) => port !== undefined)) return first;
  }
}
