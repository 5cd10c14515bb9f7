/** `l2proof verify --ndjson`, as the built command. */
import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyProofs } from '../../../../dist/index.js';
import { newFolder } from '../../../support/folder.js';
import { withoutProgress } from '../../../support/progress.js';
import { honest, patience, type Wire } from '../../../support/runs.js';
import { longestWait } from '../../../support/until.js';
import { claimOf } from '../../../vectors/proofs.js';
import { loadFolder } from '../../../vectors/run.js';

interface Line {
  stateRoot: string;
  address: string;
  storageKeys?: readonly string[];
  hash?: string;
  result: Wire;
}

/** A line per saved answer, each valid; of both families. */
const saved: Line[] = loadFolder('vectors')
  .filter(({ json }) => json.kind === 'getProof')
  .map((file) => {
    const { stateRoot, address, storageKeys, hash } = claimOf(file);
    return { stateRoot, address, storageKeys, hash, result: file.json.result } as Line;
  });

const folder = newFolder();
const ndjson = (lines: readonly unknown[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

function l2proof(args: readonly string[], options: SpawnSyncOptions & { heap?: number } = {}) {
  const flags = options.heap ? [`--max-old-space-size=${options.heap}`] : [];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, 'dist/cli/main.js', 'verify', '--ndjson', ...args],
    { maxBuffer: 1 << 28, timeout: longestWait, ...options, encoding: 'utf8' },
  );
  return { status, stdout, stderr: withoutProgress(stderr) };
}

const { result, claim } = honest('poseidon2');
const good: Line = {
  stateRoot: claim.stateRoot,
  address: claim.address,
  storageKeys: claim.storageKeys ?? [],
  result,
};
const refused: Line = { ...good, stateRoot: `0x${'01'.repeat(32)}` };
const older = { root: claim.stateRoot, address: claim.address, slots: claim.storageKeys, result };
const jobs = [[], ['--jobs', '2']];

