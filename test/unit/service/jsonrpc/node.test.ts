/** Calls that are answered straight on Node's HTTP server: as by the routes, and no further than those go. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HttpBody } from '../../../../src/service/http/http.js';
import { pieceMemory } from '../../../../src/service/http/pieceMemory.js';
import { createService, fixedFinality, startServer } from '../../../../src/service/index.js';
import { answerCall, keyOfCall } from '../../../../src/service/jsonrpc/node.js';
import { ask, openWorld, type Served, serveWorld, world } from '../../../support/service.js';
import { until } from '../../../support/until.js';

const good = ask([world.wallet, [], 'latest']);

let served: Served;
afterEach(() => served?.close());

test('a call is answered to the byte as by the routes, whatever its id', async () => {
  served = await serveWorld();
  const service = await createService({ tree: served.tree, finality: fixedFinality(12) });
  for (const id of [1, null, 'plain', 'é', '\u{1f600}', '\u007f"\\', 2 ** 53, {}]) {
    const body = JSON.stringify({ ...good, id });
    const init = { method: 'POST', body };
    const direct = await fetch(`${served.url}/v3/any`, init);
    const routed = await service.fetch(new Request(`${served.url}/v3/any`, init));
    expect(direct.status).toBe(routed.status);
    for (const name of ['content-type', 'l2-block-number']) {
      expect(direct.headers.get(name)).toBe(routed.headers.get(name));
    }
    expect(Buffer.from(await direct.arrayBuffer())).toEqual(
      Buffer.from(await routed.arrayBuffer()),
    );
  }
});

test("a caller's own function in place of `fetch` gets calls, too", async () => {
  served = await serveWorld();
  const service = await createService({ tree: served.tree, finality: fixedFinality(12) });
  const server = await startServer({ ...service, fetch: () => new Response('mine') });
  const url = `http://127.0.0.1:${server.port}/v3/any`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(good) });
  expect(await response.text()).toBe('mine');
  await server.stop();
});

describe('calls go straight', () => {
  const keyOf = (url: string, method = 'POST') =>
    keyOfCall({ method, url, headers: { origin: 'https://app.example' } } as IncomingMessage);

  /** What the routes answer: 200 is for a call with this key. */
  async function statusByRoutes(url: string): Promise<number> {
    served = await serveWorld();
    const finality = fixedFinality(12);
    const service = await createService({ tree: served.tree, finality, keys: ['some-key'] });
    const init = { method: 'POST', body: JSON.stringify(good) };
    return (await service.fetch(new Request(new URL(url, 'http://localhost'), init))).status;
  }

  test.each([
    ...['/v3/some-key', '/v3/some-key/', '/v3/some-key?x=1', '/v3/some-key/?x', '/v3/some-key#y'],
    ...['/v3/some%2dkey', '/v3/some%2Dkey/', '/%76%33/some-key', '/v3/some-key/%2e'],
    ...['/x/../v3/some-key', '/./v3/some-key', '/v3/./some-key', '/v3/x/%2E./some-key'],
    ...['http://h/v3/some-key', 'https://h/v3/some-key/', 'http://h:80/x/../v3/some-key?x'],
  ])('however they are spelled: %s', async (url) => {
    expect(keyOf(url)).toBe('some-key');
    expect(await statusByRoutes(url)).toBe(200);
  });

  test.each([
    ...['/v3/some-key//', '/v3//some-key', '/v3%2fsome-key', '//v3/some-key', '/V3/some-key'],
    ...['/v1/some-key', '/v3/some-key/x', '/v3;/some-key', '/v3//', '/', ''],
  ])('and nothing else does: %s', async (url) => {
    expect(keyOf(url)).toBeUndefined();
    expect(await statusByRoutes(url)).toBe(404);
  });

  test.each(['/v3', '/v3/', '/v3?x', 'http://h/v3'])('without a key, too: %s', async (url) => {
    expect(keyOf(url)).toBe('');
    expect(await statusByRoutes(url)).toBe(401);
  });

  test.each(['/v3/%', 'http://', '*'])('but for what is no path: %s', (url) => {
    expect(keyOf(url)).toBeUndefined();
  });

  test('nor what a page asks beforehand', () => {
    expect(keyOf('/v3/some-key', 'OPTIONS')).toBeUndefined();
  });
});

test('a body that nobody reads is dropped, and its connection if it is too long', async () => {
  served = await serveWorld({ keys: ['the-only-key'], limits: { bodyBytes: 1000 } });
  for (const [length, isOpen] of [
    [900, true],
    [100_000, false],
  ] as const) {
    const socket = connect(served.server.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    const head = (size: number) =>
      `POST /v3/another-key HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n`;
    socket.write(head(length));
    expect(String((await once(socket, 'data'))[0])).toContain('401');
    const goesOn = new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true));
      socket.once('close', () => resolve(false));
    });
    socket.write(Buffer.alloc(length));
    socket.write(head(0));
    expect(await goesOn).toBe(isOpen);
    socket.destroy();
  }
});

