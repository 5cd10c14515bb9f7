/** `l2proof explain`, as it is built: its forms of answers, exit codes, JSON and lines. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fitLine } from '../../../../src/cli/explain/lines.js';
import { compactProof } from '../../../../src/compact/index.js';
import { explainProof } from '../../../../src/explain/index.js';
import { newFolder } from '../../../support/folder.js';
import { toHex } from '../../../support/hex.js';
import { absent, honest, type Wire } from '../../../support/runs.js';
import { longestWait } from '../../../support/until.js';

const main = resolve('dist/cli/main.js');
const folder = newFolder();
const save = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

function l2proof(args: readonly string[], input: string | Uint8Array = '') {
  const options = { input, encoding: 'utf8', timeout: longestWait } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], options);
  return { status, stdout, stderr };
}

const { result, claim } = honest('poseidon2');
const keys = (claim.storageKeys ?? []).flatMap((key) => ['--slot', key]);
const account = ['--address', claim.address];
const asked = ['--root', claim.stateRoot, ...account, ...keys];
const bytes = compactProof(result, claim);
const good = save('good.json', JSON.stringify(result));

function edited(edit: (result: Wire) => void): Wire {
  const copy = structuredClone(result);
  edit(copy);
  return copy;
}

/** Answers that `verify` refuses, and what the last law says of them. */
const bad: [what: string, answer: Wire, broken: RegExp][] = [
  [
    'refused',
    edited(({ storageProofs: [, slot] }) => {
      slot.leftLeafIndex++;
    }),
    / {2}BROKEN {2}slot 2, right: The right neighbour names[^\n]*\n +\d+ must be \d+\n +at storageProofs\[1\]\.rightProof\.proofRelatedNodes\[41\]; NOT_NEIGHBOURS\n {2}\d+ more laws behind it: not compared\n$/,
  ],
  [
    'malformed',
    edited(({ accountProof: { proof } }) => {
      proof.proofRelatedNodes[3] = '\u202e\u001b[31m';
    }),
    / {2}BROKEN {2}account: The answer has the form[^\n]*\n +at accountProof\.proof\.proofRelatedNodes\[3\]; malformed\n {2}\d+ more laws behind it: not compared\n$/,
  ],
  [
    'no object',
    7,
    / {2}BROKEN {2}answer: The answer has the form[^\n]*\n +at the whole answer; malformed\n[^\n]*\n$/,
  ],
];

test('an answer of any form', () => {
  const fromFile = l2proof(['explain', good, ...asked]);
  expect(fromFile).toMatchObject({ status: 0, stderr: '' });
  expect(fromFile.stdout).toMatch(/^verified\n {2}state root {2}0x/);
  expect(fromFile.stdout).not.toMatch(/BROKEN|not compared|report it/);
  for (const input of [JSON.stringify(result), JSON.stringify({ jsonrpc: '2.0', id: 1, result })]) {
    expect(l2proof(['explain', '-', ...asked], input)).toEqual(fromFile);
  }
  const compact = l2proof(['explain', ...asked], bytes);
  expect(compact).toMatchObject({ status: 0, stderr: '' });
  expect(compact.stdout).toContain('The leaves and siblings lead to the root.');
  expect(l2proof(['explain', ...asked], toHex(bytes))).toEqual(compact);
});

test('levels beside empty siblings are folded, and no other', () => {
  const { stdout } = l2proof(['explain', good, ...asked]);
  const paths = explainProof(result, claim).proofs.flatMap(({ own, left, right }) =>
    [own, left, right].flatMap((path) => path ?? []),
  );
  const shown = [...stdout.matchAll(/^ {4}levels? .*$/gm)].map(([line]) => line.trim());
  const levels = paths.map((path) => path.levels.filter(({ siblingIsEmpty }) => !siblingIsEmpty));
  const folded = shown.filter((line) => line.startsWith('levels '));
  expect(folded.length).toBeGreaterThanOrEqual(paths.length);
  for (const line of folded) {
    expect(line).toMatch(/^levels \d+ to \d+: sibling empty, path climbs alone$/);
  }
  for (const { sibling, node } of levels.flat()) {
    expect(
      shown.some((line) => line.includes(`${node}  sibling`) && line.endsWith(`${sibling}`)),
    ).toBe(true);
  }
});

