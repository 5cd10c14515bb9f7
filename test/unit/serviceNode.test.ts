/** Calls that are answered straight on Node's HTTP server: as by the routes, and no further than those go. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createService, fixedFinality, startServer } from '../../src/service/index.js';
import { ask, type Served, serveWorld, world } from '../support/service.js';

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

test('whoever puts a function of their own in the place of `fetch` is asked for calls, too', async () => {
  served = await serveWorld();
  const service = await createService({ tree: served.tree, finality: fixedFinality(12) });
  const server = await startServer({ ...service, fetch: () => new Response('mine') });
  const url = `http://127.0.0.1:${server.port}/v3/any`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(good) });
  expect(await response.text()).toBe('mine');
  await server.stop();
});

test('a body that nobody reads is dropped, and its connection where it is too long', async () => {
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
