/** Commands that write a file, or their output, on a disk without room: nothing was refused, so they end with 4. */
import { spawnSync } from 'node:child_process';
import { openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeExitCode } from '../../../../src/cli/exit/fileErrors.js';
import { newFolder } from '../../../support/folder.js';
import { honest } from '../../../support/runs.js';
import { longestWait } from '../../../support/until.js';

const { result, claim } = honest('poseidon2');
const folder = newFolder();
const answer = join(folder, 'answer.json');
writeFileSync(answer, JSON.stringify(result));
const lines = join(folder, 'lines.ndjson');
writeFileSync(lines, `${JSON.stringify({ ...claim, result })}\n`.repeat(2000));

const claimed = [
  ...['--root', claim.stateRoot, '--address', claim.address],
  ...(claim.storageKeys ?? []).flatMap((key) => ['--slot', key]),
];

describe('output that cannot be written', () => {
  test('leaves the exit code of what was found', () => {
    const full = openSync('/dev/full', 'w');
    const args = ['dist/cli/main.js', 'verify', answer, ...claimed];
    args[4] = `0x${'01'.repeat(32)}`;
    const { status, stderr } = spawnSync(process.execPath, args, {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
      timeout: longestWait,
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/ROOT_MISMATCH/),
    });
  });

  test.each<[string, string[]]>([
    ['verify', ['verify', answer, ...claimed]],
    ['verify --ndjson', ['verify', '--ndjson', lines]],
    ['help', ['help']],
  ])('%s: exit code 4, and what the system says', (_, args) => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', ...args], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
      timeout: longestWait,
    });
    expect({ status, stderr }).toEqual({
      status: 4,
      stderr: expect.stringMatching(/^cannot write the output: ENOSPC/),
    });
  });
});

test('a file that finds no room: exit code 4, and its name', () => {
  const out = join(newFolder(), 'proof');
  const args = ['dist/cli/main.js', 'compact', answer, '--out', out, ...claimed];
  // The shell bounds the files that it lets a process write: to nothing.
  const bounded = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, ...args];
  const { status, stderr } = spawnSync('sh', bounded, { encoding: 'utf8', timeout: longestWait });
  expect({ status, stderr }).toEqual({
    status: 4,
    stderr: expect.stringMatching(/^cannot write .*proof: EFBIG/),
  });
  expect(readdirSync(folder).sort()).toEqual(['answer.json', 'lines.ndjson']);
});

test.each([
  [{ code: 'ENOSPC' }, 4],
  [{ code: 'EDQUOT' }, 4],
  [{ code: 'EFBIG' }, 4],
  [{ code: 'EIO' }, 4],
  [{ code: 'EACCES' }, 3],
  [{ code: 'EROFS' }, 3],
  [{ code: 'EPIPE' }, 3],
  [{ code: 'EISDIR' }, 3],
  [{ code: 'ENOENT' }, 3],
  [{}, 3],
])('a write that fails with %j ends the process with %i', (cause, code) => {
  expect(writeExitCode(Object.assign(new Error('text'), cause))).toBe(code);
});
