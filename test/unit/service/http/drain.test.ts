/** How a server stops: nobody who asks meanwhile is lost. */
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { ask, serveWorld, world } from '../../../support/service.js';

const good = JSON.stringify(ask([world.wallet, [], 'latest']));

async function post(port: number, agent: Agent, path = '/v3/key', method = 'POST') {
  const request = httpRequest({ host: '127.0.0.1', port, path, method, agent });
  request.end(method === 'POST' ? good : undefined);
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode, connection: response.headers.connection };
}

test('keep-alive clients lose no request: each is answered, and its connection closed with the answer', async () => {
  const served = await serveWorld({}, { drain: 30_000 });
  const { port } = served.server;
  const agents = Array.from({ length: 20 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const statuses: number[] = [];
  let stopping = false;
  const workers = agents.map(async (agent, worker) => {
    // Those of odd number are idle while the server is told to stop.
    for (let i = 0; i < (worker % 2 ? 2 : 20); i++) {
      const wasStopping = stopping;
      const { status, connection } = await post(port, agent);
      statuses.push(status);
      if (wasStopping) expect(connection).toBe('close');
      if (wasStopping && worker % 2 === 0 && i > 10) return;
      await new Promise((resolve) => {
        setTimeout(resolve, worker % 2 ? 500 : 10);
      });
    }
  });
  await new Promise((resolve) => {
    setTimeout(resolve, 200);
  });
  stopping = true;
  const stopped = served.server.stop();
  const agent = new Agent({ keepAlive: false });
  expect((await post(port, agent, '/ready', 'GET')).status).toBe(503);
  expect((await post(port, agent, '/health', 'GET')).status).toBe(200);
  await Promise.all(workers);
  await stopped;
  expect(new Set(statuses)).toEqual(new Set([200]));
  await expect(post(port, agent)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  for (const each of agents) each.destroy();
  await served.tree.close();
});

test('with no connection open it stops at once, and so it does when the last one closes', async () => {
  for (const isOpen of [false, true]) {
    const served = await serveWorld({}, { drain: 600_000 });
    const agent = new Agent({ keepAlive: true });
    if (isOpen) await post(served.server.port, agent);
    const stopped = served.server.stop();
    // The answer closes the connection, which was the last one.
    if (isOpen) expect((await post(served.server.port, agent)).connection).toBe('close');
    await stopped;
    agent.destroy();
    await served.tree.close();
  }
});
