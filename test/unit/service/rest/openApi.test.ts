/** The OpenAPI document against the routes: real answers of every status are what it says, and hold nothing else. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { send } from '../../../support/contracts/contract.js';
import { deployErc20, deployErc721, deployErc1155 } from '../../../support/contracts/tokens.js';
import {
  deployCode,
  logging,
  type ServedDecoder,
  serveDecoder,
  startGateway,
} from '../../../support/decoder.js';
import { closed } from '../../../support/openApi.js';
import type { Wire } from '../../../support/runs.js';
import { patience } from '../../../support/runs.js';

const path = '/api/v1/tx/decode';
const key = 'first-secret-key';
const headers = { 'x-goldrush-api-key': key };

let node: Anvil;
let served: ServedDecoder;
let api: Wire;
/** One of each kind of event. */
const hashes: string[] = [];
beforeAll(async () => {
  node = await startAnvil();
  const gold = await deployErc20(node);
  const deed = await deployErc721(node);
  const goods = await deployErc1155(node);
  const logger = await deployCode(node, logging(`0x${'b7'.repeat(32)}`));
  const transactions = [
    gold.call('mint', accounts[0], 5n),
    gold.call('approve', accounts[1], 2n ** 256n - 1n),
    deed.call('mint', accounts[1]),
    goods.call('mintBatch', accounts[1], [3n, 4n], [30n, 40n], '0x'),
    { to: logger },
    { to: accounts[1], value: 7n },
    // Creates a contract.
    { data: '0x5f5ff3' },
  ];
  for (const one of transactions) hashes.push((await send(node, one)).transactionHash);
  served = await serveDecoder(node.url, {}, { keys: [key], limits: { time: 1000 } });
  api = await fetch(`${served.url}/openapi.json`).then((response) => response.json());
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

/** Why a body is not what the document says about a route and a status. */
function faultsOf(route: string, method: string, status: number, body: unknown): unknown {
  const described = api.paths[route][method].responses[status];
  if (described === undefined) return `status ${status} is not described`;
  const schema = z.fromJSONSchema(closed(api, described.content['application/json'].schema));
  return z.safeParse(schema, body).error?.issues ?? [];
}

test('is OpenAPI 3.1, of all routes there are', () => {
  expect(api.openapi).toMatch(/^3\.1\./);
  const routes = Object.entries(api.paths).map(([route, methods]) => [
    route,
    Object.keys(methods as object),
  ]);
  expect(Object.fromEntries(routes)).toEqual({
    '/api/v1/tx/decode': ['post'],
    '/api/v1/healthcheck': ['get'],
  });
  const schemes = Object.keys(api.components.securitySchemes);
  expect(api.paths[path].post.security.flatMap(Object.keys)).toEqual(schemes);
  const { description } = api.components.schemas.DecodeRequest.properties.chain_name;
  expect(description).toContain('anvil');
});

test('real answers are what it says, with all options', async () => {
  for (const hash of hashes) {
    for (const query of ['', '?raw_logs=true&unknown=true&min_usd=0']) {
      const body = { chain_name: 'anvil', tx_hash: hash };
      const reply = await served.post(body, path + query, headers);
      expect(reply.status).toBe(200);
      expect(faultsOf(path, 'post', 200, reply.body)).toEqual([]);
    }
  }
});

test('its query parameters are those that are read', async () => {
  const names = api.paths[path].post.parameters.map(({ name }: { name: string }) => name);
  expect(names.sort()).toEqual(['min_usd', 'raw_logs', 'unknown']);
  for (const name of names) {
    const { status } = await served.post({}, `${path}?${name}=x`, headers);
    expect(status).toBe(400);
    const { schema } = api.paths[path].post.parameters.find(
      (one: { name: string }) => one.name === name,
    );
    expect(z.safeParse(z.fromJSONSchema(closed(api, schema)), 'x').success).toBe(false);
  }
});

test('its request is what is taken', async () => {
  const { schema } = api.paths[path].post.requestBody.content['application/json'];
  const taken = z.fromJSONSchema(closed(api, schema));
  const bodies: [unknown, boolean][] = [
    [{ chain_name: 'anvil', tx_hash: hashes[0] }, true],
    [{ chain_name: 'anvil' }, false],
    [{ chain_name: 7, tx_hash: hashes[0] }, false],
    [{ chain_name: 'anvil', tx_hash: '0x12' }, false],
    [[], false],
  ];
  for (const [body, isTaken] of bodies) {
    expect(z.safeParse(taken, body).success).toBe(isTaken);
    expect((await served.post(body, path, headers)).status).toBe(isTaken ? 200 : 400);
  }
});

test('so are errors of every status', async () => {
  const body = { chain_name: 'anvil', tx_hash: hashes[0] };
  const gateway = await startGateway(node.url);
  gateway.changes.set('eth_getTransactionReceipt', () => '<html>');
  const broken = await serveDecoder(gateway.url, { recheck: 1 });
  const slow = await serveDecoder(gateway.url, {}, { limits: { time: 200, requestsPerSecond: 1 } });
  const narrow = await serveDecoder(node.url, {}, { limits: { concurrent: 1 } });
  const replies = [
    await served.post({}, path, headers),
    await served.post(body),
    await served.post({ ...body, tx_hash: `0x${'12'.repeat(32)}` }, path, headers),
    await served.post({ ...body, extra: 'x'.repeat(70_000) }, path, headers),
    await broken.post(body),
    ...(await Promise.all(hashes.map((tx_hash) => narrow.post({ ...body, tx_hash })))),
  ];
  gateway.changes.set('eth_getTransactionReceipt', () => new Promise(() => {}));
  replies.push(...(await Promise.all([1, 2, 3].map(() => slow.post(body)))));
  const seen = new Set(replies.map(({ status }) => status));
  for (const status of [400, 401, 404, 413, 429, 502, 503, 504]) expect(seen).toContain(status);
  for (const reply of replies) {
    expect(faultsOf(path, 'post', reply.status, reply.body), String(reply.status)).toEqual([]);
  }
  // The check itself: a body that is something else has faults.
  expect(faultsOf(path, 'post', 400, { success: false })).not.toEqual([]);
  expect(faultsOf(path, 'post', 400, { success: false, message: '', x: 1 })).not.toEqual([]);
  for (const one of [broken, slow, narrow]) await one.close();
  await gateway.close();
});

test('and so is the health', async () => {
  const body = await fetch(`${served.url}/api/v1/healthcheck`).then((one) => one.json());
  expect(faultsOf('/api/v1/healthcheck', 'get', 200, body)).toEqual([]);
});

test('without keys, no key is asked for', async () => {
  const open = await serveDecoder(node.url);
  const described = await fetch(`${open.url}/openapi.json`).then((one) => one.json());
  expect(described.paths[path].post.security).toEqual([]);
  await open.close();
});
