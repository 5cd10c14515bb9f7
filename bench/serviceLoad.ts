/** Loads a server with requests, from 64 connections. It does so little itself that the server is what is measured. */
import { connect } from 'node:net';

const connections = 64;

export interface Load {
  /** Requests without an answer, or answers without a result. */
  readonly failed: number;
  /** Ms. */
  readonly p99: number;
}

const headersOf = (body: string) =>
  `POST /v3/some-key HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;

/** Sends each body once. */
export async function load(port: number, bodies: readonly string[]): Promise<Load> {
  const times: number[] = [];
  let sent = 0;
  let failed = 0;

  /** One connection, until all is sent. */
  const connection = () =>
    new Promise<void>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let start = 0;
      let head = '';
      let seen = 0;
      let whole = Infinity;
      const next = () => {
        const body = bodies.at(sent);
        if (sent === bodies.length || body === undefined) {
          socket.destroy();
          resolve();
          return;
        }
        sent++;
        [head, seen, whole] = ['', 0, Infinity];
        start = performance.now();
        socket.write(headersOf(body) + body);
      };
      socket.on('connect', next);
      socket.on('data', (chunk) => {
        seen += chunk.length;
        if (whole === Infinity) {
          head += chunk.subarray(0, 400).toString('latin1');
          const end = head.indexOf('\r\n\r\n');
          if (end < 0) return;
          whole = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
        }
        if (seen < whole) return;
        times.push(performance.now() - start);
        if (!/^HTTP\/1\.1 200 /.test(head) || !/"(result|method)":/.test(head)) failed++;
        next();
      });
      socket.on('error', () => {
        failed++;
        resolve();
      });
    });

  await Promise.all(Array.from({ length: connections }, connection));
  times.sort((a, b) => a - b);
  return { failed, p99: times[Math.floor(0.99 * times.length)] ?? Infinity };
}
