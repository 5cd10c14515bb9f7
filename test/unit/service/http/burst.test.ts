/** More requests on one connection than are read before the first is answered. */
import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { stoppable } from '../../../../src/service/http/burst.js';
import { type Connections, limitConnections } from '../../../../src/service/http/connections.js';
import { until } from '../../../support/until.js';

let server: Server;
let connections: Connections;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  connections.destroy();
  await connections.whenNone();
});

async function serve(answer: RequestListener, timeout = 0): Promise<number> {
  server = createServer({
    IncomingMessage: stoppable(IncomingMessage, (socket) => connections.isTooMany(socket)),
  });
  server.setTimeout(timeout);
  connections = limitConnections(server, { most: 10, mostOfAddress: 10 }, answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function open(port: number): Promise<{ socket: Socket; said: () => string }> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let said = '';
  socket.setEncoding('utf8').on('error', () => {});
  socket.on('data', (data) => {
    said += data;
  });
  await once(socket, 'connect');
  return { socket, said: () => said };
}

/** Answers with the path, some headers and the body of each request. */
const echo: RequestListener = (incoming, outgoing) => {
  let body = '';
  incoming.on('data', (data) => {
    body += data;
  });
  incoming.on('end', () => {
    const { method, url, headers } = incoming;
    outgoing.end(`<${[method, url, headers['x-name'], headers.upgrade, body].join(' ')}>`);
  });
};

test('of a piece of input, no more are read than wait, and all are answered', async () => {
  let most = 0;
  let now = 0;
  const port = await serve((_, outgoing) => void setImmediate(() => outgoing.end('<>')));
  server.prependListener('request', (_, outgoing) => {
    now += 1;
    most = Math.max(most, now);
    outgoing.once('close', () => {
      now -= 1;
    });
  });
  const { socket, said } = await open(port);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(5000));
  await until(() => said().split('<>').length > 5000, 'all are answered');
  expect(most).toBe(64);
  // The connection is as good as before.
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await until(() => said().split('<>').length > 5001, 'one more is answered');
});

test('whatever they are, each is answered as if it had come alone, and in order', async () => {
  const port = await serve(echo);
  const { socket, said } = await open(port);
  const long = Array.from({ length: 9000 }, (_, i) => String(i)).join(' ');
  const expected: string[] = [];
  const text = Array.from({ length: 600 }, (_, i) => {
    const body = i % 10 === 0 ? `${i}: ${long}` : `${i}`;
    const name = `n\u00e4me-${i}`;
    const head = `/${i}%20?q=%c3 HTTP/1.1\r\nHost: x\r\nX-Name: ${name}\r\n`;
    const path = `/${i}%20?q=%c3`;
    if (i % 4 === 0) {
      expected.push(`<POST ${path} ${name}  ${body}>`);
      return `POST ${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    }
    if (i % 4 === 1) {
      expected.push(`<GET ${path} ${name}  >`);
      return `GET ${head}\r\n`;
    }
    expected.push(`<POST ${path} ${name}  ${body}>`);
    return `POST ${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  }).join('');
  socket.write(Buffer.from(text, 'latin1'));
  const answers = () => said().match(/<[^<]*>/g) ?? [];
  await until(() => answers().length >= 600, 'all are answered');
  expect(answers()).toEqual(expected);
  // Another protocol is never taken up.
  socket.write('GET /last HTTP/1.1\r\nhost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
  await until(() => said().includes('<GET /last  h2c >'), 'one that asks for it is answered');
});

test('long answers go on as their client takes them', async () => {
  const long = 'x'.repeat(100_000);
  const port = await serve((_, outgoing) => {
    // In pieces, the next when there is room for it.
    const send = (left: number): void => {
      if (left === 0) outgoing.end('>');
      else if (outgoing.write(long)) send(left - 1);
      else outgoing.once('drain', () => send(left - 1));
    };
    send(4);
  });
  const { socket, said } = await open(port);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(70));
  await until(() => said().split('>').length > 70, 'all are answered');
  expect(said().split('x').length).toBeGreaterThan(70 * 400_000);
});

test('a client that takes no answer is let go after a while, one that resets does no harm', async () => {
  const long = 'x'.repeat(20_000_000);
  const port = await serve((_, outgoing) => void outgoing.end(long), 300);
  const still = await open(port);
  still.socket.pause();
  still.socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1000));
  const gone = await open(port);
  gone.socket.pause();
  gone.socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1000));
  await until(() => connections.count === 2, 'both are there');
  gone.socket.resetAndDestroy();
  await connections.whenNone();
  expect(connections.taken).toBe(2);
});

test('those that Node answers by itself count like others', async () => {
  const port = await serve(echo);
  let read = 0;
  const isTooMany = connections.isTooMany;
  connections.isTooMany = (socket) => {
    read += 1;
    return isTooMany(socket);
  };
  const expecting = await open(port);
  expecting.socket.write('GET / HTTP/1.1\r\nhost: x\r\nexpect: much\r\n\r\n'.repeat(300));
  await until(() => expecting.said().split('HTTP/1.1 417').length > 300, 'all are answered');
  expecting.socket.write('GET /last HTTP/1.1\r\nhost: x\r\n\r\n');
  await until(() => expecting.said().includes('<GET /last   >'), 'one more is answered');
  read = 0;
  // Without "host", the first answer is the last.
  const { socket, said } = await open(port);
  socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(3000));
  await once(socket, 'close');
  expect(said().split('HTTP/1.1 400')).toHaveLength(2);
  expect(read).toBe(65);
});

test('a method of tunnels ends its connection, in a burst and alone', async () => {
  const port = await serve(echo);
  const { socket, said } = await open(port);
  socket.write(`${'GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(10)}CONNECT x:1 HTTP/1.1\r\n\r\n`);
  await once(socket, 'close');
  expect(said()).not.toContain('CONNECT');
});
