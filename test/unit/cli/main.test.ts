import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folder.js';
import { honest, type Wire } from '../../support/runs.js';
import { longestWait } from '../../support/until.js';

const { result, claim } = honest('poseidon2');
const folder = newFolder();
const file = join(folder, 'result.json');
writeFileSync(file, JSON.stringify(result));

/** Runs the built command. */
function l2proof(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', ...args], {
    input,
    encoding: 'utf8',
    timeout: longestWait,
  });
  return { status, stdout, stderr };
}

const slots = (claim.storageKeys ?? []).flatMap((key) => ['--slot', key]);
const asked = ['--root', claim.stateRoot, '--address', claim.address, ...slots];
const run = (answer: unknown, args = asked) =>
  l2proof(['verify', '-', ...args], JSON.stringify(answer));
const edited = (edit: (copy: Wire) => void): unknown => {
  const copy = structuredClone(result);
  edit(copy);
  return copy;
};

describe('l2proof verify', () => {
  test('ends with 0 and prints what was proven, from a file and from standard input', () => {
    const fromFile = l2proof(['verify', file, ...asked]);
    expect(fromFile).toMatchObject({ status: 0, stderr: '' });
    expect(fromFile.stdout).toContain('1000000000000000000 wei');
    expect(fromFile.stdout).toContain('proven not to exist');
    expect(run(result)).toEqual(fromFile);
    expect(l2proof(['verify', ...asked], JSON.stringify(result))).toEqual(fromFile);
  });

  test('reads a whole JSON-RPC answer', () => {
    expect(run({ jsonrpc: '2.0', id: 1, result })).toMatchObject({ status: 0 });
    expect(run({ jsonrpc: '2.0', id: 1, result, error: null })).toMatchObject({ status: 0 });
  });

  test('prints JSON with numbers as decimal strings', () => {
    const { status, stdout } = run(result, [...asked, '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      address: claim.address,
      account: { nonce: '3', balance: '1000000000000000000' },
      storage: [{ exists: true }, { exists: false }, { exists: true }],
    });
  });

  test('reads the older hash family', () => {
    const mimc = honest('mimc');
    const args = ['--root', mimc.claim.stateRoot, '--address', mimc.claim.address, ...slots];
    expect(run(mimc.result, [...args, '--hash', 'mimc'])).toMatchObject({ status: 0 });
  });

  test.each<[string, number, unknown, RegExp]>([
    [
      'a slot value changed',
      1,
      edited((copy) => {
        copy.storageProofs[0].proof.value = `0x${'11'.repeat(32)}`;
      }),
      /HVALUE_MISMATCH/,
    ],
    ['no proof at all', 2, {}, /storageProofs/],
    [
      'a node of wrong width',
      2,
      edited((copy) => copy.accountProof.proof.proofRelatedNodes.pop()),
      /42 nodes/,
    ],
    ['a number', 2, 1, /object/],
    [
      'an error of the server',
      2,
      { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'BLOCK_MISSING_IN_CHAIN' } },
      /BLOCK_MISSING_IN_CHAIN/,
    ],
    [
      'an error that would redraw the screen',
      2,
      { error: '\u001b[2J\u009b2J\u202e' },
      /\\u001b\[2J\\u009b2J\\u202e/,
    ],
  ])('%s: exit code %i, the reason on stderr, nothing on stdout', (_, code, answer, reason) => {
    const { status, stdout, stderr } = run(answer);
    expect(stdout).toBe('');
    expect(stderr).toMatch(reason);
    expect(status).toBe(code);
  });

  test('an error of any size and depth ends with 2, in few words', () => {
    const deep = `{"error":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const long = JSON.stringify({ error: { code: 1, message: 'x'.repeat(5_000_000) } });
    for (const answer of [deep, long]) {
      const { status, stderr } = l2proof(['verify', '-', ...asked], answer);
      expect(status).toBe(2);
      expect(stderr.length).toBeLessThan(700);
    }
  });

  test('text that is no JSON ends with 2', () => {
    expect(l2proof(['verify', '-', ...asked], '{"accountProof"')).toMatchObject({
      status: 2,
      stdout: '',
    });
    expect(l2proof(['verify', '-', ...asked], '')).toMatchObject({ status: 2, stdout: '' });
    const deep = '['.repeat(200_000);
    expect(l2proof(['verify', '-', ...asked], deep)).toMatchObject({ status: 2, stdout: '' });
  });

  test.each<[string, string[]]>([
    ['an unknown command', ['prove']],
    ['no root', ['verify', file, '--address', claim.address]],
    ['no address', ['verify', file, '--root', claim.stateRoot]],
    ['an unknown option', ['verify', file, ...asked, '--rooot', '0x']],
    ['two files', ['verify', file, file, ...asked]],
    ['a root of wrong width', ['verify', file, '--root', '0x12', '--address', claim.address]],
    ['a zero root', ['verify', file, '--root', `0x${'00'.repeat(32)}`, '--address', claim.address]],
    ['an unknown family', ['verify', file, ...asked, '--hash', 'sha']],
  ])('%s: exit code 3, in at most three lines that say where to read on', (_, args) => {
    const { status, stdout, stderr } = l2proof(args);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[^\n]+\n([^\n]+\n)?see l2proof help( verify)?\n$/);
    expect(status).toBe(3);
  });
});
