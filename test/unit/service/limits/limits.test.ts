/** What the service refuses to take on, and that those who behave are answered all the while. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { verifyProof } from '../../../../src/index.js';
import {
  createService,
  fixedFinality,
  type ServiceOptions,
} from '../../../../src/service/index.js';
import {
  ask,
  openWorld,
  type Reply,
  type Served,
  serveWorld,
  world,
} from '../../../support/service.js';

const execute = promisify(execFile);
const { wallet, contract, slot } = world;
const good = ask([wallet, [], 'latest']);

const open: Served[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((served) => served.close()));
});
async function serve(...options: Parameters<typeof serveWorld>) {
  const served = await serveWorld(...options);
  open.push(served);
  return served;
}

const refused = (status: number, code: number, message: RegExp, id: unknown = null) => ({
  status,
  body: { jsonrpc: '2.0', id, error: { code, message: expect.stringMatching(message) } },
});

/** A finality that waits to be let go. */
function gate() {
  let release: () => void = () => {};
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

async function until(isTrue: () => boolean) {
  while (!isTrue()) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

/** A connection spoken to by hand. @returns what the server says until it ends */
async function rawly(port: number, talk: (socket: Socket) => void) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => {
    socket.on('close', resolve);
  });
  socket.on('connect', () => talk(socket));
  await closed;
  return text;
}

describe('keys', () => {
  const keys = ['first-key', 'second-key'];

  test('each key is let in, nothing else is: 401', async () => {
    const served = await serve({ keys });
    for (const key of keys) expect((await served.post(good, `/v3/${key}`)).status).toBe(200);
    for (const path of [
      '/v3/third-key',
      '/v3/first-ke',
      '/v3/first-keyy',
      '/v3/First-key',
      '/v3/first-key%00',
      `/v3/${'x'.repeat(5000)}`,
      '/v3/%zz',
      '/v3/',
      '/v3',
    ]) {
      const reply = await served.post(good, path);
      expect(reply).toMatchObject(refused(401, -32600, /API key/));
      expect(JSON.stringify(reply.body)).not.toContain('first-key');
    }
    // Escapes of the same text are the same text.
    expect((await served.post(good, '/v3/first%2Dkey')).status).toBe(200);
  });

  test.each([
    ['is not Node', undefined],
    ['has not all of its modules', () => undefined],
  ])('they are told apart on a platform that %s', async (_, getBuiltinModule) => {
    vi.resetModules();
    vi.stubGlobal('process', { ...process, getBuiltinModule });
    const { createKeyRing } = await import('../../../../src/service/limits/keys.js');
    vi.unstubAllGlobals();
    const ring = createKeyRing(keys);
    expect([...keys, 'third-key', 'second-kez'].map(ring.find)).toEqual([
      0,
      1,
      undefined,
      undefined,
    ]);
  });

  test('a client without a key learns nothing about the body or the method', async () => {
    const served = await serve({ keys });
    expect((await served.post('[', '/v3/third-key')).status).toBe(401);
    const reply = await served.post(undefined, '/v3/third-key', { method: 'GET', body: null });
    expect(reply.status).toBe(401);
  });

  test('without keys any client on this machine may ask, with any key or none', async () => {
    const served = await serve();
    for (const path of ['/v3/whatever', '/v3/', '/v3']) {
      expect((await served.post(good, path)).status).toBe(200);
    }
  });

  test.each(['0.0.0.0', '::', '192.0.2.1', 'example.com', '127.0.0.1.example.com', ''])(
    'without keys, host "%s" is not served',
    async (host) => {
      await expect(serveWorld({}, { host })).rejects.toMatchObject({
        name: 'ServiceError',
        code: 'KEYS_REQUIRED',
      });
    },
  );

  test('a slash may stand behind the key', async () => {
    const served = await serve({ keys });
    expect((await served.post(good, '/v3/second-key/')).status).toBe(200);
    expect((await served.post(good, '/v3/third-key/')).status).toBe(401);
    expect((await served.post(good, '/v3/second-key//')).status).toBe(404);
  });

  test('with keys, any host may be served', async () => {
    const served = await serve({ keys }, { host: '0.0.0.0' });
    expect((await served.post(good)).status).toBe(200);
  });

  test.each([[''], ['short'], ['with space'], ['with/slash'], ['x'.repeat(257)]])(
    '"%s" cannot be a key, and the error does not show it',
    async (key) => {
      const tree = await openWorld();
      const making = createService({ tree, finality: fixedFinality(1), keys: ['good-key', key] });
      await expect(making).rejects.toThrow(/^key 2 expected/);
      await tree.close();
    },
  );
});

