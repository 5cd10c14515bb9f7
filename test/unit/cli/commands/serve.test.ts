/** `l2proof serve` as a process of its own: what it answers, logs and ends with. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterEach, describe, expect, test } from 'vitest';
import { verifyProof } from '../../../../src/index.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { startAnvil } from '../../../support/anvil.js';
import { newFolder } from '../../../support/folder.js';
import { fromHex, toHex } from '../../../support/hex.js';
import { startHttp, type TestServer } from '../../../support/http.js';
import { patience, type Wire } from '../../../support/runs.js';
import { ask, openWorld, world } from '../../../support/service.js';
import { bareEnv, main, serveStore } from '../../../support/serving.js';

const { contract, slot } = world;
const keys = ['first-secret-key', 'second-secret-key'];
const l1Key = 'l1-secret-key';
const { own, start: startServing } = serveStore();
const store = own.path;

let l1: TestServer | undefined;
afterEach(async () => {
  await l1?.close();
  l1 = undefined;
});

const start = (args: readonly string[], env = {}, path = store) =>
  startServing(args, { env: { L2PROOF_KEYS: keys.join(','), ...env }, store: path });

async function post(port: number, body: unknown, key = keys[0]) {
  const url = `http://127.0.0.1:${port}/v3/${key}`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Wire,
  };
}

/** Asks for a slot and verifies the answer. */
async function expectProof(port: number, method: string, key?: string) {
  const reply = await post(port, ask([contract, [slot(1)], 'latest'], 7, method), key);
  expect(reply).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 7 } });
  expect(reply.headers.get('l2-block-number')).toBe('12');
  const claim = { stateRoot: own.stateRoot, address: contract, storageKeys: [slot(1)] };
  expect(verifyProof(reply.body.result, claim).storage[0]?.value).toBe(slot(112));
}

test(
  'with a node, it answers headers, blocks and receipts, and does not show its URL',
  async () => {
    const node = await startAnvil();
    try {
      await node.mine({ to: contract, value: 1n });
      const url = `${node.url}/?key=node-secret-key`;
      const args = ['--finality', '12'];
      const { port, output } = await start(args, { L2PROOF_NODE: url });
      const { hash } = await node.call('eth_getBlockByNumber', '0x1', false);
      const { body } = await post(port, ask([hash, '0x5'], 1, 'l2_getHeaders'));
      expect(body.result).toHaveLength(2);
      expect(toHex(keccak_256(fromHex(body.result[0])))).toBe(hash);
      const receipts = await post(port, ask([hash], 1, 'eth_getBlockReceipts'));
      expect(receipts.body.result).toEqual(await node.call('eth_getBlockReceipts', '0x1'));
      await expectProof(port, 'l2_getProof');
      await node.close();
      const later = await post(port, ask(['0x1', '0x1'], 1, 'l2_getHeaders'));
      expect(later.body.error.message).toBe('the L2 node does not answer right now');
      expect(output()).not.toContain('secret');
    } finally {
      await node.close();
    }
  },
  patience,
);

