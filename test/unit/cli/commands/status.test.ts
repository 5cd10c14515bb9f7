/** `l2proof status`, as the built command: beside writers at work, after they were killed, and of stores that are none. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { open } from 'lmdb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { genesisLines } from '../../../../src/follow/index.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { openStateTree } from '../../../../src/tree/index.js';
import { formatMark, markEntry } from '../../../../src/tree/layout/format.js';
import { type Anvil, startAnvil } from '../../../support/anvil.js';
import { genesisAddresses, genesisOf } from '../../../support/chain.js';
import { endCommands, startCommand } from '../../../support/commands.js';
import { newFolder } from '../../../support/folder.js';
import { until } from '../../../support/until.js';

const main = resolve('dist/cli/main.js');
const home = newFolder();
let node: Anvil;
let file: string;
beforeAll(async () => {
  node = await startAnvil('--hardfork', 'prague');
  file = join(home, 'genesis.jsonl');
  writeFileSync(file, [...genesisLines(await genesisOf(node, genesisAddresses))].join('\n'));
  await node.mine({ value: 1n, to: genesisAddresses[1] as string });
});
afterAll(() => node.close());
afterEach(endCommands);

const status = (store: string, ...more: string[]) =>
  spawnSync(process.execPath, [main, 'status', '--store', store, ...more], { encoding: 'utf8' });

/** What it says to programs. */
function factsOf(store: string) {
  const { status: code, stdout, stderr } = status(store, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const digest = (path: string) =>
  createHash('sha256')
    .update(readFileSync(join(path, 'data.mdb')))
    .digest('hex');

const hashOf = async (number: number): Promise<string> =>
  (await node.call('eth_getBlockByNumber', `0x${number.toString(16)}`, false)).hash;

const rootIn = (text: string) => /state root (0x\w{64})/.exec(text)?.[1];

describe('a state', () => {
  test('beside its follower, which goes on; after it was killed; and once it is distrusted', async () => {
    const store = join(home, 'state');
    const args = ['--store', store, '--l2', node.url, '--genesis', file, '--fork', 'prague'];
    const begin = Date.now();
    const follower = startCommand([main, 'follow', ...args]);
    await until(() => follower.said.text.includes('block 1 of 1'), 'the follower has block 1');
    const before = digest(store);
    const facts = factsOf(store);
    expect(facts).toMatchObject({
      ...{ kind: 'state', version: 3, hash: 'poseidon2', chainId: null, isLoading: false },
      newest: { number: 1, hash: await hashOf(1), stateRoot: expect.stringMatching(/^0x\w{64}$/) },
      final: { number: 0 },
      ...{ oldest: 0, distrust: null, bytes: readFileSync(join(store, 'data.mdb')).length },
      writer: { name: `process ${follower.child.pid}`, pid: follower.child.pid, state: 'running' },
    });
    // All that ever sent, received or was named has an account.
    expect(facts.accountsCreated).toBeGreaterThanOrEqual(genesisAddresses.length);
    expect(Date.parse(facts.writer.since)).toBeGreaterThanOrEqual(begin);
    expect(Date.parse(facts.writer.since)).toBeLessThanOrEqual(Date.now());
    // It has changed nothing, and the follower still is the writer.
    expect(digest(store)).toBe(before);
    await node.mine();
    await until(() => factsOf(store).newest.number === 2, 'block 2 is in the store');

    follower.child.kill('SIGKILL');
    await follower.ended;
    const killed = factsOf(store);
    expect(killed.writer).toEqual({ ...facts.writer, state: 'ended' });
    expect(status(store).stdout).toContain(
      `none now; the last was process ${follower.child.pid}, since 20`,
    );
    expect(killed.newest).toMatchObject({ number: 2, hash: await hashOf(2) });

    const once = spawnSync(process.execPath, [main, 'follow', ...args, '--once'], {
      encoding: 'utf8',
    });
    expect(once.status).toBe(0);
    const closed = factsOf(store);
    expect([closed.writer, closed.newest.stateRoot]).toEqual([null, rootIn(once.stdout)]);

    const tree = await openStateTree({ store: lmdbStore({ path: store }) });
    await tree.distrust('the root of block 2\nis another');
    await tree.close();
    expect(factsOf(store)).toEqual({ ...closed, distrust: 'the root of block 2\nis another' });
    const { stdout } = status(store);
    expect(stdout).toContain(
      '\n  distrust      the state is known to be wrong; feed a new store: the root of block 2\\u000ais another\n',
    );
  });

  test('for people', async () => {
    const store = join(home, 'shown');
    const hash = `0x${'ab'.repeat(32)}` as const;
    const tree = await openStateTree({ hash: 'mimc', store: lmdbStore({ path: store }) });
    const changes = [
      { address: `0x${'a1'.repeat(20)}`, account: { nonce: 1n, balance: 5n } },
    ] as const;
    const { stateRoot } = await tree.applyBlock({ number: 7, changes, hash });
    await tree.close();
    const { stdout } = status(store);
    expect(stdout.replace(/\d+ bytes/, 'N bytes')).toBe(
      [
        'state tree, format 3, mimc',
        '  newest block  7',
        `    hash        ${hash}`,
        `    state root  ${stateRoot}`,
        '  final block   none',
        '  oldest block  7',
        '  accounts      1 created so far, destroyed ones too; slots are not counted',
        '  chain         not kept in a state tree',
        '  size          N bytes',
        '  writer        none',
        '  distrust      none',
        '',
      ].join('\n'),
    );
  });

  test('that is being loaded, or whose writer cannot be seen', async () => {
    const store = join(home, 'loading');
    await lmdbStore({ path: store }).close();
    const root = open({ path: store, noSubdir: false, overlappingSync: false });
    const writers = root.openDB<string, string>('writers', {
      encoding: 'string',
      useVersions: true,
    });
    await writers.put('writer', '{"pid":12,"place":"elsewhere","start":""}', 9);
    const entries = root.openDB<Uint8Array, Uint8Array>('entries', {
      ...({ encoding: 'binary', keyEncoding: 'binary' } as const),
    });
    // As `writeState` begins.
    await entries.put(Buffer.from('41', 'hex'), Buffer.from('poseidon2'));
    await root.close();
    expect(factsOf(store)).toMatchObject({
      ...{ isLoading: true, newest: null, final: null, oldest: null, accountsCreated: 0 },
      writer: { name: 'process 12', pid: 12, since: null, state: 'unknown' },
    });
    const { stdout } = status(store);
    expect(stdout).toContain('\n  loading       under way, or cut short');
    expect(stdout).toContain('\n  writer        process 12; whether it still runs cannot be seen');
  });
});

test('an index, beside its feeder and after it was killed', async () => {
  const store = join(home, 'index');
  const feeder = startCommand([main, 'index', '--store', store, '--l2', node.url]);
  const head = Number(await node.call('eth_blockNumber'));
  await until(() => feeder.said.text.includes(`block ${head} of ${head}`), 'the index is fed');
  const facts = factsOf(store);
  expect(facts).toMatchObject({
    ...{ kind: 'index', version: 4, chainId: 31337 },
    newest: { number: head, hash: await hashOf(head) },
    writer: { pid: feeder.child.pid, state: 'running' },
  });
  feeder.child.kill('SIGKILL');
  await feeder.ended;
  expect(factsOf(store)).toEqual({ ...facts, writer: { ...facts.writer, state: 'ended' } });
  expect(status(store).stdout).toMatch(
    /^index, format 4\n {2}chain +31337\n {2}holds +all that receipts say\n {2}newest block +\d+\n {4}hash +0x\w{64}\n {2}final block /,
  );
});

describe('what is no store of this format', () => {
  test('a slip in the name leaves nothing behind', () => {
    const store = join(home, 'a', 'slip');
    expect(status(store)).toMatchObject({
      ...{ status: 3, stdout: '' },
      stderr: `there is no store at "${store}" (WRONG_STORE)\n`,
    });
    expect(existsSync(join(home, 'a'))).toBe(false);
    const folder = newFolder();
    expect(status(folder).status).toBe(3);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['an empty store', undefined, 'the store is empty; feed it first'],
    [
      'an older format',
      formatMark('poseidon2', 2),
      'the format of an older release; convert it: l2proof migrate --store DIR',
    ],
    [
      'a later format',
      formatMark('poseidon2', 4),
      'open it with the version and the hash that wrote it',
    ],
    [
      'an older index',
      'l2proof index, version 2, chain 5',
      'feed a new one: l2proof index --store DIR',
    ],
    ['something else', 'of another program', 'the store holds "of another program"'],
  ])('%s: 3, and what to do', async (_, mark, said) => {
    const path = newFolder();
    const store = lmdbStore({ path });
    if (mark !== undefined) await store.write({ puts: [markEntry(mark)], deletes: [] });
    await store.close();
    const { status: code, stdout, stderr } = status(path);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(said);
  });
});
