/** `l2proof load` and `l2proof follow`, as the built commands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockLine, genesisLines } from '../../src/follow/index.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import { type Hex, openStateTree } from '../../src/tree/index.js';
import { type Anvil, create2, rollupCode, slotInit, startAnvil, word } from '../support/anvil.js';
import { genesisAddresses, genesisOf } from '../support/chain.js';
import { patience } from '../support/runs.js';

const folder = mkdtempSync(join(tmpdir(), 'l2proof-follow-'));
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
    expect((await ended).stdout).toMatch(/^loaded 1 blocks: block 2, final 2/);
    const tree = await openStateTree({ store: lmdbStore({ path: store, readOnly: true }) });
    expect(await tree.newestBlock()).toBe(2);
    await tree.close();
  });

  test(
    'says how large a genesis fits when one does not, writes nothing of it, and takes one that does',
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
      expect(status).toBe(3);
      expect(stderr).toMatch(
        /line \d+: .*GENESIS_TOO_LARGE.*heap of \d+ MiB.*--max-old-space-size/,
      );
      const fits = Number(/than fit, (\d+) /.exec(stderr)?.[1]);
      expect(fits).toBeGreaterThan(1000);
      const tree = await openStateTree({ store: lmdbStore({ path: store }) });
      expect(await tree.newestBlock()).toBe(undefined);
      await tree.close();
      expect(await load(store, fits)).toMatchObject({ status: 0, stderr: '' });
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
    for (const args of [
      [write(['{}'])],
      ['--store', fresh(), join(folder, 'none')],
      ['--store', fresh(), 'a', 'b'],
    ]) {
      const { status, stderr } = await l2proof('load', ...args);
      expect(status).toBe(3);
      expect(stderr).toContain('l2proof load --store');
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
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toMatch(/^block 5, final 3, state root 0x/);
    await l2.mine();
    const { child, ended } = start(common, { L2PROOF_L2: l2.url });
    for (let block; block !== 6; ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const tree = await openStateTree({ store: lmdbStore({ path: store, readOnly: true }) });
      block = await tree.newestBlock();
      await tree.close();
    }
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^block 6, final 4/),
    });
  });

  test('stops where L1 has another root', async () => {
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
    // Nothing is finalized there yet but block 0, which has no root.
    expect(await l2proof('follow', '--store', store, ...args)).toMatchObject({ status: 0 });
    const entry = '0x0000000000000000000000000000000000000000000000000000000000000119';
    await l1.call('anvil_setStorageAt', rollup, entry, `0x${word(2)}`);
    const slot = await l1.call('web3_sha3', `0x${word(2)}${word(282)}`);
    await l1.call('anvil_setStorageAt', rollup, slot, `0x${word(99)}`);
    for (let i = 0; i < 3; i++) await l1.mine();
    const refused = await l2proof('follow', '--store', store, ...args);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(/block 2 .* on L1 \(ROOT_MISMATCH\)/);
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
    ['a time that is none', ['--store', 'x', '--l2', 'http://127.0.0.1:1', '--fork', 'prague@x']],
  ])('with %s says how it is used', async (_, args) => {
    const { status, stderr } = await l2proof('follow', ...args);
    expect(status).toBe(3);
    expect(stderr).toContain('l2proof follow --store');
  });

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