describe('paths and methods', () => {
  test('POST only: 405', async () => {
    const served = await serve();
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await fetch(`${served.url}/v3/key`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
    }
  });

  test('nothing else is here: 404', async () => {
    const served = await serve();
    for (const path of ['/', '/v2/key', '/v3/key/more', '/metrics', '/__proto__']) {
      expect((await served.post(good, path)).status).toBe(404);
    }
  });
});

describe('the body', () => {
  const limits = { bodyBytes: 1000 };
  const padded = (length: number) => JSON.stringify(good).padEnd(length);

  test('may be as long as is allowed, and no longer: 413', async () => {
    const served = await serve({ limits });
    expect((await served.post(padded(1000))).status).toBe(200);
    expect(await served.post(padded(1001))).toMatchObject(refused(413, -32600, /1000 bytes/));
  });

  test('is counted as it comes if no length was announced', async () => {
    const served = await serve({ limits });
    const chunked = async (length: number) => {
      const request = httpRequest(`${served.url}/v3/key`, { method: 'POST' });
      for (const character of padded(length).match(/.{1,100}/gs) ?? []) request.write(character);
      request.end();
      const [response] = await once(request, 'response');
      response.resume();
      return response.statusCode;
    };
    expect(await chunked(1000)).toBe(200);
    expect(await chunked(1001)).toBe(413);
  });

  test('is not waited for if its announced length is too much', async () => {
    const served = await serve({ limits });
    const text = await rawly(served.server.port, (socket) => {
      socket.write(
        'POST /v3/key HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000000\r\n\r\n{',
      );
    });
    // If it were waited for, the answer would be 408.
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  test.each([0, 300_000])(
    'is answered before it has come, and %i bytes of it are taken, so that no reset overtakes the answer',
    async (more) => {
      const served = await serve({ limits });
      const head = `POST /v3/key HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${more + 1}`;
      const socket = connect(served.server.port, '127.0.0.1');
      let failure: unknown;
      socket.on('error', (error) => {
        failure = error;
      });
      let text = '';
      socket.on('data', (data) => {
        text += data;
      });
      const closed = once(socket, 'close');
      socket.write(`${head}000000\r\n\r\n{`);
      await until(() => text.endsWith('}'));
      expect(text).toMatch(/^HTTP\/1\.1 413 [^]*connection: close/i);
      socket.write(' '.repeat(more));
      await closed;
      expect(failure).toBeUndefined();
    },
  );

  test('a false length does not help, even if no server counts', async () => {
    const tree = await openWorld();
    const service = await createService({ tree, finality: fixedFinality(12), limits });
    const response = await service.fetch(
      new Request('http://x/v3/key', {
        method: 'POST',
        headers: { 'content-length': '10' },
        body: padded(1001),
      }),
    );
    expect(response.status).toBe(413);
    await tree.close();
  });

  test('that never comes ends with 408, and so do headers that never end', async () => {
    const served = await serve({ limits: { time: 300 } });
    const drip = (first: string, rest: string) =>
      rawly(served.server.port, (socket) => {
        socket.write(first);
        const timer = setInterval(() => socket.write(rest), 50);
        socket.on('close', () => clearInterval(timer));
      });
    const head = 'POST /v3/key HTTP/1.1\r\nhost: localhost\r\n';
    const [body, headers] = await Promise.all([
      drip(`${head}content-length: 500\r\n\r\n`, ' '),
      drip(head, 'x-more: y\r\n'),
    ]);
    // They end, too: the clients would never have.
    for (const text of [body, headers]) expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(body).toContain('the body did not come in 300 ms');
  });
});

describe('storage keys', () => {
  test('at most as many as are allowed: -32602', async () => {
    const served = await serve({ limits: { storageKeys: 3 } });
    const asked = (count: number) => ask([contract, new Array(count).fill(slot(1)), 'latest']);
    expect((await served.post(asked(3))).body.result.storageProofs).toHaveLength(3);
    expect(await served.post(asked(4))).toMatchObject(refused(200, -32602, /at most 3/, 1));
  });
});

/** Has the clock of the rates stand still: how fast the machine is makes no difference. @returns sets it forward */
function stopClock(): (ms: number) => void {
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return (ms) => {
    now += ms;
  };
}

describe('cost per second', () => {
  test('more are told when to come again: 429, each key for itself', async () => {
    const served = await serve({
      keys: ['first-key', 'second-key'],
      limits: { requestsPerSecond: 1 },
    });
    const later = stopClock();
    const replies = await Promise.all([1, 2, 3, 4].map(() => served.post(good)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429]);
    const told = replies.find(({ status }) => status === 429) as Reply;
    expect(told).toMatchObject(refused(429, -32005, /1 units of cost per second/));
    expect(told.headers.get('retry-after')).toBe('1');
    expect((await served.post(good, '/v3/second-key')).status).toBe(200);
    later(900);
    expect((await served.post(good)).status).toBe(429);
    later(200);
    expect((await served.post(good)).status).toBe(200);
  });
});

describe('cost', () => {
  const slots = (count: number) => Array.from({ length: count }, (_, i) => slot(i));

  test('is one for a call and one for each of its storage keys; what is too much is owed', async () => {
    const served = await serve({ limits: { requestsPerSecond: 10 } });
    const later = stopClock();
    const many = ask([contract, slots(99), 'latest']);
    expect((await served.post(many)).status).toBe(200);
    const told = await served.post(good);
    expect(told.status).toBe(429);
    // 100 units at 10 a second, less the 10 that were there, and one more for the next request.
    expect(told.headers.get('retry-after')).toBe('10');
    later(9000);
    expect((await served.post(good)).status).toBe(429);
    later(200);
    expect((await served.post(good)).status).toBe(200);
  });

  test('is owed by nobody who asks for less', async () => {
    const served = await serve({ limits: { requestsPerSecond: 1000 } });
    for (let i = 0; i < 9; i++) {
      expect((await served.post(ask([contract, slots(99), 'latest']))).status).toBe(200);
    }
  });

  test('of a body that holds no call is one', async () => {
    const served = await serve({ limits: { requestsPerSecond: 1 } });
    stopClock();
    const replies = await Promise.all(['{', '{', '['].map((text) => served.post(text)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  });
});

describe('a long body', () => {
  test('may come in more pieces than a call takes arguments', { timeout: 60_000 }, async () => {
    const served = await serve({ limits: { bodyBytes: 1 << 20 } });
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    const text = JSON.stringify(good).padStart(200_000);
    const head =
      'POST /v3/any HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n';
    socket.write(`${head}${text.replace(/./gs, '1\r\n$&\r\n')}0\r\n\r\n`);
    let answer = '';
    for await (const part of socket) answer += part;
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toContain('"accountProof"');
  });

  const junk = `${JSON.stringify(ask([contract, [], 'latest'])).slice(0, -1)},"x":"${'y'.repeat(60_000)}"`;

  test('is paid for before it is read, even if it is then refused', async () => {
    const served = await serve({ limits: { requestsPerSecond: 5 } });
    const later = stopClock();
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) statuses.push((await served.post(junk)).status);
    // The first one takes 15 units of the 5 that are there: the next is let in 2.2 seconds later.
    expect(statuses).toEqual([200, ...new Array(59).fill(429)]);
    later(2150);
    expect((await served.post(junk)).status).toBe(429);
    later(100);
    expect((await served.post(junk)).status).toBe(200);
  });

  test('costs no more than what is asked for in it', async () => {
    const served = await serve({ limits: { requestsPerSecond: 257 } });
    const keys = Array.from({ length: 255 }, (_, i) => slot(i));
    // 256 units for 17 kB; one is left.
    expect((await served.post(ask([contract, keys, 'latest']))).status).toBe(200);
    expect((await served.post(good)).status).toBe(200);
  });
});

describe('time', () => {
  test('a proof that takes too long: 504, with the id', async () => {
    const { finality, release } = gate();
    const served = await serve({ finality, limits: { time: 1500 } });
    expect(await served.post(ask([wallet, [], 'latest'], 'a'))).toMatchObject(
      refused(504, -32603, /no answer within 1500 ms/, 'a'),
    );
    release();
  });

  test('a finality that is not known: -32603, and no more than that', async () => {
    const lines: unknown[] = [];
    const log = {
      info: () => {},
      warn: () => {},
      error: (fields: object, message: string) => lines.push([fields, message]),
    };
    const cause = new Error('the endpoint https://l1.example/secret failed');
    const served = await serve({ finality: () => Promise.reject(cause), log });
    const reply = await served.post(good);
    expect(reply).toMatchObject(refused(200, -32603, /not known right now/, 1));
    expect(JSON.stringify(reply.body)).not.toContain('secret');
    expect(lines).toEqual([[{ err: cause }, expect.any(String)]]);
  });

  test('an error inside: -32603, and no more than that', async () => {
    const served = await serve();
    await served.tree.close();
    const reply = await served.post(good);
    expect(reply).toMatchObject(refused(200, -32603, /^internal error$/, 1));
  });
});

describe('requests at once', () => {
  test('more are shed at once: 503 with Retry-After; the others are answered', async () => {
    const { finality, release, waiting } = gate();
    const served = await serve({ finality, limits: { concurrent: 4 } });
    const running = [1, 2, 3, 4].map((id) => served.post(ask([wallet, [], 'latest'], id)));
    await until(() => waiting() === 4);
    const shed = await served.post(ask([wallet, [], 'latest'], 5));
    expect(shed).toMatchObject(refused(503, -32002, /too many requests/, 5));
    expect(shed.headers.get('retry-after')).toBe('1');
    release();
    expect((await Promise.all(running)).map(({ status, body }) => [status, body.id])).toEqual([
      [200, 1],
      [200, 2],
      [200, 3],
      [200, 4],
    ]);
    expect((await served.post(good)).status).toBe(200);
  });

  test('one of several keys leaves room to the others', async () => {
    const { finality, release, waiting } = gate();
    const keys = ['first-key', 'second-key'];
    const served = await serve({ keys, finality, limits: { concurrent: 8 } });
    let shed = 0;
    const greedy = Array.from({ length: 8 }, async () => {
      const answer = await served.post(good, '/v3/first-key');
      if (answer.status === 503) shed++;
      return answer;
    });
    // On a busy machine, a request that came after the release would find room.
    await until(() => waiting() === 4 && shed === 4);
    const other = served.post(good, '/v3/second-key');
    await until(() => waiting() === 5);
    release();
    const statuses = (await Promise.all(greedy)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 200, 503, 503, 503, 503]);
    expect((await other).status).toBe(200);
  });

  test('work that nobody waits for any more still takes its place', async () => {
    const { finality, release, waiting } = gate();
    const served = await serve({ finality, limits: { concurrent: 2, time: 1000 } });
    const late = await Promise.all([served.post(good), served.post(good)]);
    expect(late.map(({ status }) => status)).toEqual([504, 504]);
    expect(waiting()).toBe(2);
    expect((await served.post(good)).status).toBe(503);
    release();
    expect((await served.post(good)).status).toBe(200);
  });

  test('a crowd on a busy thread is shed rather than queued', async () => {
    const served = await serve({ limits: { concurrent: 4 } });
    const many = ask([contract, Array.from({ length: 64 }, (_, i) => slot(i)), 'latest']);
    // In a process of its own: in this one, the client would keep the server from seeing the crowd.
    const script = `
      const body = ${JSON.stringify(JSON.stringify(many))};
      const post = () => fetch('${served.url}/v3/key', { method: 'POST', body });
      const replies = await Promise.all(Array.from({ length: 64 }, post));
      console.log(JSON.stringify(replies.map(({ status }) => status)));
    `;
    const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script]);
    const statuses: number[] = JSON.parse(stdout);
    expect(statuses).toHaveLength(64);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect((await served.post(good)).status).toBe(200);
  });
});