test('the answers of a turn are sent one right after the other, at its end', async () => {
  const order: string[] = [];
  let waiting = 0;
  let goOn = () => {};
  const bothCame = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const server = createServer((incoming, outgoing) => {
    const name = incoming.url as string;
    const { end } = outgoing;
    outgoing.end = ((body: string) => {
      order.push(`sent ${name}`);
      return end.call(outgoing, body, 'latin1');
    }) as typeof end;
    const answer = async () => {
      waiting += 1;
      if (waiting === 2) setImmediate(goOn);
      await bothCame;
      // In the same turn, long after the other one.
      if (name === '/second') for (let i = 0; i < 100; i++) await null;
      order.push(`made ${name}`);
      return { status: 200, headers: {}, body: [name] };
    };
    const rpcHandler = { answer, flush() {} };
    const rules = { bodyBytes: 1000, isLast: () => true };
    void answerCall(rpcHandler, { incoming, outgoing, key: 'any' }, rules);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (name: string) =>
    (await fetch(`http://127.0.0.1:${port}${name}`, { method: 'POST' })).text();
  expect(await Promise.all([ask('/first'), ask('/second')])).toEqual(['/first', '/second']);
  expect(order).toEqual(['made /first', 'made /second', 'sent /first', 'sent /second']);
  server.close();
});

describe('a long answer', () => {
  /** More than the kernels hold of it, and no two pieces the same. */
  const text = Array.from({ length: 3_000_000 }, (_, i) => String(i).padStart(7, '0')).join();
  let server: Server;
  let outgoing: ServerResponse;
  let sent: Promise<void>;
  /** Turns of the event loop so far, and those in which a piece was written. */
  let turns = 0;
  let writes: number[];
  /** How many bytes were written in a turn. */
  const bytesIn = new Map<number, number>();
  let next: NodeJS.Immediate;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  beforeEach(() => {
    writes = [];
    bytesIn.clear();
    count();
  });
  afterEach(() => {
    clearImmediate(next);
    server.close();
  });

  /** A server that gives nothing but this answer. @returns what its client gets of it */
  async function serve(body: HttpBody) {
    server = createServer((incoming, response) => {
      outgoing = response;
      const { write } = response;
      response.write = ((piece: string) => {
        writes.push(turns);
        bytesIn.set(turns, (bytesIn.get(turns) ?? 0) + piece.length);
        return write.call(response, piece, 'latin1');
      }) as typeof write;
      sent = answerCall(
        {
          answer: async () => ({ status: 200, headers: {}, body }),
          flush() {},
        },
        { incoming, outgoing, key: 'any' },
        { bodyBytes: 1000, isLast: () => true },
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const asked = request({ port, host: '127.0.0.1', method: 'POST' }).end();
    asked.on('error', () => {});
    const [response] = await once(asked, 'response');
    return response;
  }

  test.each<[string, HttpBody]>([
    ['of text', [text]],
    ['of bytes', [Buffer.from(text)]],
  ])('%s comes whole, and others have a turn after each piece', async (_, body) => {
    const response = await serve(body);
    const hash = createHash('sha256');
    for await (const part of response) hash.update(part);
    await sent;
    expect(hash.digest('hex')).toBe(createHash('sha256').update(text).digest('hex'));
    expect(response.headers['content-length']).toBe(String(text.length));
    // Pieces of 128 KiB.
    expect(writes).toHaveLength(Math.ceil(text.length / 2 ** 17));
    expect(new Set(writes).size).toBe(writes.length);
  });

  test('in pieces of any length comes whole, no more of it in a turn than of one that is a single piece', async () => {
    const lengths = [1, 2 ** 17 - 2, 2 ** 17, 2 ** 18 + 1, 40, 25_000, 300_000];
    const body: (string | Uint8Array)[] = [];
    for (let at = 0; at < text.length; ) {
      const length = lengths[body.length % lengths.length] as number;
      const piece = text.slice(at, at + length);
      body.push(body.length % 2 === 0 ? piece : Buffer.from(piece));
      at += length;
    }
    const response = await serve(body);
    const hash = createHash('sha256');
    for await (const part of response) hash.update(part);
    await sent;
    expect(hash.digest('hex')).toBe(createHash('sha256').update(text).digest('hex'));
    expect(Math.max(...bytesIn.values())).toBe(2 ** 17);
  });

  test('that is not taken waits here, not in the buffers of Node; one whose client goes is left', async () => {
    const response = await serve([text]);
    await until(() => outgoing.writableNeedDrain, 'the kernels are full');
    expect(outgoing.writableLength).toBeLessThan(2 ** 20);
    response.destroy();
    await sent;
    expect(outgoing.writableFinished).toBe(false);
  });
});

test('long answers share memory one after the other: who takes one late has it whole, and so have all others', async () => {
  served = await serveWorld({ limits: { storageKeys: 2000, bodyBytes: 2 ** 20 } });
  const { contract, finality, slot } = world;
  const keysOf = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => slot(from + i));
  const bodyOf = (keys: readonly string[]) => JSON.stringify(ask([contract, keys, 'latest']));
  /** As objects, which need no memory of the service. */
  async function expectResult(answer: string, keys: ReturnType<typeof keysOf>): Promise<void> {
    const result = await served.tree.getProof(contract, keys, finality);
    const { id } = ask([]);
    expect(answer === JSON.stringify({ jsonrpc: '2.0', id, result })).toBe(true);
  }
  async function askInTime(from: number): Promise<void> {
    const keys = keysOf(from, 300);
    const init = { method: 'POST', body: bodyOf(keys) };
    await expectResult(await (await fetch(`${served.url}/v3/any`, init)).text(), keys);
  }

  const taken = vi.spyOn(pieceMemory, 'take');
  // 10 MB: more than a system holds of what was sent to a client that does not read.
  const late = connect(served.server.port, '127.0.0.1');
  await once(late, 'connect');
  const keys = keysOf(10_000, 1600);
  const body = bodyOf(keys);
  const head = `host: localhost\r\nconnection: close\r\ncontent-length: ${body.length}`;
  late.write(`POST /v3/any HTTP/1.1\r\n${head}\r\n\r\n${body}`);
  await once(late, 'readable');
  for (let round = 0; round < 2; round++) {
    await Promise.all([20_000, 30_000, 40_000, 50_000].map(askInTime));
  }
  // One for each two slots, and one for what stands before them.
  expect(taken).toHaveBeenCalledTimes(801 + 8 * 151);
  taken.mockRestore();
  const parts: Buffer[] = [];
  late.on('data', (part: Buffer) => parts.push(part)).resume();
  await once(late, 'end');
  const answer = Buffer.concat(parts).toString();
  await expectResult(answer.slice(answer.indexOf('\r\n\r\n') + 4), keys);
});

test('a tree that remembers answers gives the same one again, whatever was answered meanwhile', async () => {
  const tree = await openWorld();
  const remembered = new Map<string, Promise<unknown>>();
  const getProof = ((address, keys = [], block, work) => {
    const name = keys.join();
    const found = remembered.get(name) ?? tree.getProof(address, keys, block, work);
    remembered.set(name, found);
    return found;
  }) as typeof tree.getProof;
  const finality = fixedFinality(world.finality);
  const service = await createService({ tree: { ...tree, getProof }, finality });
  const server = await startServer(service);
  const answerTo = async (from: number) => {
    const keys = Array.from({ length: 256 }, (_, i) => world.slot(from + i));
    const init = { method: 'POST', body: JSON.stringify(ask([world.contract, keys, 'latest'])) };
    return (await fetch(`http://127.0.0.1:${server.port}/v3/any`, init)).text();
  };
  const first = await answerTo(1000);
  const others = [await answerTo(3000), await answerTo(5000)];
  expect(new Set([first, ...others]).size).toBe(3);
  expect((await answerTo(1000)) === first).toBe(true);
  await server.stop();
  await tree.close();
});

test('the memory of an answer has its next use behind the last byte that was sent, and none if the client went away before', async () => {
  for (const isTaken of [true, false]) {
    const body = Array.from({ length: 12 }, () => pieceMemory.take(30_000).fill(0x20));
    const own = new Set(body.map(({ buffer }) => buffer));
    const isUsedAgain = () => {
      const pieces = body.map(() => pieceMemory.take(30_000));
      pieceMemory.giveBack(pieces);
      return pieces.some(({ buffer }) => own.has(buffer));
    };
    const seen: boolean[] = [];
    const server = createServer(async (incoming, outgoing) => {
      const { end } = outgoing;
      outgoing.end = ((sent: () => void) => {
        if (!isTaken) return outgoing.destroy();
        return end.call(
          outgoing,
          (() => {
            seen.push(isUsedAgain());
            sent();
          }) as never,
          'latin1',
        );
      }) as typeof end;
      const rpcHandler = { answer: async () => ({ status: 200, headers: {}, body }), flush() {} };
      const rules = { bodyBytes: 1000, isLast: () => true };
      await answerCall(rpcHandler, { incoming, outgoing, key: 'any' }, rules);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const text = fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }).then((got) => got.text());
    expect((await text.catch(() => '')).length).toBe(isTaken ? 12 * 30_000 : 0);
    server.close();
    await once(server, 'close');
    expect(seen).toEqual(isTaken ? [false] : []);
    expect(isUsedAgain()).toBe(isTaken);
  }
});
