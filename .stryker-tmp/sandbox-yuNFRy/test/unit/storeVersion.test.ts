/** A store that the release before wrote: it may hold a wrong state, so it is refused unless the operator keeps it. */
// @ts-nocheck

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { blockLine, genesisLines, type StateBlock } from '../../src/follow/index.js';
import type { Hex } from '../../src/index.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import { type AccountChange, openStateTree } from '../../src/tree/index.js';
import { entriesOf } from '../support/stores.js';

const folder = mkdtempSync(join(tmpdir(), 'l2proof-version-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

/** A copy: whoever opens a store may change it. */
function copy(): string {
  const path = join(folder, `store${++count}`);
  cpSync('test/fixtures/store-v1', path, { recursive: true });
  return path;
}

/** The chain that the store begins with, and the state roots that the real server gave. */
const chain: { number: number; hash: Hex; changes: AccountChange[]; stateRoot: Hex }[] = JSON.parse(
  readFileSync('vectors/chain-poseidon2-edge.json', 'utf8'),
).blocks;
const roots = chain.map(({ stateRoot }) => stateRoot);

/** Numbers as a state file takes them. */
const plain = ({ account, ...rest }: AccountChange): AccountChange => ({
  ...rest,
  account: account && {
    ...account,
    nonce: BigInt(account.nonce),
    balance: BigInt(account.balance),
  },
});

async function open(path: string, readOnly: boolean, keepState?: boolean) {
  const store = lmdbStore({ path, readOnly });
  try {
    return await openStateTree({ store, ...(keepState !== undefined && { keepState }) });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Version in the mark of a store. */
async function versionOf(path: string): Promise<string | undefined> {
  const store = lmdbStore({ path, readOnly: true });
  const mark = (await entriesOf(store)).find(({ key }) => key[0] === 0x4d);
  await store.close();
  return /version \d+/.exec(Buffer.from(mark?.value ?? []).toString())?.[0];
}

describe.each([
  ['a writer', false],
  ['a reader', true],
])('%s', (_, readOnly) => {
  test('is refused with the commands that feed the store again', async () => {
    const path = copy();
    for (const keepState of [undefined, false]) {
      const opened = open(path, readOnly, keepState);
      await expect(opened).rejects.toMatchObject({ name: 'TreeError', code: 'WRONG_STORE' });
      await expect(opened).rejects.toThrow(/l2proof follow --store.*l2proof load --store/);
      await expect(opened).rejects.toThrow(/--keep-state/);
    }
    expect(await versionOf(path)).toBe('version 1');
  });

  test('keeps the state as it is when told to', async () => {
    const path = copy();
    const tree = await open(path, readOnly, true);
    expect(await tree.stateRoot(0)).toBe(roots[0]);
    expect(await tree.stateRoot(1)).toBe(roots[1]);
    // The block that takes code away: the root that the release before gave it is not the server's.
    expect(await tree.stateRoot(2)).not.toBe(roots[2]);
    await tree.close();
    expect(await versionOf(path)).toBe(readOnly ? 'version 1' : 'version 2');
  });
});

test('a store that a writer has kept needs no word any more, and goes on by the right rules', async () => {
  const path = copy();
  await (await open(path, false, true)).close();
  const tree = await open(path, false);
  // Block 4 gives the account code again: from then on its leaf, and so the root, is the server's.
  for (const block of chain.slice(3)) {
    const { stateRoot } = await tree.applyBlock(block);
    expect(stateRoot === roots[block.number], `block ${block.number}`).toBe(block.number > 3);
  }
  await tree.close();
  await (await open(path, true)).close();
});

describe('the commands', () => {
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, ['dist/cli/main.js', ...args]);
    const out = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      out.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      out.stderr += chunk;
    });
    const ended = once(child, 'close').then(([status]) => ({ status, ...out }));
    return { child, ended };
  };
  const l2proof = (...args: string[]) => start(...args).ended;
  const follow = ['--l2', 'http://127.0.0.1:9', '--fork', 'london', '--once'];
  const serve = ['--finality', '2', '--port', '0'];

  test.each([
    ['load', []],
    ['follow', follow],
    ['serve', serve],
  ])('%s refuses the store and explains the flag', async (command, args) => {
    const path = copy();
    const refused = await l2proof(command, '--store', path, ...args);
    expect(refused.status).toBe(3);
    expect(refused.stderr).toMatch(/l2proof load --store/);
    expect(refused.stderr).toMatch(/WRONG_STORE/);
    expect(await versionOf(path)).toBe('version 1');
    const help = await l2proof(command, '--help');
    expect(help.stdout).toMatch(/--keep-state\n.*keeps its state/);
  });

  test('load and follow go on with a store that they are told to keep', async () => {
    const path = copy();
    const file = join(folder, 'chain.jsonl');
    const [genesis, ...rest] = chain
      .slice(0, 4)
      .map(({ number, hash, changes }) => ({ number, hash, changes: changes.map(plain) }));
    const lines = [...genesisLines(genesis as StateBlock), ...rest.map(blockLine)];
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    const followed = await l2proof('follow', '--store', path, ...follow, '--keep-state');
    // Nobody answers there, but the store was taken.
    expect(followed.stderr).not.toMatch(/WRONG_STORE/);
    expect(await versionOf(path)).toBe('version 2');
    const other = copy();
    const loaded = await l2proof('load', '--store', other, file, '--keep-state');
    expect(loaded).toMatchObject({ status: 0, stderr: '' });
    expect(loaded.stdout).toMatch(/^loaded 1 blocks: block 3/);
    expect(await versionOf(other)).toBe('version 2');
  });

  test('serve reads a store that it is told to keep', async () => {
    const path = copy();
    const { child, ended } = start('serve', '--store', path, ...serve, '--keep-state');
    const ready = new Promise((resolve) => child.stdout.on('data', resolve));
    await Promise.race([ready, ended]);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0, stdout: expect.stringContaining('listening') });
    expect(await versionOf(path)).toBe('version 1');
  });
});
