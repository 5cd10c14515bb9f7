/** `l2proof fetch`, as the built command, against real nodes. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Hex, slotKey } from '../../../../src/index.js';
import type { RpcAnswer } from '../../../support/answers.js';
import { accounts, word } from '../../../support/anvil.js';
import { newFolder } from '../../../support/folder.js';
import { startForged } from '../../../support/forged.js';
import { startHttp } from '../../../support/http.js';
import { replay } from '../../../support/recorded.js';
import { entrySlot, setSlots } from '../../../support/rollup.js';
import { patience } from '../../../support/runs.js';
import { contract, openWorlds, rollup, type Worlds } from '../../../support/worlds.js';
import { runVectors } from '../../../vectors/run.js';

const folder = newFolder();
const networkFile = join(folder, 'network.json');
let worlds: Worlds;
beforeAll(async () => {
  worlds = await openWorlds();
  writeFileSync(networkFile, JSON.stringify(worlds.network));
}, patience);
afterAll(() => worlds.close());

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  worlds.holdUpTo(Number.MAX_SAFE_INTEGER);
  await Promise.all(closing.splice(0).map((one) => one.close()));
});

interface Options {
  readonly env?: Record<string, string>;
  readonly node?: readonly string[];
}

async function l2proof(args: readonly string[], { env = {}, node = [] }: Options = {}) {
  const child = spawn(process.execPath, [...node, 'dist/cli/main.js', ...args], {
    env: { ...process.env, ...env },
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    out.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    out.stderr += chunk;
  });
  const [status] = await once(child, 'close');
  return { status, ...out };
}

const fetching = (change: Record<string, string | undefined> = {}, ...more: string[]) => {
  const values: Record<string, string | undefined> = {
    address: accounts[1],
    l2: worlds.proofs,
    l1: worlds.l1.url,
    network: networkFile,
    ...change,
  };
  const options = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return ['fetch', ...options, ...more];
};

async function server(listener: RequestListener): Promise<string> {
  const one = await startHttp(listener);
  closing.push(one);
  return one.url;
}

const balanceAt = async (block: number) =>
  BigInt(await worlds.l2.call('eth_getBalance', accounts[1], `0x${block.toString(16)}`));

test('prints what was proven, and where the root came from', async () => {
  const { status, stdout, stderr } = await l2proof(fetching());
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^verified\n/);
  expect(stdout).toContain(`${await balanceAt(8)} wei`);
  expect(stdout).toMatch(/L2 block +8 of chain 31337/);
  expect(stdout).toMatch(/its root +as one L1 endpoint says/);
});

test('from a block hash, as JSON', async () => {
  const { hash, number } = await worlds.l1.call('eth_getBlockByNumber', 'finalized', false);
  const slots = [slotKey(1), slotKey(2)].flatMap((key) => ['--slot', key]);
  const args = fetching({ address: contract, 'l1-block-hash': hash }, '--json', ...slots);
  const { status, stdout } = await l2proof(args);
  expect(status).toBe(0);
  const { anchor, state } = JSON.parse(stdout);
  expect(anchor).toMatchObject({
    how: 'proof',
    l2BlockNumber: 8,
    timestamp: { value: String(await worlds.timeOf(8)), proven: true },
    l1: { blockHash: hash, blockNumber: Number(number), timestamp: expect.stringMatching(/^\d+$/) },
  });
  expect(state.account.nonce).toMatch(/^\d+$/);
  expect(state.storage).toEqual([
    { key: slotKey(1), value: `0x${word(108)}`, exists: true },
    { key: slotKey(2), value: `0x${word(0)}`, exists: false },
  ]);
});

test('of several endpoints all must agree; URLs may come from the environment', async () => {
  const env = { L2PROOF_L1: `${worlds.l1.url},${worlds.l1.url}/?b`, L2PROOF_L2: worlds.proofs };
  const args = fetching({ l1: undefined, l2: undefined });
  const { status, stdout } = await l2proof(args, { env });
  expect(status).toBe(0);
  expect(stdout).toContain('as several L1 endpoints say that agree');
});

describe('--save', () => {
  const absent: Hex = `0x${'ab'.repeat(20)}`;
  const keys = [slotKey(1), slotKey(2), slotKey(1)];
  test.each<[string, Hex, Hex[]]>([
    ['an account', accounts[1], []],
    ['slots', contract, keys],
    ['slots of an account without storage', accounts[1], keys],
    ['an absent account', absent, keys],
  ])('writes a vector file that runs: %s', async (name, address, asked) => {
    const vectors = join(folder, name.replaceAll(' ', '-'));
    mkdirSync(vectors);
    const file = join(vectors, 'fetched.json');
    const slots = asked.flatMap((key) => ['--slot', key]);
    const { status } = await l2proof(fetching({ address, save: file }, ...slots));
    expect(status).toBe(0);
    const saved = JSON.parse(readFileSync(file, 'utf8'));
    expect(saved).toMatchObject({ kind: 'getProof', source: 'fetched' });
    expect(saved.stateRoot).toBe(worlds.roots.get(8));
    const run = await runVectors([vectors]);
    expect(run).toMatchObject({ failures: [], rows: [{ kind: 'getProof', cases: 1, passed: 1 }] });
    // Not whatever it says: an expectation that is edited fails.
    saved.expect.account.nextFreeNode += 1;
    writeFileSync(file, JSON.stringify(saved));
    expect((await runVectors([vectors])).failures).toEqual([
      expect.stringContaining('nextFreeNode: expected'),
    ]);
  });

  test.each<[string, Hex, Hex[]]>([
    ['an account', accounts[1], []],
    ['slots', contract, keys],
    ['an absent account', absent, keys],
  ])(
    'writes a file under a header, which verify holds against its hash: %s',
    async (name, address, asked) => {
      const { l1, l2, network } = worlds;
      const { hash, stateRoot } = await l2.call('eth_getBlockByNumber', '0x8', false);
      await setSlots(l1, rollup, { [entrySlot(8, 456)]: hash.slice(2) });
      for (let i = 0; i < 3; i++) await l1.mine();
      const vectors = join(folder, `header-${name.replaceAll(' ', '-')}`);
      mkdirSync(vectors);
      const [file, hashes] = [join(vectors, 'fetched.json'), join(folder, 'hashes.json')];
      writeFileSync(hashes, JSON.stringify({ ...network, slots: { blockHashes: 456 } }));
      const slots = asked.flatMap((key) => ['--slot', key]);
      const change = { address, save: file, network: hashes, l2: l2.url };
      const fetched = await l2proof(fetching(change, '--json', ...slots));
      expect({ status: fetched.status, stderr: fetched.stderr }).toEqual({ status: 0, stderr: '' });
      const saved = JSON.parse(readFileSync(file, 'utf8'));
      expect(saved).toMatchObject({ kind: 'accountProof', source: 'fetched', blockHash: hash });
      const passed = await runVectors([vectors]);
      expect(passed).toMatchObject({ failures: [], rows: [{ kind: 'accountProof', passed: 1 }] });

      const verify = (...args: string[]) =>
        l2proof(['verify', file, '--address', address, ...slots, '--json', ...args]);
      const verified = await verify('--block-hash', hash);
      expect(verified).toMatchObject({ status: 0, stderr: '' });
      expect(JSON.parse(verified.stdout)).toEqual(JSON.parse(fetched.stdout).state);
      expect(JSON.parse(verified.stdout).stateRoot).toBe(stateRoot);
    },
  );

  test('verify refuses such a file for another block, account or kind of root, or if it was edited', async () => {
    const { hash, stateRoot } = await worlds.l2.call('eth_getBlockByNumber', '0x8', false);
    const file = join(folder, 'header.json');
    const hashes = join(folder, 'hashes.json');
    await l2proof(fetching({ save: file, network: hashes, l2: worlds.l2.url }));
    const saved = JSON.parse(readFileSync(file, 'utf8'));
    const verify = (...args: string[]) =>
      l2proof(['verify', file, '--address', accounts[1], ...args]);
    expect(await verify('--block-hash', hash)).toMatchObject({ status: 0, stderr: '' });
    expect(await verify('--block-hash', `0x${'11'.repeat(32)}`)).toMatchObject({ status: 1 });
    const other = ['--address', rollup, '--block-hash', hash];
    expect(await l2proof(['verify', file, ...other])).toMatchObject({ status: 1 });
    expect((await verify('--block-hash', hash, '--root', stateRoot)).status).toBe(3);
    expect((await verify('--block-hash', '0x12')).stderr).toMatch(/^--block-hash expected /);
    expect((await verify('--root', `0x00${'11'.repeat(31)}`)).status).toBe(2);
    writeFileSync(file, JSON.stringify({ ...saved, header: { ...saved.header, gasUsed: '0x7' } }));
    expect((await verify('--block-hash', hash)).status).toBe(1);
    for (const header of [null, { number: '0xzz' }]) {
      writeFileSync(file, JSON.stringify({ ...saved, header }));
      expect((await verify('--block-hash', hash)).stderr).toMatch(/^malformed file: .* no header/);
    }
  });

  test('an answer that no text holds is malformed', async () => {
    const file = join(folder, 'deep.json');
    const deep = await server(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(worlds.proofs, { method: 'POST', headers, body });
      // Within the bound of an answer about one slot.
      const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
      response.end((await answer.text()).replace('"result":{', `"result":{"more":${nested},`));
    });
    const { status, stderr } = await l2proof(fetching({ l2: deep, save: file }));
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^malformed answer: .*; ask another L2 server\n$/),
    });
    expect(existsSync(file)).toBe(false);
  });

  test('a file that cannot be written is an I/O error', async () => {
    const { status, stderr } = await l2proof(fetching({ save: join(folder, 'no', 'file') }));
    expect(status).toBe(3);
    expect(stderr).toMatch(/^cannot write /);
  });
});

describe('what endpoints say', () => {
  const escapes = '\u001b[2K\r\u001b[1Averified\n\u009b2J\u202e';

  test('cannot redraw the terminal', async () => {
    const error = { code: -32000, message: escapes };
    const rude = await server(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, error }));
    });
    const file = join(folder, 'rude.json');
    writeFileSync(file, JSON.stringify({ ...worlds.network, name: escapes, l1ChainId: 5 }));
    // Endpoints that answer an error leave it open; an L1 of another chain id is another L1.
    for (const [change, code] of [
      [{ l2: rude }, 4],
      [{ l1: rude }, 4],
      [{ network: file }, 1],
    ] as const) {
      const { status, stdout, stderr } = await l2proof(fetching(change));
      expect({ status, stdout }).toEqual({ status: code, stdout: '' });
      expect(stderr).toMatch(/^[^\p{C}]*\\u001b\[2K[^\p{C}]*\n$/u);
    }
  });

  test('of a time that no calendar has is printed as they said it', async () => {
    const never = 2n ** 256n - 1n;
    const liar = await startForged(worlds.l1, (method, _, result) =>
      method === 'eth_getLogs' ? [{ topics: [], data: `0x${'ff'.repeat(96)}` }] : result,
    );
    const ahead = await startForged(worlds.l1, (method, _, result) =>
      method === 'eth_getBlockByNumber' ? { ...result, timestamp: `0x${'f'.repeat(16)}` } : result,
    );
    closing.push(liar, ahead);
    const { status, stdout } = await l2proof(fetching({ l1: liar.url }));
    expect(status).toBe(0);
    expect(stdout).toContain(`${never} s (as the L1 endpoint says)`);
    const late = await l2proof(fetching({ l1: ahead.url }));
    expect(late.stdout).toContain(`${2n ** 64n - 1n} s`);
  });
});

describe('exit codes', () => {
  test('1: something did not verify, or L1 endpoints disagree', async () => {
    const forged = await startForged({ url: worlds.proofs } as never, (_, params, result) =>
      fetch(worlds.proofs, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'l2_getProof',
          params: [params[0], params[1], '0x6'],
        }),
      })
        .then((response) => response.json())
        .then((answer: RpcAnswer) => answer.result ?? result),
    );
    closing.push(forged);
    const other = await l2proof(fetching({ l2: forged.url }));
    expect(other.status).toBe(1);
    expect(other.stderr).toMatch(/^not verified: .*\(ROOT_MISMATCH\); distrust the L2 server/);
    const liar = await startForged(worlds.l1, (method, _, result) =>
      method === 'eth_getBlockByNumber' ? { ...result, hash: `0x${'ab'.repeat(32)}` } : result,
    );
    closing.push(liar);
    const disagreeing = await l2proof(fetching({}, '--l1', liar.url));
    expect(disagreeing.status).toBe(1);
    expect(disagreeing.stderr).toMatch(/^no trusted root: L1 endpoint 2 .*\(DISAGREEMENT\)/);
    expect(disagreeing.stderr).not.toContain(liar.url);
  });

  test('2: an answer was malformed', async () => {
    const page = await server((_, response) => void response.end('<html>'));
    expect((await l2proof(fetching({ l2: page }))).status).toBe(2);
    expect((await l2proof(fetching({ l1: page }))).status).toBe(2);
    const nothing = await startForged({ url: worlds.proofs } as never, () => ({}));
    closing.push(nothing);
    const { status, stderr } = await l2proof(fetching({ l2: nothing.url }));
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^malformed answer: .*; ask another L2 server\n$/),
    });
  });

  test.each<[string, Record<string, string | undefined>, RegExp]>([
    ['no address', { address: undefined }, /^--address is required/],
    ['no L2 endpoint', { l2: undefined }, /^--l2 or L2PROOF_L2 is required/],
    ['no L1 endpoint', { l1: undefined }, /^--l1 or L2PROOF_L1 is required/],
    ['no network', { network: undefined }, /^--network is required/],
    [
      'an invalid address',
      { address: '0x12' },
      /^--address expected an address, 20 bytes: 0x and 40 hex digits/,
    ],
    ['an invalid slot', { slot: `0x${'1'.repeat(63)}` }, /^--slot expected 4, 0x4, .* has 64\n/],
    ['an invalid hash', { 'l1-block-hash': '0x1' }, /^--l1-block-hash expected 0x and 64/],
    ['an invalid URL', { l1: 'localhost' }, /^--l1 expected a URL/],
    ['a file that is not there', { network: 'no-such-file' }, /^--network "no-such-file": neither/],
    [
      'a file that describes no network',
      { network: 'package.json' },
      /^--network .*is unknown; known/,
    ],
    ['a file without JSON', { network: 'README.md' }, /^--network "README.md": /],
  ])('3: %s', async (_, change, message) => {
    const { status, stdout, stderr } = await l2proof(fetching(change), {
      env: { L2PROOF_L1: '', L2PROOF_L2: '' },
    });
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('3: a package that is missing, with the line that installs it', async () => {
    const node = ['--import', './test/support/refuseRlp.mjs'];
    const { status, stderr } = await l2proof(fetching(), { node });
    expect(status).toBe(3);
    expect(stderr).toMatch(/^fetching needs @ethereumjs\/rlp; run: npm install @ethereumjs\/rlp@/);
  });

  test('4: nobody could answer', async () => {
    const away = 'http://127.0.0.1:9/k3y-that-must-not-leak';
    for (const [name, change] of [
      ['--l1', { l1: away }],
      ['--l2', { l2: away }],
    ] as const) {
      const { status, stderr } = await l2proof(fetching(change));
      expect(status).toBe(4);
      expect(stderr).toContain(`: ${name}: the request failed: ECONNREFUSED (NETWORK)`);
      expect(stderr).not.toContain('k3y');
    }
    const missing = await l2proof(fetching({ l2: await server(replay('block-tag-finalized')) }));
    expect(missing.status).toBe(4);
    expect(missing.stderr).toContain('BLOCK_MISSING_IN_CHAIN');
    const page = await l2proof(fetching({ l2: await server(replay('http-origin')) }));
    expect(page.status).toBe(4);
    expect(page.stderr).toContain('(UNAUTHORIZED)');
    const elsewhere = `0x${'ab'.repeat(32)}`;
    const unknown = await l2proof(fetching({ 'l1-block-hash': elsewhere }));
    expect(unknown.status).toBe(4);
    expect(unknown.stderr).toContain('(L1_BLOCK_NOT_HELD)');
  });

  test('1: another chain', async () => {
    const other = join(folder, 'other.json');
    writeFileSync(other, JSON.stringify({ l1ChainId: 5, l2ChainId: 6, rollup }));
    const { status, stderr } = await l2proof(fetching({ network: other }));
    expect(status).toBe(1);
    expect(stderr).toContain('(WRONG_NETWORK)');
  });
});
