/** `--checkpoint` and `--beacon` of the built commands: a beacon chain that is made up, over real nodes of both chains. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type OwnState, storeFinality } from '../../../../src/service/index.js';
import { exportSnapshot } from '../../../../src/tree/index.js';
import { accounts } from '../../../support/anvil.js';
import { beaconOver } from '../../../support/beacon/overL1.js';
import { endCommands, startCommand } from '../../../support/commands.js';
import { chainName, serveData } from '../../../support/data.js';
import { newFolder } from '../../../support/folder.js';
import { type Living, openLiving } from '../../../support/living.js';
import { patience } from '../../../support/runs.js';
import { until } from '../../../support/until.js';

const main = resolve('dist/cli/main.js');
const folder = newFolder();
const networkFile = join(folder, 'network.json');
const cache = join(folder, 'cache');
const absent = `0x${'12'.repeat(32)}`;
const rootWords = "proven from a block that L1's consensus finalized, from your checkpoint";

let world: Living;
let block: number;
let beacon: Awaited<ReturnType<typeof beaconOver>>;
beforeAll(async () => {
  world = await openLiving();
  await world.l2.mine({ to: accounts[1], value: 3n });
  block = await world.finalize();
  beacon = await beaconOver(world.l1);
  writeFileSync(networkFile, JSON.stringify({ ...world.network, beacon: beacon.network }));
}, patience);
afterAll(async () => {
  await beacon?.close();
  await world?.close();
});
afterEach(endCommands);

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const options = { env: { ...process.env, XDG_CACHE_HOME: cache, ...env } };
  try {
    const out = await promisify(execFile)(process.execPath, [main, ...args], options);
    return { status: 0, ...out };
  } catch (error) {
    const { code: status, stdout, stderr } = error as Record<'code' | 'stdout' | 'stderr', string>;
    return { status: Number(status), stdout, stderr };
  }
}

const source = () => ['--l1', world.l1.url, '--network', networkFile];
const trust = () => ['--checkpoint', beacon.checkpoint, '--beacon', beacon.url];
const fetching = () => ['fetch', ...source(), '--l2', world.proofs, '--address', accounts[1]];

test('fetch: the root rests on the checkpoint, and what is known of L1 is kept', async () => {
  const first = await run([...fetching(), ...trust()]);
  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect(first.stdout).toContain(rootWords);
  expect(first.stdout).toMatch(new RegExp(`final slot +${beacon.slot}, signed by 32 of 32\n`));
  expect(first.stdout).toMatch(new RegExp(`checkpoint +${beacon.checkpoint}\n`));
  const balance = await world.l2.call('eth_getBalance', accounts[1], `0x${block.toString(16)}`);
  expect(first.stdout).toContain(`${BigInt(balance)} wei`);

  const kept = join(cache, 'l2proof');
  const file = `l1-${beacon.network.genesisValidatorsRoot.slice(2, 18)}.txt`;
  expect(readdirSync(kept)).toEqual([file]);
  expect(readFileSync(join(kept, file), 'utf8')).toContain(beacon.checkpoint);
  expect(statSync(join(kept, file)).mode & 0o077).toBe(0);

  // The second run goes on from there; servers may come from the environment.
  const asked = beacon.asked.length;
  const { status, stdout } = await run(
    [...fetching(), '--checkpoint', beacon.checkpoint, '--json'],
    { L2PROOF_BEACON: `http://127.0.0.1:1,${beacon.url}` },
  );
  expect(status).toBe(0);
  const { anchor, state } = JSON.parse(stdout);
  expect(anchor).toMatchObject({ how: 'consensus', l2BlockNumber: block, l1: { proven: true } });
  expect(anchor.consensus).toEqual({
    ...{ checkpoint: beacon.checkpoint, slot: beacon.slot },
    ...{ signers: 32, committeeSize: 32 },
  });
  expect(state.account.balance).toBe(String(BigInt(balance)));
  const later = beacon.asked.slice(asked);
  expect(later.length).toBeGreaterThan(0);
  expect(later.filter((path) => path.includes('bootstrap'))).toEqual([]);
});

test('what was kept counts if no server answers, and damage in it does not', async () => {
  const silent = ['--checkpoint', beacon.checkpoint, '--beacon', 'http://127.0.0.1:1'];
  const env = { XDG_CACHE_HOME: newFolder() };
  const first = await run([...fetching(), ...trust()], env);
  expect(first.status).toBe(0);
  expect(await run([...fetching(), ...silent], env)).toEqual(first);
  const [file = ''] = readdirSync(join(env.XDG_CACHE_HOME, 'l2proof'));
  const path = join(env.XDG_CACHE_HOME, 'l2proof', file);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"slot":"40"', '"slot":"41"'));
  expect(await run([...fetching(), ...silent], env)).toMatchObject({ status: 4, stdout: '' });
  expect(await run([...fetching(), ...trust()], env)).toEqual(first);
});

test('a folder that cannot be written is no reason to fail', async () => {
  const env = { XDG_CACHE_HOME: networkFile };
  const { status, stdout, stderr } = await run([...fetching(), ...trust()], env);
  expect(status).toBe(0);
  expect(stdout).toContain(rootWords);
  expect(stderr).toMatch(/^what is known of L1 is not kept, .*ENOTDIR.*\n$/);
});

test('snapshot verify, balances and proxy take it, too', async () => {
  const file = join(folder, 'state.snapshot');
  const { tree, store } = world;
  const pieces: Uint8Array[] = [];
  for await (const piece of exportSnapshot({ store, block })) pieces.push(piece);
  writeFileSync(file, Buffer.concat(pieces));
  const verified = await run(['snapshot', 'verify', file, ...source(), ...trust()]);
  const under = `L1's final slot ${beacon.slot}, signed by 32 of 32, from checkpoint ${beacon.checkpoint}`;
  expect(verified).toMatchObject({ status: 0, stderr: '' });
  expect(verified.stdout).toContain(`\nunder       ${under}\n`);

  const state: OwnState = { tree, finality: storeFinality(tree), fork: 'prague' };
  const served = await serveData(world.l2.url, { state });
  try {
    const asked = ['--address', accounts[1], '--chain', chainName, '--url', served.url];
    const prove = ['balances', ...asked, '--prove', '--fork', 'prague', ...source(), ...trust()];
    const proven = await run(prove);
    expect(proven).toMatchObject({ status: 0, stderr: '' });
    expect(proven.stdout).toMatch(new RegExp(`^verified at L2 block ${block}\nunder ${under}\n`));
  } finally {
    await served.close();
  }

  const proxied = ['proxy', '--l2', world.url, '--port', '0', ...source(), ...trust()];
  const proxy = startCommand([main, ...proxied], { env: { XDG_CACHE_HOME: cache } });
  const urlOf = () => /^listening on (\S+), chain/m.exec(proxy.said.text)?.[1];
  await until(() => urlOf() !== undefined, 'the proxy listens');
  const before = beacon.asked.length;
  const answer = await fetch(urlOf() as string, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'eth_getBalance' },
      params: [accounts[1], 'latest'],
    }),
  });
  const balance = await world.l2.call('eth_getBalance', accounts[1], `0x${block.toString(16)}`);
  expect(await answer.json()).toMatchObject({ result: balance });
  expect(beacon.asked.length).toBeGreaterThan(before);
  proxy.child.kill('SIGTERM');
  expect(await proxy.ended).toBe(0);
});

test('what is missing, wrong or refused is said', async () => {
  const { checkpoint, url } = beacon;
  const at = ['--checkpoint', checkpoint];
  const plain = join(folder, 'plain.json');
  writeFileSync(plain, JSON.stringify(world.network));
  const odd = join(folder, 'odd.json');
  writeFileSync(odd, JSON.stringify({ ...world.network, beacon: { genesisTime: -1 } }));
  const named = (file: string) =>
    [...fetching(), ...trust()].map((arg) => (arg === networkFile ? file : arg));
  const cases: [args: string[], status: number, text: RegExp][] = [
    [[...fetching(), '--beacon', url], 3, /^--beacon needs --checkpoint/],
    [[...fetching(), ...at], 3, /^--beacon or L2PROOF_BEACON is required/],
    [[...fetching(), ...trust(), '--l1-block-hash', absent], 3, /takes the place of --l1-block/],
    [[...fetching(), '--checkpoint', '0x12', '--beacon', url], 3, /^--checkpoint expected/],
    [[...fetching(), ...at, '--beacon', 'nothing'], 3, /^--beacon expected/],
    [named(plain), 3, /^the consensus of L1 chain 900 is not known/],
    [named(odd), 3, /^"beacon" in the file of --network: /],
    [[...fetching(), '--checkpoint', absent, '--beacon', url], 4, /\(NO_BOOTSTRAP\)$/m],
    [[...fetching(), ...at, '--beacon', 'http://127.0.0.1:1'], 4, /\(NO_ANSWER\)$/m],
    [['snapshot', 'verify', plain, '--root', absent, ...trust()], 3, /^--root takes the place/],
  ];
  for (const [args, status, text] of cases) {
    const ended = await run(args, { XDG_CACHE_HOME: newFolder() });
    expect([args.slice(-2), ended.status, ended.stdout]).toEqual([args.slice(-2), status, '']);
    expect(ended.stderr).toMatch(text);
  }
});
