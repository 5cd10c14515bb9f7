/** A client that sends many requests on one connection before the first is answered. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createMetrics } from '../../../../src/service/index.js';
import { ask, type Served, serveWorld, world } from '../../../support/service.js';
import { until } from '../../../support/until.js';

const { wallet, contract, slot, pristine } = world;
const keys = ['first-key', 'second-key'];

let served: Served | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await served?.close();
  served = undefined;
});

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const call = (body: string, path = '/v3/first-key') =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

/** Sends a text and reads until as many answers are there. @returns the bodies */
async function talk(port: number, text: string, count: number): Promise<string> {
  const socket = await open(port);
  let said = '';
  socket.on('data', (data) => {
    said += data;
  });
  socket.write(text);
  await until(
    () => socket.destroyed || (said.match(/HTTP\/1\.1 \d/g)?.length ?? 0) >= count,
    `${count} answers are there`,
  );
  await until(() => socket.destroyed || said.endsWith('}'), 'the last one is whole');
  return said;
}

const limits = { requestsPerSecond: Infinity };

describe('requests that come before the first is answered', () => {
  test('are all answered, in their order, with bodies of any length', async () => {
    served = await serveWorld({ keys, limits });
    const long = 'x'.repeat(30_000);
    const bodies = Array.from({ length: 300 }, (_, id) =>
      JSON.stringify({ ...ask([wallet, [], 'latest'], id), ...(id % 10 === 0 && { long }) }),
    );
    const said = await talk(served.server.port, bodies.map((body) => call(body)).join(''), 300);
    const ids = [...said.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: 300 }, (_, i) => i));
    expect(said.match(/HTTP\/1\.1 200 /g)).toHaveLength(300);
  });

  test('may be of any kind', async () => {
    served = await serveWorld({ keys, limits, metrics: await createMetrics() });
    const good = JSON.stringify(ask([contract, [slot(1)], 'latest']));
    const chunked = `POST /v3/second-key HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${good.length.toString(16)}\r\n${good}\r\n0\r\n\r\n`;
    const text = [get('/health'), call(good), chunked, get('/metrics'), call('{'), get('/ready')];
    const said = await talk(served.server.port, text.join(''), 6);
    expect(said.match(/HTTP\/1\.1 200 /g)).toHaveLength(6);
    expect(said.indexOf('"ready":true')).toBeGreaterThan(said.indexOf('-32700'));
  });

  test('end with the first one that ends the connection', async () => {
    served = await serveWorld({ keys, limits });
    const text = get('/health') + get('/v3/../health') + get('/health').repeat(1000);
    const said = await talk(served.server.port, text, 1002);
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
    expect((await served.post(ask([pristine, [], 'latest']))).status).toBe(200);
  });

  test.each(['/health', '/nowhere', '/metrics'])(
    'begin one by one: others have their turns between those to %s',
    async (path) => {
      served = await serveWorld({ keys, limits, metrics: await createMetrics() });
      const { server } = served;
      const count = 1500;
      let answers = 0;
      const flood = await open(server.port);
      flood.on('data', (data) => {
        answers += String(data).match(/HTTP\/1\.1 \d/g)?.length ?? 0;
      });
      const before = await open(server.port);
      flood.write(get(path).repeat(count));
      let said = '';
      before.on('data', (data) => {
        said += data;
      });
      before.write(call(JSON.stringify(ask([wallet, [], 'latest'])), '/v3/second-key'));
      await until(() => said.includes('"result"'), 'the other one is answered');
      // Counted, not timed. All of them were answered before, in the turn in which they were read.
      expect(answers).toBeLessThan(count / 2);
      await until(() => answers === count, 'all are answered');
    },
  );

  test('do not hold up those of a client that waits, however many connections send them', async () => {
    served = await serveWorld({ keys, limits: { ...limits, concurrent: 8 } });
    const body = JSON.stringify(ask([wallet, [], 'latest']));
    let shed = 0;
    for (let i = 0; i < 4; i++) {
      const socket = await open(served.server.port);
      socket.on('data', (data) => {
        shed += String(data).match(/HTTP\/1\.1 503/g)?.length ?? 0;
      });
      socket.write(call(body).repeat(100));
    }
    for (let i = 0; i < 20; i++) {
      const answer = await served.post(body, '/v3/second-key');
      expect(answer.status).toBe(200);
    }
    // One of each connection at a time: none of them is too many.
    expect(shed).toBe(0);
  });
});