describe('64 connections, a tenth of them up to no good', () => {
  test('all others are answered, with proofs that hold', async () => {
    const served = await serve({ limits: { time: 5000 } });
    const { port } = served.server;
    const stateRoot = await served.tree.stateRoot(world.finality);
    let over = false;
    const head = 'POST /v3/key HTTP/1.1\r\nhost: localhost\r\n';
    const bad = [
      [`${head}content-length: 9\r\n\r\n{"jsonrpc`, `${head}content-length: 9\r\n\r\n{"jsonrpc`],
      ['nonsense\r\n\r\n', 'nonsense'],
      [`${head}content-length: 999999\r\n\r\n`, ' '.repeat(1000)],
      [`${head}transfer-encoding: chunked\r\n\r\n`, `ffff\r\n${' '.repeat(65_535)}\r\n`],
      [`${head}content-length: 500\r\n\r\n`, ' '],
      [head, 'x-more: y\r\n'],
    ].map(async ([first = '', rest = '']) => {
      while (!over) {
        await rawly(port, (socket) => {
          socket.write(first);
          const timer = setInterval(() => (over ? socket.destroy() : socket.write(rest)), 10);
          socket.on('close', () => clearInterval(timer));
        });
      }
    });

    const agent = new Agent({ keepAlive: true, maxSockets: 58 });
    const post = async (id: number) => {
      const keys = [slot(id % 5)];
      const request = httpRequest(`${served.url}/v3/key`, { method: 'POST', agent });
      request.end(JSON.stringify(ask([contract, keys, 'latest'], id)));
      const [response] = await once(request, 'response');
      let text = '';
      for await (const chunk of response) text += chunk;
      const body = JSON.parse(text);
      expect([response.statusCode, body.id]).toEqual([200, id]);
      const claim = { stateRoot, address: contract, storageKeys: keys };
      expect(verifyProof(body.result, claim).storage[0]?.exists).toBe([1, 2, 3].includes(id % 5));
    };
    await Promise.all(
      Array.from({ length: 58 }, async (_, worker) => {
        for (let i = 0; i < 10; i++) await post(58 * i + worker);
      }),
    );
    over = true;
    agent.destroy();
    await Promise.all(bad);
  }, 60_000);
});

