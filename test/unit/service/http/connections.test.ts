/** Clients that hold connections and give nothing for them, and that the others are answered all the same. */

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { createService, fixedFinality, startServer } from '../../../../src/service/index.js';
import type { Wire } from '../../../support/runs.js';
import { ask, type Served, serveWorld, world } from '../../../support/service.js';
import { longestWait, until } from '../../../support/until.js';

const { wallet, contract, slot } = world;
const good = JSON.stringify(ask([wallet, [], 'latest']));
const many = Array.from({ length: 256 }, (_, i) => slot(1000 + i));
/** A question with a long answer. */
const long = JSON.stringify(ask([contract, many, 'latest']));

let served: Served;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await served.close();
});

/** A connection by hand. */
async function open(localAddress = '127.0.0.1', port = served.server.port): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const head = (length: number, path = '/v3/first-key') =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${length}\r\n\r\n`;

/** Asks from an address, on a connection of its own. @returns the status; fails if there is none for long */
async function askFrom(localAddress: string): Promise<number | undefined> {
  const { port } = served.server;
  const options = { port, localAddress, path: '/v3/first-key', method: 'POST', agent: false };
  const request = httpRequest({ host: '127.0.0.1', ...options });
  request.setTimeout(longestWait, () => request.destroy(new Error('no answer')));
  request.end(good);
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded;
/** Reads on, so that the end is noticed. */
const watch = (socket: Socket) => socket.resume();

/** A finality that waits to be let go. */
function gate() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = 0;
  const finality = async () => {
    waiting += 1;
    await released;
    return world.finality;
  };
  return { finality, release, waiting: () => waiting };
}

describe('at the most connections', () => {
  test('the one that has been idle longest makes way; one with a request under way does not', async () => {
    const { finality, release, waiting } = gate();
    served = await serveWorld({ finality }, { maxConnections: 4 });
    const asking = await open();
    let answer = '';
    asking.on('data', (data) => {
      answer += data;
    });
    asking.write(head(good.length) + good);
    await until(() => waiting() === 1, 'one request waits');
    const idle: Socket[] = [];
    for (let i = 0; i < 3; i++) idle.push(watch(await open()));
    // Half a head: it is as idle as the others.
    idle[0]?.write('POST /v3/');
    const later = watch(await open());
    await until(() => !isOpen(idle[0] as Socket), 'the first idle connection is closed');
    expect(idle.map(isOpen)).toEqual([false, true, true]);
    watch(await open());
    await until(() => !isOpen(idle[1] as Socket), 'the second idle connection is closed');
    expect([idle[2], later, asking].map((socket) => isOpen(socket as Socket))).toEqual([
      true,
      true,
      true,
    ]);
    release();
    await until(() => answer.includes('"result"'), 'the answer is there');
  });

  test('while requests are under way on all, a new one is closed', async () => {
    const { finality, release, waiting } = gate();
    served = await serveWorld({ finality }, { maxConnections: 2 });
    for (let i = 0; i < 2; i++) (await open()).write(head(good.length) + good);
    await until(() => waiting() === 2, 'two requests wait');
    const late = watch(await open());
    await until(() => !isOpen(late), 'the late connection is closed');
    release();
    // Answered and kept alive, the two are idle, and the first makes way.
    await until(
      () => sockets.slice(0, 2).every((socket) => socket.bytesRead > 0),
      'both are answered',
    );
    expect(await askFrom('127.0.0.1')).toBe(200);
  });

  test('a client that is slow to send makes way if no one is idle', async () => {
    served = await serveWorld({}, { maxConnections: 2 });
    const slow = [watch(await open()), watch(await open())];
    for (const socket of slow) socket.write(`${head(good.length)}{`);
    // A turn of the server, so that it has seen the requests.
    await fetch(`${served.url}/health`).catch(() => {});
    expect(await askFrom('127.0.0.1')).toBe(200);
  });

  test('so does one that does not take the whole of a long answer', async () => {
    // A minute and more, so that no time-out makes room.
    served = await serveWorld({ limits: { time: 100_000 } }, { maxConnections: 2 });
    const deaf = [await open(), await open()];
    for (const socket of deaf) {
      socket.write(head(long.length) + long);
      await once(socket, 'data');
      socket.pause();
    }
    expect(await askFrom('127.0.0.1')).toBe(200);
    await until(() => !deaf.map(watch).every(isOpen), 'one that does not read is closed');
  });

  test('an address has its own, if it is bounded', async () => {
    served = await serveWorld({}, { maxConnectionsPerAddress: 2 });
    const [first, second, other] = [
      watch(await open()),
      watch(await open()),
      watch(await open('127.0.0.2')),
    ];
    watch(await open());
    await until(() => !isOpen(first), 'the first connection is closed');
    expect([second, other].map(isOpen)).toEqual([true, true]);
    expect(await askFrom('127.0.0.2')).toBe(200);
    expect(isOpen(other)).toBe(true);
  });
});

test('3,000 idle connections and 100 that never read lock nobody out', async () => {
  const keys = ['first-key', 'second-key'];
  served = await serveWorld({ keys, limits: { requestsPerSecond: Infinity } });
  for (let i = 0; i < 3000; i += 100) await Promise.all(Array.from({ length: 100 }, () => open()));
  const deaf = await Promise.all(Array.from({ length: 100 }, () => open()));
  for (const socket of deaf) socket.pause().write(head(long.length) + long);
  for (const address of ['127.0.0.1', '127.0.0.2']) {
    // `npm run bench -- hostile` measures after how long.
    expect(await askFrom(address)).toBe(200);
  }
}, 120_000);

test('a client that takes nothing of its answer is cut off after the time-out, a slow one is not', async () => {
  served = await serveWorld();
  // More than the kernels hold of it.
  const length = 24_000_000;
  const time = 3000;
  const service = await createService({
    tree: served.tree,
    finality: fixedFinality(12),
    limits: { time },
  });
  const big = { ...service, fetch: () => new Response('x'.repeat(length)) };
  const server = await startServer(big);
  const start = performance.now();
  const [deaf, slow] = [await open('127.0.0.1', server.port), await open('127.0.0.1', server.port)];
  let [got, taken] = [0, 0];
  slow.on('data', (data) => {
    taken += data.length;
    slow.pause();
    setTimeout(() => slow.resume(), 15);
  });
  deaf.pause();
  for (const socket of [deaf, slow]) socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await until(() => taken > length || !isOpen(slow), 'the answer is read or cut');
  expect(taken).toBeGreaterThan(length);
  expect(performance.now() - start).toBeGreaterThan(time);
  await new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, start + 3 * time - performance.now()));
  });
  deaf.on('data', (data) => {
    got += data.length;
  });
  deaf.resume();
  await until(() => !isOpen(deaf), 'the one that does not read is closed');
  expect(got).toBeLessThan(length);
  await server.stop();
}, 120_000);

describe('wrong keys', () => {
  const memory = () => {
    const lines: Wire[] = [];
    const stream = new Writable({
      write(chunk, _, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    });
    return { lines, log: pino({ base: null }, stream) };
  };

  test('end a connection after ten of them', async () => {
    served = await serveWorld({ keys: ['first-key'] });
    const socket = await open();
    let text = '';
    socket.on('data', (data) => {
      text += data;
      if (/\}$/.test(String(data))) socket.write(head(2, '/v3/guessed-key') + '{}');
    });
    socket.write(`${head(2, '/v3/guessed-key')}{}`);
    await until(() => !isOpen(socket), 'the connection is closed');
    expect(text.match(/HTTP\/1\.1 401 /g)).toHaveLength(10);
    expect(text.match(/connection: close/gi)).toHaveLength(1);
  });

  test('do not fill the log', async () => {
    const { lines, log } = memory();
    served = await serveWorld({ keys: ['first-key'], log });
    for (let i = 0; i < 50; i++) {
      await Promise.all(Array.from({ length: 4 }, () => served.post('{}', '/v3/guessed-key')));
    }
    expect(lines.length).toBeLessThanOrEqual(10);
    await served.server.stop();
    const counted = lines.filter(({ msg }) => msg === 'more requests with wrong keys');
    const single = lines.filter(({ status }) => status === 401);
    expect(single.length).toBeGreaterThanOrEqual(1);
    expect(counted.reduce((sum, { count }) => sum + count, single.length)).toBe(200);
    expect(JSON.stringify(lines)).not.toContain('guessed');
  });
});

test('a client that goes away is logged as such, and its work ends', async () => {
  const lines: Wire[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const { finality, release, waiting } = gate();
  served = await serveWorld({ finality, log: pino({ base: null }, stream) });
  const half = await open();
  half.write(`${head(good.length)}{`);
  const slots = Array.from({ length: 100 }, (_, i) => slot(i));
  const big = JSON.stringify(ask([contract, slots, 'latest']));
  const whole = await open();
  whole.write(head(big.length) + big);
  await until(() => waiting() === 1, 'one request waits');
  for (const socket of [half, whole]) socket.destroy();
  await until(() => lines.length === 1, 'one line is logged');
  release();
  await until(() => lines.length === 2, 'two lines are logged');
  expect(lines).toMatchObject([
    { level: 30, status: 499, code: 0, msg: 'request' },
    { level: 30, status: 499, code: 0, msg: 'request', slots: 100 },
  ]);
});

test('/health answers HTTP/1.0, which has no host', async () => {
  served = await serveWorld();
  const socket = await open();
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  socket.write('GET /health HTTP/1.0\r\n\r\n');
  await once(socket, 'end');
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).toMatch(/\{"healthy":true\}$/);
});
