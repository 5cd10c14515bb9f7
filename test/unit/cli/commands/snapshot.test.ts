/** `l2proof snapshot`, as the built command: against an L1 node, with files that are wrong, full disks and kills. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFollower, genesisLines, loadStateFile } from '../../../../src/follow/index.js';
import type { Hex } from '../../../../src/index.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { createTransport, type Transport } from '../../../../src/rpc/index.js';
import { openStateTree, type StateTree } from '../../../../src/tree/index.js';
import { accounts, store as storing } from '../../../support/anvil.js';
import { genesisAddresses, genesisOf } from '../../../support/chain.js';
import { newFolder } from '../../../support/folder.js';
import { manyAccounts } from '../../../support/manyAccounts.js';
import { withoutProgress } from '../../../support/progress.js';
import { digits, hash } from '../../../support/reference.js';
import { patience } from '../../../support/runs.js';
import { lawBrokenBy } from '../../../support/snapshotReader.js';
import { fileOf } from '../../../support/snapshotWriter.js';
import { entriesOf } from '../../../support/stores.js';
import { contract, openWorlds, rollup, type Worlds } from '../../../support/worlds.js';

const home = newFolder();
/** The state of a chain after its last final block, 8, and its snapshot. */
const state = join(home, 'state');
const snapshot = join(home, 'state.snapshot');
const networkFile = join(home, 'network.json');
const wrongWord = `0x${'01'.repeat(32)}`;
let worlds: Worlds;
let root: Hex;

const follow = (tree: StateTree) => {
  const open = (url: string): Transport => createTransport({ url });
  const l1 = { transport: open(worlds.l1.url), rollup };
  return createFollower({ tree, l2: open(worlds.l2.url), l1, fork: 'prague' }).run({ once: true });
};

beforeAll(async () => {
  worlds = await openWorlds();
  root = worlds.roots.get(8) as Hex;
  writeFileSync(networkFile, JSON.stringify(worlds.network));
  const tree = await openStateTree({ store: lmdbStore({ path: state }) });
  await loadStateFile(tree, genesisLines(await genesisOf(worlds.l2, genesisAddresses)));
  await follow(tree);
  await tree.close();
}, patience);
afterAll(() => worlds.close());

/** Runs a command to its end. @param input of standard input, cut off once the command ends */
async function l2proof(args: readonly string[], input?: Readable | Uint8Array) {
  const child = spawn(process.execPath, ['dist/cli/main.js', ...args]);
  let stderr = '';
  const parts: Buffer[] = [];
  child.stdout.on('data', (part) => parts.push(part));
  child.stderr.on('data', (part) => {
    stderr += part;
  });
  // It need not read all.
  child.stdin.on('error', () => {});
  if (input instanceof Uint8Array || input === undefined) child.stdin.end(input);
  else input.pipe(child.stdin);
  const [status] = await once(child, 'close');
  if (input && !(input instanceof Uint8Array)) input.destroy();
  const bytes = Buffer.concat(parts);
  return { status, stderr: withoutProgress(stderr), stdout: bytes.toString(), bytes };
}

const snap = (...args: readonly string[]) => l2proof(['snapshot', ...args]);

/** What a store that took no snapshot must be: none, or an empty one, which a reader cannot mark as a state's. */
async function expectNoState(path: string): Promise<void> {
  if (!existsSync(join(path, 'data.mdb'))) return;
  const store = lmdbStore({ path, readOnly: true });
  expect(await entriesOf(store)).toEqual([]);
  await expect(openStateTree({ store })).rejects.toMatchObject({ code: 'READ_ONLY' });
  await store.close();
  expect(readdirSync(path).sort()).toEqual(['data.mdb', 'lock.mdb']);
}

