/** `npm run check:live` on a devnet: what it says of servers that are right, that lie, and that are not there. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { networks } from '../../src/anchor/index.js';
import { agreedCheckpoint } from '../live/checkpoints.js';
import { checks } from '../live/checks.js';
import { openEndpoints } from '../live/endpoints.js';
import { exitCodeOf, Unreachable } from '../live/outcome.js';
import { beaconOver } from '../support/beacon/overL1.js';
import { type GuideDevnet, openGuideDevnet } from '../support/devnet.js';
import { newFolder } from '../support/folder.js';
import { bodyOf, startHttp, type TestServer } from '../support/http.js';
import { patience, type Wire } from '../support/runs.js';

const servers: { close(): Promise<void> }[] = [];
let world: GuideDevnet;
/** Variables that name servers which are right. */
let honest: Record<string, string>;
beforeAll(async () => {
  world = await openGuideDevnet(networks.mainnet);
  const { devnet, l1 } = world;
  const beacon = await beaconOver(l1);
  servers.push(beacon);
  const beaconFile = join(newFolder(), 'beacon.json');
  writeFileSync(beaconFile, JSON.stringify(beacon.network));
  const roots = [{ slot: '8', block_root: beacon.checkpoint }];
  const providers = [await provider(roots), await provider([...roots, { slot: '16' }])];
  // Endpoints of different operators have different URLs.
  const l1s = [await front(devnet.l1), await front(devnet.l1), await front(devnet.l1)];
  honest = {
    LIVE_NETWORK: devnet.networkFile,
    LIVE_SEPOLIA_NETWORK: devnet.networkFile,
    LIVE_L1: l1s.join(),
    LIVE_SEPOLIA_L1: devnet.l1,
    LIVE_L2: devnet.proofs,
    LIVE_NODE: devnet.l2,
    LIVE_BEACON: beacon.url,
    LIVE_BEACON_NETWORK: beaconFile,
    LIVE_CHECKPOINTS: providers.join(),
    LIVE_TOKEN: devnet.contracts.dollar,
  };
}, patience);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await world?.close();
});

async function serve(listener: Parameters<typeof startHttp>[0]): Promise<string> {
  const server: TestServer = await startHttp(listener);
  servers.push(server);
  return server.url;
}

/** A provider of checkpoints. */
const provider = (slots: Wire[]) =>
  serve((request, response) => {
    if (request.url !== '/checkpointz/v1/beacon/slots') response.writeHead(404).end();
    else response.end(JSON.stringify({ data: { slots } }));
  });

/** A server in front of another, which may change what that one answers. */
const front = (url: string, lie: (method: string, result: Wire) => Wire = (_, result) => result) =>
  serve(async (request, response) => {
    const asked = await bodyOf(request);
    const body = JSON.stringify(asked);
    const headers = { 'content-type': 'application/json' };
    const answer = await (await fetch(url, { method: 'POST', headers, body })).json();
    const change = (question: Wire, each: Wire) =>
      'result' in each ? { ...each, result: lie(question.method, each.result) } : each;
    const questions = Array.isArray(asked) ? asked : [asked];
    const changed = Array.isArray(answer)
      ? answer.map((each) =>
          change(
            questions.find(({ id }) => id === each.id),
            each,
          ),
        )
      : change(asked, answer);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(changed));
  });