describe('a server', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'answers from the store until %s, ends with 0, and never shows a key',
    async (signal) => {
      const { child, port, output } = await start([
        '--finality',
        '12',
        '--alias',
        'linea_getProof',
        '--key',
        'third-secret-key',
      ]);
      for (const key of [...keys, 'third-secret-key']) await expectProof(port, 'l2_getProof', key);
      await expectProof(port, 'linea_getProof');
      expect((await post(port, ask([]), 'fourth-secret-key')).status).toBe(401);
      for (const path of ['health', 'ready', 'metrics']) {
        const response = await fetch(`http://127.0.0.1:${port}/${path}`);
        expect([path, response.status]).toEqual([path, 200]);
        expect(await response.text()).not.toContain('secret');
      }
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
      const lines = output()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).msg);
      expect(lines).toEqual(['listening', ...new Array(5).fill('request'), 'stopping', 'stopped']);
      expect(output()).not.toContain('secret');
    },
  );

  test('asks the contract on L1 what is final, and keeps the key for it to itself', async () => {
    let down = false;
    l1 = await startHttp(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const { id } = JSON.parse(text);
      const result = slot(world.finality);
      if (down) response.writeHead(500).end(`${request.url} is down`);
      else response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    down = true;
    const { child, port, output } = await start(['--rollup', `0x${'d1'.repeat(20)}`], {
      L2PROOF_L1: `${l1.url}/v3/${l1Key}`,
    });
    const reply = await post(port, ask([contract, [], 'latest']));
    expect(reply).toMatchObject({ status: 200, body: { error: { code: -32603 } } });
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(503);
    down = false;
    await expectProof(port, 'l2_getProof');
    child.kill();
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(output()).toContain('HTTP_STATUS');
    expect(output()).not.toContain('secret');
  });

  test('lets a request that runs finish', async () => {
    let arrived: (letGo: () => void) => void = () => {};
    const asked = new Promise<() => void>((resolve) => {
      arrived = resolve;
    });
    l1 = await startHttp(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const { id } = JSON.parse(text);
      arrived(() => response.end(JSON.stringify({ jsonrpc: '2.0', id, result: slot(12) })));
    });
    const { child, port } = await start(['--rollup', `0x${'d1'.repeat(20)}`, '--l1', l1.url]);
    const reply = expectProof(port, 'l2_getProof');
    const letGo = await asked;
    child.kill();
    letGo();
    await reply;
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('answers the blocks that another process writes meanwhile', async () => {
    const path = join(newFolder(), 'state');
    const tree = await openWorld(lmdbStore({ path }));
    const { port } = await start(['--finality', '14'], {}, path);
    for (const block of [13, 14]) {
      if (block === 14) {
        await tree.applyBlock({ number: 14, changes: [{ address: contract, account: null }] });
        await tree.finalize(14);
      }
      const { headers, body } = await post(port, ask([contract, [], 'latest']));
      expect(headers.get('l2-block-number')).toBe(String(block));
      const claim = { stateRoot: await tree.stateRoot(block), address: contract };
      expect(verifyProof(body.result, claim).account === null).toBe(block === 14);
    }
    await tree.close();
  });

  test('after SIGTERM answers keep-alive clients once more, and says that it is not ready', async () => {
    const { child, port } = await start(['--finality', '12', '--drain', '30']);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (path: string, through: Agent) => {
      const request = httpRequest({ host: '127.0.0.1', port, path, agent: through });
      request.end();
      const [response] = await once(request, 'response');
      response.resume();
      await once(response, 'end');
      return [response.statusCode, response.headers.connection];
    };
    expect(await ask('/ready', agent)).toEqual([200, 'keep-alive']);
    child.kill();
    const other = new Agent();
    while ((await ask('/ready', other))[0] !== 503);
    expect(await ask('/health', agent)).toEqual([200, 'close']);
    expect(await once(child, 'exit')).toEqual([0, null]);
    agent.destroy();
  });

  test('says its port at the level of warnings, too, and nothing else', async () => {
    const { child, port, output } = await start(['--finality', '12', '--log', 'warn']);
    await expectProof(port, 'l2_getProof');
    child.kill();
    await once(child, 'exit');
    const lines = output().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'listening', port }]);
  });

  test('takes for final what the follower of its store has marked', async () => {
    const { port } = await start(['--finality', 'store']);
    const { headers } = await post(port, ask([contract, [], 'latest']));
    // The world's tree was told of block 11, and holds two more.
    expect(headers.get('l2-block-number')).toBe('11');
  });

  test('answers eth_chainId, and batches of so many calls', async () => {
    const { port } = await start(['--finality', '12', '--chain-id', '59144', '--max-batch', '2']);
    const call = ask([], 1, 'eth_chainId');
    expect((await post(port, [call])).body).toEqual([{ jsonrpc: '2.0', id: 1, result: '0xe708' }]);
    expect((await post(port, [call, call, call])).body.error.code).toBe(-32600);
  });

  test('has its limits from the command line', async () => {
    const { port } = await start([
      ...['--finality', '12', '--max-slots', '1', '--max-body', '500', '--max-rate', '4'],
      ...['--max-concurrent', '1', '--timeout', '1000', '--cors', '*'],
      ...['--max-connections', '100', '--max-connections-per-address', '90', '--drain', '0'],
    ]);
    const two = ask([contract, [slot(1), slot(2)], 'latest']);
    expect((await post(port, two)).body.error.message).toMatch(/at most 1/);
    expect((await post(port, { ...two, more: 'x'.repeat(500) })).status).toBe(413);
    const crowd = Array.from({ length: 30 }, () => post(port, ask([])));
    expect((await Promise.all(crowd)).map(({ status }) => status)).toContain(429);
  });
});