describe('a snapshot of a chain', () => {
  test('is exported, verified and imported; then the follower goes on', async () => {
    const exported = await snap('export', '--store', state, '--out', snapshot);
    expect(exported.status).toBe(0);
    expect(exported.stdout).toMatch(/^exported to "/);
    const size = statSync(snapshot).size;
    expect(exported.stdout.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^accounts +\d+$/),
      `state root  ${root}`,
      'block       8',
      expect.stringMatching(/^block hash +0x[0-9a-f]{64}$/),
      'chain       not named',
      `size        ${size} bytes`,
      '',
    ]);
    expect(readdirSync(home)).not.toContain('state.snapshot.part');
    const verified = await snap('verify', snapshot, '--root', root);
    expect(verified.status).toBe(0);
    expect(verified.stdout).toMatch(/^verified \d+ accounts and \d+ slots\n/);
    expect(verified.stdout).toContain(`state root  ${root}\n`);
    expect(verified.stdout).toContain('block       8, as the file claims\n');

    const path = join(home, 'imported');
    const imported = await snap('import', snapshot, '--store', path, '--root', root);
    expect(imported.status).toBe(0);
    expect(imported.stdout).toBe(verified.stdout.replace('verified', 'imported'));
    expect(readdirSync(path).sort()).toEqual(['data.mdb', 'lock.mdb']);

    await worlds.l2.mine(storing(contract, 1, 0), { to: accounts[1], value: 5n });
    const roots: Hex[] = [];
    for (const one of [state, path]) {
      const tree = await openStateTree({ store: lmdbStore({ path: one }) });
      await follow(tree);
      expect(await tree.newestBlock()).toBe(9);
      expect(await tree.finalBlock()).toBe(8);
      roots.push(await tree.stateRoot());
      await tree.close();
    }
    expect(roots[1]).toBe(roots[0]);
    expect(roots[0]).not.toBe(root);
  });

  test('goes through pipes; its block and chain may be named', async () => {
    const { status, bytes, stderr } = await snap(
      ...['export', '--store', state, '--out', '-', '--block', '8', '--chain-id', '31337'],
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { hash } = await worlds.l2.call('eth_getBlockByNumber', '0x8', false);
    const asked = ['--root', root, '--block', '8', '--block-hash', hash, '--chain-id', '31337'];
    const verified = await l2proof(['snapshot', 'verify', '-', ...asked], bytes);
    expect(verified.status).toBe(0);
    expect(verified.stdout).toMatch(new RegExp(`\nblock +8\nblock hash +${hash}\nchain +31337\n`));
  });

  test('is compared with the root that L1 holds, by its word or from a block hash', async () => {
    const l1 = ['--network', networkFile, '--l1', worlds.l1.url];
    const { hash } = await worlds.l1.call('eth_getBlockByNumber', 'finalized', false);
    for (const more of [[], ['--l1-block-hash', hash]]) {
      const { status, stdout } = await snap('verify', snapshot, ...l1, ...more);
      expect({ status, stdout }).toMatchObject({ status: 0 });
      expect(stdout).toContain('\nblock       8\n');
    }
    const path = join(home, 'anchored');
    expect(await snap('import', snapshot, '--store', path, ...l1)).toMatchObject({ status: 0 });
    // L1 holds another root for the block that this file claims to be of.
    const content = Buffer.from(readFileSync(snapshot).subarray(0, -4));
    content[23] = 6;
    const claimed = join(home, 'claimed.snapshot');
    writeFileSync(claimed, fileOf(content));
    const other = join(home, 'of another block');
    const refused = await snap('import', claimed, '--store', other, ...l1);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^the snapshot is of the state root 0x/);
    await expectNoState(other);
    // A block that ended no finalization with a root, as all that L1 has by their hashes alone.
    content[23] = 7;
    writeFileSync(claimed, fileOf(content));
    const rootless = await snap('import', claimed, '--store', other, ...l1);
    expect(rootless).toMatchObject({ status: 4, stdout: '' });
    expect(rootless.stderr).toMatch(
      /^no trusted root: L1 holds no root for L2 block 7: .*or give --root, of one whom you trust/,
    );
    await expectNoState(other);
    // Nobody answers.
    const gone = ['--network', networkFile, '--l1', 'http://127.0.0.1:9'];
    const unknown = await snap('import', snapshot, '--store', other, ...gone);
    expect(unknown).toMatchObject({ status: 4, stdout: '' });
    await expectNoState(other);
  });

  test.each([
    ['another root', ['--root', wrongWord]],
    ['another block', ['--block', '7']],
    ['another hash', ['--block-hash', wrongWord]],
    ['another chain', ['--chain-id', '1']],
    ['another family', ['--hash', 'mimc']],
  ])('of %s is not taken', async (_, [name, value]) => {
    const path = newFolder();
    const asked = name === '--root' ? [name, value] : ['--root', root, name, value];
    for (const action of [['verify'], ['import', '--store', path]]) {
      const { status, stdout, stderr } = await snap(...action, snapshot, ...(asked as string[]));
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(/^the snapshot is of .* not .*\n$/);
    }
    await expectNoState(path);
  });

  test('is asked for as the help says', async () => {
    const wrong: [args: string[], text: string][] = [
      [[], 'snapshot expected one of export, info, verify, import'],
      [['sing'], 'snapshot expected one of export, info, verify, import'],
      [['export', '--store', state], '--out is required'],
      [['export', '--out', snapshot], '--store is required'],
      [['import', snapshot, '--root', root], '--store is required'],
      [['verify', snapshot], 'give one of --root'],
      [['verify', snapshot, '--root', root, '--network', 'mainnet'], 'give one of --root'],
      [['verify', snapshot, '--network', 'mainnet'], '--l1 or L2PROOF_L1 is required'],
      [['verify', snapshot, '--root', '0x12'], '--root expected'],
      [['verify', snapshot, '--root', root, '--block', 'x'], '--block expected a whole number'],
      [['verify', join(home, 'none'), '--root', root], 'there is no such file'],
      [['export', '--store', join(home, 'none'), '--out', join(home, 'x')], 'there is no store'],
      [['export', '--store', state, '--out', join(home, 'x'), '--block', '77'], 'block 77'],
      [['export', '--store', state, '--out', join(home, 'none', 'x')], 'ENOENT'],
      [['import', snapshot, '--root', root, '--store', state], 'the tree holds block'],
      [
        ['import', snapshot, '--root', root, '--store', state],
        '; import into a new folder or database (BLOCK_ORDER)\n',
      ],
    ];
    for (const [args, text] of wrong) {
      const { status, stdout, stderr } = await snap(...args);
      expect({ args, status, stdout }).toEqual({ args, status: 3, stdout: '' });
      expect(stderr).toContain(text);
    }
    expect(readdirSync(home).filter((name) => name.startsWith('x'))).toEqual([]);
  });
});

