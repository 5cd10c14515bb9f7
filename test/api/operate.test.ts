/** The commands and files of the guide for operators, in an empty folder and on a devnet. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { devNetwork } from '../../src/cli/devnet/network.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import { createService, fixedFinality } from '../../src/service/index.js';
import { openStateTree } from '../../src/tree/index.js';
import { type GuideDevnet, openGuideDevnet } from '../support/devnet.js';
import { newFolder } from '../support/folder.js';
import { serverCommand } from '../support/installed.js';
import { blocksOf, commandOf, shellOf } from '../support/pages.js';
import { patience } from '../support/runs.js';
import { until } from '../support/until.js';

const page = 'docs/operate.md';
const text = readFileSync(page, 'utf8');
const of = (language: string) =>
  blocksOf(page)
    .filter((block) => block.language === language)
    .map(({ code }) => code);

let command: string;
let world: GuideDevnet;
beforeAll(async () => {
  command = await serverCommand();
  world = await openGuideDevnet(devNetwork);
}, patience);
afterAll(() => world?.close());

const run = (line: string, cwd: string) =>
  spawnSync(...commandOf(line, command), { cwd, encoding: 'utf8' as const, timeout: 60_000 });

/** A folder with the genesis of the devnet. */
function folderOfChain(): string {
  const folder = newFolder();
  copyFileSync(world.genesis, join(folder, 'genesis.json'));
  return folder;
}

/** A command of the page, for the node of the devnet. */
const onDevnet = (line: string) => line.replace('http://127.0.0.1:8545', world.l2.url);

let fed: { folder: string; outputs: ReturnType<typeof run>[] } | undefined;
/** Feeds a store with all blocks of the devnet, by the commands of the page. It is fed once for all tests. */
function feed() {
  if (fed === undefined) {
    const folder = folderOfChain();
    const outputs = shellOf(page, '--once').map((line) => run(onDevnet(line), folder));
    fed = { folder, outputs };
  }
  return fed;
}

/** Runs `l2proof serve` of the guide until `act` is done with its port, which is any free one. */
async function serving(line: string, cwd: string, act: (port: number) => Promise<void>) {
  const child = spawn(...commandOf(line.replace(/--port \d+/, '--port 0'), command), { cwd });
  try {
    const [said] = await once(child.stdout, 'data');
    const { msg, port } = JSON.parse(String(said));
    expect(msg).toBe('listening');
    await act(port);
  } finally {
    child.kill();
  }
  expect(await once(child, 'exit')).toEqual([0, null]);
}

test('from an empty folder to a proof', async () => {
  const folder = newFolder();
  const [genesis] = of('json') as [string];
  writeFileSync(join(folder, 'genesis.jsonl'), genesis);
  const [load, serve] = shellOf(page, 'genesis.jsonl') as [string, string];
  const [ask, verify] = shellOf(page, 'curl') as [string, string];
  const [loaded, verified] = of('text') as [string, string];
  expect(run(load, folder)).toMatchObject({ status: 0, stderr: '', stdout: loaded });
  await serving(serve, folder, async (port) => {
    const [, url, body] = /(http:\S+) .*-d '(.*)'$/.exec(ask) as unknown as [
      string,
      string,
      string,
    ];
    const response = await fetch(url.replace('8645', String(port)), { method: 'POST', body });
    writeFileSync(join(folder, 'answer.json'), await response.text());
  });
  expect(run(verify, folder)).toMatchObject({ status: 0, stderr: '', stdout: verified });
});

test('the command line feeds a store from a chain', async () => {
  const { folder, outputs } = feed();
  const newest = world.devnet.block;
  const final = Number((await world.l2.call('eth_getBlockByNumber', 'finalized', false)).number);
  expect(outputs).toMatchObject([
    { status: 0, stderr: '', stdout: expect.stringMatching(/^loaded 1 block: block 0/) },
    {
      status: 0,
      stderr: expect.stringMatching(
        /^[-\dT:]{19}Z without L1 no root has confirmed this state: [^\n]*\n([-\dT:]{19}Z following, block \d+ of \d+(, [\d.]+\/s)?\n)+$/,
      ),
      stdout: expect.stringMatching(`^block ${newest}, final ${final}`),
    },
  ]);
  const [line] = shellOf(page, 'l2proof status') as [string];
  expect(run(line, folder)).toMatchObject({
    ...{ status: 0, stderr: '' },
    stdout: expect.stringMatching(
      `^state tree, format 3, poseidon2\\n +newest block +${newest}\\n`,
    ),
  });
});

test('the command line serves, and a copy of its store is a store', async () => {
  const { folder } = feed();
  const tree = await openStateTree({ store: lmdbStore({ path: join(folder, 'state') }) });
  const root = await tree.stateRoot(12);
  await tree.close();
  const [line] = shellOf(page, '--finality 12') as [string];
  await serving(line, folder, async (port) => {
    const response = await fetch(`http://127.0.0.1:${port}/ready`);
    expect(await response.json()).toEqual({ ready: true, block: 12 });
    const copy = shellOf(page, 'backup').at(-1)?.split(' && ').at(-1) as string;
    const [cp, flag, from, to] = copy.split(' ') as [string, string, string, string];
    expect([cp, flag]).toEqual(['cp', '-r']);
    cpSync(join(folder, from), join(folder, to), { recursive: true });
  });
  const backup = await openStateTree({ store: lmdbStore({ path: join(folder, 'backup') }) });
  expect(await backup.stateRoot(12)).toBe(root);
  await backup.close();
});

