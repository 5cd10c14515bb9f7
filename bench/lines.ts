/**
 * `npm run bench -- lines`: `l2proof verify --ndjson` with two threads against one, on 24,000 lines of the vector without
 * storage, start of the process and all, turn by turn; the ratio of the medians, per hash family. On a machine that others
 * load too, two threads do not get two cores: the second ratio is of processor time, and says what two free cores would
 * come to.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HashFamily } from '../dist/index.js';

const lines: Readonly<Record<HashFamily, number>> = { mimc: 4000, poseidon2: 24_000 };
const rounds = 5;

const folder = mkdtempSync(join(tmpdir(), 'l2proof-lines-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function writeLines(family: HashFamily): string {
  const text = readFileSync(`vectors/getproof-${family}-synthetic-no-storage.json`, 'utf8');
  const { result, stateRoot, expect } = JSON.parse(text);
  const { address } = expect.account;
  const file = join(folder, `${family}.ndjson`);
  const line = JSON.stringify({ stateRoot, address, hash: family, result });
  writeFileSync(file, `${line}\n`.repeat(lines[family]));
  return file;
}

const median = (times: number[]): number =>
  times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;

/** Processor time of all children that have ended, in ms. */
function childTime(): number {
  // Behind the name, which may hold blanks: members 16 and 17 of the whole.
  const [, rest = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const [user = 0, system = 0] = rest.split(' ').slice(13, 15).map(Number);
  return 10 * (user + system);
}

/** Wall clock and processor time of a run, in ms. */
function timed(file: string, jobs: number) {
  const [wall, cpu] = [performance.now(), childTime()];
  const args = ['dist/cli/main.js', 'verify', '--ndjson', file, '--jobs', String(jobs)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error('not verified');
  return { wall: performance.now() - wall, cpu: childTime() - cpu };
}

for (const family of ['mimc', 'poseidon2'] as const) {
  const file = writeLines(family);
  const runs: { wall: number; cpu: number }[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [i, all] of runs.entries()) all.push(timed(file, i + 1));
  }
  const [one, two] = runs.map((all) => median(all.map(({ wall }) => wall))) as [number, number];
  const [oneCpu, twoCpu] = runs.map((all) => median(all.map(({ cpu }) => cpu))) as [number, number];
  console.log(
    `${family}: one thread ${one.toFixed(0)} ms, two threads ${two.toFixed(0)} ms, ratio ${(one / two).toFixed(2)}`,
    `(by processor time ${((2 * oneCpu) / twoCpu).toFixed(2)})`,
  );
}