test('JSON is what explainProof gives, also of an answer that is refused', () => {
  for (const [answer, status] of [
    [result, 0],
    [bad[0]?.[1], 1],
    [bad[1]?.[1], 2],
  ] as const) {
    const ended = l2proof(['explain', '--json', ...asked], JSON.stringify(answer));
    expect(ended).toMatchObject({ status, stderr: '' });
    expect(JSON.parse(ended.stdout)).toEqual(explainProof(answer, claim));
  }
});

test.each(bad)('ends as verify does, and shows the place: %s', (_, answer, broken) => {
  const input = JSON.stringify(answer);
  const verified = l2proof(['verify', ...asked], input);
  const explained = l2proof(['explain', ...asked], input);
  expect(explained.status).toBe(verified.status);
  expect(`${explained.stdout.split('\n')[0]}\n`).toBe(verified.stderr);
  expect(explained.stdout).toMatch(broken);
  expect(explained.stdout).not.toMatch(/[\u001b\u202e]/);
});

test('an absent account, with its neighbours; a wrong claim; a file that is none', () => {
  const { result: none, claim: other } = absent('poseidon2');
  const line = ['--root', other.stateRoot, '--address', other.address];
  const slots = (other.storageKeys ?? []).flatMap((key) => ['--slot', key]);
  const { status, stdout } = l2proof(['explain', ...line, ...slots], JSON.stringify(none));
  expect(status).toBe(0);
  expect(stdout).toMatch(/^account 0x\w+: absent, between leaf \d+.* and leaf \d+/m);
  expect(stdout).toMatch(
    /^ {2}gap\n {4}left {3}0x\w+, next is .*\n {4}key {4}0x\w+\n {4}right {2}0x/m,
  );
  const wrong = l2proof(['explain', good, '--root', '0x12', ...account]);
  expect([wrong.status, wrong.stderr]).toEqual([3, expect.stringContaining('--root')]);
  expect(l2proof(['explain', join(folder, 'none'), ...asked]).status).toBe(3);
  expect(l2proof(['explain', ...asked], 'rubbish').status).toBe(2);
});

describe.skipIf(!existsSync('/usr/bin/script'))('on a terminal', () => {
  /** @param columns that it says it has */
  function shown(columns: number, env = {}): string {
    const line = [process.execPath, main, 'explain', good, ...asked].join(' ');
    const options = {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '', TERM: 'xterm', ...env },
    } as const;
    const command = `stty cols ${columns}; ${line}`;
    return spawnSync('/usr/bin/script', ['-qec', command, '/dev/null'], options).stdout.replaceAll(
      '\r\n',
      '\n',
    );
  }

  test.each([60, 80, 120])('of %i columns, hashes are shortened until a line fits', (columns) => {
    const lines = shown(columns)
      .split('\n')
      .filter((line) => line.includes('...'));
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test('the verdict has a colour, unless that is not wanted', () => {
    expect(shown(80)).toMatch(/^\u001b\[32mverified\u001b\[39m\n/);
    expect(shown(80, { NO_COLOR: '1' })).toMatch(/^verified\n/);
  });

  test('a wide one has room for all', () => {
    const { stdout } = l2proof(['explain', good, ...asked]);
    expect(shown(300, { NO_COLOR: '1' })).toBe(stdout);
  });
});

test('a line is shortened evenly, and no further than its hex can be', () => {
  const hex = `0x${'a1'.repeat(32)}`;
  expect(fitLine(`${hex} = ${hex}`, 200)).toBe(`${hex} = ${hex}`);
  expect(fitLine(`${hex} = ${hex}`, 43)).toBe('0xa1a1a1a1a1a...a1a1 = 0xa1a1a1a1a1a...a1a1');
  expect(fitLine(hex, 5)).toBe('0xa1a1...a1a1');
  const plain = 'a sentence that is longer than the line';
  expect(fitLine(plain, 5)).toBe(plain);
  expect(fitLine(`0x${'a1'.repeat(20)}`, 5)).toBe(`0x${'a1'.repeat(20)}`);
});
