/** The real cast over `l2proof proxy --node`: proofs from our own server, which has no code, and all else from a node. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, slotInit } from '../../support/anvil.js';
import { newFolder } from '../../support/folder.js';
import { type Living, openLiving } from '../../support/living.js';
import { patience } from '../../support/runs.js';
import { until } from '../../support/until.js';

/** Answers 42, whatever it is asked. */
const runtime = '602a5f5260205ff3';
const answering = `0x60088060095f395ff3${runtime}`;
/** The key of Anvil's first account. */
const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
/** Anvil's second account. */
const second = {
  address: accounts[1],
  key: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
};

let world: Living;
let contract: string;
let slots: string;
let proxy: ChildProcess;
let url: string;

async function deploy(data: string): Promise<string> {
  const hash = await world.l2.call('eth_sendTransaction', { from: accounts[0], data });
  await world.l2.mine();
  return (await world.l2.call('eth_getTransactionReceipt', hash)).contractAddress;
}

beforeAll(async () => {
  world = await openLiving();
  contract = await deploy(answering);
  slots = await deploy(`0x${slotInit}`);
  await world.finalize();
  const networkFile = join(newFolder(), 'network.json');
  writeFileSync(networkFile, JSON.stringify(world.network));
  proxy = spawn(
    process.execPath,
    [
      ...['dist/cli/main.js', 'proxy', '--l2', world.proofs, '--l1', world.l1.url],
      ...['--network', networkFile, '--port', '0'],
      ...['--passthrough', 'send,eth_getBlockByNumber'],
    ],
    { env: { ...process.env, L2PROOF_NODE: world.l2.url }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  proxy.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  const address = () => /^listening on (\S+),/.exec(said)?.[1];
  await until(() => address() !== undefined || proxy.exitCode !== null, 'the proxy listens');
  url = address() as string;
}, patience);

afterAll(async () => {
  if (proxy?.exitCode === null) {
    const ended = once(proxy, 'close');
    proxy.kill();
    await ended;
  }
  await world?.close();
});

/** A folder of its own, so that no settings of a person are read. */
const home = newFolder();
const run = promisify(execFile);
const bin = resolve('node_modules/.bin/cast');

async function cast(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home, ETH_RPC_URL: url };
  const { stdout, stderr } = await run(bin, args, { env, cwd: home });
  expect(stderr).toBe('');
  return stdout.trim();
}

test('reads what is proven', { timeout: patience }, async () => {
  expect(await cast('client')).toMatch(/^l2proof\//);
  expect(await cast('chain-id')).toBe('31337');
  const latest = await world.l2.call('eth_getBalance', accounts[1], 'latest');
  expect(BigInt(await cast('balance', accounts[1]))).toBe(BigInt(latest));
  expect(await cast('code', contract)).toBe(`0x${runtime}`);
  expect(await cast('call', contract, 'answer()(uint256)')).toBe('42');
  expect(BigInt(await cast('storage', slots, '0'))).toBe(1n);
});

test('sends, and shows what became of it', { timeout: patience }, async () => {
  const sending = cast(
    ...['send', '--json', '--private-key', privateKey, '--value', '5', accounts[1]],
  );
  await until(async () => {
    const { pending } = await world.l2.call('txpool_status');
    return BigInt(pending) === 1n;
  }, 'the node has the transaction');
  await world.l2.mine();
  const { transactionHash, status } = JSON.parse(await sending);
  expect(status).toBe('0x1');
  const known = await world.l2.call('eth_getTransactionReceipt', transactionHash);
  const shown = JSON.parse(await cast('receipt', '--json', transactionHash));
  for (const name of ['blockHash', 'gasUsed', 'status', 'from', 'to']) {
    expect(shown[name]).toBe(known[name]);
  }
  // The nonce at latest is the anchored block's.
  expect(await cast('nonce', accounts[0])).toBe('2');
  expect(await cast('nonce', '--block', 'pending', accounts[0])).toBe('3');
});

test(
  'the block of the guide runs, also after what is not final yet',
  async () => {
    const page = readFileSync('docs/provider.md', 'utf8');
    const [block] = [...page.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, code = '']) =>
      code.includes('cast') ? [code] : [],
    );
    const [install, ...lines] = (block as string).split('\n');
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(install).toBe(
      `npm install @foundry-rs/cast@${manifest.devDependencies['@foundry-rs/cast']}`,
    );
    const script = lines
      .join('\n')
      .replace('http://127.0.0.1:8745', url)
      .replaceAll('npx cast', bin);
    const { address, key } = second;
    const sent = { from: address, to: address, nonce: '0x0' };
    await world.l2.call('eth_sendTransaction', sent);
    const env = { PATH: process.env.PATH, HOME: home, PRIVATE_KEY: key };
    const running = run('sh', ['-ec', script], { env, cwd: home });
    await until(async () => {
      const { pending } = await world.l2.call('txpool_status');
      return BigInt(pending) === 2n;
    }, 'the node has both transactions');
    await world.l2.mine();
    const { stdout, stderr } = await running;
    expect(stderr).toBe('');
    const balance = await world.l2.call('eth_getBalance', address, '0x2');
    expect(stdout.split('\n')[0]).toBe(String(BigInt(balance)));
    expect(stdout).toMatch(/^status +1 \(success\)$/m);
  },
  patience,
);