describe('connections', () => {
  test('are kept, and used again', async () => {
    const served = await serve();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (const body of [good, ask([]), good]) {
      const request = httpRequest(`${served.url}/v3/key`, { method: 'POST', agent });
      request.end(JSON.stringify(body));
      const [response] = await once(request, 'response');
      response.resume();
      await once(response, 'end');
      ports.add(request.socket?.localPort);
    }
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  test('stopping lets what runs finish, takes nothing new, and is over in bounded time', async () => {
    const { finality, release, waiting } = gate();
    const served = await serve({ finality });
    const running = served.post(good);
    await until(() => waiting() === 1);
    const stopped = served.server.stop();
    await expect(fetch(`${served.url}/health`)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
    release();
    const reply = await running;
    expect(reply.status).toBe(200);
    expect(reply.headers.get('connection')).toBe('close');
    await stopped;
  });

  test('stopping does not wait for ever', async () => {
    const { finality, waiting } = gate();
    const served = await serve({ finality }, { grace: 100 });
    const running = served.post(good).catch((error) => error);
    await until(() => waiting() === 1);
    await served.server.stop();
    expect(await running).toBeInstanceOf(Error);
  });
});

describe('pages of other origins', () => {
  const preflight = (served: Served, origin: string) =>
    fetch(`${served.url}/v3/first-key`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
  const keys = ['first-key'];

  test('may ask if they are named, and see the block that was answered', async () => {
    const served = await serve({ keys, cors: ['https://app.example'] });
    const { status, headers } = await preflight(served, 'https://app.example');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(headers.get('access-control-allow-headers')).toBe('content-type');
  });

  /** What the answers to a page say about who may read them: proofs and a refusal, and one by the routes: of GET. */
  async function readersIn(cors: string[], origin: string) {
    const served = await serve({ keys, cors });
    const paths = ['/v3/first-key', '/v3/third-key', '/v3/first-key/'];
    const replies = await Promise.all([
      ...paths.map((path) => served.post(good, path, { headers: { origin } })),
      fetch(`${served.url}/v3/first-key`, { headers: { origin } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 401, 200, 405]);
    return replies.map(({ headers }) =>
      ['allow-origin', 'expose-headers']
        .map((name) => headers.get(`access-control-${name}`))
        .concat(headers.get('vary')),
    );
  }
  const exposed = 'l2-block-number,retry-after';

  test.each([
    ['named', ['https://b.example', 'https://app.example'], 'https://app.example', 'Origin'],
    ['not named', ['https://b.example'], null, 'Origin'],
    ['one of all', ['*'], '*', null],
  ])('that are %s', async (_, cors, allowed, vary) => {
    const answer = [allowed, exposed, vary];
    expect(await readersIn(cors, 'https://app.example')).toEqual(Array(4).fill(answer));
  });

  test('that no origin is named for', async () => {
    const answer = [null, null, null];
    expect(await readersIn([], 'https://app.example')).toEqual(Array(4).fill(answer));
  });

  test('may not otherwise', async () => {
    const served = await serve({ keys, cors: ['https://app.example'] });
    const other = await preflight(served, 'https://other.example');
    expect(other.headers.get('access-control-allow-origin')).toBe(null);
    const closed = await serve({ keys });
    const none = await preflight(closed, 'https://app.example');
    expect([none.status, none.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });

  test('may all ask if all are named', async () => {
    const served = await serve({ keys, cors: ['*'] });
    const { headers } = await preflight(served, 'https://any.example');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('wrong options', () => {
  test.each<[string, Partial<ServiceOptions>]>([
    ['no time', { limits: { time: 0 } }],
    ['half a storage key', { limits: { storageKeys: 0.5 } }],
    ['no bound on the body', { limits: { bodyBytes: Infinity } }],
    ['no calls in a batch', { limits: { batchCalls: 0 } }],
    ['a key that comes twice', { keys: ['first-key', 'second-key', 'first-key'] }],
    ['an alias that is empty', { aliases: [''] }],
    ['an alias with a blank', { aliases: ['linea getProof'] }],
    ['an alias that JSON-RPC keeps to itself', { aliases: ['rpc.getProof'] }],
    ['an alias that is the method', { aliases: ['l2_getProof'] }],
    ['an alias that comes twice', { aliases: ['a_b', 'a_b'] }],
    ['an alias of another method', { aliases: ['eth_chainId'], chainId: 1 }],
    ['an origin with a path', { cors: ['https://app.example/'] }],
    ['an origin without a scheme', { cors: ['app.example'] }],
    ['an origin in capitals, which no browser sends', { cors: ['https://App.example'] }],
    ['no origin', { cors: [''] }],
    ['a chain of no number', { chainId: 0 }],
    ['half a chain', { chainId: 1.5 }],
  ])('%s', async (_, options) => {
    await expect(serveWorld(options)).rejects.toThrow(RangeError);
  });

  test.each([{ maxConnections: 0 }, { maxConnections: 1.5 }, { maxConnectionsPerAddress: -1 }])(
    'a server of %j',
    async (options) => {
      await expect(serveWorld({}, options)).rejects.toThrow(RangeError);
    },
  );
});
