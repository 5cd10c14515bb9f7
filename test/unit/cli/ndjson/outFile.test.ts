/** `l2proof verify --ndjson` with --shard and --out, as the built command. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../support/folder.js';
import { withoutProgress } from '../../../support/progress.js';
import { honest, patience } from '../../../support/runs.js';
import { longestWait, until } from '../../../support/until.js';
import { claimOf } from '../../../vectors/proofs.js';
import { loadFolder } from '../../../vectors/run.js';

const command = ['dist/cli/main.js', 'verify', '--ndjson'];

function l2proof(args: readonly string[], input = '') {
  const options = { input, timeout: longestWait, maxBuffer: 1 << 28, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...command, ...args], options);
  return { status, stdout, stderr: withoutProgress(stderr) };
}

/** A line per saved answer, each valid; of the family that is fast to verify. */
const saved = loadFolder('vectors')
  .filter(({ json }) => json.kind === 'getProof' && String(json.hash).startsWith('poseidon2'))
  .map((file) => JSON.stringify({ ...claimOf(file), result: file.json.result }));

const { result, claim } = honest('poseidon2');
const good = JSON.stringify({ ...claim, result });
const refused = JSON.stringify({ ...claim, stateRoot: `0x${'01'.repeat(32)}`, result });

/** Lines of all kinds, and what is printed for each but the blank ones. */
const kinds: readonly (readonly [line: string, verdict?: string])[] = [
  ...saved.map((line) => [line, 'verified'] as const),
  [refused, 'not verified'],
  [''],
  ['{broken', 'malformed'],
  [' \t'],
  ['"é𝄞"', 'malformed'],
];

const folder = newFolder();

/** A file of these lines, and what each of them is. */
function fileOf(name: string, count: number) {
  const lines = Array.from({ length: count }, (_, i) => kinds[i % kinds.length] ?? ['']);
  const path = join(folder, name);
  writeFileSync(path, lines.map(([line]) => `${line}\n`).join(''));
  const verdicts = lines.flatMap(([, verdict], i) => (verdict ? [`${i + 1}: ${verdict}`] : []));
  return { path, verdicts };
}

const mixed = fileOf('mixed.ndjson', 3 * kinds.length);
const verdictsIn = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => /^\d+: [a-z ]+/.exec(line)?.[0]);

/** A new file name, in a folder of its own so that what is left beside it shows. */
function newOut() {
  const out = join(newFolder(), 'out');
  const folderOf = join(out, '..');
  return { out, beside: () => readdirSync(folderOf).sort() };
}

describe.each([[[]], [['--json']], [['--jobs', '2']]])('with %j', (args) => {
  const whole = l2proof([mixed.path, ...args]);

  test('the whole file has each verdict', () => {
    expect(whole).toMatchObject({ status: 1, stderr: '' });
    if (args[0] !== '--json') expect(verdictsIn(whole.stdout)).toEqual(mixed.verdicts);
  });

  test('--out holds what is printed without it, and nothing is left beside it', () => {
    const { out, beside } = newOut();
    const run = l2proof([mixed.path, ...args, '--out', out]);
    expect(run).toEqual({ status: 1, stdout: '', stderr: '' });
    expect(readFileSync(out, 'utf8')).toBe(whole.stdout);
    expect(beside()).toEqual(['out']);
  });

  test(
    'the shards, one behind the other, are the whole',
    () => {
      const parts = Array.from({ length: 5 }, (_, i) => {
        const { out } = newOut();
        const run = l2proof([mixed.path, ...args, '--shard', `${i + 1}/5`, '--out', out]);
        expect(run).toMatchObject({ stdout: '', stderr: '' });
        return readFileSync(out, 'utf8');
      });
      expect(parts.join('')).toBe(whole.stdout);
      const printed = ['1/2', '2/2'].map(
        (shard) => l2proof([mixed.path, ...args, '--shard', shard]).stdout,
      );
      expect(printed.join('')).toBe(whole.stdout);
    },
    patience,
  );
});

test('a shard without a line leaves an empty file', () => {
  const file = join(folder, 'one.ndjson');
  writeFileSync(file, good);
  const codes = ['1/3', '2/3', '3/3'].map((shard) => {
    const { out } = newOut();
    const { status } = l2proof([file, '--shard', shard, '--out', out]);
    return [status, readFileSync(out, 'utf8')];
  });
  expect(codes).toEqual([
    [0, '1: verified\n'],
    [0, ''],
    [0, ''],
  ]);
});

