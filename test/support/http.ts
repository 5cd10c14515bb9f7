/** Real HTTP servers on loopback. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Wire } from './runs.js';

export interface TestServer {
  readonly url: string;
  readonly server: Server;
  close(): Promise<void>;
}

/** Serves on a free port. */
export async function startHttp(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The JSON that a request posts. */
export async function bodyOf(request: IncomingMessage): Promise<Wire> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}
