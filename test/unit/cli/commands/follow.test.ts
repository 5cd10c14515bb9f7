/** `l2proof load` and `l2proof follow`, as the built commands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockLine, genesisLines } from '../../../../src/follow/index.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { type Hex, openStateTree } from '../../../../src/tree/index.js';
import {
  type Anvil,
  accounts,
  create2,
  rollupCode,
  slotInit,
  startAnvil,
  word,
} from '../../../support/anvil.js';
import { genesisAddresses, genesisOf } from '../../../support/chain.js';
import { newFolder } from '../../../support/folder.js';
import { startForged } from '../../../support/forged.js';
import { patience } from '../../../support/runs.js';
import { until } from '../../../support/until.js';

const folder = newFolder();
let count = 0;
const fresh = (): string => join(folder, `store${++count}`);

function write(lines: readonly string[]): string {
  const file = join(folder, `file${++count}.jsonl`);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['dist/cli/main.js', ...args], {
    env: { ...process.env, ...env },
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    out.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    out.stderr += chunk;
  });
  const ended = once(child, 'close').then(([status]) => ({ status, ...out }));
  return { child, ended };
}

const l2proof = (...args: string[]) => start(args).ended;

const address: Hex = `0x${'a1'.repeat(20)}`;
const genesis = { number: 0, changes: [{ address, account: { nonce: 1n, balance: 5n } }] };
const next = { number: 1, changes: [{ address, account: null }] };

describe('l2proof load', () => {
  test('loads a file, again and from standard input', async () => {
    const store = fresh();
    const file = write([...genesisLines(genesis), blockLine(next)]);
    const first = await l2proof('load', '--store', store, file);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^loaded 2 blocks: block 1, final 1, state root 0x[0-9a-f]{64}\n$/,
    );
    const { child, ended } = start(['load', '--store', store]);
    child.stdin.end(
      [...genesisLines(genesis), blockLine(next), blockLine({ ...next, number: 2 })].join('\n'),
    );
    expect((await ended).stdout).toMatch(/^loaded 1 block: block 2, final 2/);
    const tree = await openStateTree({ store: lmdbStore({ path: store, readOnly: true }) });
    expect(await tree.newestBlock()).toBe(2);
    await tree.close();
  });

  test(
    'loads a genesis that memory could not hold',
    async () => {
      const accounts = (count: number) =>
        Array.from({ length: count }, (_, i) => ({
          address: `0x${(i + 1).toString(16).padStart(40, '0')}` as Hex,
          account: { nonce: 1n, balance: 10n ** 18n },
        }));
      const load = (store: string, count: number) =>
        start(
          [
            'load',
            '--store',
            store,
            write([...genesisLines({ number: 0, changes: accounts(count) })]),
          ],
          { NODE_OPTIONS: '--max-old-space-size=48' },
        ).ended;
      const store = fresh();
      const { status, stderr } = await load(store, 100_000);
      expect(status).toBe(0);
      // On a busy machine it takes more than ten seconds.
      expect(stderr).toMatch(/^([-\dT:]{19}Z [a-z]+ing [^\n]*\d\n)*$/);
      const tree = await openStateTree({ store: lmdbStore({ path: store }) });
      expect(await tree.newestBlock()).toBe(0);
      expect((await tree.read(accounts(100_000)[99_999]?.address as Hex)).account).not.toBe(null);
      await tree.close();
    },
    patience,
  );

  test('ends with the code that fits', async () => {
    const wrong = write([...genesisLines({ ...genesis, stateRoot: `0x${word(1)}` })]);
    expect(await l2proof('load', '--store', fresh(), wrong)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('ROOT_MISMATCH'),
    });
    expect(await l2proof('load', '--store', fresh(), write(['{}']))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('line 1: '),
    });
    const missing = await l2proof('load', '--store', fresh(), join(folder, 'none'));
    expect(missing).toMatchObject({ status: 3, stderr: expect.stringMatching(/ENOENT\)\n$/) });
    for (const args of [[write(['{}'])], ['--store', fresh(), 'a', 'b']]) {
      const { status, stderr } = await l2proof('load', ...args);
      expect(status).toBe(3);
      expect(stderr).toMatch(/\nsee l2proof help load\n$/);
    }
  });
});

describe('l2proof follow', () => {
  let l2: Anvil;
  let l1: Anvil;
  let file: string;
  const rollup = `0x${'42'.repeat(20)}`;
  beforeAll(async () => {
    [l2, l1] = await Promise.all([startAnvil('--hardfork', 'prague'), startAnvil()]);
    file = write([...genesisLines(await genesisOf(l2, genesisAddresses))]);
    await l2.mine(create2(1, slotInit));
    for (let i = 0; i < 4; i++) await l2.mine();
    await l1.call('anvil_setCode', rollup, rollupCode);
    for (let i = 0; i < 3; i++) await l1.mine();
  });
  afterAll(() => Promise.all([l2.close(), l1.close()]));

  test('begins with a genesis, goes on, and ends with a signal', async () => {
    const store = fresh();
    const common = ['follow', '--store', store, '--fork', 'shanghai@0,prague@1'];
    const first = await l2proof(...common, '--l2', l2.url, '--genesis', file, '--once');
    // What nothing confirms is said once; then a log has lines of how far it is, and no bar that is redrawn.
    expect(first).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(
        /^[-\dT:]{19}Z without L1 no root has confirmed this state: [^\n]*\n([-\dT:]{19}Z following, block \d of 5(, [\d.]+\/s)?\n)+$/,
      ),
    });
    expect(first.stderr).toMatch(/block 5 of 5(, [\d.]+\/s)?\n$/);
    expect(first.stdout).toMatch(/^block 5, final 3, state root 0x/);
    // For programs: a line whenever something has changed, and the state in the end.
    const asJson = await l2proof(...common, '--l2', l2.url, '--once', '--json');
    const time = expect.stringMatching(/^[-\dT:]{19}\.\d{3}Z$/);
    expect(
      asJson.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { time, block: 5, head: 5, final: 3 },
      { time, block: 5, final: 3, stateRoot: /0x\w{64}/.exec(first.stdout)?.[0] },
    ]);
    await l2.mine();
    const { child, ended } = start(common, { L2PROOF_L2: l2.url });
    await until(async () => {
      const tree = await openStateTree({ store: lmdbStore({ path: store, readOnly: true }) });
      const block = await tree.newestBlock();
      await tree.close();
      return block === 6;
    }, 'block 6 is in the store');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^block 6, final 4/),
    });
  });

  test('stops if L1 has another root', async () => {
    const args = [
      '--l2',
      l2.url,
      '--fork',
      'prague',
      '--genesis',
      file,
      '--l1',
      l1.url,
      '--rollup',
      rollup,
      '--once',
    ];
    const store = fresh();
    // Only block 0 is finalized there yet, and it has no root.
    expect(await l2proof('follow', '--store', store, ...args)).toMatchObject({ status: 0 });
    const entry = '0x0000000000000000000000000000000000000000000000000000000000000119';
    await l1.call('anvil_setStorageAt', rollup, entry, `0x${word(2)}`);
    const slot = await l1.call('web3_sha3', `0x${word(2)}${word(282)}`);
    await l1.call('anvil_setStorageAt', rollup, slot, `0x${word(99)}`);
    for (let i = 0; i < 3; i++) await l1.mine();
    const refused = await l2proof('follow', '--store', store, ...args);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /block 2 .* on L1 \(ROOT_MISMATCH\); check --l1 and --rollup; if they are right, begin a new store/,
    );

    // Readers of the metrics are told before the command ends.
    const watched = args.filter((arg) => arg !== '--once');
    const { child, ended } = start(['follow', '--store', fresh(), ...watched, '--metrics', '0']);
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    while (!stderr.includes('ROOT_MISMATCH')) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const url = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(stderr)?.[0] as string;
    expect(await (await fetch(url)).text()).toContain('\nl2proof_follow_distrusted 1\n');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 1 });
  });

  test.each([
    ['no store', ['--l2', 'http://127.0.0.1:1', '--fork', 'prague']],
    ['no node', ['--store', 'x', '--fork', 'prague']],
    ['no fork', ['--store', 'x', '--l2', 'http://127.0.0.1:1']],
    ['a node that is no URL', ['--store', 'x', '--l2', 'node', '--fork', 'prague']],
    [
      'a contract without L1',
      ['--store', 'x', '--l2', 'http://127.0.0.1:1', '--fork', 'prague', '--rollup', rollup],
    ],
    [
      'L1 without a contract',
      [
        '--store',
        'x',
        '--l2',
        'http://127.0.0.1:1',
        '--fork',
        'prague',
        '--l1',
        'http://127.0.0.1:1',
      ],
    ],
    [
      'an invalid root',
      ['--store', 'x', '--l2', 'http://127.0.0.1:1', '--fork', 'prague', '--genesis-root', '0x12'],
    ],
    [
      'an invalid port',
      ['--store', 'x', '--l2', 'http://127.0.0.1:1', '--fork', 'prague', '--metrics', '70000'],
    ],
    ['an invalid time', ['--store', 'x', '--l2', 'http://127.0.0.1:1', '--fork', 'prague@x']],
    ...['0', '5s', '2147484'].map((time): [string, string[]] => [
      `a trace time of ${time}`,
      ['--store', 'x', '--l2', 'http://127.0.0.1:1', '--fork', 'prague', '--trace-timeout', time],
    ]),
  ])('with %s says where to read how it is used', async (_, args) => {
    const { status, stderr } = await l2proof('follow', ...args);
    expect(status).toBe(3);
    expect(stderr).toMatch(/\nsee l2proof help follow\n$/);
  });

  test(
    "refuses a genesis that is not the chain's, and keeps nothing of it",
    async () => {
      const right = await genesisOf(l2, genesisAddresses);
      const common = ['--l2', l2.url, '--fork', 'prague', '--once'];
      // An account that no block touches.
      const changes = right.changes.filter(({ address }) => address !== accounts[1]);
      for (const wrong of [
        { ...right, changes },
        { ...right, changes: [] },
      ]) {
        const store = fresh();
        const file = write([...genesisLines(wrong)]);
        const refused = await l2proof('follow', '--store', store, '--genesis', file, ...common);
        expect(refused).toMatchObject({ status: 1, stdout: '' });
        expect(refused.stderr).toMatch(
          /^the genesis is not that of the chain: .*\(ROOT_MISMATCH\); begin a new store with the chain's genesis$/m,
        );
        const tree = await openStateTree({ store: lmdbStore({ path: store, readOnly: true }) });
        expect(await tree.newestBlock()).toBeUndefined();
        await tree.close();
        // Loaded before, it is refused as soon as it is followed, and by later readers of the store.
        expect(await l2proof('load', '--store', store, file)).toMatchObject({ status: 0 });
        expect(await l2proof('follow', '--store', store, ...common)).toMatchObject({
          status: 1,
          stderr: expect.stringContaining('ROOT_MISMATCH'),
        });
        const marked = await openStateTree({ store: lmdbStore({ path: store, readOnly: true }) });
        await expect(marked.stateRoot()).rejects.toMatchObject({ code: 'DISTRUSTED' });
        await marked.close();
        const served = await l2proof('serve', '--store', store, '--finality', '0', '--port', '0');
        expect(served).toMatchObject({ status: 3, stderr: expect.stringContaining('DISTRUSTED') });
      }
      const root = `0x${word(5)}`;
      const given = ['--genesis', file, '--genesis-root', root];
      expect(await l2proof('follow', '--store', fresh(), ...given, ...common)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(`${root} as given`),
      });
    },
    patience,
  );

  test("begins with geth's genesis.json, and takes the forks from it", async () => {
    const { changes } = await genesisOf(l2, genesisAddresses);
    const alloc = Object.fromEntries(
      changes.map(({ address, account }) => [
        address.slice(2),
        {
          balance: String(account?.balance),
          nonce: `0x${account?.nonce.toString(16)}`,
          code: account?.code ?? '0x',
        },
      ]),
    );
    const times = { shanghaiTime: 0, cancunTime: 0, pragueTime: 1 };
    const genesisOfGeth = (config: object) => write([JSON.stringify({ config, alloc }, null, 2)]);
    const right = genesisOfGeth({ chainId: 31337, londonBlock: 0, ...times });
    const store = fresh();
    const first = ['follow', '--store', store, '--l2', l2.url, '--genesis', right, '--once'];
    expect(await l2proof(...first)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^block \d+, final/),
    });
    // Nor does a store that is there already need --fork.
    expect(await l2proof(...first)).toMatchObject({ status: 0 });
    const wrong = genesisOfGeth({ londonBlock: 0, shanghaiTime: 0, cancunTime: 0 });
    expect(
      await l2proof('follow', '--store', fresh(), '--l2', l2.url, '--genesis', wrong, '--once'),
    ).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is cancun, but its header shows requestsHash'),
    });
    expect(await l2proof('load', '--store', fresh(), right)).toMatchObject({ status: 0 });
    // A state file names no forks.
    expect(
      await l2proof('follow', '--store', fresh(), '--l2', l2.url, '--genesis', file, '--once'),
    ).toMatchObject({ status: 3, stderr: expect.stringContaining('--fork is required') });
  });

  test(
    'is killed while it waits with blocks taken back, and goes on from there before an honest node',
    async () => {
      let traced = 0;
      let timeout: unknown;
      const head = Number(await l2.call('eth_blockNumber'));
      // The newest block that is not final yet, and is not the last one: its balance shows in the next.
      const liar = await startForged(l2, (method, [tag, tracing], result) => {
        if (method === 'debug_traceBlockByNumber') ({ timeout } = tracing);
        if (method !== 'debug_traceBlockByNumber' || Number(tag) !== head + 2) return result;
        traced++;
        const post = result[0].result.post[accounts[0]];
        post.nonce = Number(post.nonce) + 1;
        return result;
      });
      for (let i = 0; i < 3; i++) await l2.mine({ to: accounts[1], value: 1n });
      const store = fresh();
      const args = ['follow', '--store', store, '--fork', 'prague', '--genesis', file];
      const { child, ended } = start([...args, '--l2', liar.url, '--trace-timeout', '7']);
      let stderr = '';
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      await until(() => stderr.includes('taken back'), 'a block was taken back');
      child.kill('SIGKILL');
      await ended;
      await liar.close();
      expect(stderr).toMatch(
        new RegExp(
          `block ${head + 3} does not begin with the state of this tree: the nonce of .* blocks ${head + 2} to ${head + 2}, which are not final, are taken back, to ask for them again in 1 s`,
        ),
      );
      expect([timeout, traced > 0]).toEqual(['7s', true]);
      const whole = ['follow', '--store', fresh(), '--fork', 'prague', '--genesis', file];
      const [healed, honest] = [
        await l2proof(...args, '--l2', l2.url, '--once'),
        await l2proof(...whole, '--l2', l2.url, '--once', '--mints'),
      ];
      expect(healed).toMatchObject({ status: 0, stdout: honest.stdout });
      expect(honest.stdout).toMatch(new RegExp(`^block ${head + 3}, final ${head + 1}`));
    },
    patience,
  );

  test('survives a node that goes away, and tells its metrics', async () => {
    const front = await startForged(l2, (_method, _params, result) => result);
    const args = ['--l2', front.url, '--fork', 'prague', '--genesis', file, '--metrics', '0'];
    const { child, ended } = start(['follow', '--store', fresh(), ...args]);
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const until = async (isThere: () => boolean | Promise<boolean>) => {
      while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await until(() => stderr.includes('/metrics'));
    const url = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(stderr)?.[0] as string;
    const metrics = async () => {
      const lines = (await (await fetch(url)).text()).split('\n');
      return Object.fromEntries(
        lines.filter((line) => /^l2proof/.test(line)).map((line) => line.split(' ')),
      );
    };
    const head = () => l2.call('eth_blockNumber').then(Number);
    await until(async () => (await metrics()).l2proof_follow_block === String(await head()));
    const block = await head();
    expect(await metrics()).toEqual({
      l2proof_follow_block: `${block}`,
      l2proof_follow_lag_blocks: '0',
      l2proof_follow_final_block: `${block - 2}`,
      l2proof_follow_distrusted: '0',
    });
    expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404);

    const { port } = new URL(front.url);
    await front.close();
    await l2.mine();
    await until(() => /does not answer: .*asking again in \d+ s/.test(stderr));
    expect(child.exitCode).toBe(null);
    await new Promise<void>((resolve) => {
      front.server.listen(Number(port), '127.0.0.1', resolve);
    });
    await until(async () => (await metrics()).l2proof_follow_block === `${block + 1}`);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0 });
    await front.close();
  }, 180_000);

  test('without a genesis says what to do', async () => {
    const { status, stderr } = await l2proof(
      'follow',
      '--store',
      fresh(),
      '--l2',
      l2.url,
      '--fork',
      'prague',
      '--once',
    );
    expect(status).toBe(3);
    expect(stderr).toContain('load a state file first');
  });
});
