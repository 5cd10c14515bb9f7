/** `l2proof devnet` as a process of its own: what it shows is what its two nodes say, and nothing of it is left. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { formatEther, formatUnits, getAddress } from 'viem';
import { afterAll, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { accounts } from '../../../support/anvil.js';
import { type Command, endCommands, startCommand } from '../../../support/commands.js';
import { freePorts } from '../../../support/ports.js';
import { processesWith } from '../../../support/processList.js';
import { manifest } from '../../../support/project.js';
import { longestWait, until } from '../../../support/until.js';

const main = resolve('dist/cli/main.js');
const [alice, bob] = accounts;
afterAll(endCommands);

/** What `--json` says first. */
interface Described {
  readonly l1: string;
  readonly l2: string;
  readonly proofs: string;
  readonly data: string;
  readonly page: string;
  readonly networkFile: string;
  readonly network: { readonly rollup: Hex };
  readonly contracts: Readonly<Record<'dollar' | 'wrappedEther' | 'badge', Hex>>;
  readonly message: Hex;
  readonly block: number;
  readonly commands: readonly { line: string }[];
}

/** A line of its output, once it is there. */
async function lineOf<T>({ said, ended }: Command, holds: (line: T) => boolean): Promise<T> {
  let found: T | undefined;
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await until(() => {
    const lines = said.text.split('\n').filter((line) => line.startsWith('{'));
    found = lines.map((line): T => JSON.parse(line)).find(holds);
    return found !== undefined || isOver;
  }, 'the devnet says it');
  expect(found, said.text).toBeDefined();
  return found as T;
}

async function ask(url: string, method: string, ...params: unknown[]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result: Hex }).result;
}

const receipt = async (url: string, hash: Hex) =>
  (await ask(url, 'eth_getTransactionReceipt', hash)) as unknown as { status: Hex };

/** A word of call data. */
const word = (hex: string) => hex.slice(2).padStart(64, '0');
const balanceOf = (owner: string) => `0x70a08231${word(owner)}`;

/** The explorer is there, and is told of this devnet alone; pages of its origin may ask L1. */
async function expectPage({ l1, l2, proofs, data, page, networkFile }: Described) {
  expect(page).toBe(`${data}/`);
  const index = await fetch(page);
  expect(await index.text()).toBe(readFileSync('dist/page/index.html', 'utf8'));
  const settings = await (await fetch(new URL('page.json', page))).json();
  expect(settings).toEqual({
    network: JSON.parse(readFileSync(networkFile, 'utf8')),
    l1: [l1],
    proofs: new URL(proofs).pathname,
    node: l2,
    data: { url: '/', key: 'devnet-key', chain: 'devnet' },
    fork: 'prague',
  });
  const origin = new URL(page).origin;
  const asked = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };
  const allowed = await fetch(l1, { method: 'OPTIONS', headers: { origin, ...asked } });
  expect(['*', origin]).toContain(allowed.headers.get('access-control-allow-origin'));
  expect(allowed.headers.get('access-control-allow-headers')).toContain('content-type');
  // So may pages of a reader's own.
  const other = { origin: 'http://localhost:5173', ...asked };
  const own = await fetch(proofs, { method: 'OPTIONS', headers: other });
  expect(own.headers.get('access-control-allow-origin')).toBe('*');
}

/** Alice has sent Bob an ether: anyone can claim it on L1, once. */
async function expectMessage({ l1, l2, proofs, networkFile, network, message }: Described) {
  const ends = ['--network', networkFile, '--l1', l1, '--l2', proofs, '--node', l2];
  const show = (...flags: string[]) => {
    const args = [main, 'message', message, ...ends, ...flags];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    return stdout;
  };
  const oneEther = 10n ** 18n;
  expect(show()).toMatch(new RegExp(`^verified\n +status +claimable: [^]*to +${bob}\n`));
  const proven = JSON.parse(show('--json'));
  expect(proven).toMatchObject({
    ...{ status: 'claimable', assumed: [] },
    message: { from: alice, to: bob, value: String(oneEther), data: '0x' },
  });
  const data = show('--calldata').trimEnd();
  expect(data).toBe(proven.calldata);

  const balance = async () => BigInt(await ask(l1, 'eth_getBalance', bob, 'latest'));
  const claim = async () => {
    const hash = await ask(l1, 'eth_sendTransaction', {
      ...{ from: alice, to: network.rollup, data, gas: '0x100000' },
    });
    // A finalized block later the status is that of L1.
    await ask(l1, 'anvil_mine', '0x3');
    return (await receipt(l1, hash)).status;
  };
  const before = await balance();
  expect(await claim()).toBe('0x1');
  expect(await balance()).toBe(before + oneEther);
  expect(show()).toMatch(/^verified\n +status +claimed; it cannot be claimed again\n/);
  expect(await claim()).toBe('0x0');
}