describe('a file of several chunks', () => {
  const chunk = 2 ** 20 + 4;
  let file: Buffer;
  let content: Buffer;
  let stateRoot: Hex;
  const many = join(home, 'many');

  beforeAll(async () => {
    const tree = await openStateTree({ store: lmdbStore({ path: many }) });
    const load = await tree.openLoad();
    await load.add(manyAccounts());
    ({ stateRoot } = await load.finish({ number: 1 }));
    await load.close();
    await tree.close();
    const { status, bytes } = await snap('export', '--store', many, '--out', '-');
    expect(status).toBe(0);
    file = bytes;
    const parts: Buffer[] = [];
    for (let at = 0; at < file.length; at += chunk) {
      parts.push(file.subarray(at, Math.min(at + chunk, file.length) - 4));
    }
    expect(parts.length).toBe(5);
    content = Buffer.concat(parts);
  }, patience);

  /** Content with two pieces of leaves in each other's place. */
  const reordered = () => {
    const changed = Buffer.from(content);
    const half = Math.floor(content.length / 2);
    content.copy(changed, half, half + 200, half + 400);
    content.copy(changed, half + 200, half, half + 200);
    return changed;
  };
  const edited = (at: number) => {
    const changed = Buffer.from(content);
    changed[at] = (changed[at] as number) ^ 1;
    // It keeps the form of a snapshot, so it is one of another state.
    expect(lawBrokenBy(changed, hash('poseidon2', digits(0n)))).toBeUndefined();
    return fileOf(changed);
  };
  async function* endless() {
    yield file;
    for (;;) yield Buffer.alloc(2 ** 16);
  }
  async function* endlessLeaves() {
    yield fileOf(content).subarray(0, -8);
    for (;;) yield file.subarray(0, chunk);
  }

  const differs = (number: number) =>
    new RegExp(`^chunk ${number} of the file was cut or changed: its checksum differs`);
  const ends = /^the snapshot is malformed: it ends within a record/;
  const another = /^the snapshot is of leaves with the state root 0x/;

  // Whatever follows the last chunk, the fifth, would be a part of it.
  const wrong: [
    what: string,
    input: () => Uint8Array | AsyncIterable<Uint8Array>,
    status: 1 | 2,
    message: RegExp,
  ][] = [
    ['that is empty', () => Buffer.alloc(0), 2, ends],
    ['cut in its header', () => file.subarray(0, 50), 2, differs(0)],
    ['cut within a chunk', () => file.subarray(0, chunk + 1000), 2, differs(1)],
    ['cut behind a chunk', () => file.subarray(0, 2 * chunk), 2, ends],
    ['cut within its content', () => fileOf(content.subarray(0, -70)), 2, ends],
    ['edited', () => edited(file.length - 5000), 1, another],
    ['edited in its middle', () => edited(content.length >> 1), 1, another],
    [
      'with chunks in another order',
      () =>
        Buffer.concat([
          file.subarray(0, chunk),
          file.subarray(2 * chunk, 3 * chunk),
          file.subarray(chunk, 2 * chunk),
          file.subarray(3 * chunk),
        ]),
      2,
      differs(1),
    ],
    [
      'with leaves in another order',
      () => fileOf(reordered()),
      2,
      /^the snapshot is malformed: an hKey is not canonical/,
    ],
    ['with another behind it', () => Buffer.concat([file, file]), 2, differs(4)],
    ['without an end', endless, 2, differs(4)],
    ['whose leaves never end', endlessLeaves, 2, differs(4)],
  ];

  test.each(wrong)(
    '%s is refused, and leaves nothing that opens',
    async (_, input, code, message) => {
      const path = newFolder();
      for (const action of [['verify'], ['import', '--store', path]]) {
        const some = input();
        const { status, stdout, stderr } = await l2proof(
          ['snapshot', ...action, '-', '--root', stateRoot],
          some instanceof Uint8Array ? some : Readable.from(some),
        );
        expect({ status, stderr, stdout }).toEqual({
          status: code,
          stderr: expect.stringMatching(message),
          stdout: '',
        });
      }
      await expectNoState(path);
    },
    patience,
  );
});
