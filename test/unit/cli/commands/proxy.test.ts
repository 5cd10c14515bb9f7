/** `l2proof proxy`, as the built command, before real nodes. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { installLine } from '../../../../src/peer.js';
import { accounts } from '../../../support/anvil.js';
import { newFolder } from '../../../support/folder.js';
import { gatewayKey, type Living, openLiving } from '../../../support/living.js';
import { secondKey } from '../../../support/programs.js';
import { patience, type Wire } from '../../../support/runs.js';
import { until } from '../../../support/until.js';

const networkFile = join(newFolder(), 'network.json');
let world: Living;
let newest: number;
beforeAll(async () => {
  world = await openLiving();
  await world.l2.mine({ to: accounts[1], value: 3n });
  newest = await world.finalize();
  writeFileSync(networkFile, JSON.stringify(world.network));
}, patience);
afterAll(() => world.close());

const children: ChildProcessWithoutNullStreams[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    }
  }
});

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly out: { stdout: string; stderr: string };
}

function start(args: readonly string[], node: readonly string[] = [], env = {}): Started {
  const child = spawn(process.execPath, [...node, 'dist/cli/main.js', 'proxy', ...args], {
    env: { ...process.env, ...env },
  });
  children.push(child);
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    out.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    out.stderr += chunk;
  });
  return { child, out };
}

const usual = () => [
  '--l2',
  world.url,
  '--l1',
  world.l1.url,
  '--network',
  networkFile,
  '--port',
  '0',
];

async function urlOf({ child, out }: Started): Promise<string> {
  const said = () => /^listening on (\S+), chain 31337$/m.exec(out.stdout)?.[1];
  await until(() => said() !== undefined || child.exitCode !== null, 'the proxy says where it is');
  expect(out.stderr).toBe('');
  return said() as string;
}

test('answers what is proven, and says so on a terminal, request by request', async () => {
  const terminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true'];
  const started = start([...usual(), '--passthrough', 'eth_gasPrice,send'], terminal);
  const client = createPublicClient({ transport: http(await urlOf(started), { retryCount: 0 }) });
  const address = accounts[1];
  const block = `0x${newest.toString(16)}`;
  const balance = BigInt(await world.l2.call('eth_getBalance', address, block));
  expect(await client.getBalance({ address })).toBe(balance);
  await client.getGasPrice();
  await client.getBlock({ blockTag: 'earliest' });
  const unknown = `0x${'ab'.repeat(32)}` as const;
  await expect(client.getBlock({ blockHash: unknown })).rejects.toThrow(/could not be found/);
  await expect(client.createPendingTransactionFilter()).rejects.toThrow(/is not available/);
  world.meddle(() => ({ error: { code: 3, message: `no such thing at ${world.url}` } }));
  await expect(client.getBalance({ address: accounts[0] })).rejects.toThrow(/is not verified/);
  world.meddle();
  const { child, out } = started;
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  const [, ...timed] = out.stdout.trimEnd().split('\n');
  for (const line of timed) expect(line).toMatch(/^[-\dT:]{19}Z eth_/);
  const lines = timed.map((line) => line.slice('2000-01-01T00:00:00Z '.length));
  expect(lines).toEqual([
    `eth_getBalance proven at block ${newest}`,
    'eth_gasPrice passed through',
    `eth_getBlockByNumber proven at block ${newest}, by the operator's hashes of blocks`,
    'eth_getBlockByHash null, on the word of the server',
    expect.stringMatching(/^eth_newPendingTransactionFilter refused: "eth_newPending\w+ is not/),
    expect.stringMatching(/^eth_getBalance refused: "eth_getBalance at block \d+ is not verified/),
  ]);
  expect(out.stderr).toBe('');
  expect(out.stdout).not.toContain(gatewayKey);
});

test('is silent elsewhere; endpoints may come from the environment', async () => {
  const env = { L2PROOF_L1: `${world.l1.url},${world.l1.url}/?b`, L2PROOF_L2: world.url };
  const started = start(['--network', networkFile, '--port', '0'], [], env);
  const client = createPublicClient({ transport: http(await urlOf(started)) });
  expect(await client.getBlockNumber()).toBe(BigInt(newest));
  expect(started.out.stdout.trimEnd().split('\n').length).toBe(1);
});

test('says for programs what it answers, line by line', async () => {
  const { child, out } = start([...usual(), '--json']);
  const said = () =>
    out.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  await until(() => said().length > 0, 'the proxy says where it is');
  const time = expect.stringMatching(/^[-\dT:]{19}\.\d{3}Z$/);
  const [{ listening }] = said();
  expect(said()).toEqual([{ time, listening, chainId: 31337 }]);
  const client = createPublicClient({ transport: http(listening, { retryCount: 0 }) });
  await client.getBalance({ address: accounts[1] });
  await expect(client.createPendingTransactionFilter()).rejects.toThrow(/is not available/);
  await until(() => said().length === 3, 'each request has a line');
  const proven = { ok: true, proven: true, block: newest, assumed: [] };
  expect(said().slice(1)).toEqual([
    { time, method: 'eth_getBalance', ...proven },
    {
      ...{ time, method: 'eth_newPendingTransactionFilter', ok: false },
      code: expect.any(Number),
      reason: expect.stringMatching(/^eth_newPendingTransactionFilter is not available/),
    },
  ]);
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(out.stderr).toBe('');
});

test(
  'says what is wrong with its options',
  async () => {
    const ending = async (...args: string[]) => {
      const { child, out } = start(args);
      const [status] = await once(child, 'close');
      expect(out.stdout).toBe('');
      return { status, stderr: out.stderr.split('\n')[0] };
    };
    const cases: [string[], RegExp][] = [
      [[], /^--l2 or L2PROOF_L2 is required/],
      [['--l2', world.url], /^--l1 or L2PROOF_L1 is required/],
      [usual().slice(0, 4), /^--network is required/],
      [
        [...usual(), '--passthrough', 'eth_getBalance'],
        /^--passthrough number 1 names eth_getBalance/,
      ],
      [[...usual(), '--cors', 'app.example'], /^CORS origin "app\.example" expected/],
      [[...usual().slice(0, -1), '70000'], /^--port expected a number up to 65535/],
      [
        [...usual().slice(0, -1), String(new URL(world.l2.url).port)],
        /^cannot listen on 127\.0\.0\.1/,
      ],
      [[...usual(), '--current', 'latest'], /^--current expected newest or whole, got "latest"/],
      [[...usual(), '--max-range', '0'], /^--max-range expected a whole number from 1/],
      [[...usual(), 'more'], /^unexpected argument/],
      [[...usual(), '--fork', 'shangai'], /^--fork expected one of london, /],
    ];
    for (const [args, message] of cases) {
      const { status, stderr } = await ending(...args);
      expect({ args, status }).toEqual({ args, status: 3 });
      expect(stderr).toMatch(message);
      expect(stderr).not.toContain(gatewayKey);
    }
  },
  patience,
);

test('3: a package that is missing, with the line that installs all', async () => {
  const started = start(usual(), ['--import', './test/support/refuseRlp.mjs']);
  expect(await once(started.child, 'close')).toEqual([3, null]);
  expect(started.out).toEqual({
    stdout: '',
    stderr: `the proxy needs more packages; run: ${installLine(['@ethereumjs/rlp', 'hono', '@hono/node-server'])}\n`,
  });
});

test(
  'what a wallet asks, in its order: a new network, its account, a transaction and its receipt',
  async () => {
    const started = start([...usual(), '--passthrough', 'send']);
    const url = await urlOf(started);
    let id = 0;
    const ask = async (method: string, ...params: unknown[]): Promise<Wire> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
      const headers = { 'content-type': 'application/json' };
      const answer = (await (await fetch(url, { method: 'POST', headers, body })).json()) as Wire;
      if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
      return answer.result;
    };
    const [, own] = accounts;
    const hex = (block: number) => `0x${block.toString(16)}`;
    // A network is added.
    expect(await ask('eth_chainId')).toBe(hex(31337));
    expect(await ask('net_version')).toBe('31337');
    // It follows the newest block by its number, and takes its base fee as a sign of EIP-1559.
    const number = await ask('eth_blockNumber');
    expect(number).toBe(hex(newest));
    const block = await ask('eth_getBlockByNumber', number, false);
    expect(block).toEqual(await world.l2.call('eth_getBlockByNumber', number, false));
    expect(await ask('eth_getBalance', own, number)).toBe(
      await world.l2.call('eth_getBalance', own, number),
    );
    expect(await ask('eth_getCode', own, number)).toBe('0x');
    expect(await ask('eth_call', { to: own, data: '0x' }, number)).toBe('0x');
    // A transaction is priced, signed and sent.
    await ask('eth_feeHistory', '0x5', 'latest', [10, 20, 30]);
    const gasPrice = await ask('eth_gasPrice');
    const nonce = await ask('eth_getTransactionCount', own, 'pending');
    const to = accounts[0];
    const gas = await ask('eth_estimateGas', { from: own, to, value: '0x5' });
    expect(gas).toBe('0x5208');
    const signed = await privateKeyToAccount(secondKey).signTransaction({
      ...{ chainId: 31337, to, value: 5n, gas: BigInt(gas) },
      ...{ nonce: Number(nonce), gasPrice: BigInt(gasPrice) },
    });
    const hash = await ask('eth_sendRawTransaction', signed);
    expect((await ask('eth_getTransactionByHash', hash)).blockNumber).toBe(null);
    expect(await ask('eth_getTransactionReceipt', hash)).toBe(null);
    await world.l2.mine();
    // The server's word, until it is final.
    const known = await world.l2.call('eth_getTransactionReceipt', hash);
    expect(await ask('eth_getTransactionReceipt', hash)).toEqual(known);
  },
  patience,
);