test.each(['sh', 'bash'])(
  'the lines of a backup wait for the follower, and copy what it wrote, in %s',
  async (shell) => {
    const folder = folderOfChain();
    const newest = world.devnet.block;
    const [load] = shellOf(page, '--once') as [string];
    expect(run(load, folder)).toMatchObject({ status: 0 });
    const [start, later, copy] = shellOf(page, 'backup') as [string, string, string];
    expect(later).toBe('# later');
    const script = [onDevnet(start), 'read later', copy].join('\n');
    const env = { ...process.env, PATH: `${dirname(command)}:${process.env.PATH}` };
    const child = spawn(shell, ['-c', script], { cwd: folder, env, detached: true });
    const exit = once(child, 'exit');
    try {
      let said = '';
      child.stderr.on('data', (chunk) => {
        said += chunk;
      });
      const all = `block ${newest} of ${newest}`;
      await until(() => said.includes(all), 'the follower has all blocks');
      child.stdin.end('\n');
      expect([await exit, said]).toEqual([[0, null], expect.not.stringContaining('No such')]);
      // The follower has ended: another may write.
      for (const name of ['state', 'backup']) {
        const tree = await openStateTree({ store: lmdbStore({ path: join(folder, name) }) });
        expect([name, await tree.newestBlock()]).toEqual([name, newest]);
        await tree.close();
      }
    } finally {
      if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGKILL');
    }
  },
);

test('the line of the guide converts a store of the release before', async () => {
  const folder = newFolder();
  cpSync('test/fixtures/store-v2/poseidon2', join(folder, 'state'), { recursive: true });
  const [line] = shellOf(page, 'migrate') as [string];
  expect(run(line, folder)).toMatchObject({ status: 0, stderr: '' });
  const tree = await openStateTree({ store: lmdbStore({ path: join(folder, 'state') }) });
  expect(await tree.newestBlock()).toBe(6);
  await tree.close();
});

test('the table of answers names the limits that hold', async () => {
  const tree = await openStateTree();
  const { limits } = await createService({ tree, finality: fixedFinality(0) });
  expect(limits).toEqual({
    bodyBytes: 64 * 1024,
    batchCalls: 100,
    storageKeys: 256,
    reads: 5_000_000,
    requestsPerSecond: 10_000,
    concurrent: 256,
    time: 10_000,
  });
  await tree.close();
});

test('the lines before the units load the genesis', () => {
  const [install, , , load] = shellOf(page, 'useradd') as [string, string, string, string];
  expect(install).toMatch(/^npm install -g --prefix \/opt\/l2proof l2proof-server@[\d.]+$/);
  const folder = newFolder();
  writeFileSync(join(folder, 'genesis.json'), of('json')[0] as string);
  const [, args] = /^sudo -u l2proof \/opt\/l2proof\/bin\/l2proof (.*)$/.exec(load) as unknown as [
    string,
    string,
  ];
  const line = `l2proof ${args.replace('/var/lib/l2proof/', '')}`;
  expect(run(line, folder)).toMatchObject({ status: 0, stderr: '', stdout: of('text')[0] });
});

test('the files that the guide copies come with the package that it installs', () => {
  const copied = [...text.matchAll(/^cp .*?\/opt\/l2proof\/lib\/node_modules\/(\S+\/deploy)\b/gm)];
  expect(copied).toHaveLength(2);
  const modules = join(dirname(dirname(command)), 'lib/node_modules');
  for (const [, folder] of copied) {
    const names = readdirSync(join(modules, folder as string));
    expect(names).toEqual(readdirSync('deploy'));
  }
});

test('the proxy lets in no more than the server takes, and keeps connections for less long', () => {
  const [caddyfile] = of('caddyfile') as [string];
  expect(caddyfile).toContain('max_size 64KiB');
  expect(caddyfile).toContain('keepalive 4s');
  expect(caddyfile).toContain('handle /v3/*');
  expect(caddyfile).toContain('reverse_proxy 127.0.0.1:8645');
});

test('the metrics named are those there are', () => {
  const sources = ['src/service/watch/metrics.ts', 'src/cli/listen/followMetrics.ts'].map((file) =>
    readFileSync(file, 'utf8'),
  );
  const [service, follower] = sources as [string, string];
  const there = [...service.matchAll(/name: '(l2proof_\w+)'/g)].map(([, name]) => name);
  const gauges = [...follower.matchAll(/gauge\('(\w+)'/g)].map(
    ([, name]) => `l2proof_follow_${name}`,
  );
  const table = text.slice(text.indexOf('## Watch it'), text.indexOf('## Sizes'));
  const named = new Set([...table.matchAll(/`(l2proof_\w+)`/g)].map(([, name]) => name));
  expect([...named].sort()).toEqual([...there, ...gauges].sort());
});