test('its commands print what its nodes have, what happens later is final soon, and SIGKILL leaves nothing', async () => {
  const devnet = startCommand([main, 'devnet', '--json']);
  const described = await lineOf<Described>(devnet, ({ l1 }) => l1 !== undefined);
  const { l1, l2, proofs, networkFile, contracts, commands, block } = described;
  const folder = dirname(networkFile);
  const run = (line: string) => {
    const shell = line.replace('npx l2proof', `'${process.execPath}' '${main}'`);
    const { stdout, stderr } = spawnSync('sh', ['-c', shell], { encoding: 'utf8' });
    expect([line, stderr]).toEqual([line, '']);
    return stdout;
  };
  const outputs = commands.map(({ line }) => run(line));
  const [ether, slot, call, decoded, held] = outputs as [string, string, string, string, string];

  const wei = BigInt(await ask(l2, 'eth_getBalance', bob, 'latest'));
  const { dollar, wrappedEther, badge } = contracts;
  const dollars = await ask(l2, 'eth_call', { to: dollar, data: balanceOf(bob) }, 'latest');
  const weth = await ask(l2, 'eth_call', { to: wrappedEther, data: balanceOf(bob) }, 'latest');
  expect(ether).toContain(`${wei} wei`);
  expect(ether).toContain('proven from the L1 block hash that you gave');
  expect(slot).toContain(dollars);
  expect(JSON.parse(call)).toMatchObject({ result: `0x${word(bob)}` });
  expect(decoded).toMatch(/^verified\n[^]*Swap \(Swapped\).*: proven\n[^]*Token In +1200 DUSD\n/);
  expect(decoded).toContain(`Sender     ${getAddress(bob)}`);
  for (const amount of [
    `${formatEther(wei)}  native token`,
    `${formatUnits(BigInt(dollars), 6)}  ${dollar}`,
    `${formatEther(BigInt(weth))}  ${wrappedEther}`,
    `1  ${badge} ids 1`,
  ]) {
    expect(held).toContain(amount);
  }
  await expectPage(described);
  await expectMessage(described);

  const to = `0x${'ab'.repeat(20)}`;
  await ask(l2, 'eth_sendTransaction', { from: alice, to, value: '0x7' });
  const isLater = (line: { block?: number }) => (line.block ?? 0) > block && !('l1' in line);
  const later = await lineOf<{ block: number; stateRoot: Hex }>(devnet, isLater);
  // The follower hears of it from L1.
  const args = ['fetch', '--network', networkFile, '--l1', l1, '--l2', proofs, '--address', to];
  const fetched = () =>
    spawnSync(process.execPath, [main, ...args, '--json'], { encoding: 'utf8' }).stdout;
  await until(() => fetched().includes('"balance": "7"'), 'the transfer is proven');
  expect(fetched()).toContain(later.stateRoot);

  expect(processesWith(folder).length).toBeGreaterThanOrEqual(6);
  devnet.child.kill('SIGKILL');
  await until(() => processesWith(folder).length === 0, 'all processes have ended');
  await until(() => !existsSync(folder), 'the folder is gone');
});

test('the commands prove the same by block hashes, as the next version of the contract has them', async () => {
  const first = await freePorts(4);
  const devnet = startCommand([main, 'devnet', '--json', '--version9', '--port', String(first)]);
  const described = await lineOf<Described & { proxy: string }>(
    devnet,
    ({ l1 }) => l1 !== undefined,
  );
  const { l1, l2, data, proxy, commands } = described;
  const at = (place: number) => `http://127.0.0.1:${first + place}`;
  expect([l1, l2, data, proxy]).toEqual([at(0), at(1), at(2), at(3)]);
  const outputs = commands.map(({ line }) => {
    const shell = line.replace('npx l2proof', `'${process.execPath}' '${main}'`);
    const { stdout, stderr } = spawnSync('sh', ['-c', shell], { encoding: 'utf8' });
    expect([line, stderr]).toEqual([line, '']);
    return stdout;
  });
  const [ether, , call, decoded, held] = outputs as [string, string, string, string, string];
  expect(ether).toContain(`${BigInt(await ask(l2, 'eth_getBalance', bob, 'latest'))} wei`);
  expect(ether).toMatch(/^ {2}its hash +proven from the L1 block hash that you gave$/m);
  expect(ether).not.toContain('code size');
  expect(JSON.parse(call)).toMatchObject({ result: `0x${word(bob)}` });
  // The transaction is older than the first block whose hash L1 has.
  expect(decoded).toMatch(
    /^ {2}header +by hashes in the state of L2 block \d+ \(EIP-2935\): the operator's word, frozen on L1$/m,
  );
  expect(held).toMatch(/^verified at L2 block \d+\n[^]*  1  0x\w{40} ids 1\b/);
  devnet.child.kill('SIGTERM');
  expect(await devnet.ended).toBe(0);
});

test('npm start runs the commands, shows what they print, and ends', () => {
  expect(manifest.scripts).toMatchObject({
    prestart: expect.stringMatching(/^echo "Building .*" && npm run build --silent$/),
    start: 'node dist/cli/main.js devnet --once',
  });
  const options = { encoding: 'utf8' as const, timeout: longestWait };
  const args = ['dist/cli/main.js', 'devnet', '--once'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('there is no validity proof');
  expect(stdout.match(/^\d\. .+\n\$ .+$/gm)).toHaveLength(5);
  expect(stdout.match(/^=> .+$/gm)).toHaveLength(5);
  expect(stdout).toMatch(/^ {2}balance +\d{22} wei$/m);
  const [, file] = /^ {2}network +(\S+)$/m.exec(stdout) as RegExpExecArray;
  expect(existsSync(dirname(file as string))).toBe(false);
});

test.each(['0', '65533'])(
  '--port %s is refused: the three ports behind it are used, too',
  (port) => {
    const args = ['dist/cli/main.js', 'devnet', '--port', port];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(status).toBe(3);
    expect(stderr).toMatch(/^--port expected a number from 1 to 65532: /);
  },
);

test('a signal ends it well, also while it starts', async () => {
  const devnet = startCommand([main, 'devnet']);
  await until(() => devnet.said.text.startsWith('Starting'), 'it starts');
  devnet.child.kill('SIGTERM');
  expect([await devnet.ended, devnet.said.text]).toEqual([
    0,
    'Starting two chains, and all of l2proof on them\n',
  ]);
});