describe('what keeps it from starting ends with 3', () => {
  const run = (args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'serve', ...args], {
      env: bareEnv,
      encoding: 'utf8',
      timeout: 20_000,
    });
    return { status, stdout, stderr };
  };
  const open = ['--store', store, '--finality', '12'];
  const whole = [...open, '--port', '0'];
  /** Its letters are of no checksum. */
  const rollup = contract.toLowerCase();

  test.each<[string, string[], RegExp]>([
    ['no store', ['--finality', '12'], /--store is required/],
    ['no finality', ['--store', store], /either --finality or --rollup/],
    ['two finalities', [...whole, '--rollup', rollup], /either --finality or --rollup/],
    ['a contract without an endpoint', ['--store', store, '--rollup', rollup], /--l1/],
    ['an invalid contract', ['--store', store, '--rollup', '0x1', '--l1', 'http://x'], /20 bytes/],
    ['an invalid endpoint', ['--store', store, '--rollup', rollup, '--l1', 'x'], /URL/],
    ['an invalid height', ['--store', store, '--finality', 'latest'], /whole number/],
    ['an invalid port', [...open, '--port', '70000'], /65535/],
    ['a limit of zero', [...whole, '--max-slots', '0'], /--max-slots expected/],
    ['no reads at all', [...whole, '--max-reads', '0'], /--max-reads expected/],
    ['an unknown level', [...whole, '--log', 'loud'], /--log/],
    ['an unknown family', [...whole, '--hash', 'sha256'], /--hash/],
    ['an unknown option', [...whole, '--verbose'], /--verbose/],
    ['a short key', [...whole, '--key', 'secret'], /key 1 expected 8 to 256/],
    [
      'a key that comes twice',
      [...whole, '--key', 'a-secret-key', '--key', 'a-secret-key'],
      /key 2 is the same as key 1/,
    ],
    ['an invalid alias', [...whole, '--alias', 'linea getProof'], /alias "linea getProof"/],
    ['an origin with a path', [...whole, '--cors', 'https://a.example/'], /CORS origin/],
    ['an invalid chain', [...whole, '--chain-id', 'linea'], /--chain-id/],
    ['an invalid drain', [...whole, '--drain', '1s'], /--drain/],
    ['no connections', [...whole, '--max-connections', '0'], /--max-connections/],
    ['a store that is not there', ['--store', '/nowhere', '--finality', '1'], /no store at/],
    ['a store of the other family', [...whole, '--hash', 'mimc'], /WRONG_STORE/],
    ['another host without keys', [...whole, '--host', '0.0.0.0'], /KEYS_REQUIRED/],
  ])('%s', (_, args, message) => {
    const result = run(args);
    expect(result).toMatchObject({ status: 3, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/^ +at /m);
    expect(result.stderr).not.toContain('secret');
  });

  test('a port that is taken', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const result = run([...open, '--port', String(port)]);
    expect(result).toMatchObject({ status: 3, stdout: '' });
    expect(result.stderr).toContain('EADDRINUSE');
    server.close();
  });
});

test('each command shows how it is used', () => {
  const help = (...args: string[]) =>
    spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' }).stdout;
  expect(help('serve', '--help')).toMatch(/^l2proof serve --store/);
  expect(help('verify', '--help')).toMatch(/^l2proof verify/);
  expect(help('--help')).toMatch(/^ {2}serve .*\n/m);
});