/** Waits until so many bytes of results are there, and ends the process at once. */
async function killAt(child: ChildProcess, part: string, bytes: number): Promise<void> {
  const ended = once(child, 'exit');
  await until(() => existsSync(part) && statSync(part).size >= bytes, `${part} has ${bytes} bytes`);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

describe('after a kill', () => {
  test.each([[[]], [['--json', '--jobs', '2', '--shard', '2/3']]])(
    'the same command with %j goes on, and loses and doubles nothing',
    async (args) => {
      const many = fileOf('many.ndjson', 200 * kinds.length);
      const expected = l2proof([many.path, ...args]).stdout;
      const { out, beside } = newOut();
      writeFileSync(out, 'of an older run');
      const part = `${out}.part`;
      const start = () =>
        spawn(process.execPath, [...command, many.path, ...args, '--out', out], {
          stdio: 'ignore',
        });
      for (const share of [0.1, 0.3, 0.5]) {
        await killAt(start(), part, share * expected.length);
        // Nothing is in place before it is whole.
        expect(readFileSync(out, 'utf8')).toBe('of an older run');
        expect(beside()).toEqual(['out', 'out.part', 'out.part.run']);
        expect(statSync(part).size).toBeLessThan(expected.length);
      }
      // As a kill in the middle of a line leaves it, at its end or in a character.
      truncateSync(part, statSync(part).size - 3);
      const kept = readFileSync(part, 'utf8').split('\n').length - 1;
      expect(kept).toBeGreaterThan(10);
      expect(l2proof([many.path, ...args, '--out', out])).toMatchObject({
        status: 1,
        stdout: '',
        stderr: '',
      });
      expect(readFileSync(out, 'utf8')).toBe(expected);
      expect(beside()).toEqual(['out']);
    },
    patience,
  );

  test('lines behind the last result are verified, those before it are not again', () => {
    const file = join(folder, 'two.ndjson');
    writeFileSync(file, `${refused}\n${good}\n`);
    const { out } = newOut();
    const { mtimeNs, size } = statSync(file, { bigint: true });
    writeFileSync(`${out}.part.run`, `${size} bytes, ${mtimeNs} ns\n\n`);
    // A result that this file cannot have had shows that it is taken over.
    writeFileSync(`${out}.part`, '1: malformed: taken over\n2: veri');
    expect(l2proof([file, '--out', out]).status).toBe(2);
    expect(readFileSync(out, 'utf8')).toBe('1: malformed: taken over\n2: verified\n');
  });

  test('a run that was whole but not in place is put there', () => {
    const first = newOut();
    expect(l2proof([mixed.path, '--out', first.out]).status).toBe(1);
    const { out, beside } = newOut();
    const { mtimeNs, size } = statSync(mixed.path, { bigint: true });
    writeFileSync(`${out}.part.run`, `${size} bytes, ${mtimeNs} ns\n\n`);
    const text = readFileSync(first.out, 'utf8');
    // As a power cut may leave it: longer than what was written.
    writeFileSync(`${out}.part`, `${text}\0\0\0\0`);
    expect(l2proof([mixed.path, '--out', out]).status).toBe(1);
    expect(readFileSync(out, 'utf8')).toBe(text);
    expect(beside()).toEqual(['out']);
  });

  test('notes without results are of a run that did nothing', () => {
    const { out, beside } = newOut();
    writeFileSync(`${out}.part.run`, 'cut');
    expect(l2proof([mixed.path, '--out', out]).status).toBe(1);
    expect(verdictsIn(readFileSync(out, 'utf8'))).toEqual(mixed.verdicts);
    expect(beside()).toEqual(['out']);
  });
});

test('a disk without room: exit code 4, and the same command goes on once there is some', () => {
  const { out, beside } = newOut();
  const args = [...command, mixed.path, '--json', '--out', out];
  // The shell bounds the files that it lets a process write, in blocks of 512 bytes.
  const bounded = ['-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, ...args];
  const full = spawnSync('sh', bounded, { encoding: 'utf8', timeout: longestWait });
  expect(full.status).toBe(4);
  expect(JSON.parse(full.stdout)).toMatchObject({ ok: false, code: 'FILE' });
  expect(full.stderr).toMatch(/^cannot write .*out\.part: EFBIG/);
  expect(statSync(`${out}.part`).size).toBe(4096);
  expect(l2proof([mixed.path, '--json', '--out', out]).status).toBe(1);
  expect(readFileSync(out, 'utf8')).toBe(l2proof([mixed.path, '--json']).stdout);
  expect(beside()).toEqual(['out']);
});

describe('what an earlier run left is not mixed with', () => {
  const [first] = l2proof([mixed.path, '--json']).stdout.split(/(?<=\n)/) as [string];

  /** A file whose first shard of two was begun with `--json` and killed. */
  function begun() {
    const file = join(newFolder(), 'file.ndjson');
    writeFileSync(file, readFileSync(mixed.path));
    const { out } = newOut();
    const args = [file, '--shard', '1/2', '--json', '--out', out];
    const { mtimeNs, size } = statSync(file, { bigint: true });
    writeFileSync(`${out}.part.run`, `${size} bytes, ${mtimeNs} ns\n--shard 1/2 --json\n`);
    writeFileSync(`${out}.part`, first);
    return { file, out, part: `${out}.part`, args };
  }

  test('that run itself goes on', () => {
    const { args, out } = begun();
    expect(l2proof(args)).toMatchObject({ stderr: '' });
    expect(readFileSync(out, 'utf8').split('\n')[0]).toMatch(/^\{"line":1,/);
  });

  test.each<[string, (begun: { file: string; part: string; args: string[] }) => void, RegExp]>([
    ['FILE is longer', ({ file }) => appendFileSync(file, good), /file\.ndjson has changed since/],
    [
      'FILE was written again',
      ({ file }) => utimesSync(file, 1, 1),
      /has changed since .*remove .*out\.part/,
    ],
    [
      'another shard',
      ({ args }) => args.splice(2, 1, '2/2'),
      /holds results of --shard 1\/2 --json/,
    ],
    ['other output', ({ args }) => args.splice(3, 1), /give the same options, or remove it/],
    ['results without notes', ({ part }) => rmSync(`${part}.run`), /is there, but not .*part\.run/],
    ['cut notes', ({ part }) => truncateSync(`${part}.run`, 30), /is there, but not .*part\.run/],
    [
      'no results',
      ({ part }) => writeFileSync(part, 'notes\n'),
      /out\.part is damaged behind byte 0/,
    ],
    [
      'results twice',
      ({ part }) => appendFileSync(part, readFileSync(part)),
      /is damaged behind byte \d{2,}; remove it/,
    ],
  ])('%s: exit code 3 and what to do', (_, change, message) => {
    const left = begun();
    change(left);
    const before = readFileSync(left.part);
    const run = l2proof(left.args);
    expect(run.status).toBe(3);
    const [reason = ''] = run.stderr.split('\n');
    expect(reason).toMatch(message);
    const refusal = `${JSON.stringify({ ok: false, code: 'FILE', path: null, reason })}\n`;
    expect(run.stdout).toBe(left.args.includes('--json') ? refusal : '');
    expect(existsSync(left.out)).toBe(false);
    expect(readFileSync(left.part)).toEqual(before);
  });
});

test('a file that changes while it is read is refused at the end', {
  timeout: patience,
}, async () => {
  const { path } = fileOf('growing.ndjson', 50 * kinds.length);
  const { out } = newOut();
  const child = spawn(process.execPath, [...command, path, '--out', out]);
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const ended = once(child, 'close');
  await until(() => existsSync(`${out}.part`), 'it has begun');
  appendFileSync(path, `${good}\n`);
  expect(await ended).toEqual([3, null]);
  expect(stderr).toMatch(/growing\.ndjson has changed since .*remove .*out\.part and run it again/);
  expect(existsSync(out)).toBe(false);
});

test('two runs of one shard at once leave one result', { timeout: patience }, async () => {
  const { path } = fileOf('twice.ndjson', 50 * kinds.length);
  const expected = l2proof([path]).stdout;
  const { out } = newOut();
  const runs = [0, 1].map(() => {
    const child = spawn(process.execPath, [...command, path, '--out', out], { stdio: 'ignore' });
    return once(child, 'close').then(([code]) => code);
  });
  // A race. A run fails, with 3, only if the other one has put the results in place and so has ended with 1. If that is
  // done before it begins, both end with 1.
  const codes = await Promise.all(runs);
  expect(codes).toContain(1);
  for (const code of codes) expect([1, 3]).toContain(code);
  expect(readFileSync(out, 'utf8')).toBe(expected);
});

describe('refused at the start, with exit code 3', () => {
  const empty = newOut();
  mkdirSync(empty.out);

  test.each<[string, string[], RegExp]>([
    ['--out for standard input', ['--out', 'x'], /^--out needs a FILE, not standard input/],
    [
      '--shard of standard input',
      ['-', '--shard', '1/2'],
      /^--shard needs a FILE, not standard input/,
    ],
    ['--out for a device', ['/dev/null', '--out', 'x'], /^--out needs a FILE, not \/dev\/null/],
    ['an invalid shard', [mixed.path, '--shard', '3/2'], /^--shard expected K\/N.*got "3\/2"/],
    ['--out on FILE', [mixed.path, '--out', mixed.path], /is the FILE that is verified/],
    ['--out on a folder', [mixed.path, '--out', empty.out], /is no file; give another name/],
    [
      '--out in a folder that is missing',
      [mixed.path, '--out', join(empty.out, 'no', 'out')],
      /^cannot write .*out\.part: .*ENOENT/,
    ],
  ])('%s', (_, args, message) => {
    const run = l2proof(args, `${good}\n`);
    expect(run).toMatchObject({ status: 3, stdout: '' });
    expect(run.stderr).toMatch(message);
    expect(existsSync('x')).toBe(false);
  });
});
