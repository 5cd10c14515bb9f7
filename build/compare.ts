/**
 * `npm run compare -- COMMIT`: what the build that is here does to size and time against that of another commit, which is
 * built in a temporary folder. Prints two tables in Markdown.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type EntrySize, sizeTable } from './sizeTable.js';

const lock = 'package-lock.json';

/** Unpacks a commit and builds it. */
function build(commit: string, folder: string): void {
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 1e9 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  const isSame = readFileSync(join(folder, lock), 'utf8') === readFileSync(lock, 'utf8');
  // stdout is for the tables alone.
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  if (isSame) symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci'], { cwd: folder, stdio: [...stdio] });
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: folder, stdio: [...stdio] });
}

/** Sizes of the entries. It fails for one above its limit, and says so in the table. */
function sizesOf(folder: string): EntrySize[] {
  const args = ['size-limit', '--json'];
  const { stdout, stderr } = spawnSync('npx', args, { cwd: folder, encoding: 'utf8' });
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`size-limit failed: ${stderr}`);
  }
}

const [asked] = process.argv.slice(2);
if (asked === undefined) {
  console.error('npm run compare -- COMMIT, such as main');
  process.exit(3);
}
const commit = execFileSync('git', ['rev-parse', '--verify', `${asked}^{commit}`], {
  encoding: 'utf8',
}).trim();
const folder = mkdtempSync(join(tmpdir(), 'l2proof-base-'));
try {
  console.error(`building ${commit.slice(0, 8)}`);
  build(commit, folder);
  console.log(`## Against ${commit.slice(0, 8)}\n\n${sizeTable(sizesOf(folder), sizesOf('.'))}\n`);
  console.error('timing both');
  execFileSync('npx', ['tsx', 'bench/against.ts', folder], { stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
