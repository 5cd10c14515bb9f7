/** `l2proof serve` behind proxies that let only `/v3/` pass. */
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { verifyProof } from '../../src/index.js';
import { ask, world } from '../support/service.js';
import { serveStore } from '../support/serving.js';
import { until } from '../support/until.js';
import { type Proxy, programs, startProxy } from './proxies.js';

const { contract, slot } = world;
const { own, start } = serveStore();
const key = 'a-key-of-somebody';
const path = `/v3/${key}`;

let proxy: Proxy | undefined;
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
});

async function behind(name: string, more: readonly string[] = []) {
  const options = ['--finality', '12', '--key', key, '--log', 'warn', ...more];
  const serving = await start(options);
  proxy = await startProxy(programs[name] as (typeof programs)[string], serving.port);
  return { ...serving, front: proxy.port };
}

/** Sends bytes as they are. @returns all that comes back until the connection ends */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(text, 'latin1');
  let said = '';
  socket.on('data', (data) => {
    said += data;
  });
  socket.setTimeout(60_000, () => socket.destroy());
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  return said;
}

const good = (block = 'latest') => JSON.stringify(ask([contract, [slot(1)], block]));

interface Sent {
  readonly agent?: Agent;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Whether the body is sent in chunks, without its length. */
  readonly isChunked?: boolean;
}

async function post(port: number, { agent, headers, body = good(), isChunked }: Sent = {}) {
  const options = { host: '127.0.0.1', port, path, method: 'POST', headers };
  const request = httpRequest({ ...options, agent: agent ?? false });
  if (isChunked) for (const part of body.match(/.{1,37}/gs) ?? []) request.write(part);
  request.end(isChunked ? undefined : body);
  const [response] = await once(request, 'response');
  return { status: response.statusCode as number, text: await textOf(response) };
}

const claim = () => ({ stateRoot: own.stateRoot, address: contract, storageKeys: [slot(1)] });

const dots = [
  ...['.', '..', '.%2e', '%2e.', '%2e%2e', '%2E%2E', '%252e%252e', '..;', '..;x=1', '.\t.'],
  ...['%c0%ae%c0%ae', '..%00', '..%20', '%u002e%u002e', '..#', '..%23', '..?', '..%3f'],
];
const separators = ['/', '\\', '//', '%2f', '%2F', '%5c', '%252f', '/./', ';/', '/;/'];

/** Targets that may lead out of `/v3/`, for one of the two that read them. */
function* targets(): Generator<string> {
  for (const name of ['metrics', 'health', 'ready']) {
    for (const dot of dots) {
      for (const before of separators) {
        for (const after of separators) yield `/v3${before}${dot}${after}${name}`;
      }
      yield `/v3/x/${dot}/${dot}/${name}`;
      yield `/v3/${key}/${dot}/${dot}/${name}`;
      yield `/${name}/${dot}/v3/../${name}`;
      for (const host of ['x', 'localhost', '127.0.0.1:80', 'v3']) {
        yield `http://${host}/v3/${dot}/${name}`;
        yield `https://${host}/v3/x/${dot}/${dot}/${name}`;
      }
    }
    yield* ['', '/', '//', 'v3', 'x?', 'x#', '@', ':', '\\'].map(
      (host) => `http://${host}/v3/${name}`,
    );
    yield* [`//v3/${name}`, `///v3/${name}`, `//v3/../${name}`, `/${name}`, `http://x/${name}`];
    yield* [`HTTP:///v3/${name}`, `https:///v3/${name}`, `/v3/../../${name}`, `/V3/../${name}`];
    yield* [`/v3/?/../${name}`, `/v3/#/../${name}`, `/v3/${name}`, `/v3/${name}/`, `/v3//${name}`];
  }
}

/** What only the paths outside of `/v3/` answer. */
const secrets = /l2proof_|"healthy"|"ready"/;

describe.each(Object.keys(programs))('behind %s', (name) => {
  test('nothing outside of /v3/ is answered, however its path is written', async () => {
    const { port, front } = await behind(name);
    // They are there, for those who come another way.
    for (const open of ['metrics', 'health', 'ready']) {
      const head = `GET /${open} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
      expect(await sendRaw(port, head)).toMatch(secrets);
    }
    const left = [...targets()];
    const count = left.length;
    const answered: string[] = [];
    let seen = 0;
    const work = async () => {
      for (let target = left.pop(); target !== undefined; target = left.pop()) {
        for (const host of ['localhost', 'l2.example']) {
          const head = `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
          const text = await sendRaw(front, head);
          if (secrets.test(text) || / 200 /.test(text.slice(0, 15))) answered.push(target);
        }
        seen += 1;
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    expect(answered).toEqual([]);
    expect(seen).toBe(count);
    expect((await post(front)).status).toBe(200);
  }, 240_000);

  test('a Host header cannot lead elsewhere', async () => {
    const { front } = await behind(name);
    for (const host of ['x/metrics?', 'x/metrics#', 'x\\metrics?', 'a@x/health#', 'x/..', '/']) {
      const head = `GET /v3/ HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
      expect(await sendRaw(front, head)).not.toMatch(secrets);
    }
    expect((await post(front)).status).toBe(200);
  });

  test('proofs hold, over connections that are kept, in chunks too', async () => {
    const { front } = await behind(name);
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => post(front, { agent, isChunked: i % 2 === 1 })),
    );
    for (const { status, text } of replies) {
      expect(status).toBe(200);
      expect(verifyProof(JSON.parse(text).result, claim()).storage[0]?.value).toBe(slot(112));
    }
    agent.destroy();
  });

  test('what is too long is refused, and those who come after it are answered', async () => {
    const { front } = await behind(name);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const long = good().padEnd(100_000);
    for (const isChunked of [false, true]) {
      expect((await post(front, { agent, body: long, isChunked })).status).toBe(413);
      expect((await post(front, { agent })).status).toBe(200);
    }
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`a${i}`, 'b']));
    const big = { 'x-long': 'y'.repeat(20_000) };
    for (const headers of [many, big]) {
      const { status } = await post(front, { headers });
      expect([400, 431]).toContain(status);
      expect((await post(front)).status).toBe(200);
    }
    agent.destroy();
  });

  test('SIGTERM loses no request that was sent: no 502', async () => {
    // It ends as soon as no connection is left.
    const { child, front } = await behind(name, ['--drain', '120']);
    const slots = Array.from({ length: 256 }, (_, i) => slot(1000 + i));
    const heavy = JSON.stringify(ask([contract, slots, 'latest']));
    const statuses = new Map<number, number>();
    let isOver = false;
    let during = 0;
    let isStopping = false;
    const clients = Array.from({ length: 12 }, async (_, i) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!isOver) {
        const wasStopping = isStopping;
        const { status } = await post(front, { agent, body: i % 3 === 0 ? heavy : good() });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (wasStopping) during += 1;
      }
      agent.destroy();
    });
    await until(() => (statuses.get(200) ?? 0) > 50, 'requests are under way');
    child.kill('SIGTERM');
    isStopping = true;
    await until(() => during > 50, 'requests are answered meanwhile');
    await sleep(100);
    isOver = true;
    const ended = once(child, 'exit');
    await Promise.all(clients);
    expect([...statuses.keys()]).toEqual([200]);
    expect(await ended).toEqual([0, null]);
  }, 180_000);
});