describe.each(jobs)('l2proof verify --ndjson %s %s', (...args) => {
  test(
    'several thousand lines, in order, in little memory',
    () => {
      const count = 3000;
      const small = saved.filter(({ hash }) => hash === 'poseidon2');
      const lines = Array.from({ length: count }, (_, i) =>
        i % 7 === 3 ? '{broken' : i % 11 === 5 ? refused : (small[i % small.length] as Line),
      );
      const file = join(folder, 'many.ndjson');
      const text = ndjson(lines);
      // Far more than the heap allowed below.
      expect(text.length).toBeGreaterThan(48 * 2 ** 20);
      writeFileSync(file, text);
      const { status, stdout, stderr } = l2proof([file, ...args], { heap: 32 });
      expect(stderr).toBe('');
      expect(status).toBe(1);
      const verdicts = stdout
        .trimEnd()
        .split('\n')
        .map((line) => /^(\d+): (\w+)/.exec(line)?.slice(1));
      expect(verdicts).toEqual(
        lines.map((line, i) => [
          String(i + 1),
          line === '{broken' ? 'malformed' : line === refused ? 'not' : 'verified',
        ]),
      );
    },
    patience,
  );

  test('--json gives the state, or the parts of the error, as one thread has them', () => {
    const bad = structuredClone(good);
    bad.result.accountProof.proof.proofRelatedNodes.pop();
    const lines = [...saved, refused, bad, { ...good, stateRoot: '0x12' }];
    const { status, stdout } = l2proof(['-', '--json', ...args], { input: ndjson(lines) });
    expect(status).toBe(1);
    const outcomes = verifyProofs(
      lines.map(({ result: answer, hash = 'poseidon2', ...asked }) => ({
        result: answer,
        claim: { ...asked, hash } as never,
      })),
    );
    const expected = outcomes.map((outcome, i) => {
      if (outcome.ok) return { line: i + 1, ...outcome };
      const { name, code, path, message } = outcome.error as Error & {
        code?: string;
        path?: string;
      };
      return { line: i + 1, ok: false, error: name, code, path, message };
    });
    const plain = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value, (_, member) =>
          typeof member === 'bigint' ? String(member) : member,
        ),
      );
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(plain(expected));
  });

  test.each<[string, number, unknown[], RegExp]>([
    ['nothing', 0, [], /^$/],
    ['all verified', 0, [good, good], /^1: verified\n2: verified\n$/],
    [
      'a whole JSON-RPC answer',
      0,
      [{ ...good, result: { jsonrpc: '2.0', id: 1, result } }],
      /^1: verified\n$/,
    ],
    ['one refused', 1, [good, refused], /^1: verified\n2: not verified: .*ROOT_MISMATCH/],
    ['one malformed', 2, [good, { ...good, result: {} }], /2: malformed: .*storageProofs/],
    ['refused and malformed: the worse one', 1, ['{', refused, '{'], /2: not verified/],
    ['broken JSON', 2, ['{"root"', good], /^1: malformed: .*JSON.*\n2: verified\n$/],
    ['blank lines', 0, [good, '', ' \t\r', good], /^1: verified\n4: verified\n$/],
    [
      'a byte order mark',
      0,
      [`\ufeff${JSON.stringify(good)}`, good],
      /^1: verified\n2: verified\n$/,
    ],
    ['the older names', 0, [older], /^1: verified\n$/],
    [
      'a bad root by its older name',
      2,
      [{ ...older, root: '0x12' }],
      /^1: malformed: "root" expected 0x/,
    ],
    [
      'a bad key by its older name',
      2,
      [{ ...older, slots: ['0x12'] }],
      /^1: malformed: "slots\[0\]" expected 0x/,
    ],
    [
      'a bad key',
      2,
      [{ ...good, storageKeys: [1] }],
      /^1: malformed: "storageKeys\[0\]" expected a hex/,
    ],
    [
      'both names of the root',
      2,
      [{ ...good, root: good.stateRoot }],
      /^1: malformed: "stateRoot" and "root"/,
    ],
    [
      'both names of the keys',
      2,
      [{ ...good, slots: [] }],
      /^1: malformed: "storageKeys" and "slots"/,
    ],
    ['deep nesting', 2, ['['.repeat(200_000), good], /^1: malformed: .*\n2: verified\n$/],
    ['a number', 2, [1], /^1: malformed: expected \{ stateRoot/],
    ['an array', 2, [[good]], /^1: malformed: expected \{ stateRoot/],
    ['a claim without root', 2, [{ address: claim.address, result }], /^1: malformed: "stateRoot"/],
    [
      'an error of the server',
      2,
      [{ ...good, result: { error: 'no\u001b[2J' } }],
      /^1: malformed: .*\\u001b/,
    ],
  ])('%s: exit code %i', (_, code, lines, output) => {
    const run = l2proof(args, { input: ndjson(lines) });
    expect(run.stdout).toMatch(output);
    expect(run).toMatchObject({ status: code, stderr: '' });
  });

  test('the last line may go without newline', () => {
    const run = l2proof(args, { input: ndjson([good]).trimEnd() });
    expect(run).toMatchObject({ status: 0, stdout: '1: verified\n' });
  });

  test(
    'a line beyond the bound is malformed, and the next one is read',
    () => {
      const file = join(folder, 'long.ndjson');
      writeFileSync(file, `"${'x'.repeat(65 * 2 ** 20)}"\n${ndjson([good])}`);
      const run = l2proof([file, ...args], { heap: 32 });
      expect(run.stdout).toMatch(/^1: malformed: .*longer than 67108864 bytes\n2: verified\n$/);
      expect(run.status).toBe(2);
    },
    patience,
  );

  test('a line is answered before the next one comes', async () => {
    const child = spawn(process.execPath, ['dist/cli/main.js', 'verify', '--ndjson', ...args]);
    for (let line = 1; line <= 3; line++) {
      child.stdin.write(ndjson([good]));
      const [output] = await once(child.stdout, 'data');
      expect(String(output)).toBe(`${line}: verified\n`);
    }
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test('a reader that goes away ends it', async () => {
    const child = spawn(process.execPath, ['dist/cli/main.js', 'verify', '--ndjson', ...args]);
    child.stdin.on('error', () => {});
    child.stdout.destroy();
    const writer = setInterval(() => child.stdin.write(ndjson([good])), 5);
    const [code] = await once(child, 'exit');
    clearInterval(writer);
    expect(code).toBe(3);
  });
});

test.each<[string, string[]]>([
  ['a claim beside the lines', ['--root', claim.stateRoot]],
  ['two files', ['a', 'b']],
  ['no jobs', ['--jobs', '0']],
  ['jobs that are no number', ['--jobs', 'many']],
])('%s: exit code 3 with the usage', (_, args) => {
  const run = l2proof(args, { input: '' });
  expect(run).toMatchObject({ status: 3, stdout: '' });
  expect(run.stderr).toContain('see l2proof help verify');
});

/** The built package in a folder with only its dependencies installed. */
function bareInstall(): string {
  const bare = newFolder();
  cpSync('dist', join(bare, 'dist'), { recursive: true });
  cpSync('package.json', join(bare, 'package.json'));
  mkdirSync(join(bare, 'node_modules'));
  symlinkSync(resolve('node_modules/@noble'), join(bare, 'node_modules/@noble'));
  return bare;
}

/** Runs a command on a terminal. */
const onTerminal = (command: string, cwd = '.') =>
  spawnSync('script', ['-qec', command, '/dev/null'], { cwd, encoding: 'utf8', input: '' });

test('needs no package beside those that verify, with any number of threads', () => {
  const cwd = bareInstall();
  for (const args of jobs) {
    const run = l2proof(args, { cwd, input: ndjson([good]) });
    expect(run).toEqual({ status: 0, stdout: '1: verified\n', stderr: '' });
  }
});

test('a terminal shows how far it is, unless the results are there', () => {
  const file = join(folder, 'many.ndjson');
  writeFileSync(file, ndjson(Array.from({ length: 200 }, () => good)));
  const command = `${process.execPath} dist/cli/main.js verify --ndjson ${file}`;
  const results = join(folder, 'many.txt');
  const apart = onTerminal(`${command} > ${results}`);
  expect(apart).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/verifying {2}\d+% {2}\d+ lines/),
  });
  expect(apart.stdout).toMatch(/\r\u001b\[K$/);
  const { status, stdout } = onTerminal(`${command} --color never`);
  expect(status).toBe(0);
  expect(stdout.replaceAll('\r\n', '\n')).toBe(readFileSync(results, 'utf8'));
});