/** Runs it. */
const runLive = (env: Record<string, string>) =>
  promisify(execFile)('node_modules/.bin/tsx', ['test/live/main.ts'], {
    env: { ...process.env, ...honest, ...env },
  }).then(
    (said) => ({ code: 0, ...said }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

/** Runs it. @returns its exit code, and what it says of each check */
async function check(env: Record<string, string>) {
  const { code, stdout } = await runLive(env);
  const lines = (stdout as string).trim().split('\n');
  const said = new Map(
    lines.slice(0, -1).map((line) => {
      const [, outcome, name, text] = /^(\w+) +(\w+(?: \w+)?) +[\d.]+ s {2}(.*)$/.exec(
        line,
      ) as RegExpExecArray;
      return [name as string, `${outcome}: ${text}`];
    }),
  );
  expect([...said.keys()]).toEqual(checks.map(({ name }) => name));
  return { code, said, sum: lines.at(-1) };
}

test(
  'all ten pass on a devnet, and say what its nodes do',
  async () => {
    const { code, said, sum } = await check({});
    const block = Number(await world.l2.call('eth_blockNumber'));
    const of = (name: string) => said.get(name);
    expect(sum).toBe('10 of 10 passed, 0 failed, 0 could not be asked');
    expect(code).toBe(0);
    expect(of('root')).toMatch(`ok: 3 endpoints of L1 agree on L2 block ${block}, 0x`);
    expect(of('sepolia')).toMatch(`ok: L2 block ${block} of the test network, 0x`);
    expect(of('l1 proof')).toMatch(/^ok: eth_getProof of L1 block \d+ proves L2 block \d+$/);
    const service = networks.mainnet.messageService;
    const balance = BigInt(await world.l2.call('eth_getBalance', service, 'latest'));
    expect(of('present')).toBe(`ok: ${balance} wei in L2 block ${block}, as the node says`);
    expect(of('absent')).toMatch(`is proven absent in L2 block ${block}`);
    // How many dollars there are.
    expect(of('slots')).toBe('ok: 1 of 9 slots have a value, as the node says');
    expect(of('consensus')).toMatch(/^ok: 2 providers name slot 8; its validators prove L1 block /);
    expect(of('history')).toMatch(/^ok: header \d+; 0x\w+\.\.\. of 0x\w+\.\.\. used \d+ gas$/);
    expect(of('message')).toMatch(/^ok: 0x\w+\.\.\. of L2 block \d+ is claimable, in a tree of /);
    expect(of('call')).toMatch(/^ok: totalSupply\(\) is [1-9]\d+ in L2 block /);
  },
  patience,
);

test(
  'servers that lie fail it',
  async () => {
    const { devnet, l1 } = world;
    const otherEnd = (hex: string) => hex.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    const lyingL1 = await front(devnet.l1, (method, result) =>
      method === 'eth_call' ? otherEnd(result) : result,
    );
    const lyingL2 = await front(devnet.proofs, (_, result) => {
      const { proof } = result?.accountProof ?? {};
      if (proof?.value) proof.value = otherEnd(proof.value);
      return result;
    });
    const lyingNode = await front(devnet.l2, (method, result) =>
      method === 'eth_getBalance' ? '0x1' : result,
    );
    const { hash } = await l1.call('eth_getBlockByNumber', 'latest', false);
    const lyingProvider = await provider([{ slot: '8', block_root: hash }]);
    const { LIVE_L1 = '', LIVE_CHECKPOINTS } = honest;
    const { code, said, sum } = await check({
      LIVE_L1: [...LIVE_L1.split(',').slice(1), lyingL1].join(),
      LIVE_SEPOLIA_L1: `${devnet.l1},${lyingL1}`,
      LIVE_CHECKPOINTS: `${LIVE_CHECKPOINTS},${lyingProvider}`,
      LIVE_NODE: lyingNode,
    });
    expect(code).toBe(1);
    expect(said.get('root')).toMatch(/^failed: .*\(DISAGREEMENT\)/);
    expect(said.get('sepolia')).toMatch(/^failed: .*\(DISAGREEMENT\)/);
    expect(said.get('consensus')).toBe(
      'failed: providers of checkpoints name different blocks for slot 8',
    );
    expect(sum).toMatch(/^\d of 10 passed, [3-9] failed, 0 could not be asked$/);

    // Its words would be a command to the runner of a workflow, the end of a block, and a colour.
    const rude = await serve(async (request, response) => {
      const { id } = await bodyOf(request);
      const error = { code: -32000, message: 'no\n::error::pwned\n```\n\u001b[31mred' };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    });
    const second = await check({
      LIVE_L2: lyingL2,
      LIVE_NODE: lyingNode,
      LIVE_SEPOLIA_L1: rude,
    });
    expect(second.code).toBe(1);
    expect(second.said.get('sepolia')).toContain(
      'no\\u000a::error::pwned\\u000a```\\u000a\\u001b[31mred',
    );
    expect(second.said.get('root')).toMatch(/^ok: /);
    expect(second.said.get('present')).toMatch(/^failed: not verified: .*\(HVALUE_MISMATCH\)/);
    expect(second.said.get('absent')).toBe('failed: balance: proven 0, but the node says 1');
  },
  patience,
);

test(
  'servers that are not there end it with 4, each check by itself',
  async () => {
    const closed = await startHttp(() => {});
    await closed.close();
    const gone = [1, 2, 3].map((path) => `${closed.url}/${path}`).join();
    const nobody = {
      ...{ LIVE_L1: gone, LIVE_SEPOLIA_L1: gone, LIVE_CHECKPOINTS: gone, LIVE_BEACON: closed.url },
      ...{ LIVE_L2: closed.url, LIVE_NODE: closed.url },
    };
    const all = await check(nobody);
    expect([...all.said.values()].filter((text) => !text.startsWith('unreachable: '))).toEqual([]);
    expect(all.sum).toBe('0 of 10 passed, 0 failed, 10 could not be asked');
    expect(all.code).toBe(4);
    const some = await check({ LIVE_SEPOLIA_L1: gone });
    expect([some.code, some.sum]).toEqual([4, '9 of 10 passed, 0 failed, 1 could not be asked']);
  },
  patience,
);

test(
  'a wrong variable is named on one line, and ends it with 3',
  async () => {
    expect(await runLive({ LIVE_L2: 'ftp://l2.example/key' })).toEqual({
      code: 3,
      stdout: '',
      stderr: 'LIVE_L2: "url" expected http: or https:\n',
    });
    const broken = join(newFolder(), 'network.json');
    writeFileSync(broken, 'no\nJSON');
    for (const [name, value] of [
      ['LIVE_L1', 'https://l1.example,l1'],
      ['LIVE_BEACON', 'beacon'],
      ['LIVE_CHECKPOINTS', 'https://a.example,https://b.example?key'],
      ['LIVE_TOKEN', '0x12'],
      ['LIVE_NETWORK', '/nonexist'],
      ['LIVE_SEPOLIA_NETWORK', broken],
      ['LIVE_BEACON_NETWORK', honest.LIVE_NETWORK as string],
    ] as const) {
      expect(() => openEndpoints({ ...honest, [name]: value })).toThrow(
        expect.objectContaining({
          exitCode: 3,
          message: expect.stringMatching(`^${name}: `),
        }),
      );
    }
  },
  patience,
);

test('a provider of checkpoints that answers too much, or sends us to another, does not count', async () => {
  const slots = [{ slot: '8', block_root: `0x${'ab'.repeat(32)}` }];
  const body = JSON.stringify({ data: { slots } });
  const [first, second] = [await provider(slots), await provider(slots)];
  const long = await serve((_, response) => response.end(body + ' '.repeat(1024 * 1024)));
  const sending = await serve((request, response) =>
    response.writeHead(302, { location: `${second}${request.url}` }).end(),
  );
  const ask = (urls: string[]) => agreedCheckpoint(urls, AbortSignal.timeout(patience));
  expect(await ask([first, second])).toEqual({
    slot: 8,
    root: slots[0]?.block_root,
    providers: 2,
  });
  for (const other of [long, sending]) {
    await expect(ask([first, other])).rejects.toThrow(
      new Unreachable('1 of 2 providers of checkpoints answer'),
    );
  }
});

test('docs/testing.md names each check', () => {
  const [, section = ''] = readFileSync('docs/testing.md', 'utf8').split(
    '\n## What only the internet shows\n',
  );
  const [own = ''] = section.split('\n## ');
  const named = [...own.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
  expect(named).toEqual(checks.map(({ name }) => name));
});

test('a failure outweighs what could not be asked; the public endpoints are several, without keys', () => {
  expect(exitCodeOf(['ok', 'failed', 'unreachable'])).toBe(1);
  expect(exitCodeOf(['ok', 'unreachable'])).toBe(4);
  expect(exitCodeOf(['ok', 'ok'])).toBe(0);
  const { l1, sepolia, checkpoints, network } = openEndpoints({});
  expect([l1.length, sepolia.l1.length, checkpoints.length]).toEqual([3, 2, 4]);
  expect([network, sepolia.network]).toEqual([networks.mainnet, networks.sepolia]);
});
